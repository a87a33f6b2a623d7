import { button } from "../pieces.js";

const never = () => new Promise(() => {});

// What a view gets from its panel: where to draw, what to draw with, whom to ask, and what is chosen.
export function context(panel, name, host) {
  const { model, kernel, tooltips, views } = panel;
  const isShown = (other) => views.some(([each]) => each === other);
  return {
    host,
    tip: (target, content) => tooltips.describe(target, content),
    marks: model.get("marks"),
    // What went wrong is told below the views; who does not say what to do then waits for ever.
    ask: (question, args, failed = never) => kernel.ask(name, question, args).catch(failed),
    selected: () => model.get("selected"),
    text: (rule) => model.get("texts")[rule], // of a rule that is chosen, by its id
    select: (chosen) => {
      model.set("selected", { ...model.get("selected"), ...chosen });
      model.save_changes();
    },
    link: (other) => isShown(other) && button(`show in ${other}`, () => panel.show(other)),
  };
}
