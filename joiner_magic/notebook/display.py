"""Shows our values in notebooks: what magics print, and what a cell shows that ends with one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from joiner_magic.engines.narrate import narrate
from joiner_magic.engines.protocol import Explanation
from joiner_magic.notebook.live_views import show_live
from joiner_magic.notebook.result_display import result_view
from joiner_magic.notebook.run_display import comparison_view, fates_view, lattice_view
from joiner_magic.notebook.session_display import cells_view, run_view, said_view, session_view, task_view
from joiner_magic.notebook.tradeoff_display import point_view, suspects_view, tradeoff_view
from joiner_magic.questions.constraints.fates import Fates
from joiner_magic.questions.coverage.matrix import CoverageMatrix
from joiner_magic.questions.lattice.lattice import Lattice
from joiner_magic.search.outcome.result import Result
from joiner_magic.search.outcome.suspicious import Suspects
from joiner_magic.search.outcome.tradeoff import Tradeoff, TradeoffPoint
from joiner_magic.sessions.cell_reply import CellReply
from joiner_magic.sessions.comparison import Comparison
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.task.task import Task
from joiner_magic.views.coverage.table import coverage_view
from joiner_magic.views.markup import block, box
from joiner_magic.views.output import ROWS, Output, shortened
from joiner_magic.views.view import View

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.sessions.cells import Kind


def _explanation_view(explanation: Explanation, rows: int = ROWS) -> Output:
    """Why an atom is covered or not, in words."""
    return _lines_output(narrate(explanation), rows)


def _lines_output(text: str, rows: int) -> Output:
    """A text, with at most so many lines."""
    lines = shortened(text, rows)
    return Output(lines, box(block(lines)))


_VIEWS: dict[type, Callable[..., Output]] = {
    Comparison: comparison_view,
    CoverageMatrix: coverage_view,
    Explanation: _explanation_view,
    Fates: fates_view,
    Lattice: lattice_view,
    Result: result_view,
    Run: run_view,
    CellReply: said_view,
    Session: session_view,
    Suspects: suspects_view,
    Task: task_view,
    Tradeoff: tradeoff_view,
    TradeoffPoint: point_view,
}


def view_of(value: object, rows: int = ROWS) -> Output:
    """A value as text and as HTML, with at most so many rows of each table."""
    make = _VIEWS.get(type(value))
    if make is None:
        return Output(str(value), box(block(value)))
    return make(value, rows)


def show(value: object, *, rows: int = ROWS) -> None:
    """Show a value as one output of the cell; a text is printed."""
    if isinstance(value, str):
        print(value)  # what a magic says goes where the prints of the cell go
    else:
        _display(view_of(value, rows))


def show_lines(text: str, *, rows: int = ROWS) -> None:
    """Show a text of several lines as one output."""
    _display(_lines_output(text, rows))


def show_cells(session: Session, kind: Kind, *, rows: int = ROWS) -> None:
    """Show all texts of one kind that cells have said."""
    _display(cells_view(session, kind, rows))


def _display(view: Output) -> None:
    from IPython.display import display

    display(view.bundle, raw=True)  # type: ignore[no-untyped-call]


def install(shell: InteractiveShell) -> None:
    """Let a cell that ends with one of our values show it."""
    formatters = _formatters(shell)
    for kind in _VIEWS:
        formatters["text/html"].for_type(kind, lambda value: view_of(value).html)
        formatters["text/plain"].for_type(kind, _print_pretty)
    _displays(shell).for_type(View, lambda view: show_live(shell, view))


def uninstall(shell: InteractiveShell) -> None:
    """Let IPython show our values as it shows others."""
    formatters = _formatters(shell)
    for kind in _VIEWS:
        for mime in ("text/html", "text/plain"):
            formatters[mime].pop(kind, None)
    _displays(shell).pop(View, None)


def _formatters(shell: InteractiveShell) -> Any:
    assert shell.display_formatter is not None, "every shell has one"
    return shell.display_formatter.formatters


def _displays(shell: InteractiveShell) -> Any:
    """The formatter of IPython for values that are shown as more than one output."""
    assert shell.display_formatter is not None, "every shell has one"
    return shell.display_formatter.ipython_display_formatter


def _print_pretty(value: object, printer: Any, cycle: bool) -> None:
    printer.text(view_of(value).text)
