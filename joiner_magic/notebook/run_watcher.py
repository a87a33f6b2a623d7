"""Watches a run that a cell has started until its result is there, and puts the result in the user's variables."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from joiner_magic.errors import JoinerError
from joiner_magic.notebook.live_views import import_widgets
from joiner_magic.notebook.progress_display import ProgressDisplay, last_line, progress_display
from joiner_magic.solvers.signals import defer_interrupts

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.notebook.config import Pictures
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.sessions.runs import Run

LAST = "_joiner"  # the variable that always holds the last result


class RunWatcher:
    """Shows how far a run is, unless `quiet`, and puts its result in the variable `LAST` and in the variable `name`."""

    def __init__(self, shell: InteractiveShell, *, name: str | None, quiet: bool, pictures: Pictures) -> None:
        self._shell = shell
        self._name = name
        self._quiet = quiet
        self._pictures = pictures
        if pictures == "live" and not quiet and getattr(shell, "kernel", None) is not None:
            import_widgets()

    def watch(self, run: Run, *, background: bool) -> Result | Run:
        """Wait for the result of a run; or return the run at once, while it goes on in the background."""
        if background:
            return self.watch_in_background(run)
        return self.wait_for_result(run)

    def wait_for_result(self, run: Run) -> Result:
        """Wait until the run ends. An interrupt ends it early, with the best hypothesis that it has found so far."""
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
            call.consume_interrupt()  # an interrupt that came too late to stop the run has cost its pictures only
            return result

    def watch_in_background(self, run: Run) -> Run:
        """Return at once, while a thread watches the run."""
        display = self._display(run, background=True)
        follow = threading.Thread(target=self._follow, args=(run, display), name="joiner watch", daemon=True)
        follow.start()
        self._show_again_later(follow, display)
        return run

    def _follow(self, run: Run, display: ProgressDisplay) -> None:
        """Watch a run in the background until it ends."""
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
        """Show what stays below the cell: at first one line, then pictures, because these take a moment."""
        line = last_line(run)
        display.end(line)
        display.keep_pictures(run, line)

    def _show_again_later(self, follow: threading.Thread, display: ProgressDisplay) -> None:
        """Show what stays of the run once more, at the end of the first cell that runs after the run has ended.

        Programs that execute notebooks take down only outputs that come while a cell is running, and would miss it.
        """

        def again(_: object) -> None:
            if not follow.is_alive():
                self._shell.events.unregister("post_run_cell", again)
                display.show_again()

        self._shell.events.register("post_run_cell", again)

    def _display(self, run: Run, *, background: bool) -> ProgressDisplay:
        """The display that shows how far a run is."""
        if self._quiet:
            return ProgressDisplay()
        return progress_display(self._shell, run, background=background, pictures=self._pictures)

    def _store(self, result: Result) -> None:
        """Put a result in the user's variables."""
        self._shell.user_ns[LAST] = result
        if self._name is not None:
            self._shell.user_ns[self._name] = result
