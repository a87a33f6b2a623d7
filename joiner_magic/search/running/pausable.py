"""Work that can be left in the middle and taken up there: an iterator in a thread of its own.

Everything that takes long asks `stop` several times a second. The `stop` of a strand does not send the work home
when its reader has no more time: the work sleeps where it asked, in whatever it was doing, until the reader comes
back. So no stage has to be made fit for being done twice, and nothing is done twice.

The work and its reader take turns, as a generator and its caller do: never are both at work, and the reader may
look at what the work has made so far. What the work has begun in further threads is theirs to hold back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Generic, TypeVar

from joiner_magic.solvers.abandoned_work import wait_at_exit
from joiner_magic.solvers.interrupt import Interrupted, Stop, never

_MOMENT = 0.05  # seconds; a wait without an end would not hear Ctrl-C on Windows
_PATIENCE = (
    0.5  # seconds for the work to ask `stop` once it is to rest; it does so ten times a second, as a rule
)

T = TypeVar("T")


class PausableIterator(Generic[T]):
    """A generator that runs in its own thread, a step at a time, and sleeps when its reader has no more time."""

    def __init__(self) -> None:
        """Without work yet: `start` brings it."""
        self._turn = threading.Condition()
        self._at_work = False  # whose turn it is
        self._asked: Stop = never  # by the reader, whether the work is to rest
        self._step: T | None = None  # that the reader has not taken yet
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None
        self._over = threading.Event()
        self.ended = False
        self.closed = False

    # ---- for the work

    def stop(self) -> bool:
        """Sleeps while the reader wants the work to rest; True if nobody will want it any more."""
        while not self.closed and self._asked():
            self._sleep()
        return self.closed

    # ---- for the reader

    def start(self, steps: Generator[T, None, None], at_close: Callable[[], None] = lambda: None) -> None:
        """Nothing is done before the first step is asked for. Work that is closed before its end calls `at_close` then."""
        # A reader that ends without closing leaves the work asleep: that must not keep the process alive.
        self._thread = threading.Thread(
            target=self._run, args=(steps, at_close), name="joiner-search", daemon=True
        )
        self._thread.start()

    def next(self, stop: Stop) -> T | None:
        """The next step, None after the last. Raises Interrupted when `stop` says so before there is one.

        That is within a second, also if the work has not asked: it is then still on its way to its rest.
        """
        with self._turn:
            self._asked = stop
            if self._step is None and not self.ended:
                self._at_work = True
                self._turn.notify_all()
            if not self._wait(stop):
                self._asked = _always
                raise Interrupted
        if self._error is not None:
            error, self._error = self._error, None  # it knows its reader, who would live as long as this
            raise error
        if self._step is None and not self.ended:
            raise Interrupted
        step, self._step = self._step, None
        return step

    def wants_rest(self) -> bool:
        """Whether the work is to rest or to end: for those who can end a call that does not ask."""
        return self.closed or self._asked()

    @property
    def at_rest(self) -> bool:
        """Whether it is the reader's turn: then nothing changes what the work has made so far."""
        return not self._at_work

    def rest(self) -> None:
        """Let the work rest, and wait a moment until it does: for a reader that was torn out of `next`."""
        self._asked = _always
        with self._turn:
            self._wait(_always)

    def close(self) -> bool:
        """Let the work end, wherever it is; whether it has ended already, or was never begun."""
        with self._turn:
            self.closed = True
            self._turn.notify_all()
            return self.ended or self._thread is None

    def join(self, seconds: float) -> bool:
        """Whether the work, and its thread, have ended within so many seconds."""
        if self._thread is None:
            return True
        # Not by `join` alone: a join that Ctrl-C interrupts takes the thread for ended, up to Python 3.12.
        if not self._over.wait(seconds):
            return False
        self._thread.join()
        return True

    def leave(self) -> None:
        """Wait no longer for work that was closed; only Python does before it exits."""
        wait_at_exit(self._over)

    def _wait(self, stop: Stop) -> bool:
        """Whether it is the reader's turn: not if the work does not rest although it should."""
        late: float | None = None
        while self._at_work:
            self._turn.wait(_MOMENT)
            if late is None and self._at_work and stop():
                late = time.monotonic() + _PATIENCE
            if late is not None and self._at_work and time.monotonic() > late:
                return False
        return True

    def _run(self, steps: Generator[T, None, None], at_close: Callable[[], None]) -> None:
        """What the thread does: a step whenever the reader wants one, until the end or until it is closed."""
        try:
            with closing(steps):
                with self._turn:
                    self._await_turn()
                while not self.closed and (step := next(steps, None)) is not None:
                    self._step = step
                    self._sleep()
        except BaseException as error:  # raised again where steps are asked for
            self._error = error
        with self._turn:
            self.ended = True
            self._at_work = False
            self._turn.notify_all()
            closed = self.closed
        if closed:
            at_close()
        self._over.set()

    def _sleep(self) -> None:
        """Give the turn to the reader, and wait until it comes back."""
        with self._turn:
            self._at_work = False
            self._turn.notify_all()
            self._await_turn()

    def _await_turn(self) -> None:
        """Wait for the reader; to be called by whoever holds the lock."""
        self._turn.wait_for(lambda: self._at_work or self.closed)


def _always() -> bool:
    """A `stop` that wants the work to rest at once."""
    return True
