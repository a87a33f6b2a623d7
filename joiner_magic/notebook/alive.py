"""Views in the notebook: alive while the kernel is there, and beside that a static twin that stays.

A widget is an error when its notebook is opened again, whatever else is in the same output. So the twin is an output
of its own; the panel hides it as long as it is alive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from joiner_magic.views.markup import Html
from joiner_magic.views.output import Output

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.widgets.panel import Panel
    from joiner_magic.views.view import View


def show_alive(shell: InteractiveShell, view: View) -> None:
    """The view in a panel, or its text in a terminal."""
    if getattr(shell, "kernel", None) is None:
        print(view)
        return
    static = Output(view.to_text(), Html(view.to_html()))
    twin = f"joiner-{uuid4().hex[:12]}"
    show_panel([view], twin)
    show_twin(static, twin)


def show_panel(views: Sequence[View], twin: str) -> Panel:
    from joiner_magic.notebook.widgets.panel import Panel

    panel = Panel(views, twin=twin)
    titles = ", ".join(view.title for view in views)
    bundle = panel._repr_mimebundle_()
    assert bundle is not None, "a panel has a view"
    data, _ = bundle
    _publish({**data, "text/plain": f"{views[0].run.name}, alive in a notebook: {titles}"})
    return panel


def show_twin(static: Output, twin: str) -> None:
    _publish({"text/plain": static.text, "text/html": f'<div id="{twin}">{static.html}</div>'})


def _publish(bundle: dict[str, Any]) -> None:
    from IPython.display import display

    display(bundle, raw=True)  # type: ignore[no-untyped-call]
