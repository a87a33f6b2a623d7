// How far a run is, as it is laid out in Python. Between two scenes only the clock moves.
{
  const shade = (i) => `opacity:${0.7 ** i}`; // of the stages, in their order
  const TOP = 14, FLOOR = 146, LEFT = 64, WIDTH = 420, NARROW = 280;
  const time = (s) => (s < 100 ? s.toFixed(1) : number(Math.round(s))) + " s";
  const words = (x, y, text, anchor, kind) => svg("text", { x, y, "text-anchor": anchor, class: kind }, text);
  const path = (d, kind) => svg("path", { d, class: kind });

  VIEWS.progress = (ctx) => {
    let scene, told, asking; // told: when the scene came
    const chart = (width, title, remark, ...inside) => {
      const picture = svg("svg", { viewBox: `0 0 ${width} 168`, role: "group", "aria-label": title }, inside);
      return [picture, el("figure", {}, el("figcaption", {}, el("b", {}, title), faint(remark)), picture)];
    };

    const doing = el("b"), remark = faint(), best = el("b"), clock = el("b"), tiles = el("div", { class: "tiles" });
    const stop = button("■ Stop", press, { hidden: true, title: "the best so far is kept" });
    const hint = faint("interrupt the kernel (■ in the toolbar) to stop");
    const grid = svg("g"), bars = svg("g");
    const [, columns] = chart(WIDTH, "What became of programs, by size", "height logarithmic, colours in proportion", grid, bars);
    const [history, beside] = chart(NARROW, "Best hypothesis over time", "dashed: positives covered; solid: literals of a solution");
    const legend = el("ul"), bar = el("div", { class: "bar" }), stages = el("ul", { class: "stages" });
    const rules = el("div", { class: "rules", tabindex: 0, role: "group", "aria-label": "best hypothesis" });
    ctx.host.append(
      el("div", { class: "line head" }, el("span", { class: "dot" }), doing, remark, stop, hint), tiles,
      el("div", { class: "sides" }, columns, beside),
      legend, el("b", {}, "Time by stage"), bar, stages, best, rules);

    // One group for each size, as long as it is shown: what is pointed at stays what it is.
    const groups = new Map();
    function group(size) {
      if (!groups.has(size)) {
        const node = svg("g", { tabindex: 0, role: "img" });
        bars.append(ctx.tip(node, () => node.told.map((line) => el("div", {}, line))));
        groups.set(size, node);
      }
      return groups.get(size);
    }
    function drawColumn({ x, width, done, bands, size, told }) {
      const node = group(size), middle = x + width / 2;
      node.told = told;
      fill(put(node, svg("rect", { x, y: TOP, width, height: FLOOR - TOP, fill: "transparent" }),
        bands.map(([mark, y, height, signed]) => [
          svg("rect", { x, y, width, height: Math.max(height - 0.6, 0.4), fill: `var(--${ctx.marks[mark][0]})`, opacity: done ? 1 : 0.75 }),
          signed && sign(ctx.marks[mark], { class: "on", transform: `translate(${middle} ${y + height / 2}) scale(4)` })]),
        words(middle, FLOOR + 15, size, "middle")), { "aria-label": told.join(", ") });
    }
    function drawHistory({ covered, literals, end, label }) {
      put(history, path(`M8 ${TOP}V${FLOOR}H${NARROW}`, "axis"), words(8, FLOOR + 15, "0 s"), words(NARROW, FLOOR + 15, time(scene.until), "end"),
        path(covered, "covered"), path(literals, "literals"),
        end && [sign(ctx.marks.solution, { transform: `translate(${end}) scale(5)` }), words(...label, label[0] < end[0] ? "end" : "start", "end")]);
    }

    function draw(next) {
      scene = next;
      told = performance.now();
      ctx.host.dataset.state = scene.state;
      put(doing, scene.doing);
      put(remark, scene.remark);
      stop.hidden = !scene.can_stop;
      hint.hidden = scene.state !== "running" || scene.can_stop;
      put(tiles, [...scene.tiles.map(([label, value]) => [label, el("b", {}, value || "–")]), ["time", clock]].map(([label, value]) => el("div", {}, value, faint(label))));
      put(legend, scene.legend.map(([word, n]) => el("li", { class: !n && "faint" }, tally(ctx.marks[word], word, n))));
      put(grid, path(`M${LEFT} ${FLOOR}H${WIDTH}`, "axis"),
        scene.ticks.map(([n, y]) => [path(`M${LEFT} ${y}H${WIDTH}`, "tick"), words(LEFT - 6, y + 4, number(n), "end")]));
      for (const [size, node] of groups) if (!scene.columns.some((each) => each.size === size)) { node.remove(); groups.delete(size); }
      scene.columns.forEach(drawColumn);
      drawHistory(scene.history);
      put(best, scene.best.text);
      rules.hidden = scene.best.told_below;
      put(rules, scene.best.rules.map((text, i) => {
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
      put(clock, time(scene.seconds + since));
      const spent = scene.spent.map(([stage, s]) => [stage, s + (stage === scene.stage && since)]);
      // Shares of less than one in all would not fill the bar.
      put(bar, spent.map(([, s], i) => el("i", { style: `flex:${1000 * s};${shade(i)}` })));
      put(stages, spent.map(([stage, s], i) => el("li", {}, el("i", { style: shade(i) }), stage, el("span", { class: "n" }, time(s)))));
      if (since > (scene.can_stop ? 3 : 10) && !asking) ask("scene"); // a panel that nobody keeps informed asks
    }
    function ask(question) {
      asking = true;
      return ctx.ask(question, {}, () => ({ ...scene, state: "stopped", can_stop: false, doing: "unknown", remark: "the kernel did not answer" })).then(draw).finally(() => (asking = false));
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
