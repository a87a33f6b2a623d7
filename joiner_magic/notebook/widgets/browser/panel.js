// The face of the module, as anywidget wants it; tools/build-browser makes one file of all that it imports.

import { Panel } from "./panel/panel.js";

function render({ model, el: host }) {
  const panel = new Panel(model, host);
  return () => panel.leave();
}

export default { render };
