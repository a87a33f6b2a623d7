import "./lattice.css";
import { el, put } from "../elements.js";
import { button, debounced, offer } from "../pieces.js";
import { Detail } from "./detail.js";
import { Frame } from "./frame.js";
import { Picture } from "./picture.js";
import { Search } from "./search.js";

const [NARROWEST, WIDEST] = [300, 2400]; // the widths for which rules are arranged, in pixels

// The rules that a run tested: a picture that is expanded and searched, and beside it one of them closely.
export class LatticeView {
  #ctx;
  #scene = null;
  #width = 0; // of the page, when the rules were last arranged for it
  // Letters keep their size: for a page of another width the rules are arranged anew.
  #resized = debounced(() => this.#arrange());
  #observer = new ResizeObserver(this.#resized);

  #note = el("div", { class: "faint", role: "status" });
  #absent = el("div");
  #picture;
  #frame;
  #search;
  #detail;

  constructor(ctx) {
    this.#ctx = ctx;
    this.#makeParts();
    ctx.host.append(...this.#layout());
    this.#observer.observe(this.#frame.element);
  }

  #makeParts() {
    const ask = (question, args) => this.#ask(question, args);
    const change = (question, args) => this.#change(question, args);
    const pick = (node) => this.#pick(node);
    this.#picture = new Picture(this.#ctx, {
      press: (node) => this.#press(node),
      expand: (node) => this.#change("expand", { key: node.id }),
    });
    this.#frame = new Frame(this.#picture.element);
    this.#search = new Search(this.#ctx, {
      ask,
      fade: (lit) => this.#picture.fade(lit),
      open: ({ id }) => this.#reveal("open", { keys: [id] }, id),
    });
    this.#detail = new Detail(this.#ctx, { ask, change, pick });
  }

  #layout() {
    const [frame, search] = [this.#frame, this.#search];
    const zoom = el("span", { class: "zoom" },
      button("−", () => frame.zoomOut(), { "aria-label": "zoom out" }),
      button("+", () => frame.zoomIn(), { "aria-label": "zoom in" }),
      button("fit", () => frame.fit()),
      button("reset", () => this.#reset()));
    const side = el("div", { class: "side" }, this.#absent, search.found, this.#detail.element);
    return [
      this.#note,
      el("div", { class: "line" }, search.text, search.predicate, zoom),
      search.chips,
      el("div", { class: "sides" }, frame.element, side),
    ];
  }

  draw(scene) {
    const [picture, frame, search] = [this.#picture, this.#frame, this.#search];
    const isFirst = !this.#scene;
    const isWithin = picture.element.contains(document.activeElement);
    this.#scene = scene;
    picture.draw(scene);
    frame.hold(scene);
    frame.scale(frame.zoom, 0, 0);
    put(this.#note, scene.note);
    if (isFirst) this.#start();
    picture.fade(search.lit);
    if (search.lit) search.light(0); // what is new in the picture is looked at too
    this.#mark();
    const here = picture.shown.get(picture.at) || picture.shown.values().next().value;
    if (here) picture.step(here.node, !isWithin);
  }

  #start() {
    this.#search.draw(this.#scene);
    this.#detail.open(this.#scene);
    this.#resized();
  }

  // What went wrong, the panel says.
  #ask(question, args) {
    return this.#ctx.ask(question, args, () => null);
  }

  // A question whose answer is another picture.
  async #change(question, args) {
    const scene = await this.#ask(question, args);
    if (scene) this.draw(scene);
    const { at, shown } = this.#picture;
    if (shown.has(at)) this.#look(at);
    return scene;
  }

  async #arrange() {
    const { element } = this.#frame;
    const now = Math.min(element.clientWidth, WIDEST);
    if (!this.#scene || now < NARROWEST || Math.abs(now - this.#width) < 24) return;
    const isOpening = !this.#width;
    this.#width = now;
    await this.#change("arrange", { width: now });
    if (isOpening && element.clientHeight > 0.8 * this.#scene.height) this.#frame.fit();
  }

  // A rule is looked at closely. Gives what Python says of it.
  async #look(id) {
    this.#picture.at = id;
    this.#mark();
    const rule = await this.#ask("detail", { key: id });
    if (!rule || this.#picture.at !== id) return rule;
    const { node } = this.#picture.shown.get(id) || { node: rule };
    this.#detail.draw(id, rule, this.#scene.examples, node);
    return rule;
  }

  // A node is pressed: a stub opens, a rule is looked at and chosen.
  #press(node) {
    this.#picture.step(node);
    if (!node.stub) return this.#pick(node);
    this.#picture.at = node.id;
    return this.#change("expand", { key: node.id });
  }

  #pick(node) {
    this.#look(node.id);
    if (!node.stub) this.#ctx.select({ rules: [node.id] });
  }

  // A rule that may be out of the picture comes into it. Python says which one that is, if the id is another view's.
  async #reveal(question, args, id) {
    const scene = await this.#change(question, args);
    const found = this.#picture.shown.get(scene?.found || id);
    if (!found) return;
    found.g.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.#pick(found.node);
  }

  #mark() {
    const { rules } = this.#ctx.selected();
    const picture = this.#picture;
    picture.mark(rules);
    const missing = rules.filter((rule) => !picture.shown.has(rule));
    offer(this.#ctx, this.#absent, missing, (rule) => this.#reveal("reveal", { rule }, rule));
  }

  async #reset() {
    this.#frame.zoom = 1;
    this.#picture.at = "";
    this.#search.clear();
    await this.#change("reset");
    this.#start();
  }

  choose() {
    if (this.#scene) this.#mark();
  }

  leave() {
    this.#observer.disconnect();
  }
}
