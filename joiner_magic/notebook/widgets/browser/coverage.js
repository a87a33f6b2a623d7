// Conjunction coverage: what fragments cover is here as bitsets, so what they cover together is known at once.
{
  const LABELS = ["pos", "neg"];
  const [ROW, PAGE, SEEN] = [22, 100, 24]; // the height of a row, names that come together, rows in sight
  const has = (bits, n) => (bits >> BigInt(n)) & 1n;
  const count = (bits) => bits.toString(2).replaceAll("0", "").length;
  const all = (n) => (1n << BigInt(n)) - 1n;
  const both = (a, b) => ({ pos: a.pos & b.pos, neg: a.neg & b.neg });
  const counts = ({ pos, neg }) => `+${number(count(pos))} −${number(count(neg))}`;
  const range = (to, from = 0) => Array.from({ length: to - from }, (_, i) => from + i);

  // What is focused stays so when it is drawn anew.
  function redraw(place, ...nodes) {
    const { key } = (place.contains(document.activeElement) && document.activeElement.dataset) || {};
    put(place, nodes);
    if (key) place.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
  }

  VIEWS.coverage = (ctx) => {
    const note = el("p", { class: "faint" });
    const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Rules" });
    const body = el("div");
    ctx.host.append(note, tabs, body);
    let sizes, names, at, choice, fragments, own, tried, kept; // the rule at hand, and the conjunction that is tried
    let heading, figures, stage, told, back, turn, laid, boxes, picture; // elements, and what brings them up to date
    let matrix = false;
    let marked = []; // examples that are chosen, such as "neg 3"
    let pointed = []; // texts of rules and fragments that are chosen, here or in another view

    const update = (painters) => painters.forEach((paint) => paint());
    const shown = () => [...new Set([...own, ...tried])];
    const tell = (answer) => put(told, built(answer.told));

    function draw(scene) {
      [sizes, names] = [scene.sizes, { pos: [], neg: [] }];
      put(note, scene.note, " ", scene.running && button("Look again", () => ctx.ask("scene").then(draw)));
      tabs.hidden = scene.titles.length < 2;
      put(tabs, scene.titles.map((title, n) => button(title, () => open(n), { role: "tab" })));
      if (scene.titles.length) open(0);
    }

    async function open(n) {
      at = n;
      [...tabs.children].forEach((tab, i) => tab.setAttribute("aria-selected", i === n));
      const found = await ctx.ask("choice", { number: n });
      if (at !== n) return;
      ({ fragments } = choice = found);
      for (const each of fragments) for (const label of LABELS) each[label] = BigInt(`0x${each[label]}`);
      own = range(choice.solver);
      build();
      pick(own, true);
      choose(ctx.selected());
    }

    function build() {
      heading = el("div", { class: "heading" });
      figures = el("div", { class: "figures", role: "status" });
      stage = el("div", { class: "stage" });
      told = el("div", { class: "told" });
      back = button("Solver's choice", () => pick(own));
      turn = button("", () => { matrix = !matrix; lay(); });
      [laid, boxes, picture] = ["", [], []];
      const others = range(fragments.length, own.length).map((f) => box(f, fragments[f].text, boxes, true));
      const why = () => ctx.ask("minimal", { number: at }).then(tell);
      put(body, heading, figures,
        el("div", { class: "line" }, own.length > 0 && [back, button("Why is it minimal?", why)], turn), el("div", { class: "sides" }, stage, told),
        el("details", { hidden: !others.length }, el("summary", {}, `Other fragments (${others.length}), and what the conjunction would keep with each`), others));
      watch.disconnect();
      watch.observe(stage);
    }

    // A fragment to take into the conjunction, with what it covers, or what would be kept with it.
    function box(f, text, painters, added) {
      const input = el("input", { type: "checkbox", "data-key": f, onchange: () => pick(input.checked ? [...tried, f] : tried.filter((each) => each !== f)) });
      const small = el("small", {}, counts(fragments[f]));
      const node = el("label", {}, input, el("span", {}, code(text), small));
      painters.push(() => {
        input.checked = tried.includes(f);
        node.classList.toggle("on", input.checked);
        node.classList.toggle("chosen", pointed.includes(fragments[f].text));
        if (added) put(small, counts(both(kept, fragments[f])));
      });
      return node;
    }

    // An example to ask about.
    function example(label, n, name, painters, alike) {
      const ask = () => ctx.ask("explain", { number: at, label, example: n, fragments: shown() }).then((answer) => { tell(answer); ctx.select({ examples: [answer.name] }); });
      const node = button([el("bdi", {}, name), alike > 0 && el("small", {}, ` + ${number(alike)} alike`)], ask, { class: `e ${label}`, "data-key": label + n });
      painters.push(() => {
        node.classList.toggle("on", has(kept[label], n));
        node.classList.toggle("chosen", marked.includes(`${label} ${n}`));
      });
      return ctx.tip(node, () => code(name));
    }

    function pick(chosen, quietly) {
      tried = chosen;
      kept = tried.reduce((sides, f) => both(sides, fragments[f]), { pos: all(sizes.pos), neg: all(sizes.neg) });
      if (!quietly) ctx.select({ rules: tried.map((f) => fragments[f].text) });
      const same = own.length === tried.length && own.every((f) => tried.includes(f));
      const literals = tried.length === 1 ? fragments[tried[0]].size : tried.reduce((sum, f) => sum + fragments[f].cost, tried.length && 1);
      const figure = (label, words) => part(label, count(kept[label]), sizes[label], words);
      put(figures, figure("pos", "positives kept"), figure("neg", "negatives still in"), el("div", {}, el("b", {}, literals), " literals"),
        el("p", {}, !tried.length ? "Choose fragments: a conjunction keeps what all of them cover." : kept.neg ? "Not consistent." : "Consistent.",
          " ", own.length > 0 && same ? "This is the solver's choice." : choice.told));
      back.disabled = same;
      head();
      update(boxes);
      lay();
    }

    // The rule that the ticked fragments make.
    function head() {
      const asked = tried;
      ctx.ask("written", { number: at, fragments: asked }).then((answer) => asked === tried && put(heading, built(answer.told)));
    }

    // Python lays out these fragments at this width; until then the old picture is brought up to date.
    async function lay() {
      const width = stage.clientWidth;
      if (!width) return;
      put(turn, matrix ? "Show the graph" : `Show all ${number(sizes.pos + sizes.neg)} examples`);
      update(picture);
      const key = [at, matrix || Math.round(width / 40), shown()].join();
      if (key === laid) return;
      laid = key;
      const found = await ctx.ask("picture", { number: at, fragments: tried, width });
      if (laid !== key) return;
      picture = [];
      redraw(stage, matrix ? rows(found) : graph(found));
      update(picture);
    }

    function graph({ width, height, start, end, left, right, titles }) {
      const place = (node, x, y, wide) => { node.style.cssText = `left:${x}px;top:${y}px;width:${wide}px`; return node; };
      const edges = left.flatMap(([f, y, tall]) => right.filter(([label, n]) => has(fragments[f][label], n)).map(([label, n, , to]) => {
        const [from, middle] = [y + tall / 2, (start + end) / 2];
        const edge = svg("path", { d: `M${start} ${from}C${middle} ${from} ${middle} ${to} ${end} ${to}` });
        picture.push(() => edge.setAttribute("class", !tried.includes(f) ? "off" : has(kept[label], n) ? `${label} on` : ""));
        return edge;
      }));
      return el("div", { class: "graph", style: `width:${width}px;height:${height}px` }, svg("svg", { width, height }, edges), titles.map(built),
        left.map(([f, y, , text]) => ctx.tip(place(box(f, text, picture), 0, y, start), () => code(fragments[f].text))),
        right.map(([label, n, name, y, alike]) => place(example(label, n, name, picture, alike), end - 6, y - 9.5, width - end + 6)));
    }

    // All examples, of which only those in sight are there. Names come a page at a time.
    function rows({ left }) {
      const list = LABELS.flatMap((label) => range(sizes[label]).map((n) => [label, n]));
      const inside = el("div", { style: `height:${list.length * ROW}px` });
      const named = (label, n) => {
        const page = Math.floor(n / PAGE);
        const fetch = () => ctx.ask("names", { label, start: page * PAGE }).then((found) => { names[label][page] = found.names; show(); });
        if (!names[label][page]) names[label][page] = fetch() && [];
        return names[label][page][n % PAGE] || "…";
      };
      const show = () => {
        const first = Math.max(0, Math.floor(scroll.scrollTop / ROW) - 4);
        const painters = [];
        redraw(inside, ...list.slice(first, first + SEEN).map(([label, n], i) => el("div", { class: `row ${label}`, style: `top:${(first + i) * ROW}px` },
          left.map(([f]) => el("i", { class: has(fragments[f][label], n) && "on" })), example(label, n, named(label, n), painters))));
        update(painters);
      };
      const scroll = el("div", { class: "rows", tabindex: 0, "aria-label": "All examples", onscroll: show }, inside);
      picture.push(show);
      return el("div", {}, left.map(([f], i) => box(f, `${i + 1}  ${fragments[f].text}`, picture)), el("div", { class: "row" }, left.map((_, i) => el("b", {}, i + 1))), scroll);
    }

    function choose(selected) {
      if (!choice) return;
      // One that is chosen elsewhere is pointed at, and the others stay ticked; a set of several is what is to be joined.
      pointed = selected.rules;
      const found = pointed.map((text) => fragments.findIndex((f) => f.text === text)).filter((f) => f >= 0);
      if (found.length > 1 && [...found].sort().join() !== [...tried].sort().join()) pick(found, true);
      update(boxes);
      update(picture);
      if (selected.examples.length || marked.length)
        ctx.ask("find", { examples: selected.examples }).then((answer) => { marked = answer.found.map((each) => each.join(" ")); update(picture); });
    }

    const watch = new ResizeObserver(debounced(() => lay()));
    return { draw, choose, leave: () => watch.disconnect() };
  };
}
