// The views by name, as Python knows them. Each is a class: new View(ctx) draws into ctx.host, and has
//   draw(scene)       what Python has laid out
//   choose(selected)  the rules and examples that are chosen, here or elsewhere
//   leave()           the panel is closed
// The context that a view gets is made in panel/context.js.

import { ProgressView } from "./progress/view.js";
import { LatticeView } from "./lattice/view.js";
import { ConstraintsView } from "./constraints/view.js";
import { CoverageView } from "./coverage/view.js";

export const VIEWS = {
  progress: ProgressView,
  lattice: LatticeView,
  constraints: ConstraintsView,
  coverage: CoverageView,
};
