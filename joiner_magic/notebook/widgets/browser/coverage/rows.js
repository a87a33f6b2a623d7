import { el } from "../elements.js";
import { has, LABELS, range } from "./bits.js";
import { box, example, redraw, update } from "./controls.js";

const ROW = 22; // the height of a row
const SEEN = 24; // rows that are drawn
const ABOVE = 4; // of which so many are above what is in sight
const PAGE = 100; // names that come together

// All examples as rows with a mark for each fragment that covers them. Only those in sight are there.
export class Rows {
  #view;
  #fragments; // those of the picture, by place in the conjunction's list
  #list; // label and number of each example
  #inside;
  #scroll;

  constructor(view, { left }, painters) {
    this.#view = view;
    this.#fragments = left.map(([f]) => f);
    const { sizes } = view.conjunction;
    this.#list = LABELS.flatMap((label) => range(sizes[label]).map((n) => [label, n]));
    this.#inside = el("div", { style: `height:${this.#list.length * ROW}px` });
    const look = { class: "rows", tabindex: 0, "aria-label": "All examples" };
    this.#scroll = el("div", { ...look, onscroll: () => this.#show() }, this.#inside);
    painters.push(() => this.#show());
    this.element = el("div", {},
      this.#fragments.map((f, i) => box(view, f, `${i + 1}  ${this.#fragment(f).text}`, painters)),
      el("div", { class: "row" }, this.#fragments.map((_, i) => el("b", {}, i + 1))),
      this.#scroll);
  }

  #fragment(f) {
    return this.#view.conjunction.fragments[f];
  }

  #show() {
    const first = Math.max(0, Math.floor(this.#scroll.scrollTop / ROW) - ABOVE);
    const painters = [];
    const row = ([label, n], i) => this.#row(label, n, first + i, painters);
    redraw(this.#inside, this.#list.slice(first, first + SEEN).map(row));
    update(painters);
  }

  #row(label, n, place, painters) {
    const cell = (f) => el("i", { class: has(this.#fragment(f)[label], n) && "on" });
    return el("div", { class: `row ${label}`, style: `top:${place * ROW}px` },
      this.#fragments.map(cell), example(this.#view, label, n, this.#name(label, n), painters));
  }

  // Names come a page at a time; until then there is a sign in their place.
  #name(label, n) {
    const pages = this.#view.names[label];
    const page = Math.floor(n / PAGE);
    if (!pages[page]) {
      pages[page] = [];
      this.#fetch(pages, label, page);
    }
    return pages[page][n % PAGE] || "…";
  }

  async #fetch(pages, label, page) {
    const { names } = await this.#view.ctx.ask("names", { label, start: page * PAGE });
    pages[page] = names;
    this.#show();
  }
}
