"""Interrupts, in one place: what becomes of Ctrl-C, and of a kernel's interrupt, while a call of ours is at work.

Python raises KeyboardInterrupt in the main thread between any two instructions. Where that is a destructor or a
weak reference's callback, Python prints it and forgets it; where it is a callback of clingo's logger, clingo ends the
process. So while a call of ours is at work, the signal only leaves a note, and three things hold:

1. Work is done in a thread of its own (`attended`), where no interrupt is ever raised. The main thread does nothing but
   wait, so it can return within a second whatever the work is in the middle of.
2. The work asks `stop` several times a second; `heard` is the one that knows of the note.
3. What was noted is answered exactly once: by a call that gives the best so far (`Call.answer`), or by a
   KeyboardInterrupt when the outermost call ends.

Threads that were not started for a call hear nothing: a run in the background is not for the interrupt of a cell.
"""

from __future__ import annotations

import contextvars
import functools
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import Any, Generic, ParamSpec, TypeVar, cast

from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.left import leave_behind

GRACE = 0.5  # seconds for work to end by itself once it is to stop; then nobody waits for it any longer
_POLL = 0.05  # seconds between two looks; on Windows a wait without an end would not be interrupted
_IMPATIENT = (
    3.0  # seconds after which a further interrupt is raised wherever it comes: the first was of no use
)

P = ParamSpec("P")
T = TypeVar("T")


class Call:
    """A call of ours that is at work, and what it has heard; or a part of one, which hears what that hears."""

    def __init__(self, whole: Call | None = None) -> None:
        self._whole = whole
        # No event: its lock may be held by the very instruction that the signal comes after.
        self._heard_at: float | None = None
        self._raises = False
        self._abandoned = False

    def heard(self) -> bool:
        """Whether there was an interrupt that is not answered yet. It can be asked from any thread."""
        return (
            self._heard_at is not None or self._abandoned or (self._whole is not None and self._whole.heard())
        )

    def abandon(self) -> None:
        """Nobody waits for what is done for it."""
        self._abandoned = True

    @property
    def since(self) -> float:
        """Seconds since the interrupt; 0 without one."""
        return 0.0 if self._heard_at is None else time.monotonic() - self._heard_at

    def answer(self) -> None:
        """The interrupt has had its effect: the caller gets the best so far, and no exception."""
        self._heard_at = None
        if self._whole is not None:
            self._whole.answer()

    @contextmanager
    def raising(self) -> Iterator[None]:
        """While code of the user's runs in the main thread: that is interrupted as if we were not there."""
        before, self._raises = self._raises, True
        try:
            yield
        finally:
            self._raises = before

    def hear(self) -> None:
        """An interrupt has come. Raises it where that does no harm, or where the last one did no good."""
        impatient = self.since > _IMPATIENT
        if self._heard_at is None:
            self._heard_at = time.monotonic()
        if self._raises or impatient:
            raise KeyboardInterrupt


class _Threads(threading.local):
    """For each thread the call that it works for."""

    call: Call | None = None


_threads = _Threads()


def heard() -> bool:
    """The `stop` of what works for a call in this thread: whether somebody has interrupted that."""
    call = _threads.call
    return call is not None and call.heard()


def stop_of_this_call() -> Stop:
    """The same for other threads that work for the call of this one."""
    call = _threads.call
    return never if call is None else call.heard


class hearing:  # noqa: N801, it is used like a function
    """A call of ours is at work: `with hearing() as call:`. Inside another call, it is that one.

    An interrupt that was not answered is raised at the end of the outermost call, whatever else was raised there.
    """

    def __init__(self) -> None:
        self._outermost = _threads.call is None
        self.call = _threads.call or Call()
        self._ear: _Ear | None = None

    def __enter__(self) -> Call:
        if self._outermost and threading.current_thread() is threading.main_thread():
            self._ear = _Ear(self.call)
            try:
                _threads.call = self.call
                self._ear.open()
            except BaseException:  # an interrupt that came too early to be ours
                self._end()
                raise
        return self.call

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._ear is None:
            return
        self._end()
        if self.call.heard() and not isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt

    def _end(self) -> None:
        _threads.call = None
        if self._ear is not None:
            self._ear.close()


class _Ear:
    """The handler of SIGINT while a call is at work, and what was there before."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._before: Any = None

    def open(self) -> None:
        """Nothing is done where interrupts are ignored, end the process, or are not Python's."""
        before = signal.getsignal(signal.SIGINT)
        if callable(before):
            self._before = before
            with suppress(ValueError):  # an interpreter inside another one has no signals
                signal.signal(signal.SIGINT, self._hear)

    def close(self) -> None:
        if self._before is not None and signal.getsignal(signal.SIGINT) == self._hear:
            signal.signal(signal.SIGINT, self._before)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        """A handler of the host's own, such as asyncio's, hears it too; that it would raise is for the call's end."""
        if self._before is not signal.default_int_handler:
            with suppress(KeyboardInterrupt):
                self._before(number, frame)
        self._call.hear()


def attended(
    work: Callable[[], T], *, stop: Stop = never, unwanted: Callable[[T], object] | None = None
) -> T:
    """What the work returns or raises. The main thread waits for it, and leaves within a second of an interrupt.

    KeyboardInterrupt is raised then, and Interrupted when `stop` said so. The work goes on until it notices that
    nobody waits; `unwanted` gets what it returns nevertheless, so that it can be closed. In other threads the
    work is just done: nothing is raised there.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    with hearing() as call:
        errand = _Errand(work, call, unwanted)
        try:
            if not call.heard():
                errand.start()
                errand.wait(stop)
            if call.heard():  # also if the work was done by then: what was asked for is its end
                raise KeyboardInterrupt
        except BaseException:
            errand.abandon()
            raise
        return errand.outcome()


def interruptible(function: Callable[P, T]) -> Callable[P, T]:
    """The function, attended to: for what takes long, returns a value and leaves nothing behind."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        return attended(functools.partial(function, *args, **kwargs))

    return called


class _Errand(Generic[T]):
    """Work in a thread, which somebody waits for or not any more."""

    def __init__(self, work: Callable[[], T], call: Call, unwanted: Callable[[T], object] | None) -> None:
        self._work = work
        self._whole = call
        self._call = Call(call)
        self._unwanted = unwanted
        self._turn = threading.Lock()
        self._abandoned = False
        self._done = threading.Event()
        self._value: list[T] = []
        self._error: BaseException | None = None
        context = contextvars.copy_context()
        self._thread = threading.Thread(
            target=context.run, args=(self._run,), name="joiner-work", daemon=True
        )

    def start(self) -> None:
        self._thread.start()

    def wait(self, stop: Stop) -> None:
        """Until it is done, or has had the time to notice that it is to stop."""
        late: float | None = None
        while not self._done.wait(_POLL):
            if self._whole.since > GRACE:
                raise KeyboardInterrupt
            if late is not None and time.monotonic() > late:
                raise Interrupted
            if late is None and stop():
                late = time.monotonic() + GRACE

    def abandon(self) -> None:
        """Nobody waits any more."""
        self._call.abandon()
        if self._thread.ident is not None:
            leave_behind(self._done)
        with self._turn:
            self._abandoned = True
            self._let_go()

    def outcome(self) -> T:
        error, self._error = self._error, None  # its traceback knows this object
        if error is not None:
            raise error
        return self._value.pop()

    def _run(self) -> None:
        _threads.call = self._call
        try:
            self._value.append(self._work())
        except BaseException as error:  # raised again where it is waited for
            self._error = error
        finally:
            _threads.call = None
            self._work = cast("Callable[[], T]", None)
            self._done.set()
            with self._turn:
                if self._abandoned:
                    self._let_go()

    def _let_go(self) -> None:
        while self._unwanted is not None and self._value:
            self._unwanted(self._value.pop())
