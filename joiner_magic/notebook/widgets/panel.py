"""A panel of views in a front end: each in a tab, or one alone.

The browser asks for what it is to draw when a view is opened, so a panel that nobody looks into costs nothing. Questions and
answers are messages of the widget; only progress, which comes by itself, and what is chosen are traits.
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
    _esm: ClassVar[str] = module()
    _css: ClassVar[str] = style()

    views: Any = traitlets.List().tag(sync=True)  # (name, title) of each
    marks = traitlets.Dict().tag(sync=True)  # outcomes: CSS name and shape
    selected = traitlets.Dict().tag(sync=True)
    progress = traitlets.Dict().tag(sync=True)  # the latest scene of that view; empty if it is not alive
    twin = traitlets.Unicode().tag(sync=True)  # the id of the static output that says the same

    def __init__(self, views: Sequence[View], *, twin: str = "", progress: Scene | None = None) -> None:
        super().__init__(
            views=[[view.name, view.title] for view in views],
            marks={mark.word: [mark.slug, mark.shape] for mark in palette.MARKS},
            selected=_sent(views[0].selected),
            progress=progress or {},
            twin=twin,
        )
        self._views = {view.name: view for view in views}
        self._selection = views[0].selection
        self._selection.watch(self._show_choice)
        self.on_msg(self._hear)

    def let_go(self) -> None:
        """Close it, and what belongs to it: nobody keeps it any more, and it keeps no view."""
        layout = self.layout
        self.close()
        layout.close()
        self._views.clear()
        self.on_msg(self._hear, remove=True)

    @traitlets.observe("selected")
    def _choose(self, change: Any) -> None:
        if hasattr(self, "_selection"):  # not while it is made
            self._selection.choose(_texts(change.new.get("rules")), _texts(change.new.get("examples")))

    def _show_choice(self, selected: SelectedItems) -> None:
        self.selected = _sent(selected)

    def _hear(self, _: object, message: Any, buffers: object) -> None:
        """Each question gets an answer, if only what is wrong with it: somebody waits."""
        answer: Scene
        asked = message if isinstance(message, dict) else {}
        try:
            view = self._view(asked.get("view"))
            answer = {"answer": view.answer(asked.get("question"), asked.get("arguments"))}
        except KeyboardInterrupt:
            answer = {"error": "this was interrupted; ask again"}
        except JoinerError as error:
            answer = {"error": brief(error.headline)}
        except Exception as error:  # of ours, to be seen where it was asked
            answer = {"error": brief(f"this went wrong: {error!r}")}
        self.send({"id": asked.get("id"), **answer})

    def _view(self, name: object) -> View:
        if not isinstance(name, str) or name not in self._views:
            raise CommandError(f"this panel has no view {name!r}")
        return self._views[name]


def _texts(value: object) -> list[str]:
    """What is chosen comes from a browser: whatever is no text is left out."""
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _sent(selected: SelectedItems) -> dict[str, list[str]]:
    return {"rules": list(selected.rules), "examples": list(selected.examples)}
