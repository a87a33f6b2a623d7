{
  const WAY = new Set(["solution", "ancestor"]);
  const counts = (n) => (n.pos == null ? "not counted" : `+${number(n.pos)} −${number(n.neg)}`);

  VIEWS.lattice = (ctx) => {
    let scene, zoom = 1, asked = 0, at = null, nodes = new Map();
    const outcomes = new Set();

    const sign = (outcome, attributes) =>
      svg("path", { d: ctx.marks[outcome][1], fill: `var(--${ctx.marks[outcome][0]})`, "fill-rule": "evenodd", ...attributes });
    const icon = (outcome) => svg("svg", { class: "icon", viewBox: "-1.4 -1.4 2.8 2.8", "aria-hidden": true }, sign(outcome));
    const button = (text, onclick, label) => el("button", { onclick, "aria-label": label }, text);
    const ask = (question, args) => ctx.ask(question, args).catch(() => null); // the panel says what is wrong
    const change = async (question, args) => draw((await ask(question, args)) || scene);

    // The frame: a picture that is scrolled, dragged and zoomed.
    const picture = svg("svg", { role: "group", "aria-label": "hypothesis lattice" });
    const frame = el("div", { class: "frame" }, picture);

    function setZoom(to, x = frame.clientWidth / 2, y = frame.clientHeight / 2) {
      const by = Math.min(Math.max(to, 0.2), 3) / zoom;
      zoom *= by;
      picture.setAttribute("width", scene.width * zoom);
      picture.setAttribute("height", scene.height * zoom);
      frame.scrollLeft = (frame.scrollLeft + x) * by - x;
      frame.scrollTop = (frame.scrollTop + y) * by - y;
    }
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = frame.getBoundingClientRect();
      setZoom(zoom * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    frame.addEventListener("pointerdown", (event) => {
      if (event.button || event.pointerType === "touch" || event.target.closest(".node")) return;
      const drag = (move) => frame.scrollBy(-move.movementX, -move.movementY);
      const end = () => { removeEventListener("pointermove", drag); removeEventListener("pointerup", end); };
      addEventListener("pointermove", drag);
      addEventListener("pointerup", end);
    });
    // Texts keep their size: on a page of another width the rules are arranged anew.
    const resized = debounced(() => {
      const width = Math.min(Math.max(frame.clientWidth, 300), 2400);
      if (scene && frame.clientWidth && Math.abs(width - asked) > 24) change("arrange", { width: (asked = width) });
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
      found.hidden = !wanted.text && !wanted.predicates.length && !outcomes.size;
      const page = !found.hidden && (await ask("search", wanted));
      if (!page) return;
      if (!offset) found.replaceChildren(el("b", {}, `${number(page.total)} rules`));
      else found.lastChild.remove();
      found.append(...page.rules.map((n) =>
        el("button", { class: "hit", onclick: () => reveal("open", { ids: [n.id] }, n.id) }, icon(n.outcome), code(n.text), el("span", { class: "faint" }, counts(n)))));
      const next = offset + page.rules.length;
      if (page.rules.length && next < page.total) found.append(button("show more", () => find(next)));
    }
    const soon = debounced(() => find(0));
    search.addEventListener("input", soon);
    predicate.addEventListener("change", soon);

    function fade() {
      const use = scene.predicates.indexOf(predicate.value);
      for (const { n, g } of nodes.values())
        g.classList.toggle("off", (outcomes.size > 0 && !outcomes.has(n.outcome)) || (use >= 0 && !(n.uses || []).includes(use)));
    }

    // Beside the picture: a rule looked at closely.
    const missing = el("div", { class: "missing" });
    const about = el("div", { class: "about", "aria-live": "polite" });

    const bar = (kind, covered, all) =>
      el("div", { class: `cover ${kind}` }, el("span", { style: `width:${all ? (100 * (covered || 0)) / all : 0}%` }),
        el("b", {}, covered == null ? "not counted" : `${number(covered)} of ${number(all)}`), kind === "pos" ? " positive" : " negative");
    const examples = (kind, names, covered) => names.length > 0 &&
      el("div", { class: `examples ${kind}` }, names.map((name) => el("button", { onclick: () => ctx.select({ examples: [name] }) }, code(name))),
        covered > names.length && el("span", { class: "faint" }, `and ${number(covered - names.length)} more`));

    function tell(d) {
      const n = (nodes.get(d.id) || { n: d }).n;
      const more = (count, to) => count > 0 && button(`${number(count)} more ${to}`, () => change("expand", { key: d.id, to }).then(() => look(d.id)));
      about.replaceChildren(...[
        el("h4", {}, icon(d.outcome), d.stub ? `${number(d.stub)} never made: ${d.outcome}` : d.outcome, el("span", { class: "faint" }, ` size ${d.size}`)),
        el("pre", {}, code(d.program)),
        !d.stub && [bar("pos", d.covered[0], scene.examples[0]), examples("pos", d.positives, d.covered[0]),
          bar("neg", d.covered[1], scene.examples[1]), examples("neg", d.negatives, d.covered[1])],
        el("p", {}, d.why),
        d.forbids && !d.stub && el("p", {}, el("span", { class: "faint" }, "no need to test "), code(d.forbids)),
        d.constraint && ctx.has("constraints") && button("show in constraints", () => ctx.show("constraints")),
        d.conjunctions.map((rule) => el("div", {}, el("span", { class: "faint" }, "joined into"), el("pre", {}, code(rule)))),
        el("div", { class: "acts" }, more(n.above, "general"), more(n.below, "special"),
          d.stub && button("show some of them", () => change("expand", { key: d.id }).then(() => look(d.id))),
          d.collapses && button("collapse", () => change("collapse", { key: d.id }).then(() => look(d.id)))),
      ].flat(2).filter(Boolean));
    }

    async function look(id) {
      at = id;
      mark();
      const d = await ask("detail", { key: id });
      if (d && at === id) tell(d);
      return d;
    }
    async function pick(n) {
      const seen = look(n.id);
      const rule = n.cut ? ((await seen) || {}).rule : n.text;
      if (rule && !n.stub) ctx.select({ rules: [rule] });
    }
    async function reveal(question, args, id) {
      await change(question, args);
      const one = id ? nodes.get(id) : [...nodes.values()].find(({ n }) => chosen(n, [args.rule]));
      if (!one) return;
      focus(one.n.id);
      pick(one.n);
    }
    function focus(id) {
      for (const [key, { g }] of nodes) g.setAttribute("tabindex", key === id ? 0 : -1);
      nodes.get(id).g.focus();
    }

    // The picture itself.
    const curve = ([i, j]) => {
      const [a, b] = [scene.nodes[i], scene.nodes[j]];
      const middle = (a.bottom + b.top) / 2;
      return `M${a.x} ${a.bottom}C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.top - 2}`;
    };
    const curves = (kind, edges) => svg("path", { class: kind, d: edges.map(curve).join("") });
    const near = svg("path", { class: "near" });
    const light = (id) => {
      const touches = ([i, j]) => scene.nodes[i].id === id || scene.nodes[j].id === id;
      near.setAttribute("d", id ? [...scene.edges, ...scene.joins].filter(touches).map(curve).join("") : "");
    };
    const chosen = (n, rules) => rules.some((rule) => (n.cut ? rule.startsWith(n.text) : rule === n.text));

    function mark() {
      const { rules } = ctx.selected();
      for (const [id, { n, g }] of nodes) {
        g.classList.toggle("at", id === at);
        g.classList.toggle("chosen", !n.stub && chosen(n, rules));
      }
      light(at);
      const absent = rules.filter((rule) => ![...nodes.values()].some(({ n }) => !n.stub && chosen(n, [rule])));
      missing.replaceChildren(...absent.slice(0, 3).map((rule) =>
        el("div", {}, code(rule), " is not in the picture ", button("show it", () => reveal("reveal", { rule })))));
    }

    function node(n) {
      const said = `${n.stub ? `${n.text} never made` : n.text}, ${n.outcome}${n.stub ? "" : `, ${counts(n)}`}`;
      const g = svg("g", { class: `node ${n.role || ""}`, transform: `translate(${n.x} ${n.y})` },
        n.stub
          ? [svg("rect", { x: -n.r, y: -9, width: 2 * n.r, height: 18, rx: 9 }), sign(n.outcome, { transform: `translate(${11 - n.r} 0) scale(4)` }), svg("text", { x: 19 - n.r, y: 4 }, `−${number(n.stub)}`)]
          : [svg("circle", { r: n.r + 4 }), n.below > 0 && !n.label && svg("path", { class: "tail", d: `M0 ${n.r + 2}v4` }), sign(n.outcome, { transform: `scale(${n.r})` }), n.label && svg("text", { y: 26, "text-anchor": "middle" }, n.label)]);
      pressable(g, said, () => (focus(n.id), n.stub ? change("expand", { key: n.id }).then(() => look(n.id)) : pick(n)));
      g.setAttribute("tabindex", -1);
      g.addEventListener("dblclick", () => n.stub || change("expand", { key: n.id }));
      g.addEventListener("pointerenter", () => light(n.id));
      g.addEventListener("pointerleave", () => light(at));
      ctx.tip(g, () => [code(n.text), el("div", {}, n.stub ? `${n.outcome}: never made` : `${n.outcome} · ${counts(n)}`)]);
      nodes.set(n.id, { n, g });
      return g;
    }

    function draw(next) {
      const first = !scene;
      const focused = picture.contains(document.activeElement);
      scene = next;
      nodes = new Map();
      const ways = scene.edges.filter((edge) => edge.every((i) => WAY.has(scene.nodes[i].role)));
      const others = scene.edges.filter((edge) => !ways.includes(edge));
      picture.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
      picture.replaceChildren(
        ...scene.sizes.map(([size, top, height, tested]) => svg("g", {},
          svg("rect", { class: "band", y: top - 6, width: scene.width, height: height + 12, rx: 6 }),
          svg("text", { class: "size", x: 12, y: top + height / 2 }, `size ${size}`),
          tested > 0 && svg("text", { class: "tested", x: 12, y: top + height / 2 + 14 }, `${number(tested)} tested`))),
        curves("edge", others), curves("edge way", ways), curves("edge join", scene.joins), near, ...scene.nodes.map(node));
      setZoom(zoom, 0, 0);
      if (first) start();
      note.textContent = scene.note;
      fade();
      mark();
      if (nodes.has(at) && focused) focus(at);
      else if (scene.nodes.length) (nodes.get(at) || nodes.values().next().value).g.setAttribute("tabindex", 0);
    }

    function start() {
      chips.replaceChildren(...scene.outcomes.map(([outcome, count]) => {
        const chip = el("button", { "aria-pressed": false, onclick: () => {
          if (!outcomes.delete(outcome)) outcomes.add(outcome);
          chip.setAttribute("aria-pressed", outcomes.has(outcome));
          find(0);
        } }, icon(outcome), outcome, el("span", { class: "faint" }, ` ${number(count)}`));
        return chip;
      }));
      predicate.replaceChildren(el("option", { value: "" }, "any predicate"), ...scene.predicates.map((name) => el("option", { value: name }, name)));
      const solution = scene.nodes.filter((n) => n.outcome === "solution");
      about.replaceChildren(
        ...(solution.length ? [el("h4", {}, "The hypothesis")] : []),
        ...solution.map((n) => el("button", { class: "hit", onclick: () => (focus(n.id), pick(n)) }, icon(n.outcome), code(n.text), el("span", { class: "faint" }, counts(n)))),
        el("p", { class: "faint" }, "From general rules at the top to special ones below; a larger sign covers more positive examples. Choose a rule to see what it covers and why it was kept or cut; a double click shows its neighbours, arrows move."));
      resized();
    }

    picture.addEventListener("keydown", (event) => {
      const g = event.target.closest(".node");
      const here = [...nodes.values()].find((each) => each.g === g);
      if (!here) return;
      const { n } = here;
      const i = scene.nodes.indexOf(n);
      const nearest = (all) => all.sort((a, b) => Math.abs(a.x - n.x) - Math.abs(b.x - n.x))[0];
      const linked = [...scene.edges, ...scene.joins];
      const row = scene.nodes.filter((other) => other.size === n.size).sort((a, b) => a.x - b.x || a.y - b.y);
      const go = {
        ArrowUp: () => nearest(linked.filter((edge) => edge[1] === i).map((edge) => scene.nodes[edge[0]])),
        ArrowDown: () => nearest(linked.filter((edge) => edge[0] === i).map((edge) => scene.nodes[edge[1]])),
        ArrowLeft: () => row[row.indexOf(n) - 1],
        ArrowRight: () => row[row.indexOf(n) + 1],
      }[event.key];
      if (go) {
        const to = go();
        if (to) focus(to.id);
      } else if (event.key === "+") change("expand", { key: n.id });
      else if (event.key === "-") change("collapse", { key: n.id });
      else return;
      event.preventDefault();
      event.stopPropagation();
    });

    const note = el("div", { class: "faint", role: "status" });
    const fit = () => setZoom(Math.min(frame.clientWidth / scene.width, frame.clientHeight / scene.height));
    const reset = async () => { zoom = 1; at = null; scene = null; draw(await ctx.ask("reset")); };
    ctx.host.append(
      el("div", { class: "tools" }, search, predicate, el("span", { class: "zoom" },
        button("−", () => setZoom(zoom / 1.25), "zoom out"), button("+", () => setZoom(zoom * 1.25), "zoom in"), button("fit", fit), button("reset", reset))),
      chips, el("div", { class: "sides" }, frame, el("div", { class: "side" }, missing, found, about)), note);

    return { draw, choose: () => scene && mark(), leave: () => observer.disconnect() };
  };
}
