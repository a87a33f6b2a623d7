import { el, fill, put } from "../elements.js";

const GAP = 6; // between a tooltip and what it describes

// One tooltip for a panel. It stands above or below what it describes, never over it, and goes with it.
export class Tooltips {
  #root;
  #tip = el("div", { class: "tip", role: "tooltip", hidden: true });
  #described = null; // what the tooltip speaks of

  constructor(root) {
    this.#root = root;
    root.append(this.#tip);
    const changes = { childList: true, subtree: true, attributes: true };
    new MutationObserver(() => this.#hideIfAlone()).observe(root, changes);
  }

  // What a tooltip says of the target is made when it is shown.
  describe(target, content) {
    const hide = () => this.#hide();
    const show = () => this.#show(target, content);
    const onfocus = () => target.matches(":focus-visible") && show(); // reached by keys
    return fill(target, { onpointerenter: show, onfocus, onpointerleave: hide, onblur: hide, onclick: hide });
  }

  #show(target, content) {
    this.#described = target;
    put(this.#tip, content());
    this.#tip.hidden = false;
    this.#place(target.getBoundingClientRect(), this.#root.getBoundingClientRect());
  }

  #place(at, frame) {
    const { style } = this.#tip;
    style.left = 0; // its width is measured where it has room
    const { offsetWidth: width, offsetHeight: height } = this.#tip;
    const middle = at.left + at.width / 2 - width / 2;
    const x = Math.min(Math.max(middle, frame.left), frame.right - width);
    const above = at.top - height - GAP;
    const y = above >= Math.max(0, frame.top) ? above : at.bottom + GAP;
    style.left = `${x - frame.left}px`;
    style.top = `${y - frame.top}px`;
  }

  #hide() {
    this.#tip.hidden = true;
  }

  #hideIfAlone() {
    if (!this.#tip.hidden && !this.#described.getClientRects().length) this.#hide();
  }
}
