"""The time of a run that is paused and goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from joiner_magic.search.running.events import Event
from joiner_magic.search.running.pausable import PausableIterator


class RunBudgets:
    """The budgets of all goes as the search sees them: it is never told to stop, it sleeps in between."""

    def __init__(self, steps: PausableIterator[Event]) -> None:
        """No go has begun."""
        self._steps = steps
        self._before = 0.0  # seconds of work until the last rest
        self._since: float | None = None

    @property
    def elapsed(self) -> float:
        """Seconds of work in all goes, without the rests in between."""
        return self._before + (0.0 if self._since is None else time.monotonic() - self._since)

    @property
    def cancelled(self) -> bool:
        """Whether nobody wants the run to go on, ever."""
        return self._steps.closed

    def stop(self) -> bool:
        """Sleeps while the budget of a go is used up; True once the run is closed."""
        return self._steps.stop()

    def rest(self) -> None:
        """Let the clock stand still."""
        self._before, self._since = self.elapsed, None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let the clock run during a go."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self.rest()

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """What is done meanwhile is no work of the run."""
        self.rest()
        try:
            yield
        finally:
            self._since = time.monotonic()
