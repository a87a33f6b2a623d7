{
  const ARROWS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];

  VIEWS.lattice = (ctx) => {
    let scene, zoom = 1, width = 0, at = "", shown = new Map(); // by id: { n, g }, a node and its element
    let lit = null; // ids of what a search has found in the picture; null: nothing is looked for
    const outcomes = new Set();

    const hit = (n, act) => button([icon(ctx.marks[n.outcome]), code(n.text), faint(n.counts)], act, { class: "hit" });

    // What went wrong, the panel says.
    const ask = (question, args) => ctx.ask(question, args, () => null);
    async function change(question, args) {
      const answer = await ask(question, args);
      if (answer) draw(answer);
      if (shown.has(at)) look(at);
    }

    // The picture is scrolled, dragged and zoomed in a frame.
    const picture = svg("svg", { role: "group", "aria-label": "hypothesis lattice", onkeydown });
    const frame = el("div", { class: "frame", onpointermove }, picture);
    function scale(to, x = frame.clientWidth / 2, y = frame.clientHeight / 2) {
      const by = Math.min(Math.max(to, 0.2), 3) / zoom;
      const [left, top] = [frame.scrollLeft, frame.scrollTop];
      zoom *= by;
      fill(picture, { width: scene.width * zoom, height: scene.height * zoom });
      frame.scrollTo((left + x) * by - x, (top + y) * by - y);
    }
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = frame.getBoundingClientRect();
      scale(zoom * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    function onpointermove(event) {
      if (event.buttons === 1 && event.pointerType === "mouse") frame.scrollBy(-event.movementX, -event.movementY);
    }
    // Letters keep their size: for a page of another width the rules are arranged anew.
    const resized = debounced(() => {
      const now = Math.min(frame.clientWidth, 2400);
      if (!scene || now < 300 || Math.abs(now - width) < 24) return;
      const opening = !width;
      width = now;
      change("arrange", { width }).then(() => opening && frame.clientHeight > 0.8 * scene.height && fit());
    });
    const observer = new ResizeObserver(resized);
    observer.observe(frame);

    // Search and filters.
    const soon = debounced(() => find(0));
    const search = el("input", { type: "search", placeholder: "search predicates, or a rule", "aria-label": "search rules", oninput: soon });
    const predicate = el("select", { "aria-label": "filter by predicate", onchange: soon });
    const chips = el("div", { class: "line chips" });
    const found = el("div", { class: "found", hidden: true });
    let turn = 0; // only the last search counts
    async function sought(offset) {
      const now = ++turn;
      found.hidden = !(search.value || predicate.value || outcomes.size);
      const page = found.hidden ? null : await ask("search", { text: search.value, predicates: predicate.value ? [predicate.value] : [], outcomes: [...outcomes], offset });
      if (now !== turn) return null;
      lit = page && new Set(page.lit);
      fade();
      return page;
    }
    async function find(offset) {
      const page = await sought(offset);
      if (!page) return;
      if (offset) found.lastChild.remove();
      else put(found, el("b", {}, page.said));
      const next = offset + page.rules.length;
      fill(found, {}, [page.rules.map((n) => hit(n, () => reveal("open", { keys: [n.id] }, n))),
        next > offset && next < page.total && button("show more", () => find(next))]);
    }
    function fade() {
      picture.classList.toggle("some", !!lit);
      for (const { n, g } of shown.values()) g.classList.toggle("off", lit && !lit.has(n.id));
    }

    // Beside the picture a rule is looked at closely.
    const absent = el("div");
    const about = el("div", { class: "about", "aria-live": "polite" });
    const covered = (sort, names, count, all) => [
      part(sort, count, all, sort === "pos" ? "positive" : "negative"),
      el("div", { class: "examples" }, names.map((name) => button(code(name), () => ctx.select({ examples: [name] }), { class: "chip" })),
        count > names.length && `and ${number(count - names.length)} more`),
    ];
    async function look(id) {
      at = id;
      mark();
      const d = await ask("detail", { key: id });
      if (!d || at !== id) return d;
      const { n } = shown.get(id) || { n: d };
      const more = (count, to) => count > 0 && button(`${number(count)} more ${to}`, () => change("expand", { key: id, to }));
      put(about,
        el("h4", {}, icon(ctx.marks[d.outcome]), d.outcome, faint(d.stub ? ` ${number(d.stub)} never made` : ` size ${d.size}`)),
        el("pre", {}, code(d.program)),
        !d.stub && [covered("pos", d.positives, d.covered[0], scene.examples[0]), covered("neg", d.negatives, d.covered[1], scene.examples[1])],
        el("p", {}, d.why),
        d.forbids && !d.stub && el("p", {}, faint("no need to test "), code(d.forbids)),
        d.conjunctions.map((rule) => [faint("joined into"), el("pre", {}, code(rule))]),
        el("div", { class: "line" }, more(n.above, "general"), more(n.below, "special"),
          d.stub && button("show some", () => change("expand", { key: id })),
          d.collapses && button("collapse", () => change("collapse", { key: id })),
          d.constraint && ctx.link("constraints")));
      return d;
    }
    async function pick(n) {
      const seen = look(n.id);
      if (n.stub) return;
      const rule = n.cut ? (await seen)?.rule : n.text;
      if (rule) ctx.select({ rules: [rule] });
    }
    async function reveal(question, args, wanted) {
      await change(question, args);
      const one = [...shown.values()].find(({ n }) => (wanted ? n.id === wanted.id : is(n, args.rule)));
      if (!one) return;
      one.g.scrollIntoView({ block: "nearest", inline: "nearest" });
      pick(one.n);
    }
    const is = (n, rule) => !n.stub && (n.cut ? rule.startsWith(n.text) : rule === n.text);
    function mark() {
      const { rules } = ctx.selected();
      const nodes = [...shown.values()];
      for (const { n, g } of nodes) {
        g.classList.toggle("at", n.id === at);
        g.classList.toggle("chosen", rules.some((rule) => is(n, rule)));
      }
      light(at);
      offer(absent, rules.filter((rule) => !nodes.some(({ n }) => is(n, rule))), (rule) => reveal("reveal", { rule }));
    }

    const note = el("div", { class: "faint", role: "status" });

    // The picture: bands of sizes, curves, nodes.
    const curve = ([i, j]) => {
      const [a, b] = [scene.nodes[i], scene.nodes[j]];
      const middle = (a.bottom + b.top) / 2;
      return `M${a.x} ${a.bottom}C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.top - 2}`;
    };
    const curves = (edges, sort) => svg("path", { class: sort, d: edges.map(curve).join("") });
    const near = svg("path", { class: "near" });
    const light = (id) => near.setAttribute("d", [...scene.edges, ...scene.joins].filter((edge) => edge.some((i) => scene.nodes[i].id === id)).map(curve).join(""));
    function band([size, top, height, tested]) {
      const y = top + height / 2;
      return [svg("rect", { class: "band", y: top - 6, width: scene.width, height: height + 12, rx: 6 }),
        svg("text", { class: "size", x: 12, y }, `size ${size}`), tested > 0 && svg("text", { class: "tested", x: 12, y: y + 14 }, `${number(tested)} tested`)];
    }
    function node(n) {
      const told = `${n.outcome}, ${n.counts}`;
      const shape = (transform) => sign(ctx.marks[n.outcome], { transform });
      const g = svg("g", { class: `node ${n.role || ""}`, transform: `translate(${n.x} ${n.y})` },
        n.stub
          ? [svg("rect", { x: -n.r, y: -9, width: 2 * n.r, height: 18, rx: 9 }), shape(`translate(${12 - n.r} 0) scale(4)`), svg("text", { x: 20 - n.r, y: 4 }, `−${number(n.stub)}`)]
          : [svg("circle", { r: n.r + 4 }), shape(`scale(${n.r})`), n.label && svg("text", { y: 26, "text-anchor": "middle" }, n.label)]);
      pressable(g, `${n.text} ${told}`, () => (step(n), n.stub ? ((at = n.id), change("expand", { key: n.id })) : pick(n)));
      fill(g, { tabindex: -1, ondblclick: () => n.stub || change("expand", { key: n.id }), onpointerenter: () => light(n.id), onpointerleave: () => light(at) });
      ctx.tip(g, () => [code(n.text), el("div", {}, told)]);
      shown.set(n.id, { n, g });
      return g;
    }
    function draw(next) {
      const first = !scene;
      const within = picture.contains(document.activeElement);
      scene = next;
      shown = new Map();
      const others = scene.edges.length - scene.ways;
      picture.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
      put(picture, scene.sizes.map(band), curves(scene.edges.slice(0, others), "edge"), curves(scene.edges.slice(others), "edge way"),
        curves(scene.joins, "edge join"), near, scene.nodes.map(node));
      scale(zoom, 0, 0);
      put(note, scene.note);
      if (first) start();
      fade();
      if (lit) sought(0); // what is new in the picture is looked at too
      mark();
      const here = shown.get(at) || shown.values().next().value;
      if (here) step(here.n, !within);
    }
    function start() {
      put(chips, scene.outcomes.map(([outcome, count, meaning]) => {
        const press = () => {
          if (!outcomes.delete(outcome)) outcomes.add(outcome);
          chip.ariaPressed = outcomes.has(outcome);
          find(0);
        };
        const chip = button(tally(ctx.marks[outcome], outcome, count), press, { class: "chip", "aria-pressed": outcomes.has(outcome) });
        return ctx.tip(chip, () => meaning);
      }));
      put(predicate, ["", ...scene.predicates].map((name) => el("option", { value: name }, name || "any predicate")));
      const solution = scene.nodes.filter((n) => n.outcome === "solution");
      const what = el("div");
      put(about, el("h4", {}, scene.title), solution.map((n) => hit(n, () => pick(n))), what, el("p", { class: "faint" }, scene.how_to_look));
      if (scene.explained && solution.length) ask("without").then((answer) => answer && put(what, built(answer.told)));
      resized();
    }

    // One node at a time is reached with Tab; arrows go on from there.
    function step(n, quietly) {
      for (const { g } of shown.values()) g.tabIndex = -1;
      const { g } = shown.get(n.id);
      g.tabIndex = 0;
      if (!quietly) g.focus();
    }
    function onkeydown(event) {
      const here = [...shown.values()].find(({ g }) => g === event.target);
      const arrow = ARROWS.indexOf(event.key);
      if (!here || arrow < 0) return;
      event.preventDefault();
      event.stopPropagation(); // the notebook would go to another cell
      const to = scene.nodes[here.n.beside[arrow]];
      if (to) step(to);
    }

    function fit() {
      scale(3); // now the frame is as high as it can be
      scale(Math.min(frame.clientWidth / scene.width, frame.clientHeight / scene.height));
    }
    const reset = () => {
      zoom = 1;
      at = search.value = predicate.value = "";
      outcomes.clear();
      find(0);
      change("reset").then(start);
    };
    ctx.host.append(note,
      el("div", { class: "line" }, search, predicate, el("span", { class: "zoom" }, button("−", () => scale(zoom / 1.25), { "aria-label": "zoom out" }),
        button("+", () => scale(zoom * 1.25), { "aria-label": "zoom in" }), button("fit", fit), button("reset", reset))),
      chips, el("div", { class: "sides" }, frame, el("div", { class: "side" }, absent, found, about)));
    return { draw, choose: () => scene && mark(), leave: () => observer.disconnect() };
  };
}
