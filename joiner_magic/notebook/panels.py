"""Closes panels that are not needed any more, so that few are open in a notebook at a time.

A widget, with the views and the run behind it, is kept in memory until the kernel closes it. So a panel is closed here
when its cell is run again, when the session forgets its run or the record of the run, and when too many panels are open:
then the oldest. Where a panel was, its static twin is shown, and says why it does not change any more.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.live_views import StaticTwin
    from joiner_magic.notebook.widgets.panel import Panel
    from joiner_magic.sessions.runs import Run

MOST = 12  # panels that are open at a time
_ATTRIBUTE = "_joiner_panels"  # of the shell, because a process may have several shells


@dataclass(frozen=True, slots=True)
class _OpenPanel:
    """A panel, with its twin and the run that it shows."""

    panel: Panel
    twin: StaticTwin
    run: Run
    cell: str | None  # the id of the cell that shows it, if cells have ids


class Panels:
    """The open panels of one shell."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._open: list[_OpenPanel] = []

    @property
    def hooks(self) -> dict[str, Callable[[Any], None]]:
        """The functions to call at events of the shell."""
        return {"pre_run_cell": self._begin, "post_run_cell": self._end}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, panel: Panel, twin: StaticTwin, run: Run) -> None:
        """Add a panel that the running cell shows; if there are too many then, close the oldest."""
        running = self._shell.displayhook.exec_result
        cell_id = None
        if running:
            cell_id = running.info.cell_id
        self._open.append(_OpenPanel(panel, twin, run, cell_id))
        for oldest in self._open[:-MOST]:
            self._close(oldest, f"The last {MOST} panels are alive; this was one before.")

    def close_all(self) -> None:
        """Close all panels: nobody will answer their questions any more."""
        for one in list(self._open):
            self._close(one, "")

    def _begin(self, info: Any) -> None:
        """Close the panels of a cell that is run again, because its outputs are gone."""
        for one in list(self._open):
            if one.cell is not None and one.cell == info.cell_id:
                self._close(one, "")

    def _end(self, _: object) -> None:
        """Close the panels of runs that are forgotten."""
        for one in list(self._open):
            if gone := one.run.gone:
                self._close(one, gone)

    def _close(self, one: _OpenPanel, why: str) -> None:
        self._open.remove(one)
        if why:
            one.twin.stay(why)
        with suppress(Exception):  # the front end may be gone
            one.panel.let_go()


def panels_of(shell: InteractiveShell) -> Panels:
    """The open panels of a shell."""
    found: Panels | None = getattr(shell, _ATTRIBUTE, None)
    if found is None:
        found = Panels(shell)
        setattr(shell, _ATTRIBUTE, found)
    return found


def forget_panels(shell: InteractiveShell) -> None:
    """Close all panels of a shell, when the extension is unloaded."""
    panels_of(shell).close_all()
    delattr(shell, _ATTRIBUTE)
