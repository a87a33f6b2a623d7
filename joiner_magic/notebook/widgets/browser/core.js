// What every view draws with. Texts of the task only ever become text nodes and attributes, never markup.

const VIEWS = {}; // by name: (ctx) => ({ draw(scene), choose(selected), leave() })
const SVG = "http://www.w3.org/2000/svg";

// Characters that turn the text around them, or that cannot be seen, are named.
const UNSEEN = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f]/g;
const visible = (text) =>
  String(text).replace(UNSEEN, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

const number = (n) => (n == null ? "?" : n.toLocaleString("en-US"));

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : visible(value));
  }
  for (const child of children.flat(9)) if (child != null && child !== false) node.append(child.nodeType ? child : visible(child));
  return node;
}

// el("button", {class: "x", onclick: f}, "text", node, …)
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// A text of the task within a line.
const code = (text, attributes) => el("code", attributes, el("bdi", {}, text));

// Something other than a button that acts like one, with the keyboard too.
function pressable(node, label, act) {
  fill(node, { tabindex: 0, role: "button", "aria-label": label }, []);
  node.addEventListener("click", act);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act(event);
  });
  return node;
}

const debounced = (act, wait = 200) => {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), wait);
  };
};

// One tooltip for a panel. It stands above or below what it describes, never over it.
function tooltips(root) {
  const tip = el("div", { class: "tip", role: "tooltip", hidden: true });
  root.append(tip);
  const show = (target, content) => {
    tip.replaceChildren(...[content()].flat().map((each) => (each.nodeType ? each : document.createTextNode(visible(each)))));
    tip.hidden = false;
    tip.style.left = 0; // its width is measured where it has room
    const at = target.getBoundingClientRect();
    const frame = root.getBoundingClientRect();
    const x = Math.min(Math.max(at.left + at.width / 2 - tip.offsetWidth / 2, frame.left), frame.right - tip.offsetWidth);
    const above = at.top - tip.offsetHeight - 6;
    tip.style.left = `${x - frame.left}px`;
    tip.style.top = `${(above >= 0 ? above : at.bottom + 6) - frame.top}px`;
  };
  const hide = () => (tip.hidden = true);
  return (target, content) => {
    target.addEventListener("pointerenter", () => show(target, content));
    target.addEventListener("focus", () => target.matches(":focus-visible") && show(target, content)); // reached by keys
    for (const type of ["pointerleave", "blur", "click"]) target.addEventListener(type, hide);
    return target;
  };
}
