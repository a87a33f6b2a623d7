// What every view draws with. Texts of the task only ever become text nodes and attributes, never markup.

const VIEWS = {}; // by name: (ctx) => ({ draw(scene), choose(selected), leave() })
const SVG = "http://www.w3.org/2000/svg";

// Characters that turn the text around them, or that cannot be seen, are named.
const UNSEEN = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f]/g;
const visible = (text) =>
  String(text).replace(UNSEEN, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

const number = (n) => (n == null ? "?" : n.toLocaleString("en-US"));

function fill(node, attributes = {}, children = []) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : visible(value));
  }
  for (const child of children.flat(9)) if (child != null && child !== false) node.append(child.nodeType ? child : visible(child));
  return node;
}

// In the place of what is in a node.
function put(node, ...children) {
  node.replaceChildren();
  return fill(node, {}, children);
}

// el("button", {class: "x", onclick: f}, "text", node, …)
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// What Python has built: ["tag", {attributes}, child, …].
const built = (tree) => (Array.isArray(tree) ? el(tree[0], tree[1], tree.slice(2).map(built)) : tree);

// A text of the task within a line.
const code = (text, attributes) => el("code", attributes, el("bdi", {}, text));
const faint = (...inside) => el("span", { class: "faint" }, inside);
const button = (text, onclick, attributes) => el("button", { onclick, ...attributes }, text);

// The sign of an outcome: a mark is a colour's name and a path.
const sign = ([colour, d], attributes) => svg("path", { d, fill: `var(--${colour})`, "fill-rule": "evenodd", ...attributes });
const icon = (mark, attributes) => svg("svg", { class: "icon", viewBox: "-1.4 -1.4 2.8 2.8" }, sign(mark, attributes));
const tally = (mark, word, count) => [icon(mark), word, el("span", { class: "n" }, number(count))];

// How many of all, in words and as a bar.
const part = (label, count, all, words) =>
  el("div", { class: `part ${label}` }, el("b", {}, number(count)), ` of ${number(all)} ${words}`, el("meter", { max: all || 1, value: count }));

// Rules that are chosen but out of sight, with a way to each.
const offer = (place, rules, show) =>
  put(place, rules.slice(0, 3).map((rule) => el("p", {}, code(rule), faint(" is not shown here "), button("show it", () => show(rule)))));

// Something other than a button that acts like one, with the keyboard too.
function pressable(node, label, act) {
  const onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return fill(node, { tabindex: 0, role: "button", "aria-label": label, onclick: act, onkeydown });
}

const debounced = (act, wait = 200) => {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), wait);
  };
};

// One tooltip for a panel. It stands above or below what it describes, never over it, and goes with it.
function tooltips(root) {
  const tip = el("div", { class: "tip", role: "tooltip", hidden: true });
  root.append(tip);
  let described;
  const hide = () => (tip.hidden = true);
  new MutationObserver(() => tip.hidden || described.getClientRects().length || hide()).observe(root, { childList: true, subtree: true, attributes: true });
  const show = (target, content) => {
    described = target;
    put(tip, content());
    tip.hidden = false;
    tip.style.left = 0; // its width is measured where it has room
    const at = target.getBoundingClientRect();
    const frame = root.getBoundingClientRect();
    const x = Math.min(Math.max(at.left + at.width / 2 - tip.offsetWidth / 2, frame.left), frame.right - tip.offsetWidth);
    const above = at.top - tip.offsetHeight - 6;
    tip.style.left = `${x - frame.left}px`;
    tip.style.top = `${(above >= Math.max(0, frame.top) ? above : at.bottom + 6) - frame.top}px`;
  };
  return (target, content) => {
    const onpointerenter = () => show(target, content);
    const onfocus = () => target.matches(":focus-visible") && onpointerenter(); // reached by keys
    return fill(target, { onpointerenter, onfocus, onpointerleave: hide, onblur: hide, onclick: hide });
  };
}
