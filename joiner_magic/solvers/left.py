"""Work that was left behind: nobody waits for it any more but Python itself, when it ends."""

from __future__ import annotations

import atexit
import threading
import time

_FAREWELL = 3.0  # seconds at the end of Python for what was told to end

_left: list[threading.Event] = []  # of work that nobody waits for any more, set when it is done


def leave_behind(done: threading.Event) -> None:
    """Nobody waits for this work but Python itself, when it ends: a thread in native code must not outlive it."""
    _left[:] = [each for each in _left if not each.is_set()] + [done]


@atexit.register
def _wait_for_the_left() -> None:
    late = time.monotonic() + _FAREWELL
    for done in _left:
        done.wait(max(0.0, late - time.monotonic()))
