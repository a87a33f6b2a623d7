"""Solver calls in a thread of their own, so that Ctrl-C cannot leave them half begun.

Python raises KeyboardInterrupt in the main thread between any two instructions: for instance after a search of clingo
was started and before the handle that ends it was stored. The search would then go on, and crash the process at its
exit. In other threads KeyboardInterrupt is never raised. So the solver works in another thread; the main thread only
waits, and closes the work in any case.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from joiner_magic.solvers.abandoned_work import wait_at_exit
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.signals import interrupt_requested

_POLL = 0.05  # seconds between two questions to `stop`
_PAUSED_AFTER = 2.0  # seconds without a look at the result, after which the run that asked for it is paused
_LAST_WAIT = 10.0  # seconds for work to notice that it should end; it takes a tenth of one

T = TypeVar("T")


class SolverThread(Generic[T]):
    """A function that runs in a thread of its own: `try: thread.start() … finally: thread.close()`.

    The function gets this object as its argument. It should look several times a second whether it is to end
    (`closing`), and may rest while nobody waits for its result (`waited_for`), which happens when a run is paused.
    """

    def __init__(self, work: Callable[[SolverThread[T]], T]) -> None:
        self._closing = threading.Event()
        self._done = threading.Event()
        self._outcome: list[T] = []
        self._error: BaseException | None = None
        self._started = False
        self._last_asked = time.monotonic()  # when somebody last looked for the result
        self._thread = threading.Thread(target=self._run, args=(work,), name="joiner-solver", daemon=True)

    def start(self) -> None:
        """Begin the work."""
        self._started = True  # before it is true: an interrupt may come while the thread is being started
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether the work has returned or raised."""
        return self._done.is_set()

    @property
    def closing(self) -> bool:
        """Whether the work should end soon: for the work to ask."""
        return self._closing.is_set()

    @property
    def waited_for(self) -> bool:
        """Whether somebody has waited for the result in the last seconds: for the work to ask."""
        return time.monotonic() - self._last_asked < _PAUSED_AFTER

    def result(self, stop: Stop) -> T:
        """Wait until the work is done, and return or raise what it did.

        Raises Interrupted when `stop` returns True, or when the user interrupts the call that the waiting thread
        works for.
        """
        while not self._done.wait(_POLL):
            self._last_asked = time.monotonic()
            if stop() or interrupt_requested():
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
        """Ask the work to end, and return at once."""
        self._closing.set()
        wait_at_exit(self._done)

    def _run(self, work: Callable[[SolverThread[T]], T]) -> None:
        try:
            self._outcome.append(work(self))
        except BaseException as error:  # raised again where the result is asked for
            self._error = error
        finally:
            self._done.set()
