"""The widget that shows views in a browser: each view in a tab, or one view alone.

The browser asks for what it is to draw when a view is opened, so a panel that nobody looks at costs nothing. Questions
and answers are messages of the widget. Only the progress of a run, for which nobody asks, and what is selected are
synchronised traits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import anywidget
import traitlets

from joiner_magic.errors import CommandError, JoinerError
from joiner_magic.notebook.widgets.bundle import module, style
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.rule_ids import rule_ids_of
from joiner_magic.sessions.runs import Run
from joiner_magic.views import palette
from joiner_magic.views.output import brief
from joiner_magic.views.selection import SelectedItems
from joiner_magic.views.view import Scene, View


class Panel(anywidget.AnyWidget):
    """A widget with some views of one run."""

    _esm: ClassVar[str] = module()
    _css: ClassVar[str] = style()

    views: Any = traitlets.List().tag(sync=True)  # (name, title) of each
    marks = traitlets.Dict().tag(sync=True)  # outcomes: CSS name and shape
    selected = traitlets.Dict().tag(sync=True)  # ids of rules, names of examples
    texts = traitlets.Dict().tag(sync=True)  # the texts of the rules that are selected, by id
    progress = traitlets.Dict().tag(
        sync=True
    )  # the latest scene of the progress view; empty if there is none
    twin = traitlets.Unicode().tag(sync=True)  # the id of the static output that says the same

    def __init__(self, views: Sequence[View], *, twin: str = "", progress: Scene | None = None) -> None:
        """A panel with these views, which are all of one run; `twin` is the id of the static output below it."""
        super().__init__(
            views=[[view.name, view.title] for view in views],
            marks={mark.word: [mark.slug, mark.shape] for mark in palette.MARKS},
            progress=progress or {},
            twin=twin,
            **_choice_traits(views[0].run, views[0].selected),
        )
        self._views = {view.name: view for view in views}
        self._selection = views[0].selection
        self._selection.watch(self._show_choice)
        self.on_msg(self._answer_message)

    def let_go(self) -> None:
        """Close the widget and what belongs to it, so that nothing in the kernel refers to it or to its views any more."""
        layout = self.layout
        self.close()
        layout.close()
        self._views.clear()
        self.on_msg(self._answer_message, remove=True)

    @traitlets.observe("selected")
    def _choose(self, change: Any) -> None:
        """Take over what was selected in the browser."""
        if not hasattr(self, "_selection") or not self._views:  # it is being made, or was let go
            return
        if change.new == _choice_traits(self._run, self._selection.now)["selected"]:  # it comes from here
            return
        rules = map(self._rule_text, _texts(change.new.get("rules")))
        known = [text for text in rules if text is not None]
        self._selection.choose(known, _texts(change.new.get("examples")))

    def _rule_text(self, rule: str) -> str | None:
        """The text of a rule that the browser names by its id, or by its text as in older notebooks.

        None for an id that no view has sent. A rule that is selected already keeps the text with which it was selected.
        """
        key = NodeId.parse(rule)
        if key is None:
            return rule
        if key in self.texts:
            return str(self.texts[key])
        noted = rule_ids_of(self._run).noted(key)
        return noted.text if noted else None

    def _show_choice(self, selected: SelectedItems) -> None:
        """Show what was selected elsewhere."""
        if not self._views:  # it was let go
            return
        traits = _choice_traits(self._run, selected)
        with self.hold_sync():
            self.texts = traits["texts"]
            self.selected = traits["selected"]

    @property
    def _run(self) -> Run:
        """The run that the views show."""
        return next(iter(self._views.values())).run

    def _answer_message(self, _: object, message: Any, buffers: object) -> None:
        """Answer a question of the browser. Every question gets an answer, if only an error, because the browser waits."""
        answer: Scene
        asked = message if isinstance(message, dict) else {}
        try:
            view = self._view(asked.get("view"))
            answer = {"answer": view.answer(asked.get("question"), asked.get("arguments"))}
        except KeyboardInterrupt:
            answer = {"error": "this was interrupted; ask again"}
        except JoinerError as error:
            answer = {"error": brief(error.headline)}
        except Exception as error:  # a mistake of ours, shown where the question was asked
            answer = {"error": brief(f"this went wrong: {error!r}")}
        self.send({"id": asked.get("id"), **answer})

    def _view(self, name: object) -> View:
        """The view that the browser has named. Raises CommandError if the panel has no such view."""
        if not isinstance(name, str) or name not in self._views:
            raise CommandError(f"this panel has no view {name!r}")
        return self._views[name]


def _texts(value: object) -> list[str]:
    """The texts in a list that comes from a browser, which may hold anything."""
    if not isinstance(value, list):
        return []
    return [text for text in value if isinstance(text, str)]


def _choice_traits(run: Run, selected: SelectedItems) -> dict[str, dict[str, Any]]:
    """What is selected, for the browser: rules by their ids, and beside that the texts that these ids stand for."""
    ids, record = rule_ids_of(run), run.record
    texts = {str(ids.of_text(text, record)): text for text in selected.rules}
    return {"selected": {"rules": list(texts), "examples": list(selected.examples)}, "texts": texts}
