"""How far a run is, for the person who waits.

A front end gets a panel of views that is alive, and beside it a line that stays when the run has ended, with pictures
below it. Where no widget is wanted, or none can be made, the line changes instead. A terminal gets a line that is
written over and over.
"""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from joiner_magic.notebook.live_views import StaticTwin, show_panel
from joiner_magic.views.all import VIEWS
from joiner_magic.views.progress.view import ProgressView
from joiner_magic.views.twin import only_line, twin

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.config import Pictures
    from joiner_magic.notebook.widgets.panel import Panel
    from joiner_magic.sessions.runs import Run

_ERASE = "\r\033[K"
_AFTER_STOP = 0.25  # seconds for pictures: who interrupts a run wants the kernel back
_HOW_TO_STOP = "; %joiner stop ends it"


class ProgressDisplay:
    """Shows nothing, which is right where nobody looks."""

    def update(self, run: Run) -> None:
        """The run goes on; called a few times a second."""

    def end(self, line: str) -> None:
        """Nobody waits any more; this line stays."""

    def keep_pictures(self, run: Run, line: str) -> None:
        """What the run looked like stays too, below the line."""

    def show_again(self) -> None:
        """What stays once more, for those who did not hear it."""


def progress_display(
    shell: InteractiveShell, run: Run, *, background: bool, pictures: Pictures
) -> ProgressDisplay:
    """What suits the front end."""
    if getattr(shell, "kernel", None) is not None:
        return FrontEndDisplay(shell, run, background=background, pictures=pictures)
    if background:  # a line that changes would spoil what is typed at the prompt
        print(
            f"{run.name} goes on in the background: %joiner status says how far it is, %joiner stop ends it"
        )
    elif sys.stderr.isatty():
        return TerminalLine(sys.stderr)
    return ProgressDisplay()


def last_line(run: Run) -> str:
    """What there is to say about how a run went, its result aside."""
    return ProgressView(run).line


class TerminalLine(ProgressDisplay):
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def update(self, run: Run) -> None:
        width = shutil.get_terminal_size().columns - 1  # only one row of the terminal can be erased
        self._write(str(run.progress)[:width])

    def end(self, line: str) -> None:
        self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        self._stream.write(f"{_ERASE}{text}")
        self._stream.flush()


class FrontEndDisplay(ProgressDisplay):
    def __init__(self, shell: InteractiveShell, run: Run, *, background: bool, pictures: Pictures) -> None:
        self._pictures = pictures
        self._twin = StaticTwin()
        self._hint = _HOW_TO_STOP if background else ""
        live = pictures == "live"
        self._panel = _RunPanel.shown(shell, run, self._twin, background) if live else None
        self._line = f"{run.progress}{self._hint}"
        self._twin.show(only_line(self._line))  # right behind the panel, whatever else the cell shows

    def update(self, run: Run) -> None:
        if self._panel is not None:
            self._panel.update()
            return
        line = f"{run.progress}{self._hint}"
        if line != self._line:
            self._line = line
            self._twin.show(only_line(line))

    def end(self, line: str) -> None:
        if self._panel is not None:
            self._panel.end()
        self._twin.show(only_line(line))

    def keep_pictures(self, run: Run, line: str) -> None:
        if self._pictures != "none":
            self._twin.show(twin(run, line, seconds=_AFTER_STOP if run.was_stopped else None))

    def show_again(self) -> None:
        self._twin.show_again()


class _RunPanel:
    """All views of a run in one panel, of which that of its progress is kept informed."""

    def __init__(self, view: ProgressView, panel: Panel) -> None:
        self._view = view
        self._panel = panel
        self._told = view.changes

    @classmethod
    def shown(cls, shell: InteractiveShell, run: Run, twin: StaticTwin, background: bool) -> _RunPanel | None:
        view = ProgressView(run, waited_for=not background)
        others = [kind(run) for kind in VIEWS.values() if kind is not ProgressView]
        hint = _HOW_TO_STOP if background else ""
        panel = show_panel(shell, [view, *others], twin, progress=view.scene(), hint=hint)
        return cls(view, panel) if panel is not None else None

    def update(self) -> None:
        """At most once for each change."""
        changes = self._view.changes
        if changes != self._told:
            self._told = changes
            with suppress(Exception):  # somebody closed it; the run goes on
                self._panel.progress = self._view.scene()

    def end(self) -> None:
        """Clicks reach Python again, also if the run should be at work yet."""
        self._view.blocked = False
        self.update()
