// Pieces that several views are made of.

import { el, fill, put, svg } from "./elements.js";

export const number = (n) => (n == null ? "?" : n.toLocaleString("en-US"));

// A text of the task within a line.
export const code = (text, attributes) => el("code", attributes, el("bdi", {}, text));
export const faint = (...inside) => el("span", { class: "faint" }, inside);
export const button = (text, onclick, attributes) => el("button", { onclick, ...attributes }, text);

// The sign of an outcome: a mark is a colour's name and a path.
export const sign = ([colour, d], attributes) =>
  svg("path", { d, fill: `var(--${colour})`, "fill-rule": "evenodd", ...attributes });
export const icon = (mark, attributes) =>
  svg("svg", { class: "icon", viewBox: "-1.4 -1.4 2.8 2.8" }, sign(mark, attributes));
export const tally = (mark, word, count) => [icon(mark), word, el("span", { class: "n" }, number(count))];

// How many of all, in words and as a bar.
export const part = (label, count, all, words) =>
  el("div", { class: `part ${label}` },
    el("b", {}, number(count)), ` of ${number(all)} ${words}`, el("meter", { max: all || 1, value: count }));

// Rules that are chosen but out of sight, with a way to each, once Python has told their texts.
export function offer(ctx, place, rules, show) {
  const line = (rule) => {
    const text = ctx.text(rule);
    const way = button("show it", () => show(rule, text));
    return text && el("p", {}, code(text), faint(" is not shown here "), way);
  };
  put(place, rules.slice(0, 3).map(line));
}

// Something other than a button that acts like one, with the keyboard too.
export function pressable(node, label, act) {
  const onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return fill(node, { tabindex: 0, role: "button", "aria-label": label, onclick: act, onkeydown });
}

// Of calls in quick succession only the last one acts.
export function debounced(act, wait = 200) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
}
