// Cells that start with a magic of joiner-magic are highlighted as Prolog, in notebooks and consoles.
//
// CodeMirror asks a facet for the language of an editor and takes the first answer. The extension gives
// an answer that depends on the text and stands before all others: Prolog where the first line is one of
// our magics, else none. So it follows every key, and what the front end sets when a kernel
// reports its language, or a mode loads late, stays as it is beneath.
//
// Written by hand as a container of webpack's module federation: docs/explanation/notebook-integration.md says why.
(() => {
  "use strict";
  const NAME = "joiner-magic";

  let scope; // what the front end shares: name → version → { get, loaded }

  async function shared(name) {
    const versions = Object.values(scope[name] ?? {});
    const version = versions.find((one) => one.loaded) ?? versions[0];
    if (!version) throw new Error(`${NAME}: the front end does not share ${name}`);
    return (await version.get())();
  }

  async function plugin() {
    const [{ EditorExtensionRegistry, IEditorExtensionRegistry }, { StreamLanguage, language }, { Prec }, grammar] =
      await Promise.all([
        shared("@jupyterlab/codemirror"),
        shared("@codemirror/language"),
        shared("@codemirror/state"),
        import("./prolog.js"),
      ]);
    const prolog = StreamLanguage.define(grammar.prolog);
    const plain = StreamLanguage.define(grammar.plain);
    const prologByFirstLine = [
      Prec.highest(language.computeN(["doc"], ({ doc }) => (grammar.startsWithMagic(doc) ? [prolog] : []))),
      // An editor that has a facet for its language must have a language, before its own mode has arrived too.
      Prec.lowest(language.of(plain)),
    ];
    return {
      id: `${NAME}:prolog-cells`,
      description: "Highlights cells that start with a magic of joiner-magic as Prolog.",
      autoStart: true,
      requires: [IEditorExtensionRegistry],
      activate: (app, registry) => {
        registry.addExtension({
          name: `${NAME}:prolog-cells`,
          factory: ({ inline, model }) =>
            inline && model.type === "code"
              ? EditorExtensionRegistry.createImmutableExtension(prologByFirstLine)
              : null,
        });
      },
    };
  }

  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB[NAME] = {
    init: (shareScope) => {
      scope = shareScope;
    },
    get: async () => {
      const module = { __esModule: true, default: await plugin() };
      return () => module;
    },
  };
})();
