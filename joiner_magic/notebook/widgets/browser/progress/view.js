import "./progress.css";
import { el, put } from "../elements.js";
import { button, code, faint, pressable, tally } from "../pieces.js";
import { History, Sizes } from "./charts.js";
import { Clock } from "./clock.js";

const UNANSWERED = {
  state: "stopped", can_stop: false, doing: "unknown", remark: "the kernel did not answer",
};

// How far a run is, as it is laid out in Python. Between two scenes only the clock moves.
export class ProgressView {
  #ctx;
  #scene = null;
  #told = 0; // when the scene came
  #asking = false;
  #timer;

  #doing = el("b");
  #remark = faint();
  #stop = button("■ Stop", () => this.#press(), { hidden: true, title: "the best so far is kept" });
  #hint = faint("interrupt the kernel (■ in the toolbar) to stop");
  #tiles = el("div", { class: "tiles" });
  #sizes;
  #history;
  #legend = el("ul");
  #clock = new Clock();
  #best = el("b");
  #rules = el("div", { class: "rules", tabindex: 0, role: "group", "aria-label": "best hypothesis" });

  constructor(ctx) {
    this.#ctx = ctx;
    this.#sizes = new Sizes(ctx);
    this.#history = new History(ctx);
    ctx.host.append(...this.#layout());
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#timer = setInterval(() => this.#isRunning() && this.#tick(), isStill ? 1000 : 200);
  }

  #layout() {
    const dot = el("span", { class: "dot" });
    return [
      el("div", { class: "line head" }, dot, this.#doing, this.#remark, this.#stop, this.#hint),
      this.#tiles,
      el("div", { class: "sides" }, this.#sizes.element, this.#history.element),
      this.#legend,
      el("b", {}, "Time by stage"), this.#clock.bar, this.#clock.stages,
      this.#best, this.#rules,
    ];
  }

  draw(scene) {
    this.#scene = scene;
    this.#told = performance.now();
    this.#ctx.host.dataset.state = scene.state;
    this.#drawHead(scene);
    this.#drawTiles(scene);
    const line = ([word, n]) => el("li", { class: !n && "faint" }, tally(this.#ctx.marks[word], word, n));
    put(this.#legend, scene.legend.map(line));
    this.#sizes.draw(scene);
    this.#history.draw(scene);
    this.#drawBest(scene.best);
    this.choose(this.#ctx.selected());
    this.#tick();
  }

  #drawHead({ state, doing, remark, can_stop: canStop }) {
    put(this.#doing, doing);
    put(this.#remark, remark);
    this.#stop.hidden = !canStop;
    this.#hint.hidden = state !== "running" || canStop;
  }

  #drawTiles({ tiles }) {
    const tile = (label, value) => el("div", {}, value, faint(label));
    const told = tiles.map(([label, value]) => tile(label, el("b", {}, value || "–")));
    put(this.#tiles, told, tile("time", this.#clock.element));
  }

  #drawBest({ text, told_below: isToldBelow, rules, ids }) {
    put(this.#best, text);
    this.#rules.hidden = isToldBelow;
    put(this.#rules, rules.map((rule, i) => this.#rule(rule, ids[i])));
  }

  // One with an id can be chosen, and pressed once more it is not.
  #rule(text, id) {
    const rule = code(text, { class: "rule", "data-id": id });
    const press = () => {
      const isChosen = this.#ctx.selected().rules.includes(id);
      this.#ctx.select({ rules: isChosen ? [] : [id] });
    };
    return id ? pressable(rule, `choose ${text}`, press) : rule;
  }

  choose({ rules: chosen }) {
    for (const rule of this.#rules.querySelectorAll("[role=button]")) {
      rule.setAttribute("aria-pressed", chosen.includes(rule.dataset.id));
    }
  }

  #isRunning() {
    return this.#scene && this.#scene.state === "running";
  }

  #tick() {
    const since = this.#isRunning() ? (performance.now() - this.#told) / 1000 : 0;
    this.#clock.draw(this.#scene, since);
    const patience = this.#scene.can_stop ? 3 : 10;
    if (since > patience && !this.#asking) this.#ask("scene"); // a panel that nobody keeps informed asks
  }

  async #ask(question) {
    this.#asking = true;
    try {
      this.draw(await this.#ctx.ask(question, {}, () => ({ ...this.#scene, ...UNANSWERED })));
    } finally {
      this.#asking = false;
    }
  }

  async #press() {
    this.#stop.disabled = true;
    try {
      await this.#ask("stop");
    } finally {
      this.#stop.disabled = false;
    }
  }

  leave() {
    clearInterval(this.#timer);
  }
}
