"""Bounds on seconds, on a machine that has other work to do.

What is promised to take a second is promised of a machine that does nothing else. On a busy one a process gets a share
of the processor, and everything takes longer by as much. So while something is timed, a thread works a little now and then,
and measures how much longer that takes than the processor needs for it.
"""

from __future__ import annotations

import threading
import time

_WORK = 0.005  # seconds of the processor for each look
_PAUSE = 0.05  # seconds between two


class Busy:
    """Measures while it is open: `with Busy() as busy: …; assert seconds < busy.stretched(1)`."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._measure, name="busy", daemon=True)
        self._worked = self._taken = 0.0

    def stretched(self, seconds: float) -> float:
        """What takes so many seconds on a machine that does nothing else takes at most as many here."""
        return seconds * max(1.0, self._taken / self._worked) if self._worked else seconds

    def __enter__(self) -> Busy:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _measure(self) -> None:
        while not self._done.wait(_PAUSE):
            began, used = time.monotonic(), time.thread_time()
            while time.thread_time() - used < _WORK:
                pass
            self._worked += time.thread_time() - used
            self._taken += time.monotonic() - began
