"""A run that has begun, watched until its result is there and in the user's variables."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from joiner_magic.errors import JoinerError
from joiner_magic.notebook.alive import prepare
from joiner_magic.notebook.progress import ProgressDisplay, last_line, progress_display
from joiner_magic.solvers.signals import defer_interrupts

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.config import Pictures
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.sessions.runs import Run

LAST = "_joiner"  # always holds the last result


class Watching:
    """Shows progress unless `quiet`, and puts the result in `LAST` and in the variable `name`."""

    def __init__(self, shell: InteractiveShell, *, name: str | None, quiet: bool, pictures: Pictures) -> None:
        self._shell = shell
        self._name = name
        self._quiet = quiet
        self._pictures = pictures
        if pictures == "live" and not quiet and getattr(shell, "kernel", None) is not None:
            prepare()

    def to_the_end(self, run: Run) -> Result:
        """An interrupt ends the run early, with the best so far."""
        with defer_interrupts() as call:
            display = self._display(run, background=False)
            try:
                result = run.wait(watch=display.update)
            except BaseException:
                display.end(f"{run.name} gave no result")
                raise
            self._store(result)
            with suppress(KeyboardInterrupt):
                self._leave(run, display)
            call.consume_interrupt()  # it came too late to stop the run, and cost its pictures only
            return result

    def from_aside(self, run: Run) -> Run:
        """Returns at once; a thread watches."""
        display = self._display(run, background=True)
        follow = threading.Thread(target=self._follow, args=(run, display), name="joiner watch", daemon=True)
        follow.start()
        self._say_again_later(follow, display)
        return run

    def _follow(self, run: Run, display: ProgressDisplay) -> None:
        try:
            self._store(run.wait(watch=display.update))
        except JoinerError as error:  # there is no cell to raise it in
            display.end(f"{run.name} gave no result: {error.headline}")
        except BaseException:
            display.end(f"{run.name} gave no result")
            raise
        else:
            self._leave(run, display)

    def _leave(self, run: Run, display: ProgressDisplay) -> None:
        """What stays of the run: at first one line, because pictures take a moment."""
        line = last_line(run)
        display.end(line)
        display.keep_pictures(run, line)

    def _say_again_later(self, follow: threading.Thread, display: ProgressDisplay) -> None:
        """At the end of the first cell after the run's own end.

        Runners of notebooks listen only to what is said while a cell runs, and on its behalf.
        """

        def again(_: object) -> None:
            if not follow.is_alive():
                self._shell.events.unregister("post_run_cell", again)
                display.say_again()

        self._shell.events.register("post_run_cell", again)

    def _display(self, run: Run, *, background: bool) -> ProgressDisplay:
        if self._quiet:
            return ProgressDisplay()
        return progress_display(self._shell, run, background=background, pictures=self._pictures)

    def _store(self, result: Result) -> None:
        self._shell.user_ns[LAST] = result
        if self._name is not None:
            self._shell.user_ns[self._name] = result
