"""An engine for questions about a run: all its views share one, and there are few at a time.

Reading the facts takes longer than a question, and an engine may be a process of its own. So the engine of a run is
kept from one question to the next, until another run is asked about: the last `MOST` that were asked keep theirs, for
as long as questions come. That of a run that nobody holds any more is closed with it.

One thread closes what is idle, for all runs, and there is none while no engine is open: a thread for each run would be
dozens in a session that is edited quickly.
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


class _EngineSlot:
    """A place for the engine of one run. It holds the run weakly: nobody else keeps a run for its engine's sake."""

    def __init__(self, run: Run) -> None:
        self._run = weakref.ref(run)
        self._engine: Engine | None = None
        self._last = 0.0  # when it was last asked
        self.lock = threading.RLock()  # an engine answers one at a time
        weakref.finalize(run, self.close)
        run.when_forgotten(self.close_unless_asked)

    @property
    def taken(self) -> bool:
        return self._engine is not None

    @property
    def idle_for(self) -> float:
        """Seconds since the last answer."""
        return time.monotonic() - self._last

    def engine(self) -> Engine:
        run = self._run()
        assert run is not None, "whoever asks holds it"
        if self._engine is None:
            result, options = run.result, run.options
            name = result.engine if result else options.engine
            trusted = options.trusted or (result is not None and result.trusted)
            self._engine = choose_engine(run.task, name, trusted=trusted).engine
        return self._engine

    def rest(self) -> None:
        """A question is answered."""
        self._last = time.monotonic()

    def close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def close_unless_asked(self) -> None:
        """Not while a question is being answered: that one comes to rest, and is looked at again."""
        if self.lock.acquire(blocking=False):
            try:
                self.close()
            finally:
                self.lock.release()
        else:
            self.rest()


_slots: weakref.WeakKeyDictionary[Run, _EngineSlot] = weakref.WeakKeyDictionary()
_asked: list[_EngineSlot] = []  # that may have an engine, the last one that was asked last
_changed = threading.Condition()  # the lock of all of these; told when a question was answered
_watcher: threading.Thread | None = None  # closes what is idle


@contextmanager
def engine_of(run: Run) -> Iterator[Engine]:
    """An engine like that of the run, with its task; for one who asks at a time."""
    slot = _slot_of(run)
    with slot.lock:
        try:
            yield slot.engine()
        finally:
            slot.rest()
            _watch()


def _slot_of(run: Run) -> _EngineSlot:
    """The place of the run, which is the last one that was asked; those before the last few lose their engines."""
    with _changed:
        slot = _slots.get(run)
        if slot is None:
            slot = _slots[run] = _EngineSlot(run)
        others = [other for other in _asked if other is not slot and other.taken]
        _asked[:] = [*others, slot]
    for other in others[: max(len(others) + 1 - MOST, 0)]:
        other.close_unless_asked()
    return slot


def _watch() -> None:
    """From now on somebody looks whether engines are idle."""
    global _watcher
    with _changed:
        _changed.notify_all()
        if _watcher is None or not _watcher.is_alive():  # it does not live in a process that was forked
            _watcher = threading.Thread(target=_close_idle, name="joiner-idle", daemon=True)
            _watcher.start()


def _close_idle() -> None:
    """Until no engine is open."""
    global _watcher
    while True:
        with _changed:
            taken = [slot for slot in _asked if slot.taken]
            if not taken:
                _watcher = None
                return
            if not (idle := [slot for slot in taken if slot.idle_for >= IDLE]):
                _changed.wait(max(IDLE - max(slot.idle_for for slot in taken), 0.01))
        for slot in idle:
            slot.close_unless_asked()
        del taken, idle
