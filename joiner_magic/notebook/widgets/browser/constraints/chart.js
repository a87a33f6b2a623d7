import { built, el, put } from "../elements.js";
import { button, faint, icon, number, tally } from "../pieces.js";

export const ALL = { kind: "", size: null, text: "", rule: "" }; // the filter that lets everything through

// What became of programs: a bar for each size and a legend of the kinds. What is pressed filters the table.
export class Chart {
  #ctx;
  #load;
  bars = el("div", { class: "bars" });
  legend = el("div", { class: "line" });

  constructor(ctx, load) {
    this.#ctx = ctx;
    this.#load = load;
  }

  draw({ heading, whence, sizes, kinds, untested, missed }) {
    const chips = (label, cutting) => [
      faint(label), kinds.filter(({ cuts }) => cuts === cutting).map((kind) => this.#chip(kind)),
    ];
    put(this.bars,
      el("b", {}, heading),
      whence && el("div", { class: "whence faint" }, whence),
      sizes.map((size) => this.#bar(size)));
    put(this.legend, chips("prunes", true), chips("others", false), built(untested), faint(missed));
  }

  #bar({ size, total, fates, untested }) {
    const beside = el("span", { class: "n" }, number(total), untested && faint(" + not tested"));
    const tip = `${number(total)} tested; left out before that: ${untested || "none"}`;
    return [
      faint(`size ${size}`),
      el("div", { class: "bar" }, fates.map((fate) => this.#segment(size, total, fate))),
      this.#ctx.tip(beside, () => tip),
    ];
  }

  #segment(size, total, [kind, count, cuts, said]) {
    const mark = this.#ctx.marks[kind];
    const look = { class: !cuts && "kept", style: `flex:${count};--own:var(--${mark[0]})` };
    const hasRoom = count > total / 25;
    const fill = `var(--${cuts ? "page" : "ink"})`;
    return this.#filter(kind, size, look, said, hasRoom && icon(mark, { fill }));
  }

  #chip({ kind, count, sentence }) {
    return this.#filter(kind, null, { class: "chip" }, sentence, tally(this.#ctx.marks[kind], kind, count));
  }

  // A segment of a bar, or a kind in the legend: it filters the table, and pressed once more it does not.
  #filter(kind, size, look, tip, ...inside) {
    const press = () => this.#load(node.ariaPressed === "true" ? ALL : { kind, size });
    const filter = `${kind}/${size}`;
    const node = button(inside, press, { ...look, "data-filter": filter, "aria-label": size && tip });
    return this.#ctx.tip(node, () => tip);
  }

  // Which of them filters the table now.
  mark({ kind, size }) {
    for (const node of this.#ctx.host.querySelectorAll("[data-filter]")) {
      node.ariaPressed = node.dataset.filter === `${kind}/${size}`;
    }
  }
}
