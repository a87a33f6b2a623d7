import { el, fill, put } from "../elements.js";
import { button, code, debounced, faint, icon, tally } from "../pieces.js";

// A rule in a list, to be pressed.
export const hit = (ctx, { outcome, text, counts }, act) =>
  button([icon(ctx.marks[outcome]), code(text), faint(counts)], act, { class: "hit" });

// Search and filters: by a text, a predicate, and outcomes.
export class Search {
  #ctx;
  #act;
  #outcomes = new Set(); // the ones that are wanted; none means all
  #turn = 0; // only the last search counts
  lit = null; // ids of what is found in the picture; null: nothing is looked for
  chips = el("div", { class: "line chips" });
  found = el("div", { class: "found", hidden: true });

  // What is found is the view's affair: act = { ask(question, args), fade(lit), open(rule) }.
  constructor(ctx, act) {
    this.#ctx = ctx;
    this.#act = act;
    const soon = debounced(() => this.#find(0));
    const placeholder = "search predicates, or a rule";
    this.text = el("input", { type: "search", placeholder, "aria-label": "search rules", oninput: soon });
    this.predicate = el("select", { "aria-label": "filter by predicate", onchange: soon });
  }

  draw({ outcomes, predicates }) {
    const option = (name) => el("option", { value: name }, name || "any predicate");
    put(this.chips, outcomes.map((outcome) => this.#chip(outcome)));
    put(this.predicate, ["", ...predicates].map(option));
  }

  #chip([outcome, count, meaning]) {
    const press = () => {
      if (!this.#outcomes.delete(outcome)) this.#outcomes.add(outcome);
      chip.ariaPressed = this.#outcomes.has(outcome);
      this.#find(0);
    };
    const look = { class: "chip", "aria-pressed": this.#outcomes.has(outcome) };
    const chip = button(tally(this.#ctx.marks[outcome], outcome, count), press, look);
    return this.#ctx.tip(chip, () => meaning);
  }

  // The list of what is found, from the offset on.
  async #find(offset) {
    const page = await this.light(offset);
    if (!page) return;
    if (offset) this.found.lastChild.remove(); // the button that asked for more
    else put(this.found, el("b", {}, page.said));
    const next = offset + page.rules.length;
    const isMore = next > offset && next < page.total;
    fill(this.found, {}, [
      page.rules.map((rule) => hit(this.#ctx, rule, () => this.#act.open(rule))),
      isMore && button("show more", () => this.#find(next)),
    ]);
  }

  // What is found stands out in the picture. Gives a page of it, or null if that is not what is sought now.
  async light(offset) {
    const turn = ++this.#turn;
    this.found.hidden = !(this.text.value || this.predicate.value || this.#outcomes.size);
    const page = this.found.hidden ? null : await this.#act.ask("search", this.#wanted(offset));
    if (turn !== this.#turn) return null;
    this.lit = page && new Set(page.lit);
    this.#act.fade(this.lit);
    return page;
  }

  #wanted(offset) {
    const predicates = this.predicate.value ? [this.predicate.value] : [];
    return { text: this.text.value, predicates, outcomes: [...this.#outcomes], offset };
  }

  // The chips show it when they are next drawn.
  clear() {
    this.text.value = this.predicate.value = "";
    this.#outcomes.clear();
    this.#find(0);
  }
}
