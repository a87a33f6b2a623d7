import "./constraints.css";
import { el, fill, put } from "../elements.js";
import { button, debounced, offer } from "../pieces.js";
import { ALL, Chart } from "./chart.js";
import { row } from "./row.js";

// What a run left out, and why: a chart, and a table that Python gives a page at a time.
export class ConstraintsView {
  #ctx;
  #wanted = { ...ALL, order: "size", backwards: false };
  #asked = 0; // pages; only the last one counts
  #columns = []; // name, order and meaning of each
  #page = null; // the one in the table
  #timer = 0;

  #chart;
  #search = el("input", { type: "search", placeholder: "find predicates or a rule", "aria-label": "find" });
  #back = button("‹", () => this.#load({ offset: this.#page.before }), { "aria-label": "previous page" });
  #forth = button("›", () => this.#load({ offset: this.#page.after }), { "aria-label": "next page" });
  #found = el("span", { class: "faint", role: "status" });
  #all = button("show all", () => this.#load(ALL));
  #absent = el("div");
  #head = el("tr");
  #body = el("tbody");

  constructor(ctx) {
    this.#ctx = ctx;
    this.#chart = new Chart(ctx, (change) => this.#load(change));
    fill(this.#search, { oninput: debounced(() => this.#load({ text: this.#search.value, rule: "" })) });
    fill(ctx.host, {}, this.#layout());
  }

  #layout() {
    return [
      this.#chart.bars,
      this.#chart.legend,
      el("div", { class: "line" }, this.#search, this.#back, this.#forth, this.#found, this.#all),
      this.#absent,
      el("div", { class: "wide" }, el("table", {}, el("thead", {}, this.#head), this.#body)),
    ];
  }

  draw(scene) {
    this.#columns = scene.columns;
    this.#chart.draw(scene);
    const isUntouched = !this.#asked && !this.#body.querySelector("[colspan]");
    if (isUntouched) this.#show(scene.page); // what is looked at stays
    const again = async () => this.draw(await this.#ctx.ask("scene"));
    if (scene.running) this.#timer = setTimeout(again, 2000);
  }

  async #load(change) {
    this.#wanted = { ...this.#wanted, offset: 0, ...change };
    if (change.text != null) this.#search.value = change.text;
    const turn = ++this.#asked;
    const page = await this.#ctx.ask("page", this.#wanted);
    if (turn === this.#asked) this.#show(page);
  }

  #show(page) {
    const { kind, text, size } = this.#wanted;
    this.#page = page;
    put(this.#body, page.rows.map((one) => row(this.#ctx, one, this.#columns.length)));
    put(this.#head, this.#columns.map((column, place) => this.#title(column, place)));
    put(this.#found, page.said);
    this.#back.disabled = page.before == null;
    this.#forth.disabled = page.after == null;
    this.#all.hidden = !kind && !text && !size;
    this.#chart.mark(this.#wanted);
    this.choose(this.#ctx.selected());
  }

  // The head of a column. Pressed, it sorts by it; pressed once more, the other way round.
  #title([name, order, meaning], place) {
    const { order: sorted, backwards } = this.#wanted;
    const isOn = order && sorted === order;
    const sort = () => this.#load({ order, backwards: isOn && !this.#wanted.backwards });
    const inside = order ? button([name, isOn && (backwards ? " ▾" : " ▴")], sort) : name;
    const cell = el("th", { class: place > 1 && "n" }, inside);
    return meaning ? this.#ctx.tip(cell, () => meaning) : cell;
  }

  choose({ rules }) {
    const missing = new Set(rules);
    for (const line of this.#body.children) line.classList.toggle("chosen", missing.delete(line.rule));
    offer(this.#ctx, this.#absent, [...missing], (rule, text) => this.#load({ ...ALL, text, rule }));
  }

  leave() {
    clearTimeout(this.#timer);
  }
}
