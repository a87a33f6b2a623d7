import "./coverage.css";
import { built, el, put } from "../elements.js";
import { button, debounced, number, part } from "../pieces.js";
import { bits, range } from "./bits.js";
import { Conjunction } from "./conjunction.js";
import { box, redraw, update } from "./controls.js";
import { graph } from "./graph.js";
import { Rows } from "./rows.js";

const sorted = (places) => [...places].sort().join();

// What the fragments of a conjunction cover, each alone and together; a person can try others.
export class CoverageView {
  #sizes = null; // the numbers of positive and negative examples
  #at = 0; // the number of the rule at hand
  #isMatrix = false; // all examples, or the graph
  #laid = ""; // what the picture was asked for
  #boxes = []; // painters of the other fragments
  #painters = []; // and of the picture
  errors = null; // the examples that the hypothesis gets wrong, as bitsets by label
  names = null; // of examples, by label in pages, as far as they were asked for
  conjunction = null;
  marked = []; // examples that are chosen, such as "neg 3"
  pointed = []; // ids of rules and fragments that are chosen, here or in another view

  #note = el("p", { class: "faint" });
  #tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Rules" });
  #body = el("div");
  #watch = new ResizeObserver(debounced(() => this.#lay()));
  // Of the rule at hand, in the body:
  #heading;
  #figures;
  #stage;
  #told;
  #back;
  #turn;

  constructor(ctx) {
    this.ctx = ctx;
    ctx.host.append(this.#note, this.#tabs, this.#body);
  }

  draw({ sizes, note, errors, running, titles }) {
    this.#sizes = sizes;
    this.errors = bits(errors);
    this.names = { pos: [], neg: [] };
    const again = async () => this.draw(await this.ctx.ask("scene"));
    put(this.#note, note, " ", running && button("Look again", again));
    this.#tabs.hidden = titles.length < 2;
    put(this.#tabs, titles.map((title, n) => button(title, () => this.#open(n), { role: "tab" })));
    if (titles.length) this.#open(0);
  }

  // The rule of a tab, as the solver has made it.
  async #open(n) {
    this.#at = n;
    [...this.#tabs.children].forEach((tab, i) => tab.setAttribute("aria-selected", i === n));
    const choice = await this.ctx.ask("choice", { number: n });
    if (this.#at !== n) return;
    this.conjunction = new Conjunction(choice, this.#sizes);
    this.#makeElements();
    put(this.#body, this.#layout());
    this.#watch.disconnect();
    this.#watch.observe(this.#stage);
    this.pick(this.conjunction.own, true);
    this.choose(this.ctx.selected());
  }

  #makeElements() {
    this.#heading = el("div", { class: "heading" });
    this.#figures = el("div", { class: "figures", role: "status" });
    this.#stage = el("div", { class: "stage" });
    this.#told = el("div", { class: "told" });
    this.#back = button("Solver's choice", () => this.pick(this.conjunction.own));
    this.#turn = button("", () => {
      this.#isMatrix = !this.#isMatrix;
      this.#lay();
    });
    [this.#laid, this.#boxes, this.#painters] = ["", [], []];
  }

  #layout() {
    const { own, fragments } = this.conjunction;
    const why = async () => this.#tell(await this.ctx.ask("minimal", { number: this.#at }));
    const other = (f) => box(this, f, fragments[f].text, this.#boxes, true);
    const others = range(fragments.length, own.length).map(other);
    const summary = `Other fragments (${others.length}), and what the conjunction would keep with each`;
    return [
      this.#heading,
      this.#figures,
      el("div", { class: "line" },
        own.length > 0 && [this.#back, button("Why is it minimal?", why)], this.#turn),
      el("div", { class: "sides" }, this.#stage, this.#told),
      el("details", { hidden: !others.length }, el("summary", {}, summary), others),
    ];
  }

  #tell(answer) {
    put(this.#told, built(answer.told));
  }

  // Why an example is covered, or not.
  async explain(label, n) {
    const asked = { number: this.#at, label, example: n, fragments: this.conjunction.shown() };
    const answer = await this.ctx.ask("explain", asked);
    this.#tell(answer);
    this.ctx.select({ examples: [answer.name] });
  }

  // Fragments to join. Quietly: nobody has chosen them here.
  pick(chosen, quietly) {
    const { conjunction } = this;
    conjunction.take(chosen);
    if (!quietly) this.ctx.select({ rules: chosen.map((f) => conjunction.fragments[f].id) });
    this.#drawFigures();
    this.#back.disabled = conjunction.isOwn();
    this.#head();
    update(this.#boxes);
    this.#lay();
  }

  #drawFigures() {
    const { conjunction } = this;
    const figure = (label, words) => part(label, conjunction.keeps(label), this.#sizes[label], words);
    put(this.#figures,
      figure("pos", "positives kept"),
      figure("neg", "negatives still in"),
      el("div", {}, el("b", {}, conjunction.literals()), " literals"),
      el("p", {}, conjunction.verdict(), " ", conjunction.remark()));
  }

  // The rule that the ticked fragments make.
  async #head() {
    const { tried } = this.conjunction;
    const answer = await this.ctx.ask("written", { number: this.#at, fragments: tried });
    if (tried === this.conjunction.tried) put(this.#heading, built(answer.told));
  }

  // Python lays out these fragments at this width; until then the old picture is brought up to date.
  async #lay() {
    const width = this.#stage.clientWidth;
    if (!width) return;
    const { conjunction } = this;
    const { pos, neg } = this.#sizes;
    put(this.#turn, this.#isMatrix ? "Show the graph" : `Show all ${number(pos + neg)} examples`);
    update(this.#painters);
    const key = [this.#at, this.#isMatrix || Math.round(width / 40), conjunction.shown()].join();
    if (key === this.#laid) return;
    this.#laid = key;
    const asked = { number: this.#at, fragments: conjunction.tried, width };
    const layout = await this.ctx.ask("picture", asked);
    if (this.#laid === key) this.#drawPicture(layout);
  }

  #drawPicture(layout) {
    this.#painters = [];
    const picture = this.#isMatrix
      ? new Rows(this, layout, this.#painters).element
      : graph(this, layout, this.#painters);
    redraw(this.#stage, picture);
    update(this.#painters);
  }

  choose({ rules, examples }) {
    if (!this.conjunction) return;
    const { fragments, tried } = this.conjunction;
    this.pointed = rules;
    const places = rules.map((id) => fragments.findIndex((f) => f.id === id)).filter((f) => f >= 0);
    // One that is chosen elsewhere is pointed at, and what is ticked stays so; several are to be joined.
    if (places.length > 1 && sorted(places) !== sorted(tried)) this.pick(places, true);
    update(this.#boxes);
    update(this.#painters);
    if (examples.length || this.marked.length) this.#find(examples);
  }

  async #find(examples) {
    const { found } = await this.ctx.ask("find", { examples });
    this.marked = found.map((each) => each.join(" "));
    update(this.#painters);
  }

  leave() {
    this.#watch.disconnect();
  }
}
