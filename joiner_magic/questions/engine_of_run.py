"""Engines for questions about runs: all views of a run share one engine, and few engines are open at a time.

Starting an engine takes longer than answering a question, because it has to read all facts, and an engine may be a
process of its own. So the engine of a run stays open from one question to the next. It is closed

- when more than `MOST` other runs have been asked about since,
- when no question has come for `IDLE` seconds,
- when nobody holds the run any more.

A single thread closes the idle engines of all runs, and it ends when no engine is open. A thread for each run would
add up to dozens of threads in a session whose cells are run again and again.
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
    """Holds the engine of one run, while it is open. The slot refers to the run weakly, so it keeps no run alive."""

    def __init__(self, run: Run) -> None:
        self._run = weakref.ref(run)
        self._engine: Engine | None = None
        self._last = 0.0  # when it was last asked
        self.lock = threading.RLock()  # an engine answers one at a time
        weakref.finalize(run, self.close)
        run.when_forgotten(self.close_unless_asked)

    @property
    def is_open(self) -> bool:
        """Whether there is an engine in the slot."""
        return self._engine is not None

    @property
    def idle_for(self) -> float:
        """Seconds since the last answer."""
        return time.monotonic() - self._last

    def engine(self) -> Engine:
        """The engine of the run, started if need be."""
        run = self._run()
        assert run is not None, "whoever asks holds it"
        if self._engine is None:
            result, options = run.result, run.options
            name, trusted = options.engine, options.trusted
            if result is not None:
                name, trusted = result.engine, trusted or result.trusted
            self._engine = choose_engine(run.task, name, trusted=trusted).engine
        return self._engine

    def note_answer(self) -> None:
        """Note that a question has been answered just now."""
        self._last = time.monotonic()

    def close(self) -> None:
        """Close the engine, if it is open."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def close_unless_asked(self) -> None:
        """Close the engine unless it is answering a question now: then it is idle later, and looked at again."""
        if self.lock.acquire(blocking=False):
            try:
                self.close()
            finally:
                self.lock.release()
        else:
            self.note_answer()


_slots: weakref.WeakKeyDictionary[Run, _EngineSlot] = weakref.WeakKeyDictionary()
_asked: list[_EngineSlot] = []  # slots that may have an open engine; the one asked last is the last
_changed = threading.Condition()  # the lock of all of these; notified when a question was answered
_watcher: threading.Thread | None = None  # closes idle engines


@contextmanager
def engine_of(run: Run) -> Iterator[Engine]:
    """An engine like that of the run, which has read the run's task. Others who ask for it wait meanwhile."""
    slot = _slot_of(run)
    with slot.lock:
        try:
            yield slot.engine()
        finally:
            slot.note_answer()
            _watch()


def _slot_of(run: Run) -> _EngineSlot:
    """The slot of the run, which becomes the one that was asked last. Engines of runs asked long ago are closed."""
    with _changed:
        slot = _slots.get(run)
        if slot is None:
            slot = _slots[run] = _EngineSlot(run)
        others = [other for other in _asked if other is not slot and other.is_open]
        _asked[:] = [*others, slot]
    for other in others[: max(len(others) + 1 - MOST, 0)]:
        other.close_unless_asked()
    return slot


def _watch() -> None:
    """Make sure that the thread is running that closes idle engines."""
    global _watcher
    with _changed:
        _changed.notify_all()
        if _watcher is None or not _watcher.is_alive():  # no thread of the parent runs in a forked process
            _watcher = threading.Thread(target=_close_idle, name="joiner-idle", daemon=True)
            _watcher.start()


def _close_idle() -> None:
    """Close engines as they become idle, until none is open. Runs in a thread of its own."""
    global _watcher
    while True:
        with _changed:
            open_slots = [slot for slot in _asked if slot.is_open]
            if not open_slots:
                _watcher = None
                return
            idle = [slot for slot in open_slots if slot.idle_for >= IDLE]
            if not idle:
                longest_idle = max(slot.idle_for for slot in open_slots)
                _changed.wait(max(IDLE - longest_idle, 0.01))
        for slot in idle:
            slot.close_unless_asked()
        del open_slots, idle  # so that this thread keeps no engine alive while it waits
