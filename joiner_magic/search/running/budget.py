"""How long a run may take: a deadline, and a way to cancel from another thread."""

from __future__ import annotations

import math
import threading
import time
from typing import Protocol

from joiner_magic.solvers.interrupt import Stop, never


class Allowance(Protocol):
    """What the search asks, several times a second wherever it takes long."""

    @property
    def elapsed(self) -> float:
        """Seconds of work."""

    @property
    def cancelled(self) -> bool: ...

    def stop(self) -> bool:
        """Whether to stop now."""


class Budget:
    """How long a run may take, in seconds; asked several times a second by everything that takes long."""

    def __init__(self, seconds: float | None = None) -> None:
        self._also: Stop = never
        self._started = time.monotonic()
        self._deadline = None if seconds is None else self._started + seconds
        self._cancelled = threading.Event()

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._started

    @property
    def remaining(self) -> float | None:
        """Seconds that are left; None for no deadline."""
        if self._deadline is None:
            return None
        return max(0.0, self._deadline - time.monotonic())

    @property
    def cancelled(self) -> bool:
        """Whether somebody has."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Ask for the end, from any thread."""
        self._cancelled.set()

    def stop(self) -> bool:
        """Whether to stop now."""
        return self._cancelled.is_set() or self._is_late() or self._also()

    def _is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def hearing(self, stop: Stop) -> Budget:
        """The same budget, which is over too when `stop` says so."""
        part = self.slice(math.inf)
        before = self._also
        part._also = lambda: before() or stop()
        return part

    def slice(self, seconds: float) -> Budget:
        """A part of this budget: cancelled with it, and never longer."""
        remaining = self.remaining
        shorter = seconds if remaining is None else min(seconds, remaining)
        part = Budget(None if shorter == math.inf else shorter)
        part._cancelled = self._cancelled
        part._also = self._also
        return part
