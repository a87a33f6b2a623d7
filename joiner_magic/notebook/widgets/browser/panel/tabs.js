import { el } from "../elements.js";
import { button } from "../pieces.js";

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

// A tab for each view. One of them is reached with Tab; arrows go on from there.
export class Tabs {
  #show;

  constructor(views, show) {
    this.#show = show;
    const tab = ([name, title]) => button(title, () => show(name), { role: "tab", "data-view": name });
    const onkeydown = ({ key }) => STEPS[key] && this.#step(STEPS[key]);
    this.element = el("div", { class: "tabs", role: "tablist", onkeydown }, views.map(tab));
  }

  mark(name) {
    for (const tab of this.element.children) {
      const on = tab.dataset.view === name;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
    }
  }

  #step(by) {
    const tabs = [...this.element.children];
    const at = tabs.findIndex((tab) => !tab.tabIndex);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    this.#show(next.dataset.view);
    next.focus();
  }
}
