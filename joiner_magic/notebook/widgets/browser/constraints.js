{
  const ROWS = 25;
  const COLUMNS = [["kind"], ["cause; forbidden with more literals (…)"], ["covers", "positives"], ["removed"], ["tested", "size"]];
  const BELOW = "Rules with one literal more that were never made because of it; nor was what is below these.";
  const ALL = { kind: "", size: null, text: "" };
  const faint = (...inside) => el("span", { class: "faint" }, inside);
  const covers = ({ pos, neg }) => [pos != null && el("span", { class: "pos" }, `+${number(pos)}`), neg != null && el("span", { class: "neg" }, ` −${number(neg)}`)];

  VIEWS.constraints = (ctx) => {
    let wanted = { ...ALL, order: "size", backwards: false };
    let asked = 0; // pages; only the last one counts
    let timer;
    const bars = el("div", { class: "bars" });
    const legend = el("div", { class: "line" });
    const elsewhere = el("div", { class: "line" });
    const head = el("tr");
    const body = el("tbody");
    const search = el("input", { type: "search", placeholder: "find predicates or a rule", "aria-label": "find", oninput: debounced(() => load({ text: search.value })) });
    const found = el("span", { class: "faint", role: "status" });
    const step = (name, sign, by) => el("button", { "aria-label": name, onclick: () => load({ offset: wanted.offset + by }) }, sign);
    const back = step("previous page", "‹", -ROWS);
    const forth = step("next page", "›", ROWS);
    const all = el("button", { onclick: () => load(ALL) }, "show all");
    ctx.host.append(bars, legend, el("div", { class: "line" }, search, back, forth, found, all), elsewhere,
      el("div", { class: "wide" }, el("table", {}, el("thead", {}, head), body)));

    const mark = (word, colour = ctx.marks[word][0]) =>
      svg("svg", { class: "mark", viewBox: "-1.5 -1.5 3 3" }, svg("path", { d: ctx.marks[word][1], fill: `var(--${colour})`, "fill-rule": "evenodd" }));

    async function load(change) {
      wanted = { ...wanted, offset: 0, limit: ROWS, ...change };
      if (change.text != null) search.value = change.text;
      const turn = ++asked;
      const page = await ctx.ask("page", wanted);
      if (turn === asked) show(page);
    }

    // A segment of the chart, or a kind in the legend: it filters the table, and once more it does not.
    function filter(kind, size, attributes, tip, ...inside) {
      const press = () => load(button.ariaPressed === "true" ? ALL : { kind, size });
      const button = el("button", { ...attributes, "data-filter": `${kind}/${size}`, "aria-label": size && tip, onclick: press }, inside);
      return ctx.tip(button, () => tip);
    }

    function show({ total, offset, rows }) {
      const last = offset + rows.length;
      wanted.offset = offset;
      body.replaceChildren(...rows.map(row));
      head.replaceChildren(...COLUMNS.map(title));
      found.textContent = total ? `${number(offset + 1)}–${number(last)} of ${number(total)}` : "none";
      back.disabled = !offset;
      forth.disabled = last >= total;
      all.hidden = !wanted.kind && !wanted.text && !wanted.size;
      for (const each of ctx.host.querySelectorAll("[data-filter]")) each.ariaPressed = each.dataset.filter === `${wanted.kind}/${wanted.size}`;
      choose(ctx.selected());
    }

    function title([name, order], place) {
      const on = order && wanted.order === order;
      const sort = () => load({ order, backwards: on && !wanted.backwards });
      const cell = el("th", { class: place > 1 && "n" }, order ? el("button", { onclick: sort }, name, on && (wanted.backwards ? " ▾" : " ▴")) : name);
      return name === "removed" ? ctx.tip(cell, () => BELOW) : cell;
    }

    function row(one) {
      const more = el("button", { "aria-expanded": "false", "aria-label": `details of ${one.cause}` }, "▸");
      const n = (...inside) => el("td", { class: "n" }, inside);
      const press = () => { ctx.select({ rules: [one.cause] }); toggle(line, more, one.number); };
      const line = el("tr", { class: "cause", onclick: press }, el("td", { class: "kind" }, more, mark(one.kind), el("span", {}, one.kind)),
        el("td", {}, code(one.forbids || one.cause)), n(covers(one)), n(one.removed == null ? "–" : number(one.removed)), n(`size ${one.size}, no. ${number(one.number + 1)}`));
      line.rule = one.cause;
      return line;
    }

    async function toggle(line, more, number) {
      const next = line.nextSibling;
      const open = next && !next.rule;
      more.ariaExpanded = !open;
      more.textContent = open ? "▸" : "▾";
      if (open) return next.remove();
      const place = el("td", { colspan: COLUMNS.length });
      line.after(el("tr", {}, place));
      place.append(...detail(await ctx.ask("detail", { number }), number));
    }

    function detail({ proposition, about, note, verifiable }, number) {
      const verdict = el("div", { role: "status" }, note);
      const verify = async () => {
        verdict.textContent = "testing what it removed …";
        const { said, right, counterexamples } = await ctx.ask("verify", { number });
        verdict.replaceChildren(el("div", { class: right ? "right" : "wrong" }, said, counterexamples.map((one) => el("div", {}, code(one.text), " ", covers(one)))));
      };
      return [proposition, el("dl", {}, about.map(([label, texts]) => [el("dt", {}, label), texts.map((each) => el("dd", {}, code(each)))])),
        el("div", { class: "line" }, verifiable && el("button", { onclick: verify }, "verify"),
          ctx.has("lattice") && el("button", { onclick: () => ctx.show("lattice") }, "show in lattice"), verdict)];
    }

    function bar({ size, total, fates, untested }) {
      const segments = fates.map(([kind, count, cuts]) =>
        filter(kind, size, { class: !cuts && "kept", style: `flex:${count};background:var(--${ctx.marks[kind][0]})` },
          `size ${size}: ${number(count)} ${kind}, ${Math.round((100 * count) / total)} %`, count > total / 25 && mark(kind, cuts ? "page" : "ink")));
      const beside = el("span", { class: "n" }, number(total), untested && faint(" + untested"));
      return [faint(`size ${size}`), el("div", { class: "bar" }, segments), ctx.tip(beside, () => `${number(total)} tested; left out before that: ${untested || "none"}`)];
    }

    function choose({ rules }) {
      const missing = new Set(rules);
      for (const line of body.children) line.classList.toggle("chosen", missing.delete(line.rule));
      elsewhere.replaceChildren(...[...missing].slice(0, 3).flatMap((text) => [faint("chosen"), code(text), el("button", { onclick: () => load({ ...ALL, text }) }, "find it")]));
    }

    function draw({ sizes, kinds, missed, page, running, heading }) {
      const chip = ({ kind, count, sentence }) => filter(kind, null, {}, sentence, mark(kind), kind, " ", el("b", {}, number(count)));
      bars.replaceChildren(el("b", {}, heading), ...sizes.flatMap(bar));
      legend.replaceChildren(...["prunes", "others"].flatMap((label, others) => [faint(label), ...kinds.filter(({ cuts }) => cuts === !others).map(chip)]),
        faint(missed ? `${number(missed)} more are not listed` : ""));
      if (!asked && !body.querySelector("[colspan]")) show(page); // what is looked at stays
      if (running) timer = setTimeout(async () => draw(await ctx.ask("scene")), 2000);
    }

    return { draw, choose, leave: () => clearTimeout(timer) };
  };
}
