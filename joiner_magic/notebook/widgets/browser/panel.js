// The face of the module: a tab for each view, each drawn when it is first looked at.

const GONE = "The kernel that made this is gone: run the cell again.";

// Questions to Python; each gets its answer, late if the kernel is at work.
function asker(model) {
  const waiting = new Map();
  let next = 0;
  model.on("msg:custom", (message) => {
    const asked = waiting.get(message.id);
    if (!asked) return;
    waiting.delete(message.id);
    if (message.error) asked.reject(new Error(message.error));
    else asked.resolve(message.answer);
  });
  return (view, question, args) =>
    new Promise((resolve, reject) => {
      const id = `${Date.now()}.${next++}`; // another page may show the same panel
      waiting.set(id, { resolve, reject });
      model.send({ id, view, question, arguments: args || {} });
    });
}

function render({ model, el: host }) {
  const root = el("div", { class: "joiner" });
  host.append(root);
  // The static twin says the same, for when nobody is there to draw; it is shown again with this element's end.
  const twin = model.get("twin");
  const hiding = el("style", {}, twin && `#${twin},.jp-OutputArea-child:has(#${twin}){display:none}`);
  root.append(hiding);

  const said = el("div", { class: "said", role: "status" });
  const tip = tooltips(root);
  const ask = asker(model);
  const views = model.get("views");
  const open = new Map();

  function live(is) {
    hiding.disabled = !is;
    put(said, !is && GONE);
  }
  // The line to the kernel was lost or found; which of both, a question tells.
  const tried = () => asked(views[0][0], "scene").then(() => live(true), () => {});

  async function asked(view, question, args) {
    const late = setTimeout(() => (said.textContent = "waiting for the kernel …"), 600);
    try {
      const answer = await ask(view, question, args);
      said.textContent = "";
      return answer;
    } catch (error) {
      if (error.message === "Cannot send") live(false);
      else put(said, error.message);
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  function opened(name) {
    const place = el("div", { class: `view ${name}`, role: "tabpanel", hidden: true });
    root.insertBefore(place, said);
    const ctx = {
      host: place,
      tip,
      marks: model.get("marks"),
      // What went wrong is told below; who does not say what to do then waits for ever.
      ask: (question, args, failed = () => new Promise(() => {})) => asked(name, question, args).catch(failed),
      selected: () => model.get("selected"),
      select: (chosen) => {
        model.set("selected", { ...model.get("selected"), ...chosen });
        model.save_changes();
      },
      link: (other) => views.some(([each]) => each === other) && button(`show in ${other}`, () => show(other)),
    };
    const view = VIEWS[name](ctx);
    const scene = name === "progress" && model.get("progress");
    if (scene && scene.state) view.draw(scene);
    else asked(name, "scene").then((answer) => { view.draw(answer); view.choose(ctx.selected()); }, () => {
      open.delete(name);
      place.remove();
      view.leave();
    });
    return { place, view };
  }

  function show(name) {
    if (!open.has(name)) open.set(name, opened(name));
    for (const [each, { place }] of open) place.hidden = each !== name;
    for (const tab of tabs.children) {
      const on = tab.dataset.view === name;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
    }
  }

  // For a front end plain keys are commands, and two of them delete the cell: not those that are pressed in here. Escape leaves.
  function keep(event) {
    if (!root.contains(event.target)) return;
    const combined = ["ctrl", "meta", "alt", "shift"].some((key) => event[`${key}Key`]);
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !combined);
    if (event.key === "Escape") root.closest(".jp-Cell")?.focus();
  }

  function onkeydown({ key }) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = tabs.children[([...tabs.children].findIndex((tab) => !tab.tabIndex) + step + views.length) % views.length];
    show(next.dataset.view);
    next.focus();
  }
  const tabs = el("div", { class: "tabs", role: "tablist", onkeydown },
    views.map(([name, title]) => button(title, () => show(name), { role: "tab", "data-view": name })));
  if (views.length > 1) root.append(tabs);
  root.append(said);

  // anywidget forgets these with the panel.
  model.on("change:selected", () => { for (const { view } of open.values()) view.choose(model.get("selected")); });
  model.on("change:progress", () => open.get("progress")?.view.draw(model.get("progress")));
  model.on("comm_live_update", tried);
  addEventListener("keydown", keep, true); // before the front end hears it
  show(views[0][0]);
  return () => {
    for (const { view } of open.values()) view.leave();
    removeEventListener("keydown", keep, true);
  };
}

export default { render };
