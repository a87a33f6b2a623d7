"""Solver calls in a thread of their own, so that Ctrl-C cannot tear them from the hands that hold them.

A keyboard interrupt is raised in the main thread between any two instructions, also between starting a search
of clingo and keeping the handle that ends it; the search would then go on, and take the process down at its
exit. In another thread no interrupt is raised: the main thread only waits, and closes the work in any case.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.left import leave_behind
from joiner_magic.solvers.signals import heard

_POLL = 0.05  # seconds between two questions to `stop`
_AWHILE = 2.0  # seconds; who has not asked for so long sleeps, since a run was paused
_LAST_WAIT = 10.0  # seconds for work to notice that it is to close; it takes a tenth of one

T = TypeVar("T")


class Apart(Generic[T]):
    """Work that looks now and then whether it is to close, and whether it is still waited for.

    To be used as `try: work.start() … finally: work.close()`.
    """

    def __init__(self, work: Callable[[Apart[T]], T]) -> None:
        self._closing = threading.Event()
        self._done = threading.Event()
        self._outcome: list[T] = []
        self._error: BaseException | None = None
        self._started = False
        self._asked = time.monotonic()  # when the result was last asked for
        self._thread = threading.Thread(target=self._run, args=(work,), name="joiner-solver", daemon=True)

    def start(self) -> None:
        self._started = True  # before it is true: an interrupt may come while the thread is being started
        self._thread.start()

    @property
    def done(self) -> bool:
        return self._done.is_set()

    @property
    def closing(self) -> bool:
        return self._closing.is_set()

    @property
    def waited_for(self) -> bool:
        return time.monotonic() - self._asked < _AWHILE

    def result(self, stop: Stop) -> T:
        """What the work returns, or raises, once it is done.

        Raises Interrupted when `stop` says so, or somebody interrupts the call that this thread works for.
        """
        while not self._done.wait(_POLL):
            self._asked = time.monotonic()
            if stop() or heard():
                raise Interrupted
        if self._error is not None:
            raise self._error
        return self._outcome[0]

    def close(self) -> None:
        """Ask the work to end, and wait until it has."""
        self._closing.set()
        if self._started:
            self._done.wait(_LAST_WAIT)

    def leave(self) -> None:
        """Ask the work to end, and do not wait until it has."""
        self._closing.set()
        leave_behind(self._done)

    def _run(self, work: Callable[[Apart[T]], T]) -> None:
        try:
            self._outcome.append(work(self))
        except BaseException as error:  # raised again where the result is asked for
            self._error = error
        finally:
            self._done.set()
