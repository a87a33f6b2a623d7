"""Interrupts, in one place: what Ctrl-C, or a notebook's interrupt button, does while a call of ours is at work.

Python raises KeyboardInterrupt in the main thread between any two instructions. If that happens to be inside a
destructor or a weak reference's callback, Python prints the exception and forgets it; if it is inside a callback of
clingo's logger, clingo ends the process. So while a call of ours is at work, the signal handler only makes a note
of the interrupt, and three rules hold:

1. Work is done in a thread of its own (`run_interruptibly`), where Python never raises KeyboardInterrupt. The main
   thread does nothing but wait, so it can return within a second, whatever the work is doing at that moment.
2. The work asks a `stop` function several times a second. `interrupt_requested` is the one that reads the note.
3. Each noted interrupt has exactly one effect. Either a call returns the best result so far and says so
   (`InterruptibleCall.consume_interrupt`), or KeyboardInterrupt is raised when the outermost call ends.

Threads that were not started for a call never see its interrupts: interrupting a cell does not stop a run in the
background.
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

from joiner_magic.solvers.abandoned_work import wait_at_exit
from joiner_magic.solvers.interrupt import Interrupted, Stop, never

GRACE = 0.5  # seconds that work has to end by itself after it was asked to stop; then nobody waits for it
_POLL = 0.05  # seconds between two looks; on Windows a wait without a timeout could not be interrupted
_IMPATIENT = (
    3.0  # seconds after which a further interrupt is raised wherever it arrives: the first had no effect
)

P = ParamSpec("P")
T = TypeVar("T")


class InterruptibleCall:
    """A call of ours that is at work, and whether somebody has interrupted it.

    A call may have parts: work in another thread that is done for it. A part is interrupted when the whole is.
    All methods but `note_interrupt` and `raise_at_once` can be used from any thread.
    """

    def __init__(self, whole: InterruptibleCall | None = None) -> None:
        self._whole = whole
        # A plain attribute and not an Event: the signal may arrive while the main thread holds the event's lock.
        self._interrupted_at: float | None = None
        self._raises_at_once = False
        self._abandoned = False

    def interrupt_requested(self) -> bool:
        """Whether there was an interrupt that has had no effect yet, or nobody waits for the work any more."""
        if self._interrupted_at is not None or self._abandoned:
            return True
        return self._whole is not None and self._whole.interrupt_requested()

    def abandon(self) -> None:
        """Tell the work that nobody waits for its result any more."""
        self._abandoned = True

    @property
    def seconds_since_interrupt(self) -> float:
        """Seconds since the first interrupt that has had no effect yet; 0 if there was none."""
        if self._interrupted_at is None:
            return 0.0
        return time.monotonic() - self._interrupted_at

    def consume_interrupt(self) -> None:
        """The interrupt has had its effect: the caller gets the best result so far, and no exception is raised."""
        self._interrupted_at = None
        if self._whole is not None:
            self._whole.consume_interrupt()

    @contextmanager
    def raise_at_once(self) -> Iterator[None]:
        """Interrupts raise KeyboardInterrupt immediately meanwhile: for code of the user's in the main thread."""
        before, self._raises_at_once = self._raises_at_once, True
        try:
            yield
        finally:
            self._raises_at_once = before

    def note_interrupt(self) -> None:
        """Called by the signal handler. Raises KeyboardInterrupt only if that is safe, or the last one had no effect."""
        impatient = self.seconds_since_interrupt > _IMPATIENT
        if self._interrupted_at is None:
            self._interrupted_at = time.monotonic()
        if self._raises_at_once or impatient:
            raise KeyboardInterrupt


class _Threads(threading.local):
    """For each thread the call that it works for."""

    call: InterruptibleCall | None = None


_threads = _Threads()


def interrupt_requested() -> bool:
    """Whether somebody has interrupted the call that this thread works for. Work can use it as its `stop`."""
    call = _threads.call
    return call is not None and call.interrupt_requested()


def stop_of_this_call() -> Stop:
    """A function for other threads to ask: whether somebody has interrupted the call that this thread works for."""
    call = _threads.call
    if call is None:
        return never
    return call.interrupt_requested


class defer_interrupts:  # noqa: N801, it is used like a function
    """Note interrupts instead of raising them while a call is at work: `with defer_interrupts() as call:`.

    Inside another call, `call` is that one and nothing else changes. At the end of the outermost call, an interrupt
    that has had no effect yet is raised as KeyboardInterrupt, in place of whatever else was raised there.
    """

    def __init__(self) -> None:
        self._outermost = _threads.call is None
        self.call = _threads.call or InterruptibleCall()
        self._handler: _InterruptHandler | None = None

    def __enter__(self) -> InterruptibleCall:
        if self._outermost and threading.current_thread() is threading.main_thread():
            self._handler = _InterruptHandler(self.call)
            try:
                _threads.call = self.call
                self._handler.install()
            except BaseException:  # an interrupt that came before the handler was in place
                self._end()
                raise
        return self.call

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._handler is None:
            return
        self._end()
        if self.call.interrupt_requested() and not isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt

    def _end(self) -> None:
        _threads.call = None
        if self._handler is not None:
            self._handler.remove()


class _InterruptHandler:
    """The handler of SIGINT while a call is at work; it remembers the handler that was there before."""

    def __init__(self, call: InterruptibleCall) -> None:
        self._call = call
        self._before: Any = None

    def install(self) -> None:
        """Take the place of a handler in Python; where interrupts are ignored or end the process, that stays so."""
        before = signal.getsignal(signal.SIGINT)
        if callable(before):
            self._before = before
            with suppress(ValueError):  # an interpreter inside another one has no signals
                signal.signal(signal.SIGINT, self._handle)

    def remove(self) -> None:
        """Put the handler back that was there before."""
        if self._before is not None and signal.getsignal(signal.SIGINT) == self._handle:
            signal.signal(signal.SIGINT, self._before)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        """Note the interrupt, after a handler of the host's own, such as asyncio's, has seen it too.

        The KeyboardInterrupt that the host's handler may raise is left out: the end of the call raises it.
        """
        if self._before is not signal.default_int_handler:
            with suppress(KeyboardInterrupt):
                self._before(number, frame)
        self._call.note_interrupt()


def run_interruptibly(
    work: Callable[[], T], *, stop: Stop = never, dispose: Callable[[T], object] | None = None
) -> T:
    """Do the work in a thread, and return or raise what it does; Ctrl-C ends the wait within a second.

    After an interrupt KeyboardInterrupt is raised, and Interrupted when `stop` returns True. The work itself goes on
    until it notices that nobody waits for it; if it returns a value nevertheless, `dispose` is called with it, so
    that it can be closed. Outside the main thread the work is done where it is: no interrupt is raised there.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    with defer_interrupts() as call:
        worker = _WorkThread(work, call, dispose)
        try:
            if not call.interrupt_requested():
                worker.start()
                worker.wait(stop)
            if call.interrupt_requested():  # even if the work was done by then: the user asked for its end
                raise KeyboardInterrupt
        except BaseException:
            worker.abandon()
            raise
        return worker.outcome()


def interruptible(function: Callable[P, T]) -> Callable[P, T]:
    """A decorator that makes a function run by `run_interruptibly`.

    It is for functions that take long, return a value, and leave nothing behind when they are abandoned.
    """

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return run_interruptibly(functools.partial(function, *args, **kwargs))

    return run


class _WorkThread(Generic[T]):
    """Work in a thread of its own. Whoever waits for it can stop waiting before it is done."""

    def __init__(
        self, work: Callable[[], T], call: InterruptibleCall, dispose: Callable[[T], object] | None
    ) -> None:
        self._work = work
        self._whole = call
        self._call = InterruptibleCall(call)
        self._dispose = dispose
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
        """Begin the work."""
        self._thread.start()

    def wait(self, stop: Stop) -> None:
        """Wait until the work is done, or until it had `GRACE` seconds to notice that it should stop."""
        give_up_at: float | None = None
        while not self._done.wait(_POLL):
            if self._whole.seconds_since_interrupt > GRACE:
                raise KeyboardInterrupt
            if give_up_at is not None and time.monotonic() > give_up_at:
                raise Interrupted
            if give_up_at is None and stop():
                give_up_at = time.monotonic() + GRACE

    def abandon(self) -> None:
        """Stop waiting. The work is asked to end, and a value that it may still return is disposed of."""
        self._call.abandon()
        if self._thread.ident is not None:
            wait_at_exit(self._done)
        with self._turn:
            self._abandoned = True
            self._dispose_of_value()

    def outcome(self) -> T:
        """What the work returned; or what it raised, raised again."""
        error, self._error = self._error, None  # its traceback holds a reference to this object
        if error is not None:
            raise error
        return self._value.pop()

    def _run(self) -> None:
        _threads.call = self._call
        try:
            self._value.append(self._work())
        except BaseException as error:  # raised again by `outcome`
            self._error = error
        finally:
            _threads.call = None
            self._work = cast("Callable[[], T]", None)
            self._done.set()
            with self._turn:
                if self._abandoned:
                    self._dispose_of_value()

    def _dispose_of_value(self) -> None:
        while self._dispose is not None and self._value:
            self._dispose(self._value.pop())
