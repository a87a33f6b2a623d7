"""Shows how far a run is to the person who waits for it.

A notebook shows a panel of views, and below it a line that stays when the run has ended, with static pictures. Where no
widget is wanted, or none can be made, only the line is there, and changes. A terminal shows one line, which is written
over and over.
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
_AFTER_STOP = 0.25  # seconds for pictures of a stopped run: who stops one wants the kernel back
_HOW_TO_STOP = "; %joiner stop ends it"


class ProgressDisplay:
    """A display that shows nothing, for runs that nobody looks at; the others are derived from it."""

    def update(self, run: Run) -> None:
        """The run goes on. This is called a few times a second."""

    def end(self, line: str) -> None:
        """The run has ended; this line stays."""

    def keep_pictures(self, run: Run, line: str) -> None:
        """Add static pictures of the run below the line."""

    def show_again(self) -> None:
        """Show once more what stays, for programs that did not take it down the first time."""


def progress_display(
    shell: InteractiveShell, run: Run, *, background: bool, pictures: Pictures
) -> ProgressDisplay:
    """The display that suits the front end."""
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
    """How a run went in one line, without its result."""
    return ProgressView(run).line


class TerminalLine(ProgressDisplay):
    """One line of a terminal, which is written over and over."""

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
    """A panel in a notebook and a static twin below it, or only the twin."""

    def __init__(self, shell: InteractiveShell, run: Run, *, background: bool, pictures: Pictures) -> None:
        self._pictures = pictures
        self._twin = StaticTwin()
        self._hint = _hint(background)
        self._panel: _RunPanel | None = None
        if pictures == "live":
            self._panel = _RunPanel.shown(shell, run, self._twin, background)
        self._line = f"{run.progress}{self._hint}"
        self._twin.show(only_line(self._line))  # directly below the panel, whatever else the cell shows

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
        if self._pictures == "none":
            return
        seconds = None
        if run.was_stopped:
            seconds = _AFTER_STOP
        self._twin.show(twin(run, line, seconds=seconds))

    def show_again(self) -> None:
        self._twin.show_again()


class _RunPanel:
    """A panel with all views of a run. Its progress view is updated while the run goes on."""

    def __init__(self, view: ProgressView, panel: Panel) -> None:
        self._view = view
        self._panel = panel
        self._shown_changes = view.changes

    @classmethod
    def shown(cls, shell: InteractiveShell, run: Run, twin: StaticTwin, background: bool) -> _RunPanel | None:
        """Show a panel for a run; None where no widget can be made."""
        view = ProgressView(run, waited_for=not background)
        others = [kind(run) for kind in VIEWS.values() if kind is not ProgressView]
        panel = show_panel(shell, [view, *others], twin, progress=view.scene(), hint=_hint(background))
        if panel is None:
            return None
        return cls(view, panel)

    def update(self) -> None:
        """Send the browser a new scene if anything has changed since the last one."""
        changes = self._view.changes
        if changes != self._shown_changes:
            self._shown_changes = changes
            with suppress(Exception):  # somebody closed the panel; the run goes on
                self._panel.progress = self._view.scene()

    def end(self) -> None:
        """The cell waits no longer: clicks reach Python again, even if the run is still at work."""
        self._view.blocked = False
        self.update()


def _hint(background: bool) -> str:
    """How a run that goes on in the background is stopped; for a run that a cell waits for, nothing."""
    if background:
        return _HOW_TO_STOP
    return ""
