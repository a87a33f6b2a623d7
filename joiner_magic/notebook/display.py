"""What the magics show, and how IPython shows our values when a cell ends with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from joiner_magic.engines.narrate import narrate
from joiner_magic.engines.protocol import Explanation
from joiner_magic.errors import TaskError
from joiner_magic.notebook.contents import cells_view, run_view, said_view, session_view, task_view
from joiner_magic.notebook.markup import block, box
from joiner_magic.notebook.results import result_view
from joiner_magic.notebook.runs import comparison_view, coverage_view, fates_view, lattice_view
from joiner_magic.notebook.view import ROWS, View, shortened
from joiner_magic.search.result import Result
from joiner_magic.sessions.comparison import Comparison
from joiner_magic.sessions.coverage import CoverageMatrix
from joiner_magic.sessions.fates import Fates
from joiner_magic.sessions.lattice import Lattice
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.said import Said
from joiner_magic.sessions.session import Session
from joiner_magic.task.task import Task

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.sessions.cells import Kind


def _explanation_view(explanation: Explanation, rows: int = ROWS) -> View:
    lines = shortened(narrate(explanation), rows)
    return View(lines, box(block(lines)))


_VIEWS: dict[type, Callable[..., View]] = {
    Comparison: comparison_view,
    CoverageMatrix: coverage_view,
    Explanation: _explanation_view,
    Fates: fates_view,
    Lattice: lattice_view,
    Result: result_view,
    Run: run_view,
    Said: said_view,
    Session: session_view,
    Task: task_view,
}


def view_of(value: object, rows: int = ROWS) -> View:
    """The value as text and as HTML, with at most so many rows of anything."""
    make = _VIEWS.get(type(value))
    return make(value, rows) if make else View(str(value), box(block(value)))


def show(value: object, *, rows: int = ROWS) -> None:
    """One output for the value; a text of ours is printed as it is."""
    if isinstance(value, str):
        print(value)  # what a magic says goes where a cell's own prints go
    else:
        _display(view_of(value, rows))


def show_cells(session: Session, kind: Kind, *, rows: int = ROWS) -> None:
    """The texts of a kind."""
    _display(cells_view(session, kind, rows))


def show_view(session: Session, what: str, *, rows: int = ROWS) -> None:
    """The last run from one side: its "coverage", "constraints" or "lattice"."""
    if not session.runs:
        raise TaskError("there is no run to show", remedy="begin one with %joiner learn")
    run = session.runs[-1]
    if what == "constraints":
        return show(Fates.of(run), rows=rows)
    if what == "lattice":
        return show(Lattice.of(run), rows=rows)
    if run.state == "failed":
        raise TaskError(f"{run.name} failed: {run.failure}")
    if run.result is None:
        raise TaskError(f"run {run.number} has found nothing yet", remedy="wait for it with %joiner status")
    return show(CoverageMatrix.of(run.result), rows=rows)


def _display(view: View) -> None:
    from IPython.display import display

    display(view.bundle, raw=True)  # type: ignore[no-untyped-call]


def install(shell: InteractiveShell) -> None:
    """Let cells that end with one of our values show it."""
    formatters = _formatters(shell)
    for kind in _VIEWS:
        formatters["text/html"].for_type(kind, lambda value: view_of(value).html)
        formatters["text/plain"].for_type(kind, _print_pretty)


def uninstall(shell: InteractiveShell) -> None:
    formatters = _formatters(shell)
    for kind in _VIEWS:
        for mime in ("text/html", "text/plain"):
            formatters[mime].pop(kind, None)


def _formatters(shell: InteractiveShell) -> Any:
    assert shell.display_formatter is not None, "every shell has one"
    return shell.display_formatter.formatters


def _print_pretty(value: object, printer: Any, cycle: bool) -> None:
    printer.text(view_of(value).text)
