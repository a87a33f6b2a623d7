"""Interrupts in one place: noted, never raised where Python would forget them, and answered exactly once."""

# What is interrupted is a block, and where in it the interrupt is raised is the point.
# ruff: noqa: PT012

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from busy import within
from joiner_magic.solvers.interrupt import Interrupted
from joiner_magic.solvers.signals import (
    defer_interrupts,
    interrupt_requested,
    interruptible,
    run_interruptibly,
    stop_of_this_call,
)

SOON = 1.0  # seconds
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="raise_signal ends the process there")


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def handler_is_restored() -> Iterator[None]:
    """Whatever happens inside, the host's handler is back, and no thread is left."""
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before
    deadline = time.monotonic() + 5
    while any(thread.name == "joiner-work" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_an_interrupt_is_raised_at_the_end_of_the_call() -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), defer_interrupts() as call:
        interrupt()
        assert call.interrupt_requested()
        assert interrupt_requested()
        reached = True
    assert reached


def test_an_answered_interrupt_is_not_raised() -> None:
    with defer_interrupts() as call:
        interrupt()
        call.consume_interrupt()
        assert not interrupt_requested()


def test_inside_another_call_nothing_is_raised_before_its_end() -> None:
    with pytest.raises(KeyboardInterrupt), defer_interrupts() as outer:
        with defer_interrupts() as inner:
            assert inner is outer
            interrupt()
        with defer_interrupts():
            assert interrupt_requested()


def test_an_error_does_not_hide_the_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), defer_interrupts():
        interrupt()
        raise ValueError


class Dawdling:
    """Is interrupted while it is destroyed."""

    def __del__(self) -> None:
        interrupt()
        time.sleep(0)


def test_an_interrupt_in_a_destructor_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", forgotten.append)
    with pytest.raises(KeyboardInterrupt), defer_interrupts():
        thing = Dawdling()
        del thing
        gc.collect()
    assert not forgotten


def test_an_interrupt_in_a_weak_references_callback_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", forgotten.append)
    with pytest.raises(KeyboardInterrupt), defer_interrupts():
        thing = threading.Event()
        reference = weakref.ref(thing, lambda _: interrupt())
        del thing
        assert reference() is None
    assert not forgotten


def test_work_is_done_in_another_thread_with_its_outcome() -> None:
    assert run_interruptibly(threading.current_thread) is not threading.main_thread()
    assert run_interruptibly(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        run_interruptibly(lambda: 1 // 0)


def test_inside_attended_work_no_further_thread_is_made() -> None:
    here, inner = run_interruptibly(
        lambda: (threading.current_thread(), run_interruptibly(threading.current_thread))
    )
    assert here is inner


def in_a_moment(do: Callable[[], None], seconds: float = 0.1) -> None:
    threading.Timer(seconds, do).start()


def to_main() -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def test_work_that_asks_is_stopped() -> None:
    seen = threading.Event()

    def work() -> None:
        while not interrupt_requested():
            time.sleep(0.01)
        seen.set()

    in_a_moment(to_main)
    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work)
    assert seen.wait(1)


def test_work_that_does_not_ask_is_left_within_a_second() -> None:
    going_on = threading.Event()
    closed: list[str] = []

    def work() -> str:
        going_on.wait(10)
        return "an engine"

    in_a_moment(to_main)
    with within(0.1 + SOON), pytest.raises(KeyboardInterrupt):
        run_interruptibly(work, dispose=closed.append)
    assert not closed
    going_on.set()
    while not closed:
        time.sleep(0.01)
    assert closed == ["an engine"]


def test_what_was_made_in_spite_of_the_interrupt_is_unwanted() -> None:
    closed: list[int] = []

    def work() -> int:
        to_main()
        return 7

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work, dispose=closed.append)
    assert closed == [7]


def test_a_stop_leaves_work_that_does_not_ask() -> None:
    going_on = threading.Event()
    began = time.monotonic()
    with within(0.1 + SOON), pytest.raises(Interrupted):
        run_interruptibly(lambda: going_on.wait(10), stop=lambda: time.monotonic() > began + 0.1)
    going_on.set()


def test_abandoned_work_hears_that_nobody_waits() -> None:
    noticed = threading.Event()

    def work() -> None:
        time.sleep(1.2)  # longer than anybody waits
        if interrupt_requested():
            noticed.set()

    with pytest.raises(Interrupted):
        run_interruptibly(work, stop=lambda: True)
    assert noticed.wait(3)


def test_several_interrupts_are_one() -> None:
    with defer_interrupts() as call:
        interrupt()
        interrupt()
        call.consume_interrupt()


def test_when_the_first_was_of_no_use_for_seconds_the_next_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("joiner_magic.solvers.signals._IMPATIENT", 0.05)
    reached = False
    with pytest.raises(KeyboardInterrupt), defer_interrupts():
        interrupt()
        time.sleep(0.1)
        interrupt()
        reached = True
    assert not reached


def test_code_of_the_users_is_interrupted_where_it_is() -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), defer_interrupts() as call, call.raise_at_once():
        interrupt()
        reached = True
    assert not reached


def test_threads_of_their_own_hear_nothing() -> None:
    heard_there: list[bool] = []

    def background() -> None:
        with defer_interrupts() as call:
            time.sleep(0.05)
            heard_there.append(call.interrupt_requested() or interrupt_requested() or stop_of_this_call()())

    with defer_interrupts() as call:
        interrupt()
        thread = threading.Thread(target=background)
        thread.start()
        thread.join()
        call.consume_interrupt()
    assert heard_there == [False]


def test_where_interrupts_are_ignored_they_still_are() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with defer_interrupts() as call:
            interrupt()
            assert not call.interrupt_requested()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_handler_of_the_hosts_own_hears_it_too() -> None:
    told: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: told.append(number))
    try:
        with pytest.raises(KeyboardInterrupt), defer_interrupts():
            interrupt()
    finally:
        signal.signal(signal.SIGINT, before)
    assert told == [signal.SIGINT]


def test_asyncio_hears_it_too() -> None:
    async def main() -> None:
        with defer_interrupts() as call:
            interrupt()
            assert call.interrupt_requested()

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())


def test_a_function_keeps_its_name_and_its_arguments() -> None:
    @interruptible
    def added(one: int, *, two: int) -> int:
        """One and two."""
        return one + two

    assert added(1, two=2) == 3
    assert (added.__name__, added.__doc__) == ("added", "One and two.")
