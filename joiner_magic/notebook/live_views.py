"""Views in the notebook: a widget that works while the kernel is running, and beside it a static twin that stays.

When a notebook is opened again without its kernel, a widget is shown as an error, whatever else is in the same output.
So the twin is an output of its own, and the widget hides it as long as it works.
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
    """Show a view: in a panel with a static twin, or as text in a terminal."""
    if getattr(shell, "kernel", None) is None:
        print(view)
        return
    twin = StaticTwin()
    if defaults_of(shell).pictures == "live":
        show_panel(shell, [view], twin)
    twin.show(Output(view.to_text(), Html(view.to_html())))


def import_widgets() -> None:
    """Import what a panel needs before a run begins, which would otherwise have to wait for it."""
    with suppress(Exception):  # if something is missing, that is noticed where a panel is made
        import_module("joiner_magic.notebook.widgets.panel")


def show_panel(
    shell: InteractiveShell,
    views: Sequence[View],
    twin: StaticTwin,
    *,
    progress: Scene | None = None,
    hint: str = "",
) -> Panel | None:
    """Show views in one panel, before its twin. Returns None where no widget can be made; only the twin is there then."""
    try:
        from joiner_magic.notebook.widgets.panel import Panel

        panel = Panel(views, twin=twin.name, progress=progress)
        bundle = panel._repr_mimebundle_()
    except Exception:  # a package is missing, or there is no front end: there are many reasons
        return None
    assert bundle is not None, "a panel has a view"
    data, _ = bundle
    titles = ", ".join(view.title for view in views)
    _publish({**data, "text/plain": f"{views[0].run.name}, alive in a notebook: {titles}{hint}"})
    twin.behind_panel = True
    panels_of(shell).add(panel, twin, views[0].run)
    return panel


class StaticTwin:
    """A static output of a cell, which can be replaced by another one."""

    def __init__(self) -> None:
        self.name = f"joiner-{uuid4().hex[:12]}"
        self.behind_panel = False
        self._shown: Output | None = None

    def show(self, static: Output) -> None:
        """Show this output in place of the one that was there."""
        first, self._shown = self._shown is None, static
        html = f'<div id="{self.name}">{static.html}{self._style}</div>'
        bundle = {"text/plain": static.text, "text/html": html}
        _publish(bundle, display_id=self.name, update=not first)

    @property
    def _style(self) -> str:
        """A style that hides the error which a front end shows in place of a panel that it cannot draw."""
        if not self.behind_panel:
            return ""
        child = ".jp-OutputArea-child"
        return f"<style>{child}:has(+{child} #{self.name}):not(:has(.joiner)){{display:none}}</style>"

    def stay(self, why: str) -> None:
        """Say that the panel is closed, and why; what is shown does not change any more."""
        if self._shown is not None:
            note = quiet(text(f"This does not move any more. {why}"))
            self.show(Output(f"{self._shown.text}\n{why}", joined([note, self._shown.html])))
            self._shown = None

    def show_again(self) -> None:
        """Show the same output once more, for programs that did not take it down the first time."""
        if self._shown is not None:
            self.show(self._shown)


def _publish(bundle: dict[str, Any], **options: Any) -> None:
    from IPython.display import display

    display(bundle, raw=True, **options)  # type: ignore[no-untyped-call]
