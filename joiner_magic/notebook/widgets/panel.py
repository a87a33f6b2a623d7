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
    selected = traitlets.Dict().tag(sync=True)
    progress = traitlets.Dict().tag(
        sync=True
    )  # the latest scene of the progress view; empty if there is none
    twin = traitlets.Unicode().tag(sync=True)  # the id of the static output that says the same

    def __init__(self, views: Sequence[View], *, twin: str = "", progress: Scene | None = None) -> None:
        super().__init__(
            views=[[view.name, view.title] for view in views],
            marks={mark.word: [mark.slug, mark.shape] for mark in palette.MARKS},
            selected=_as_trait(views[0].selected),
            progress=progress or {},
            twin=twin,
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
        if hasattr(self, "_selection"):  # not while it is made
            self._selection.choose(_texts(change.new.get("rules")), _texts(change.new.get("examples")))

    def _show_choice(self, selected: SelectedItems) -> None:
        """Show what was selected elsewhere."""
        self.selected = _as_trait(selected)

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
        if not isinstance(name, str) or name not in self._views:
            raise CommandError(f"this panel has no view {name!r}")
        return self._views[name]


def _texts(value: object) -> list[str]:
    """The texts in a list that comes from a browser, which may hold anything."""
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _as_trait(selected: SelectedItems) -> dict[str, list[str]]:
    return {"rules": list(selected.rules), "examples": list(selected.examples)}
