import { bits, both, count, everything, range } from "./bits.js";

// A rule, the fragments that it can be made of, and the conjunction of them that is tried.
// What fragments cover is here, so what they cover together is known at once.
export class Conjunction {
  constructor({ fragments, solver, told, priced }, sizes) {
    this.isPriced = priced; // whether a rule may cover negative examples
    this.sizes = sizes; // the numbers of positive and negative examples
    this.fragments = fragments.map((each) => ({ ...each, ...bits(each) }));
    this.own = range(solver); // the solver's choice, by place in the list of fragments
    this.told = told; // what Python says of other choices
    this.take(this.own);
  }

  take(tried) {
    this.tried = tried;
    this.kept = tried.map((f) => this.fragments[f]).reduce(both, everything(this.sizes));
  }

  // The fragments of the picture.
  shown() {
    return [...new Set([...this.own, ...this.tried])];
  }

  // A fragment costs less in company, where all share one head.
  literals() {
    const [first, ...others] = this.tried.map((f) => this.fragments[f]);
    if (!first) return 0;
    if (!others.length) return first.size;
    return others.reduce((sum, { cost }) => sum + cost, 1 + first.cost);
  }

  isOwn() {
    return this.own.length === this.tried.length && this.own.every((f) => this.tried.includes(f));
  }

  verdict() {
    if (!this.tried.length) return "Choose fragments: a conjunction keeps what all of them cover.";
    if (!this.kept.neg) return "Consistent.";
    return this.isPriced ? "Not consistent: the negatives have a price." : "Not consistent.";
  }

  remark() {
    return this.own.length > 0 && this.isOwn() ? "This is the solver's choice." : this.told;
  }

  keeps(label) {
    return count(this.kept[label]);
  }
}
