"""How far a run is, for the person who waits: one line that changes, and stays when the run has ended.

A front end gets one output that is updated, so that an executed notebook holds the last line only; it is plain,
since a widget would be dead when the notebook is opened again. A run in the background has a button to stop it
beside the line as long as it goes on. A terminal gets a line that is written over and over.
"""

from __future__ import annotations

import html
import shutil
import sys
from typing import TYPE_CHECKING, Any, TextIO

from IPython.display import DisplayHandle

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell
    from ipywidgets import HTML, HBox

    from joiner_magic.sessions.runs import Run

_ERASE = "\r\033[K"


class ProgressDisplay:
    """Shows nothing, which is right where nobody looks."""

    def update(self, run: Run) -> None:
        """The run goes on; called a few times a second."""

    def end(self, line: str) -> None:
        """The run has ended; this line stays."""

    def say_again(self) -> None:
        """The last line once more, for those who did not hear it."""


def progress_display(shell: InteractiveShell, run: Run, *, background: bool) -> ProgressDisplay:
    """What suits the front end."""
    if getattr(shell, "kernel", None) is not None:
        return FrontEndLine(run, button=background)
    if background:  # a line that changes would spoil what is typed at the prompt
        print(
            f"{run.name} goes on in the background: %joiner status says how far it is, %joiner stop ends it"
        )
    elif sys.stderr.isatty():
        return TerminalLine(sys.stderr)
    return ProgressDisplay()


def last_line(run: Run) -> str:
    """What there is to say about how a run went, its result aside."""
    if run.reused and not run.progress.sizes:  # nothing was searched
        return f"{run.name}: {run.reused}"
    reused = f"; {run.reused}" if run.reused else ""
    return f"{run.name}: {run.progress}{reused}"


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


class FrontEndLine(ProgressDisplay):
    def __init__(self, run: Run, *, button: bool) -> None:
        self._handle = _handle()
        self._shown = str(run.progress)
        self._live: HTML | None = None
        data = _plain(self._shown)
        if button:
            self._live, box = _with_button(run, self._shown)
            # Where widgets are not shown, a line that stays is better than the widget's name.
            data = {**box._repr_mimebundle_(), "text/plain": f"{self._shown}; %joiner stop ends it"}
        self._handle.display(data, raw=True)

    def update(self, run: Run) -> None:
        line = str(run.progress)
        if line == self._shown:
            return
        self._shown = line
        if self._live is not None:
            self._live.value = _quiet(line)
        else:
            self._handle.update(_plain(line), raw=True)

    def end(self, line: str) -> None:
        self._shown = line
        self.say_again()

    def say_again(self) -> None:
        self._handle.update(_plain(self._shown), raw=True)


def _handle() -> Any:
    """A place for one output, which can be filled anew."""
    return DisplayHandle()  # type: ignore[no-untyped-call]


def _with_button(run: Run, line: str) -> tuple[HTML, HBox]:
    from ipywidgets import HTML, Button, HBox, Layout

    live = HTML(_quiet(line))
    button = Button(
        description="Stop",
        icon="stop",
        tooltip="Stop the run; the best so far is kept",
        layout=Layout(width="auto"),
    )

    def stop(_: Button) -> None:
        button.disabled = True
        run.stop()

    button.on_click(stop)
    return live, HBox([button, live])


def _plain(line: str) -> dict[str, Any]:
    return {"text/plain": line, "text/html": _quiet(line)}


def _quiet(line: str) -> str:
    return f'<div style="opacity: 0.7; font-size: 90%">{html.escape(line)}</div>'
