import { el, fill, put, svg } from "../elements.js";
import { code, number, pressable, sign } from "../pieces.js";

const ARROWS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"]; // in the order of a node's `beside`

// Bands of sizes, curves between rules, and a node for each rule, as Python has laid them out.
export class Picture {
  #ctx;
  #act;
  #scene = null;
  #near = svg("path", { class: "near" });
  shown = new Map(); // by id: { node, g }, what Python says of a node and its element
  at = ""; // the id of the rule that is looked at

  // What nodes do is the view's affair: act = { press(node), expand(node) }.
  constructor(ctx, act) {
    this.#ctx = ctx;
    this.#act = act;
    const onkeydown = (event) => this.#walk(event);
    this.element = svg("svg", { role: "group", "aria-label": "hypothesis lattice", onkeydown });
  }

  draw(scene) {
    this.#scene = scene;
    this.shown = new Map();
    const others = scene.edges.length - scene.ways; // ways to the solution come last
    put(this.element,
      scene.sizes.map((size) => this.#band(size)),
      this.#curves(scene.edges.slice(0, others), "edge"),
      this.#curves(scene.edges.slice(others), "edge way"),
      this.#curves(scene.joins, "edge join"),
      this.#near,
      scene.nodes.map((node) => this.#node(node)));
  }

  #band([size, top, height, tested]) {
    const y = top + height / 2;
    const box = { y: top - 6, width: this.#scene.width, height: height + 12, rx: 6 };
    return [
      svg("rect", { class: "band", ...box }),
      svg("text", { class: "size", x: 12, y }, `size ${size}`),
      tested > 0 && svg("text", { class: "tested", x: 12, y: y + 14 }, `${number(tested)} tested`),
    ];
  }

  #curves(edges, sort) {
    return svg("path", { class: sort, d: this.#drawn(edges) });
  }

  // The path of edges, which are pairs of places in the list of nodes.
  #drawn(edges) {
    const { nodes } = this.#scene;
    const curve = ([i, j]) => {
      const [above, below] = [nodes[i], nodes[j]];
      const middle = (above.bottom + below.top) / 2;
      const [from, to] = [`${above.x} ${above.bottom}`, `${below.x} ${below.top - 2}`];
      return `M${from}C${above.x} ${middle} ${below.x} ${middle} ${to}`;
    };
    return edges.map(curve).join("");
  }

  #node(node) {
    const told = `${node.outcome}, ${node.counts}`;
    const place = { class: `node ${node.role || ""}`, transform: `translate(${node.x} ${node.y})` };
    const g = svg("g", place, node.stub ? this.#stub(node) : this.#rule(node));
    pressable(g, `${node.text} ${told}`, () => this.#act.press(node));
    fill(g, {
      tabindex: -1,
      ondblclick: () => node.stub || this.#act.expand(node),
      onpointerenter: () => this.#light(node.id),
      onpointerleave: () => this.#light(this.at),
    });
    this.#ctx.tip(g, () => [code(node.text), el("div", {}, told)]);
    this.shown.set(node.id, { node, g });
    return g;
  }

  #rule({ outcome, r, label }) {
    return [
      svg("circle", { r: r + 4 }),
      sign(this.#ctx.marks[outcome], { transform: `scale(${r})` }),
      label && svg("text", { y: 26, "text-anchor": "middle" }, label),
    ];
  }

  // What stands for many rules that were never made.
  #stub({ outcome, r, stub: count }) {
    return [
      svg("rect", { x: -r, y: -9, width: 2 * r, height: 18, rx: 9 }),
      sign(this.#ctx.marks[outcome], { transform: `translate(${12 - r} 0) scale(4)` }),
      svg("text", { x: 20 - r, y: 4 }, `−${number(count)}`),
    ];
  }

  // The curves of a rule stand out.
  #light(id) {
    const { edges, joins, nodes } = this.#scene;
    const own = [...edges, ...joins].filter((edge) => edge.some((i) => nodes[i].id === id));
    this.#near.setAttribute("d", this.#drawn(own));
  }

  // The rule that is looked at, and those that are chosen.
  mark(rules) {
    for (const { node, g } of this.shown.values()) {
      g.classList.toggle("at", node.id === this.at);
      g.classList.toggle("chosen", rules.includes(node.id));
    }
    this.#light(this.at);
  }

  // What a search has not found steps back; `lit` has the ids that it has, or is null without a search.
  fade(lit) {
    this.element.classList.toggle("some", !!lit);
    for (const { node, g } of this.shown.values()) g.classList.toggle("off", lit && !lit.has(node.id));
  }

  // One node at a time is reached with Tab; arrows go on from there.
  step(node, quietly) {
    for (const { g } of this.shown.values()) g.tabIndex = -1;
    const { g } = this.shown.get(node.id);
    g.tabIndex = 0;
    if (!quietly) g.focus();
  }

  #walk(event) {
    const here = [...this.shown.values()].find(({ g }) => g === event.target);
    const arrow = ARROWS.indexOf(event.key);
    if (!here || arrow < 0) return;
    event.preventDefault();
    event.stopPropagation(); // the notebook would go to another cell
    const to = this.#scene.nodes[here.node.beside[arrow]];
    if (to) this.step(to);
  }
}
