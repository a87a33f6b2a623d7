import { built, el, svg } from "../elements.js";
import { code } from "../pieces.js";
import { has } from "./bits.js";
import { box, example } from "./controls.js";

const RADIUS = 9.5; // half the height of an example
const LAP = 6; // an example begins a little before the end of its edges

function placed(node, x, y, width) {
  node.style.cssText = `left:${x}px;top:${y}px;width:${width}px`;
  return node;
}

// Fragments on the left, examples on the right, and edges from those to what they cover, laid out by Python.
export function graph(view, layout, painters) {
  const { width, height, start, end, left, right, titles } = layout;
  const fragment = ([f, y, , text]) => {
    const node = placed(box(view, f, text, painters), 0, y, start);
    return view.ctx.tip(node, () => code(view.conjunction.fragments[f].text));
  };
  const covered = ([label, n, name, y, alike]) =>
    placed(example(view, label, n, name, painters, alike), end - LAP, y - RADIUS, width - end + LAP);
  return el("div", { class: "graph", style: `width:${width}px;height:${height}px` },
    svg("svg", { width, height }, edges(view.conjunction, layout, painters)),
    titles.map(built),
    left.map(fragment),
    right.map(covered));
}

function edges(conjunction, { start, end, left, right }, painters) {
  const middle = (start + end) / 2;
  return left.flatMap(([f, y, tall]) => {
    const from = y + tall / 2;
    const covers = ([label, n]) => has(conjunction.fragments[f][label], n);
    return right.filter(covers).map(([label, n, , to]) => {
      const edge = svg("path", { d: `M${start} ${from}C${middle} ${from} ${middle} ${to} ${end} ${to}` });
      painters.push(() => edge.setAttribute("class", edgeClass(conjunction, f, label, n)));
      return edge;
    });
  });
}

function edgeClass({ tried, kept }, f, label, n) {
  if (!tried.includes(f)) return "off";
  return has(kept[label], n) ? `${label} on` : "";
}
