"""Views in the notebook: alive while the kernel is there, and beside that a static twin that stays.

A widget is an error when its notebook is opened again, whatever else is in the same output. So the twin is an output
of its own; the panel hides it as long as it is alive.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from joiner_magic.notebook.config import defaults_of
from joiner_magic.notebook.panels import panels_of
from joiner_magic.views.markup import Html, joined, quiet, text
from joiner_magic.views.output import Output

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.widgets.panel import Panel
    from joiner_magic.views.view import Scene, View


def show_live(shell: InteractiveShell, view: View) -> None:
    """The view in a panel, or its text in a terminal."""
    if getattr(shell, "kernel", None) is None:
        print(view)
        return
    twin = StaticTwin()
    if defaults_of(shell).pictures == "live":
        show_panel(shell, [view], twin)
    twin.show(Output(view.to_text(), Html(view.to_html())))


def prepare() -> None:
    """Load what a panel needs, before a run begins that would have to share its time with that."""
    with suppress(Exception):  # what is missing is missed where a panel is made
        import_module("joiner_magic.notebook.widgets.panel")


def show_panel(
    shell: InteractiveShell,
    views: Sequence[View],
    twin: StaticTwin,
    *,
    progress: Scene | None = None,
    hint: str = "",
) -> Panel | None:
    """In front of its twin; None where no widget can be made: what is static remains."""
    try:
        from joiner_magic.notebook.widgets.panel import Panel

        panel = Panel(views, twin=twin.name, progress=progress)
        bundle = panel._repr_mimebundle_()
    except Exception:  # a part is missing, or nobody is there to talk to: as many reasons as front ends
        return None
    assert bundle is not None, "a panel has a view"
    data, _ = bundle
    titles = ", ".join(view.title for view in views)
    _publish({**data, "text/plain": f"{views[0].run.name}, alive in a notebook: {titles}{hint}"})
    twin.behind_panel = True
    panels_of(shell).add(panel, twin, views[0].run)
    return panel


class StaticTwin:
    """A place for one static output, which can be filled anew."""

    def __init__(self) -> None:
        self.name = f"joiner-{uuid4().hex[:12]}"
        self.behind_panel = False
        self._shown: Output | None = None

    def show(self, static: Output) -> None:
        """In the place of what was there."""
        first, self._shown = self._shown is None, static
        html = f'<div id="{self.name}">{static.html}{self._style}</div>'
        bundle = {"text/plain": static.text, "text/html": html}
        _publish(bundle, display_id=self.name, update=not first)

    @property
    def _style(self) -> str:
        """Where the panel before it is not drawn, the front end would say that a widget is missing: nobody misses it."""
        if not self.behind_panel:
            return ""
        child = ".jp-OutputArea-child"
        return f"<style>{child}:has(+{child} #{self.name}):not(:has(.joiner)){{display:none}}</style>"

    def stay(self, why: str) -> None:
        """Without the panel, which is closed: what is static says why it does not move."""
        if self._shown is not None:
            note = quiet(text(f"This does not move any more. {why}"))
            self.show(Output(f"{self._shown.text}\n{why}", joined([note, self._shown.html])))
            self._shown = None

    def show_again(self) -> None:
        """For those who did not hear it."""
        if self._shown is not None:
            self.show(self._shown)


def _publish(bundle: dict[str, Any], **options: Any) -> None:
    from IPython.display import display

    display(bundle, raw=True, **options)  # type: ignore[no-untyped-call]
