import { built, el, put } from "../elements.js";
import { button, code, faint, icon, number, part } from "../pieces.js";
import { hit } from "./search.js";

const WORDS = { pos: "positive", neg: "negative" };

// Beside the picture a rule is looked at closely; at first, the solution.
export class Detail {
  #ctx;
  #act;
  element = el("div", { class: "about", "aria-live": "polite" });

  // What is pressed is the view's affair: act = { ask(question, args), change(question, args), pick(node) }.
  constructor(ctx, act) {
    this.#ctx = ctx;
    this.#act = act;
  }

  open({ title, nodes, explained, how_to_look: howToLook }) {
    const solution = nodes.filter((node) => node.outcome === "solution");
    const without = el("div"); // what the solution would be without each of its literals
    put(this.element,
      el("h4", {}, title),
      solution.map((node) => hit(this.#ctx, node, () => this.#act.pick(node))),
      without,
      el("p", { class: "faint" }, howToLook));
    if (explained && solution.length) this.#explain(without);
  }

  async #explain(place) {
    const answer = await this.#act.ask("without");
    if (answer) put(place, built(answer.told));
  }

  // `all` are the numbers of positive and negative examples; `above` and `below`, of rules not shown there.
  draw(id, rule, all, { above, below }) {
    const { outcome, stub, size, covered, forbids } = rule;
    const [allPositives, allNegatives] = all;
    put(this.element,
      el("h4", {}, icon(this.#ctx.marks[outcome]), outcome,
        faint(stub ? ` ${number(stub)} never made` : ` size ${size}`)),
      el("pre", {}, code(rule.program)),
      !stub && [
        this.#examples("pos", rule.positives, covered[0], allPositives),
        this.#examples("neg", rule.negatives, covered[1], allNegatives),
      ],
      el("p", {}, rule.why),
      forbids && !stub && el("p", {}, faint("no need to test "), code(forbids)),
      rule.conjunctions.map((each) => [faint("joined into"), el("pre", {}, code(each))]),
      this.#ways(id, rule, above, below));
  }

  #examples(sort, names, count, all) {
    const chip = (name) =>
      button(code(name), () => this.#ctx.select({ examples: [name] }), { class: "chip" });
    const rest = count - names.length;
    return [
      part(sort, count, all, WORDS[sort]),
      el("div", { class: "examples" }, names.map(chip), rest > 0 && `and ${number(rest)} more`),
    ];
  }

  // Where one can go from a rule.
  #ways(key, { stub, collapses, constraint }, above, below) {
    const change = (text, question, args) => button(text, () => this.#act.change(question, { key, ...args }));
    const more = (count, to) => count > 0 && change(`${number(count)} more ${to}`, "expand", { to });
    return el("div", { class: "line" },
      more(above, "general"), more(below, "special"),
      stub && change("show some", "expand"),
      collapses && change("collapse", "collapse"),
      constraint && this.#ctx.link("constraints"));
  }
}
