import { built, el, put } from "../elements.js";
import { button, code, faint, icon, number } from "../pieces.js";

const covers = ({ pos, neg, whole }) => [
  whole === false && faint("at least "),
  pos != null && el("span", { class: "pos" }, `+${number(pos)}`),
  neg != null && el("span", { class: "neg" }, ` −${number(neg)}`),
];
const counted = (...inside) => el("td", { class: "n" }, inside);

// A line of the table. Pressed, it chooses its rule and opens below itself; pressed once more, it closes.
export function row(ctx, one, columns) {
  const closed = { "aria-expanded": "false", "aria-label": `details of ${one.cause}` };
  const more = button("▸", null, closed);
  const press = () => {
    ctx.select({ rules: [one.id] });
    toggle(ctx, line, more, one.number, columns);
  };
  const line = el("tr", { class: "cause", onclick: press },
    el("td", { class: "kind" }, more, icon(ctx.marks[one.kind]), el("span", {}, one.kind)),
    el("td", {}, code(one.needless || one.cause)),
    counted(covers(one)),
    [one.removed, one.tested].map((count) => counted(count == null ? "–" : number(count))),
    counted(`size ${one.size}, no. ${number(one.number + 1)}`));
  line.rule = one.id;
  return line;
}

async function toggle(ctx, line, more, place, columns) {
  const next = line.nextSibling;
  const isOpen = next && !next.rule;
  more.ariaExpanded = !isOpen;
  put(more, isOpen ? "▸" : "▾");
  if (isOpen) return next.remove();
  const inside = el("td", { colspan: columns });
  line.after(el("tr", {}, inside));
  put(inside, detail(ctx, await ctx.ask("detail", { number: place }), place));
}

function detail(ctx, { told, note, verifiable }, place) {
  const verdict = el("div", { role: "status" }, note);
  const verify = async () => {
    put(verdict, "testing what it removed …");
    put(verdict, verified(await ctx.ask("verify", { number: place })));
  };
  return [
    built(told),
    el("div", { class: "line" }, verifiable && button("verify", verify), ctx.link("lattice"), verdict),
  ];
}

function verified({ said, right, counterexamples }) {
  const line = (one) => el("div", {}, code(one.text), " ", covers(one));
  return el("div", { class: right ? "right" : "wrong" }, said, counterexamples.map(line));
}
