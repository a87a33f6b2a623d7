"""Threads that nobody waits for any more, except Python itself before it exits.

A thread that is inside native code when Python exits can crash the process: Python ends it as soon as it comes back, and in
the middle of C++ that is a call of abort. So work whose caller has stopped waiting is registered here, and the exit of Python
waits a few seconds for it.
"""

from __future__ import annotations

import atexit
import threading
import time

LONGEST_WAIT = 3.0  # seconds that the exit of Python waits for all abandoned work together

_abandoned: list[threading.Event] = []  # one for each piece of abandoned work, set when it is done


def wait_at_exit(done: threading.Event) -> None:
    """Register work that nobody waits for: before Python exits, it waits for `done` to be set."""
    unfinished = [each for each in _abandoned if not each.is_set()]
    _abandoned[:] = [*unfinished, done]


@atexit.register
def _wait_for_abandoned_work() -> None:
    deadline = time.monotonic() + LONGEST_WAIT
    for done in _abandoned:
        done.wait(max(0.0, deadline - time.monotonic()))
