{
  const ALL = { kind: "", size: null, text: "" };
  const covers = ({ pos, neg, whole }) => [whole === false && faint("at least "), pos != null && el("span", { class: "pos" }, `+${number(pos)}`), neg != null && el("span", { class: "neg" }, ` −${number(neg)}`)];

  VIEWS.constraints = (ctx) => {
    let wanted = { ...ALL, order: "size", backwards: false };
    let asked = 0; // pages; only the last one counts
    let columns, shown, timer;
    const bars = el("div", { class: "bars" });
    const legend = el("div", { class: "line" });
    const absent = el("div");
    const head = el("tr");
    const body = el("tbody");
    const search = el("input", { type: "search", placeholder: "find predicates or a rule", "aria-label": "find", oninput: debounced(() => load({ text: search.value })) });
    const found = el("span", { class: "faint", role: "status" });
    const back = button("‹", () => load({ offset: shown.before }), { "aria-label": "previous page" });
    const forth = button("›", () => load({ offset: shown.after }), { "aria-label": "next page" });
    const all = button("show all", () => load(ALL));
    fill(ctx.host, {}, [bars, legend, el("div", { class: "line" }, search, back, forth, found, all), absent,
      el("div", { class: "wide" }, el("table", {}, el("thead", {}, head), body))]);

    async function load(change) {
      wanted = { ...wanted, offset: 0, ...change };
      if (change.text != null) search.value = change.text;
      const turn = ++asked;
      const page = await ctx.ask("page", wanted);
      if (turn === asked) show(page);
    }

    // A segment of the chart, or a kind in the legend: it filters the table, and once more it does not.
    function filter(kind, size, attributes, tip, ...inside) {
      const press = () => load(node.ariaPressed === "true" ? ALL : { kind, size });
      const node = button(inside, press, { ...attributes, "data-filter": `${kind}/${size}`, "aria-label": size && tip });
      return ctx.tip(node, () => tip);
    }

    function show(page) {
      shown = page;
      put(body, page.rows.map(row));
      put(head, columns.map(title));
      put(found, page.said);
      back.disabled = page.before == null;
      forth.disabled = page.after == null;
      all.hidden = !wanted.kind && !wanted.text && !wanted.size;
      for (const each of ctx.host.querySelectorAll("[data-filter]")) each.ariaPressed = each.dataset.filter === `${wanted.kind}/${wanted.size}`;
      choose(ctx.selected());
    }

    function title([name, order, meaning], place) {
      const on = order && wanted.order === order;
      const sort = () => load({ order, backwards: on && !wanted.backwards });
      const cell = el("th", { class: place > 1 && "n" }, order ? button([name, on && (wanted.backwards ? " ▾" : " ▴")], sort) : name);
      return meaning ? ctx.tip(cell, () => meaning) : cell;
    }

    function row(one) {
      const more = button("▸", null, { "aria-expanded": "false", "aria-label": `details of ${one.cause}` });
      const n = (...inside) => el("td", { class: "n" }, inside);
      const press = () => { ctx.select({ rules: [one.cause] }); toggle(line, more, one.number); };
      const line = el("tr", { class: "cause", onclick: press }, el("td", { class: "kind" }, more, icon(ctx.marks[one.kind]), el("span", {}, one.kind)),
        el("td", {}, code(one.needless || one.cause)), n(covers(one)), [one.removed, one.tested].map((count) => n(count == null ? "–" : number(count))), n(`size ${one.size}, no. ${number(one.number + 1)}`));
      line.rule = one.cause;
      return line;
    }

    async function toggle(line, more, number) {
      const next = line.nextSibling;
      const open = next && !next.rule;
      more.ariaExpanded = !open;
      put(more, open ? "▸" : "▾");
      if (open) return next.remove();
      const place = el("td", { colspan: columns.length });
      line.after(el("tr", {}, place));
      put(place, detail(await ctx.ask("detail", { number }), number));
    }

    function detail({ told, note, verifiable }, number) {
      const verdict = el("div", { role: "status" }, note);
      const verify = async () => {
        put(verdict, "testing what it removed …");
        const { said, right, counterexamples } = await ctx.ask("verify", { number });
        put(verdict, el("div", { class: right ? "right" : "wrong" }, said, counterexamples.map((one) => el("div", {}, code(one.text), " ", covers(one)))));
      };
      return [built(told), el("div", { class: "line" }, verifiable && button("verify", verify), ctx.link("lattice"), verdict)];
    }

    function bar({ size, total, fates, untested }) {
      const segments = fates.map(([kind, count, cuts, said]) =>
        filter(kind, size, { class: !cuts && "kept", style: `flex:${count};--own:var(--${ctx.marks[kind][0]})` }, said,
          count > total / 25 && icon(ctx.marks[kind], { fill: `var(--${cuts ? "page" : "ink"})` })));
      const beside = el("span", { class: "n" }, number(total), untested && faint(" + not tested"));
      return [faint(`size ${size}`), el("div", { class: "bar" }, segments), ctx.tip(beside, () => `${number(total)} tested; left out before that: ${untested || "none"}`)];
    }

    function choose({ rules }) {
      const missing = new Set(rules);
      for (const line of body.children) line.classList.toggle("chosen", missing.delete(line.rule));
      offer(absent, [...missing], (text) => load({ ...ALL, text }));
    }

    function draw(scene) {
      const chip = ({ kind, count, sentence }) => filter(kind, null, { class: "chip" }, sentence, tally(ctx.marks[kind], kind, count));
      columns = scene.columns;
      put(bars, el("b", {}, scene.heading), scene.whence && el("div", { class: "whence faint" }, scene.whence), scene.sizes.map(bar));
      put(legend, ["prunes", "others"].map((label, others) => [faint(label), scene.kinds.filter(({ cuts }) => cuts === !others).map(chip)]),
        built(scene.untested), faint(scene.missed));
      if (!asked && !body.querySelector("[colspan]")) show(scene.page); // what is looked at stays
      if (scene.running) timer = setTimeout(async () => draw(await ctx.ask("scene")), 2000);
    }

    return { draw, choose, leave: () => clearTimeout(timer) };
  };
}
