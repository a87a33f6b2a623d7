import "./panel.css";
import { el } from "../elements.js";
import { VIEWS } from "../views.js";
import { context } from "./context.js";
import { Kernel } from "./kernel.js";
import { Tabs } from "./tabs.js";
import { Tooltips } from "./tooltips.js";

const COMBINED = ["ctrlKey", "metaKey", "altKey", "shiftKey"];

// A tab for each view, each drawn when it is first looked at.
export class Panel {
  #open = new Map(); // by name: { place, view }, those that have been looked at
  #root;
  #tabs;
  #keepKeys = (event) => this.#keep(event);

  constructor(model, host) {
    this.model = model;
    this.views = model.get("views"); // name and title of each
    this.kernel = new Kernel(model);
    this.#root = el("div", { class: "joiner" }, this.kernel.hidesTwin);
    host.append(this.#root);
    this.tooltips = new Tooltips(this.#root);
    this.#tabs = new Tabs(this.views, (name) => this.show(name));
    if (this.views.length > 1) this.#root.append(this.#tabs.element);
    this.#root.append(this.kernel.said);
    this.#listen();
    this.show(this.views[0][0]);
  }

  #listen() {
    const { model } = this;
    const open = this.#open;
    // anywidget forgets these with the panel.
    const choose = () => {
      for (const { view } of open.values()) view.choose(model.get("selected"));
    };
    model.on("change:selected", choose);
    model.on("change:texts", choose);
    model.on("change:progress", () => open.get("progress")?.view.draw(model.get("progress")));
    model.on("comm_live_update", () => this.kernel.tryAgain(this.views[0][0]));
    addEventListener("keydown", this.#keepKeys, true); // before the front end hears it
  }

  show(name) {
    if (!this.#open.has(name)) this.#open.set(name, this.#opened(name));
    for (const [each, { place }] of this.#open) place.hidden = each !== name;
    this.#tabs.mark(name);
  }

  #opened(name) {
    const place = el("div", { class: `view ${name}`, role: "tabpanel", hidden: true });
    this.#root.insertBefore(place, this.kernel.said);
    const view = new VIEWS[name](context(this, name, place));
    const scene = name === "progress" && this.model.get("progress");
    if (scene && scene.state) view.draw(scene);
    else this.#fetch(name, place, view);
    return { place, view };
  }

  // A view that gets no scene is taken away, so that it is asked for again when it is next looked at.
  #fetch(name, place, view) {
    const drawn = (scene) => {
      view.draw(scene);
      view.choose(this.model.get("selected"));
    };
    const failed = () => {
      this.#open.delete(name);
      place.remove();
      view.leave();
    };
    this.kernel.ask(name, "scene").then(drawn, failed);
  }

  // For a front end plain keys are commands, and two of them delete the cell: not those pressed in here.
  // Escape leaves.
  #keep(event) {
    if (!this.#root.contains(event.target)) return;
    const isCombined = COMBINED.some((key) => event[key]);
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !isCombined);
    if (event.key === "Escape") this.#root.closest(".jp-Cell")?.focus();
  }

  leave() {
    for (const { view } of this.#open.values()) view.leave();
    removeEventListener("keydown", this.#keepKeys, true);
  }
}
