{
  // Of a rule that is no whole rule yet, what was counted may be too little.
  const counts = (n) => (n.pos == null ? "not counted" : `${n.outcome === "partial" ? "at least " : ""}+${number(n.pos)} −${number(n.neg)}`);
  const button = (text, onclick, label) => el("button", { onclick, "aria-label": label }, text);

  VIEWS.lattice = (ctx) => {
    let scene, zoom = 1, width = 0, at = "", shown = new Map(); // by id: { n, g }, a node and its element
    const outcomes = new Set();

    const sign = (outcome, transform) =>
      svg("path", { d: ctx.marks[outcome][1], fill: `var(--${ctx.marks[outcome][0]})`, "fill-rule": "evenodd", transform });
    const icon = (outcome) => svg("svg", { class: "icon", viewBox: "-1.4 -1.4 2.8 2.8" }, sign(outcome));
    const hit = (n, onclick) => el("button", { class: "hit", onclick }, icon(n.outcome), code(n.text), el("span", { class: "faint" }, counts(n)));

    // What went wrong, the panel says.
    const ask = (question, args) => ctx.ask(question, args).catch(() => null);
    async function change(question, args) {
      const answer = await ask(question, args);
      if (answer) draw(answer);
      if (shown.has(at)) look(at);
    }

    // The picture is scrolled, dragged and zoomed in a frame.
    const picture = svg("svg", { role: "group", "aria-label": "hypothesis lattice" });
    const frame = el("div", { class: "frame" }, picture);
    function scale(to, x = frame.clientWidth / 2, y = frame.clientHeight / 2) {
      const by = Math.min(Math.max(to, 0.2), 3) / zoom;
      const [left, top] = [frame.scrollLeft, frame.scrollTop];
      zoom *= by;
      fill(picture, { width: scene.width * zoom, height: scene.height * zoom }, []);
      frame.scrollTo((left + x) * by - x, (top + y) * by - y);
    }
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = frame.getBoundingClientRect();
      scale(zoom * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    frame.addEventListener("pointermove", (event) => {
      if (event.buttons === 1 && event.pointerType === "mouse") frame.scrollBy(-event.movementX, -event.movementY);
    });
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
    const search = el("input", { type: "search", placeholder: "search predicates, or a rule", "aria-label": "search rules" });
    const predicate = el("select", { "aria-label": "filter by predicate" });
    const chips = el("div", { class: "chips" });
    const found = el("div", { class: "found", hidden: true });
    async function find(offset) {
      fade();
      const wanted = { text: search.value, predicates: predicate.value ? [predicate.value] : [], outcomes: [...outcomes], offset };
      found.hidden = !(wanted.text || predicate.value || outcomes.size);
      const page = found.hidden ? null : await ask("search", wanted);
      if (!page) return;
      if (offset) found.lastChild.remove();
      else found.replaceChildren(el("b", {}, `${number(page.total)} rules`));
      found.append(...page.rules.map((n) => hit(n, () => reveal("open", { keys: [n.id] }, n))));
      offset += page.rules.length;
      if (page.rules.length && offset < page.total) found.append(button("show more", () => find(offset)));
    }
    const soon = debounced(() => find(0));
    search.addEventListener("input", soon);
    predicate.addEventListener("change", soon);
    function fade() {
      const use = scene.predicates.indexOf(predicate.value);
      picture.classList.toggle("some", use >= 0 || outcomes.size > 0);
      for (const { n, g } of shown.values())
        g.classList.toggle("off", (outcomes.size && !outcomes.has(n.outcome)) || (use >= 0 && !(n.uses || []).includes(use)));
    }

    // Beside the picture a rule is looked at closely.
    const missing = el("div");
    const about = el("div", { class: "about", "aria-live": "polite" });
    const covered = (sort, names, count, all) => [
      el("div", { class: `cover ${sort}` }, el("b", {}, count == null ? "?" : number(count)), ` of ${number(all)} ${sort === "pos" ? "positive" : "negative"}`,
        el("span", { style: `width:${(100 * count) / (all || 1)}%` })),
      el("div", { class: "examples" }, names.map((name) => el("button", { onclick: () => ctx.select({ examples: [name] }) }, code(name))),
        count > names.length && `and ${number(count - names.length)} more`),
    ];
    const faint = (text) => el("span", { class: "faint" }, text);
    async function look(id) {
      at = id;
      mark();
      const d = await ask("detail", { key: id });
      if (!d || at !== id) return d;
      const { n } = shown.get(id) || { n: d };
      const more = (count, to) => count > 0 && button(`${number(count)} more ${to}`, () => change("expand", { key: id, to }));
      about.replaceChildren(el("div", {},
        el("h4", {}, icon(d.outcome), d.outcome, faint(d.stub ? ` ${number(d.stub)} never made` : ` size ${d.size}`)),
        el("pre", {}, code(d.program)),
        !d.stub && [covered("pos", d.positives, d.covered[0], scene.examples[0]), covered("neg", d.negatives, d.covered[1], scene.examples[1])],
        el("p", {}, d.why),
        d.forbids && !d.stub && el("p", {}, faint("no need to test "), code(d.forbids)),
        d.conjunctions.map((rule) => [faint("joined into"), el("pre", {}, code(rule))]),
        el("div", { class: "acts" }, more(n.above, "general"), more(n.below, "special"),
          d.stub && button("show some", () => change("expand", { key: id })),
          d.collapses && button("collapse", () => change("collapse", { key: id })),
          d.constraint && ctx.has("constraints") && button("show in constraints", () => ctx.show("constraints")))));
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
      const absent = rules.filter((rule) => !nodes.some(({ n }) => is(n, rule)));
      missing.replaceChildren(...absent.slice(0, 3).map((rule) =>
        el("p", {}, code(rule), faint(" is not in the picture "), button("show it", () => reveal("reveal", { rule })))));
    }

    // The picture: bands of sizes, curves, nodes.
    const linked = () => [...scene.edges, ...scene.joins];
    const curve = ([i, j]) => {
      const [a, b] = [scene.nodes[i], scene.nodes[j]];
      const middle = (a.bottom + b.top) / 2;
      return `M${a.x} ${a.bottom}C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.top - 2}`;
    };
    const curves = (edges, sort) => svg("path", { class: sort, d: edges.map(curve).join("") });
    const near = svg("path", { class: "near" });
    const light = (id) => near.setAttribute("d", linked().filter((edge) => edge.some((i) => scene.nodes[i].id === id)).map(curve).join(""));
    function band([size, top, height, tested]) {
      const y = top + height / 2;
      return [svg("rect", { class: "band", y: top - 6, width: scene.width, height: height + 12, rx: 6 }),
        svg("text", { class: "size", x: 12, y }, `size ${size}`), tested > 0 && svg("text", { class: "tested", x: 12, y: y + 14 }, `${number(tested)} tested`)];
    }
    function node(n) {
      const told = n.stub ? `${n.outcome}, never made` : `${n.outcome}, ${counts(n)}`;
      const g = svg("g", { class: `node ${n.role || ""}`, transform: `translate(${n.x} ${n.y})` },
        n.stub
          ? [svg("rect", { x: -n.r, y: -9, width: 2 * n.r, height: 18, rx: 9 }), sign(n.outcome, `translate(${12 - n.r} 0) scale(4)`), svg("text", { x: 20 - n.r, y: 4 }, `−${number(n.stub)}`)]
          : [svg("circle", { r: n.r + 4 }), sign(n.outcome, `scale(${n.r})`), n.label && svg("text", { y: 26, "text-anchor": "middle" }, n.label)]);
      pressable(g, `${n.text} ${told}`, () => (step(n), n.stub ? ((at = n.id), change("expand", { key: n.id })) : pick(n)));
      fill(g, { tabindex: -1, ondblclick: () => n.stub || change("expand", { key: n.id }), onpointerenter: () => light(n.id), onpointerleave: () => light(at) }, []);
      ctx.tip(g, () => [code(n.text), el("div", {}, told)]);
      shown.set(n.id, { n, g });
      return g;
    }
    function draw(next) {
      const first = !scene;
      const within = picture.contains(document.activeElement);
      scene = next;
      shown = new Map();
      const way = (edge) => edge.every((i) => /solution|ancestor/.test(scene.nodes[i].role));
      picture.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
      picture.replaceChildren(svg("g", {}, scene.sizes.map(band), curves(scene.edges.filter((edge) => !way(edge)), "edge"),
        curves(scene.edges.filter(way), "edge way"), curves(scene.joins, "edge join"), near, scene.nodes.map(node)));
      scale(zoom, 0, 0);
      note.textContent = scene.note;
      if (first) start();
      fade();
      mark();
      const here = shown.get(at) || shown.values().next().value;
      if (here) step(here.n, !within);
    }
    function start() {
      chips.replaceChildren(...scene.outcomes.map(([outcome, count, meaning]) => {
        const chip = el("button", { "aria-pressed": outcomes.has(outcome), onclick: () => {
          if (!outcomes.delete(outcome)) outcomes.add(outcome);
          chip.setAttribute("aria-pressed", outcomes.has(outcome));
          find(0);
        } }, icon(outcome), outcome, faint(` ${number(count)}`));
        return ctx.tip(chip, () => meaning);
      }));
      predicate.replaceChildren(...["", ...scene.predicates].map((name) => el("option", { value: name }, name || "any predicate")));
      const solution = scene.nodes.filter((n) => n.outcome === "solution");
      about.replaceChildren(el("h4", {}, solution.length ? "The hypothesis" : "No hypothesis yet"), ...solution.map((n) => hit(n, () => pick(n))),
        el("p", { class: "faint" }, "General rules are at the top, special ones below; a larger sign covers more positive examples. Choose a rule to see what it covers and why it was kept or cut. A double click shows its neighbours; arrow keys move."));
      resized();
    }

    // One node at a time is reached with Tab; arrows go on from there.
    function step(n, quietly) {
      for (const { g } of shown.values()) g.tabIndex = -1;
      const { g } = shown.get(n.id);
      g.tabIndex = 0;
      if (!quietly) g.focus();
    }
    picture.addEventListener("keydown", (event) => {
      const here = [...shown.values()].find(({ g }) => g === event.target);
      if (!here) return;
      const { n } = here;
      const i = scene.nodes.indexOf(n);
      const ends = (from, to) => linked().filter((edge) => edge[from] === i).map((edge) => scene.nodes[edge[to]])
        .sort((a, b) => Math.abs(a.x - n.x) - Math.abs(b.x - n.x))[0];
      const row = scene.nodes.filter((other) => other.size === n.size).sort((a, b) => a.x - b.x || a.y - b.y);
      const act = {
        ArrowUp: () => ends(1, 0),
        ArrowDown: () => ends(0, 1),
        ArrowLeft: () => row[row.indexOf(n) - 1],
        ArrowRight: () => row[row.indexOf(n) + 1],
      }[event.key];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation(); // the notebook would go to another cell
      const to = act();
      if (to) step(to);
    });

    const note = el("div", { class: "faint", role: "status" });
    function fit() {
      scale(3); // now the frame is as high as it can be
      scale(Math.min(frame.clientWidth / scene.width, frame.clientHeight / scene.height));
    }
    const reset = () => { zoom = 1; at = ""; change("reset").then(start); };
    ctx.host.append(
      el("div", { class: "tools" }, search, predicate, el("span", { class: "zoom" }, button("−", () => scale(zoom / 1.25), "zoom out"),
        button("+", () => scale(zoom * 1.25), "zoom in"), button("fit", fit), button("reset", reset))),
      chips, el("div", { class: "sides" }, frame, el("div", { class: "side" }, missing, found, about)), note);
    return { draw, choose: () => scene && mark(), leave: () => observer.disconnect() };
  };
}
