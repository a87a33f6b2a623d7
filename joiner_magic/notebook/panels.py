"""The panels that are alive in a notebook: few at a time, and none longer than it is of use.

A front end keeps a widget, and with it the views and the run behind it, until the kernel closes it. So panels are
closed here: those of a cell that is run again, those of a run that is forgotten or whose record is, and of too many the
oldest. Where a panel was, its static twin is shown again, and says why it does not move any more.
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

MOST = 12  # panels that are alive
_ATTRIBUTE = "_joiner_panels"  # of the shell: two shells in one process have panels each


@dataclass(frozen=True, slots=True)
class _OpenPanel:
    panel: Panel
    twin: StaticTwin
    run: Run
    cell: str | None  # the cell that shows it, where front ends tell cells apart


class Panels:
    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._open: list[_OpenPanel] = []

    @property
    def hooks(self) -> dict[str, Callable[[Any], None]]:
        """What the shell has to tell, by event."""
        return {"pre_run_cell": self._begin, "post_run_cell": self._end}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, panel: Panel, twin: StaticTwin, run: Run) -> None:
        """A panel that the running cell shows."""
        running = self._shell.displayhook.exec_result
        self._open.append(_OpenPanel(panel, twin, run, running.info.cell_id if running else None))
        for oldest in self._open[:-MOST]:
            self._close(oldest, f"The last {MOST} panels are alive; this was one before.")

    def close_all(self) -> None:
        """Nobody will answer them any more."""
        for one in list(self._open):
            self._close(one, "")

    def _begin(self, info: Any) -> None:
        """A cell that is run again loses its outputs."""
        for one in list(self._open):
            if one.cell is not None and one.cell == info.cell_id:
                self._close(one, "")

    def _end(self, _: object) -> None:
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
    found: Panels | None = getattr(shell, _ATTRIBUTE, None)
    if found is None:
        found = Panels(shell)
        setattr(shell, _ATTRIBUTE, found)
    return found


def forget_panels(shell: InteractiveShell) -> None:
    """With the extension."""
    panels_of(shell).close_all()
    delattr(shell, _ATTRIBUTE)
