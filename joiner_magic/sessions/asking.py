"""An engine for questions about a run: all its views share one, and there are few at a time.

Reading the facts takes longer than a question, and an engine may be a process of its own. So the engine of a run is
kept from one question to the next, until another run is asked about: the last `MOST` that were asked keep theirs, for
as long as questions come. That of a run that nobody holds any more is closed with it.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from joiner_magic.engines.choose import choose_engine

if TYPE_CHECKING:
    from joiner_magic.engines.protocol import Engine
    from joiner_magic.sessions.runs import Run

MOST = 2  # runs that keep an engine
IDLE = 30.0  # seconds without a question after which it is closed


class _Seat:
    """A place for the engine of one run. It holds the run weakly: nobody else keeps a run for its engine's sake."""

    def __init__(self, run: Run) -> None:
        self._run = weakref.ref(run)
        self._engine: Engine | None = None
        self._last = 0.0  # when it was last asked
        self._watched = False  # somebody will look whether it is idle
        self.lock = threading.RLock()  # an engine answers one at a time
        weakref.finalize(run, self.close)

    @property
    def taken(self) -> bool:
        return self._engine is not None

    def engine(self) -> Engine:
        run = self._run()
        assert run is not None, "whoever asks holds it"
        if self._engine is None:
            result, options = run.result, run.options
            name = result.engine if result else options.engine
            trusted = options.trusted or (result is not None and result.trusted)
            self._engine = choose_engine(run.task, name, trusted=trusted).engine
        return self._engine

    def close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def rest(self) -> None:
        """A question is answered; the engine is closed unless there is another one in time."""
        self._last = time.monotonic()
        if not self._watched:
            self._watched = True
            _look_in(weakref.ref(self), IDLE)

    def close_if_idle(self) -> float:
        """Seconds until it is worth another look; 0 if it is closed."""
        if not self.lock.acquire(blocking=False):
            return IDLE
        try:
            left = self._last + IDLE - time.monotonic()
            if self._engine is not None and left > 0:
                return left
            self._watched = False
            self.close()
            return 0.0
        finally:
            self.lock.release()

    def close_unless_asked(self) -> None:
        if self.lock.acquire(blocking=False):
            try:
                self.close()
            finally:
                self.lock.release()


_seats: weakref.WeakKeyDictionary[Run, _Seat] = weakref.WeakKeyDictionary()
_latest: list[weakref.ref[_Seat]] = []  # that were asked, the last one last
_lock = threading.Lock()  # of both


@contextmanager
def engine_of(run: Run) -> Iterator[Engine]:
    """An engine like that of the run, with its task; for one who asks at a time."""
    seat = _seat_of(run)
    with seat.lock:
        try:
            yield seat.engine()
        finally:
            seat.rest()


def let_go(run: Run) -> None:
    """The run will hardly be asked about any more."""
    with _lock:
        seat = _seats.get(run)
    if seat is not None:
        seat.close_unless_asked()


def _seat_of(run: Run) -> _Seat:
    with _lock:
        seat = _seats.get(run)
        if seat is None:
            seat = _seats[run] = _Seat(run)
        known = [other for reference in _latest if (other := reference()) is not None and other is not seat]
        _latest[:] = [weakref.ref(other) for other in (*known[-MOST:], seat)]
    for other in known[: max(len(known) + 1 - MOST, 0)]:
        other.close_unless_asked()
    return seat


def _look_in(reference: weakref.ref[_Seat], seconds: float) -> None:
    """After so many seconds, and again until it is closed or forgotten."""

    def look() -> None:
        seat = reference()
        left = seat.close_if_idle() if seat is not None else 0.0
        del seat
        if left:
            _look_in(reference, left)

    timer = threading.Timer(seconds, look)
    timer.name, timer.daemon = "joiner-idle", True
    timer.start()
