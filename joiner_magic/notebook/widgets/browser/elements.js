// How elements are made. Texts of the task only ever become text nodes and attributes, never markup.

const SVG = "http://www.w3.org/2000/svg";

// Characters that turn the text around them, or that cannot be seen, are named.
const UNSEEN = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f]/g;
const named = (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
const visible = (text) => String(text).replace(UNSEEN, named);

// Attributes that are null or false are left out, and so are children. "onclick" and its like are listeners.
export function fill(node, attributes = {}, children = []) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : visible(value));
  }
  for (const child of children.flat(9)) {
    if (child != null && child !== false) node.append(child.nodeType ? child : visible(child));
  }
  return node;
}

// In the place of what is in a node.
export function put(node, ...children) {
  node.replaceChildren();
  return fill(node, {}, children);
}

// el("button", {class: "x", onclick: f}, "text", node, …)
export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

// What Python has built: ["tag", {attributes}, child, …].
export const built = (tree) =>
  Array.isArray(tree) ? el(tree[0], tree[1], tree.slice(2).map(built)) : tree;
