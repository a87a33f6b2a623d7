"""Bounds on seconds, on a machine that has other work to do.

What is promised to take a second is promised of a machine that does nothing else. On a busy one a process gets a share
of the processor, and everything takes longer by as much. So while something is timed, a process of its own works a little
now and then, and measures how much longer that takes than the processor needs for it. (A thread would not do: it would
wait for Python's lock as well, and call a machine busy that only runs the test.)
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

_MEASURE = """
import time
worked = taken = 0.0
while True:
    began, used = time.monotonic(), time.thread_time()
    while time.thread_time() - used < 0.005:
        pass
    worked += time.thread_time() - used
    taken += time.monotonic() - began
    print(taken / worked, flush=True)
    time.sleep(0.05)
"""


class Busy:
    """Measures while it is open: `with Busy() as busy: …; assert seconds < busy.stretched(1)`."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._stretch = 1.0

    def stretched(self, seconds: float) -> float:
        """What takes so many seconds on a machine that does nothing else takes at most as many here."""
        self._look()
        return seconds * max(1.0, self._stretch)

    def __enter__(self) -> Busy:
        self._process = subprocess.Popen([sys.executable, "-ISc", _MEASURE], stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)  # of a pipe: on Windows since Python 3.12
        return self

    def __exit__(self, *_: object) -> None:
        self._look()
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._process = None

    def _look(self) -> None:
        """The last whole line that was told since the last look, if there is any."""
        if self._process is None or self._process.stdout is None:
            return
        *_, last, _unfinished = (b"\n" + (self._process.stdout.read() or b"")).split(b"\n")
        if last:
            self._stretch = float(last)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """The block may take so long, or longer by as much as the machine is busy meanwhile."""
    with Busy() as busy:
        began = time.monotonic()
        yield
        took = time.monotonic() - began
    assert took < busy.stretched(seconds), f"{took:.2f} s instead of {seconds:.2f} s"
