{
  const ROWS = 25;
  const COLUMNS = [["kind"], ["cause; forbidden with more literals (…)"], ["covers", "positives"], ["removed"], ["tested", "size"]];
  const BELOW = "Rules with one literal more that were never made because of it; nor was what is below these.";

  VIEWS.constraints = (ctx) => {
    let wanted = { kind: "", size: null, text: "", order: "size", backwards: false, offset: 0, limit: ROWS };
    let asked = 0; // pages; only the last one counts
    let timer;
    const bars = el("div", { class: "bars" });
    const legend = el("div", { class: "line" });
    const chosen = el("div", { class: "line" });
    const head = el("tr");
    const body = el("tbody");
    const search = el("input", { type: "search", placeholder: "find predicates or a rule", "aria-label": "find" });
    const found = el("span", { class: "faint", role: "status" });
    const step = (name, sign, by) => el("button", { "aria-label": name, onclick: () => load({ offset: wanted.offset + by }) }, sign);
    const back = step("previous page", "‹", -ROWS);
    const forth = step("next page", "›", ROWS);
    const all = el("button", { onclick: () => load({ kind: "", size: null, text: (search.value = "") }) }, "show all");
    search.addEventListener("input", debounced(() => load({ text: search.value })));
    ctx.host.append(bars, legend, el("div", { class: "line" }, search, back, forth, found, all), chosen,
      el("div", { class: "wide" }, el("table", {}, el("thead", {}, head), body)));

    const mark = (word, colour = ctx.marks[word][0]) =>
      svg("svg", { class: "mark", viewBox: "-1.5 -1.5 3 3" }, svg("path", { d: ctx.marks[word][1], fill: `var(--${colour})`, "fill-rule": "evenodd" }));
    const covers = ({ pos, neg }) => [pos != null && el("span", { class: "pos" }, `+${number(pos)}`), neg != null && el("span", { class: "neg" }, ` −${number(neg)}`)];

    async function load(change) {
      wanted = { ...wanted, offset: 0, ...change };
      const turn = ++asked;
      const page = await ctx.ask("page", wanted);
      if (turn === asked) show(page);
    }

    // A segment of the chart, or a kind in the legend: it filters the table, and once more it does not.
    function filter(kind, size, attributes, tip, ...inside) {
      const act = () => load(button.ariaPressed === "true" ? { kind: "", size: null } : { kind, size });
      const button = el("button", { ...attributes, "data-filter": `${kind}/${size}`, "aria-label": tip, onclick: act }, inside);
      return ctx.tip(button, () => tip);
    }

    function show({ total, offset, rows }) {
      body.replaceChildren(...rows.map(row));
      const last = offset + rows.length;
      found.textContent = total ? `${number(offset + 1)}–${number(last)} of ${number(total)}` : "none";
      back.disabled = !offset;
      forth.disabled = last >= total;
      all.hidden = !wanted.kind && !wanted.text && wanted.size == null;
      for (const each of ctx.host.querySelectorAll("[data-filter]")) each.ariaPressed = each.dataset.filter === `${wanted.kind}/${wanted.size}`;
      head.replaceChildren(...COLUMNS.map(([title, order], place) => {
        const on = order && wanted.order === order;
        const sort = () => load({ order, backwards: on && !wanted.backwards });
        const cell = el("th", { class: place > 1 && "n" }, order ? el("button", { onclick: sort }, title, on && (wanted.backwards ? " ▾" : " ▴")) : title);
        return title === "removed" ? ctx.tip(cell, () => BELOW) : cell;
      }));
      choose(ctx.selected());
    }

    function row(one) {
      const more = el("button", { "aria-expanded": false, "aria-label": `details of ${one.cause}` }, "▸");
      const press = () => { ctx.select({ rules: [one.cause] }); toggle(line, more, one.number); };
      const line = el("tr", { class: "cause", onclick: press }, el("td", { class: "kind" }, more, mark(one.kind), el("span", {}, one.kind)),
        el("td", {}, code(one.forbids || one.cause)), el("td", { class: "n" }, covers(one)),
        el("td", { class: "n" }, one.removed == null ? "–" : number(one.removed)), el("td", { class: "n" }, `size ${one.size}, no. ${number(one.number + 1)}`));
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
      place.append(detail(await ctx.ask("detail", { number }), number));
    }

    function detail({ proposition, about, note, verifiable }, number) {
      const verdict = el("div", { role: "status" });
      const verify = async () => {
        verdict.replaceChildren("testing what it removed …");
        const { said, right, counterexamples } = await ctx.ask("verify", { number });
        verdict.replaceChildren(el("div", { class: right ? "right" : "wrong" }, said, counterexamples.map((one) => el("div", {}, code(one.text), " ", covers(one)))));
      };
      return el("div", {}, proposition,
        el("dl", {}, about.map(([label, texts]) => [el("dt", {}, label), texts.map((each) => el("dd", {}, code(each)))]), el("dd", { class: "faint" }, note)),
        el("div", { class: "line" }, verifiable && el("button", { onclick: verify }, "verify"),
          el("button", { onclick: () => ctx.show("lattice") }, "show in lattice"), verdict));
    }

    function bar({ size, total, fates, untested }) {
      const segments = fates.map(([kind, count, cuts]) => filter(kind, size, { class: !cuts && "kept", style: `flex:${count};background:var(--${ctx.marks[kind][0]})` },
        `size ${size}: ${number(count)} ${kind}, ${Math.round((100 * count) / total)} %`,
        count > total / 25 && mark(kind, cuts ? "page" : "ink")));
      const beside = el("span", { class: "n" }, number(total), untested && el("span", { class: "faint" }, " + untested"));
      return [el("span", { class: "faint" }, `size ${size}`), el("div", { class: "bar" }, segments), untested ? ctx.tip(beside, () => `${number(total)} tested; left out before that: ${untested}`) : beside];
    }

    function choose({ rules }) {
      const missing = new Set(rules);
      for (const line of body.children) {
        line.classList.toggle("chosen", rules.includes(line.rule));
        missing.delete(line.rule);
      }
      chosen.replaceChildren(...[...missing].slice(0, 3).flatMap((rule) => [
        el("span", { class: "faint" }, "chosen"), code(rule), el("button", { onclick: () => load({ kind: "", size: null, text: (search.value = rule) }) }, "find it")]));
    }

    function draw({ sizes, kinds, missed, page, running, heading }) {
      bars.replaceChildren(el("b", {}, heading), ...sizes.flatMap(bar));
      legend.replaceChildren(...[true, false].flatMap((cuts) => [el("span", { class: "faint" }, cuts ? "prunes" : "others"),
        ...kinds.filter((each) => each.cuts === cuts).map(({ kind, count, sentence }) => filter(kind, null, {}, sentence, mark(kind), kind, " ", el("b", {}, number(count))))]),
        missed ? `; ${number(missed)} more are not listed` : "");
      if (!asked) show(page);
      if (running) timer = setTimeout(async () => draw(await ctx.ask("scene")), 2000);
    }

    return { draw, choose, leave: () => clearTimeout(timer) };
  };
}
