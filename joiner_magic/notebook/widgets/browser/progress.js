{
  VIEWS.progress = (ctx) => {
    const text = el("pre");
    ctx.host.append(text);
    return {
      draw: (scene) => text.replaceChildren(visible(scene.text)),
      choose: (selected) => (text.title = selected.rules.join(" ")),
    };
  };
}
