// How far a run is, as it is laid out in Python. Between two scenes only the clock moves.
{
  const SHADES = [1, 0.7, 0.5, 0.36, 0.25, 0.16]; // of the stages, in their order
  const TOP = 14, FLOOR = 146, LEFT = 52, WIDTH = 420, NARROW = 280;
  const time = (s) => (s < 100 ? s.toFixed(1) : number(Math.round(s))) + " s";
  const words = (x, y, text, anchor, kind) => svg("text", { x, y, "text-anchor": anchor, class: kind }, text);
  const path = (d, kind, more) => svg("path", { d, class: kind, ...more });
  const list = (node, children) => node.replaceChildren(...children);

  VIEWS.progress = (ctx) => {
    let scene, told, asking; // told: when the scene came
    const sign = (word, more) => path(ctx.marks[word][1], "", { "fill-rule": "evenodd", style: `fill:var(--${ctx.marks[word][0]})`, ...more });
    const chart = (width, title, remark, ...inside) => {
      const picture = svg("svg", { viewBox: `0 0 ${width} 168`, role: "group", "aria-label": title }, inside);
      return [picture, el("figure", {}, el("figcaption", {}, el("b", {}, title), el("div", { class: "faint" }, remark)), picture)];
    };

    const doing = el("b"), remark = el("span", { class: "faint" }), best = el("b");
    const stop = el("button", { onclick: press, hidden: true, title: "the best so far is kept" }, "■ Stop");
    const hint = el("span", { class: "faint", hidden: true }, "interrupt the kernel (■ in the toolbar) to stop");
    const tiles = ["size", "programs tested", "pruned", "best so far", "time"].map((label) => [el("b"), el("span", {}, label)]);
    const grid = svg("g"), bars = svg("g");
    const [, columns] = chart(WIDTH, "What became of programs, by size", "height logarithmic, colours in proportion", grid, bars);
    const [history, beside] = chart(NARROW, "Best hypothesis over time", "dashed: positives covered; solid: literals of a solution");
    const legend = el("ul"), bar = el("div", { class: "bar" }), stages = el("ul", { class: "stages" });
    const rules = el("div", { class: "rules", tabindex: 0, role: "group", "aria-label": "best hypothesis" });
    ctx.host.append(
      el("div", { class: "head" }, el("span", { class: "dot" }), doing, remark, stop, hint),
      el("div", { class: "tiles" }, tiles.map((tile) => el("div", {}, tile))),
      el("div", { class: "charts" }, columns, beside),
      legend, el("b", {}, "Time by stage"), bar, stages, best, rules);

    // One group for each size, as long as it is shown: what is pointed at stays what it is.
    const groups = new Map();
    const lines = ({ size, tested, made, done, duplicates, bands }) => [
      `size ${size}${done ? "" : ", so far"}: ${number(made)} generated, ${number(tested)} tested`,
      ...bands.map((band) => `${number(band.number)} ${band.word}`), `${number(duplicates)} duplicates`];
    function group(size) {
      if (!groups.has(size)) {
        const node = svg("g", { tabindex: 0, role: "img" });
        ctx.tip(node, () => lines(node.column).map((line) => el("div", {}, line)));
        groups.set(size, node);
        bars.append(node);
      }
      return groups.get(size);
    }
    function drawColumn(column) {
      const { x, width, done, bands, size } = column;
      const node = group(size), middle = x + width / 2;
      node.column = column;
      node.setAttribute("aria-label", visible(lines(column).join(", ")));
      list(node, [
        svg("rect", { x, y: TOP, width, height: FLOOR - TOP, fill: "transparent" }),
        ...bands.flatMap(({ mark, y, height, signed }) => [
          svg("rect", { x, y, width, height: Math.max(height - 0.6, 0.4), style: `fill:var(--${ctx.marks[mark][0]})`, opacity: done ? 1 : 0.75 }),
          ...(signed ? [sign(mark, { style: "", class: "on", transform: `translate(${middle} ${y + height / 2}) scale(4)` })] : [])]),
        words(middle, FLOOR + 15, size, "middle")]);
    }
    function drawHistory({ covered, literals, end, label }) {
      list(history, [
        path(`M8 ${TOP}V${FLOOR}H${NARROW}`, "axis"), words(8, FLOOR + 15, "0 s"), words(NARROW, FLOOR + 15, time(scene.seconds), "end"),
        path(covered, "covered"), path(literals, "literals"),
        ...(end ? [sign("solution", { transform: `translate(${end}) scale(5)` }), words(...label, label[0] < end[0] ? "end" : "start", "end")] : [])]);
    }

    function draw(next) {
      scene = next;
      told = performance.now();
      ctx.host.dataset.state = scene.state;
      doing.textContent = scene.doing;
      remark.textContent = visible(scene.remark);
      stop.hidden = !scene.can_stop;
      hint.hidden = scene.state !== "running" || scene.can_stop;
      [scene.size && `${scene.size} of ${scene.largest}`, number(scene.tested), number(scene.pruned), scene.found]
        .forEach((value, i) => (tiles[i][0].textContent = value || "–"));
      list(legend, scene.legend.map(([word, mark, n]) =>
        el("li", { class: n ? "" : "faint" }, svg("svg", { viewBox: "-1.4 -1.4 2.8 2.8" }, sign(mark)), word, el("span", {}, number(n)))));
      list(grid, [path(`M${LEFT} ${FLOOR}H${WIDTH}`, "axis"),
        ...scene.ticks.flatMap(([n, y]) => [path(`M${LEFT} ${y}H${WIDTH}`, "tick"), words(LEFT - 6, y + 4, number(n), "end")])]);
      for (const [size, node] of groups) if (!scene.columns.some((each) => each.size === size)) { node.remove(); groups.delete(size); }
      scene.columns.forEach(drawColumn);
      drawHistory(scene.history);
      best.textContent = scene.best.text;
      list(rules, scene.best.rules.map((text, i) => {
        const name = scene.best.names[i], rule = code(text, { class: "rule", "data-name": name });
        return name ? pressable(rule, `choose ${text}`, () => ctx.select({ rules: ctx.selected().rules.includes(name) ? [] : [name] })) : rule;
      }));
      choose(ctx.selected());
      tick();
    }
    function choose({ rules: chosen }) {
      for (const rule of rules.querySelectorAll("[role=button]")) rule.setAttribute("aria-pressed", chosen.includes(rule.dataset.name));
    }

    // The clock, and the stage at work, go on by themselves.
    function tick() {
      const since = scene.state === "running" ? (performance.now() - told) / 1000 : 0;
      tiles[4][0].textContent = time(scene.seconds + since);
      const spent = scene.spent.map(([stage, s]) => [stage, s + (stage === scene.stage && since)]);
      list(bar, spent.map(([, s], i) => el("i", { style: `flex:${s};opacity:${SHADES[i]}` })));
      list(stages, spent.map(([stage, s], i) => el("li", {}, el("i", { style: `opacity:${SHADES[i]}` }), stage, el("span", {}, time(s)))));
      if (since > (scene.can_stop ? 3 : 10) && !asking) ask("scene"); // a panel that nobody keeps informed asks
    }
    function ask(question) {
      asking = true;
      return ctx.ask(question).then(draw, () => {}).finally(() => (asking = false));
    }
    function press() {
      stop.disabled = true;
      ask("stop").finally(() => (stop.disabled = false));
    }
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setInterval(() => scene && scene.state === "running" && tick(), still ? 1000 : 200);
    return { draw, choose, leave: () => clearInterval(timer) };
  };
}
