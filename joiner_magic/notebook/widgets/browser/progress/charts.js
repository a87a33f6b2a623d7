// Two charts, as Python has laid them out: programs by size, and the best hypothesis over time.

import { el, fill, put, svg } from "../elements.js";
import { faint, number, sign } from "../pieces.js";
import { time } from "./clock.js";

const [TOP, FLOOR, HEIGHT] = [14, 146, 168];
const [LEFT, WIDTH, NARROW] = [64, 420, 280];
const BELOW = FLOOR + 15; // the line of words below the axis

const words = (x, y, text, anchor, kind) => svg("text", { x, y, "text-anchor": anchor, class: kind }, text);
const path = (d, kind) => svg("path", { d, class: kind });
const picture = (width, title) =>
  svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "group", "aria-label": title });
const figure = (title, remark, inside) =>
  el("figure", {}, el("figcaption", {}, el("b", {}, title), faint(remark)), inside);

// A column for each size, in bands for what became of its programs.
export class Sizes {
  #ctx;
  #grid = svg("g");
  #bars = svg("g");
  #groups = new Map(); // by size

  constructor(ctx) {
    this.#ctx = ctx;
    const title = "What became of programs, by size";
    const inside = fill(picture(WIDTH, title), {}, [this.#grid, this.#bars]);
    this.element = figure(title, "height logarithmic, colours in proportion", inside);
  }

  draw({ ticks, columns }) {
    const tick = ([n, y]) => [
      path(`M${LEFT} ${y}H${WIDTH}`, "tick"),
      words(LEFT - 6, y + 4, number(n), "end"),
    ];
    put(this.#grid, path(`M${LEFT} ${FLOOR}H${WIDTH}`, "axis"), ticks.map(tick));
    for (const [size, group] of this.#groups) {
      if (columns.some((each) => each.size === size)) continue;
      group.remove();
      this.#groups.delete(size);
    }
    for (const column of columns) this.#drawColumn(column);
  }

  #drawColumn({ x, width, done, bands, size, told }) {
    const group = this.#group(size);
    const middle = x + width / 2;
    group.told = told;
    put(group,
      svg("rect", { x, y: TOP, width, height: FLOOR - TOP, fill: "transparent" }),
      bands.map((band) => this.#band(band, x, width, done)),
      words(middle, BELOW, size, "middle"));
    fill(group, { "aria-label": told.join(", ") });
  }

  // One group for each size, as long as it is shown: what is pointed at stays what it is.
  #group(size) {
    if (!this.#groups.has(size)) {
      const group = svg("g", { tabindex: 0, role: "img" });
      this.#bars.append(this.#ctx.tip(group, () => group.told.map((line) => el("div", {}, line))));
      this.#groups.set(size, group);
    }
    return this.#groups.get(size);
  }

  #band([outcome, y, height, isSigned], x, width, done) {
    const mark = this.#ctx.marks[outcome];
    const transform = `translate(${x + width / 2} ${y + height / 2}) scale(4)`;
    const look = { fill: `var(--${mark[0]})`, opacity: done ? 1 : 0.75 };
    return [
      svg("rect", { x, y, width, height: Math.max(height - 0.6, 0.4), ...look }),
      isSigned && sign(mark, { class: "on", transform }),
    ];
  }
}

// Two or three curves, and a sign where the solution is.
export class History {
  #ctx;
  #picture;
  #remark = el("span"); // which curve is which

  constructor(ctx) {
    this.#ctx = ctx;
    const title = "Best hypothesis over time";
    this.#picture = picture(NARROW, title);
    this.element = figure(title, this.#remark, this.#picture);
  }

  draw({ until, history: { remark, covered, literals, bound, end, label } }) {
    put(this.#remark, remark);
    put(this.#picture,
      path(`M8 ${TOP}V${FLOOR}H${NARROW}`, "axis"),
      words(8, BELOW, "0 s"), words(NARROW, BELOW, time(until), "end"),
      path(covered, "covered"), path(literals, "literals"),
      bound && path(bound, "bound"),
      end && [
        sign(this.#ctx.marks.solution, { transform: `translate(${end}) scale(5)` }),
        words(...label, label[0] < end[0] ? "end" : "start", "end"),
      ]);
  }
}
