// Fragments to take and examples to ask about. Each adds a painter to a list: what brings it up to date.

import { el, put } from "../elements.js";
import { button, code, number } from "../pieces.js";
import { both, counts, has } from "./bits.js";

const ERRORS = { pos: "missed", neg: "wrong" }; // what a hypothesis does with examples that it gets wrong

export const update = (painters) => painters.forEach((paint) => paint());

// A fragment to take into the conjunction, with what it covers, or what would be kept if it were added.
export function box(view, f, text, painters, isAdded) {
  const { conjunction } = view;
  const fragment = conjunction.fragments[f];
  const onchange = () => {
    const others = conjunction.tried.filter((each) => each !== f);
    view.pick(input.checked ? [...conjunction.tried, f] : others);
  };
  const input = el("input", { type: "checkbox", "data-key": f, onchange });
  const small = el("small", {}, counts(fragment));
  const node = el("label", {}, input, el("span", {}, code(text), small));
  painters.push(() => {
    input.checked = conjunction.tried.includes(f);
    node.classList.toggle("on", input.checked);
    node.classList.toggle("chosen", view.pointed.includes(fragment.id));
    if (isAdded) put(small, counts(both(conjunction.kept, fragment)));
  });
  return node;
}

// An example to ask about; others may be just like it.
export function example(view, label, n, name, painters, alike) {
  const isError = has(view.errors[label], n);
  const error = isError && el("small", { class: "error" }, ` ${ERRORS[label]}`);
  const inside = [el("bdi", {}, name), error, alike > 0 && el("small", {}, ` + ${number(alike)} alike`)];
  const look = { class: `e ${label}`, "data-key": label + n };
  const node = button(inside, () => view.explain(label, n), look);
  painters.push(() => {
    node.classList.toggle("on", has(view.conjunction.kept[label], n));
    node.classList.toggle("chosen", view.marked.includes(`${label} ${n}`));
  });
  return view.ctx.tip(node, () => code(name));
}

// What is focused stays so when it is drawn anew.
export function redraw(place, ...nodes) {
  const focused = document.activeElement;
  const key = place.contains(focused) ? focused.dataset.key : null;
  put(place, nodes);
  if (key) place.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
}
