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
from joiner_magic.solvers.signals import attended, heard, hearing, interruptible, stop_of_this_call

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
    with pytest.raises(KeyboardInterrupt), hearing() as call:
        interrupt()
        assert call.heard()
        assert heard()
        reached = True
    assert reached


def test_an_answered_interrupt_is_not_raised() -> None:
    with hearing() as call:
        interrupt()
        call.answer()
        assert not heard()


def test_inside_another_call_nothing_is_raised_before_its_end() -> None:
    with pytest.raises(KeyboardInterrupt), hearing() as outer:
        with hearing() as inner:
            assert inner is outer
            interrupt()
        with hearing():
            assert heard()


def test_an_error_does_not_hide_the_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), hearing():
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
    with pytest.raises(KeyboardInterrupt), hearing():
        thing = Dawdling()
        del thing
        gc.collect()
    assert not forgotten


def test_an_interrupt_in_a_weak_references_callback_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", forgotten.append)
    with pytest.raises(KeyboardInterrupt), hearing():
        thing = threading.Event()
        reference = weakref.ref(thing, lambda _: interrupt())
        del thing
        assert reference() is None
    assert not forgotten


def test_work_is_done_in_another_thread_with_its_outcome() -> None:
    assert attended(threading.current_thread) is not threading.main_thread()
    assert attended(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        attended(lambda: 1 // 0)


def test_inside_attended_work_no_further_thread_is_made() -> None:
    here, inner = attended(lambda: (threading.current_thread(), attended(threading.current_thread)))
    assert here is inner


def in_a_moment(do: Callable[[], None], seconds: float = 0.1) -> None:
    threading.Timer(seconds, do).start()


def to_main() -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def test_work_that_asks_is_stopped() -> None:
    seen = threading.Event()

    def work() -> None:
        while not heard():
            time.sleep(0.01)
        seen.set()

    in_a_moment(to_main)
    with pytest.raises(KeyboardInterrupt):
        attended(work)
    assert seen.wait(1)


def test_work_that_does_not_ask_is_left_within_a_second() -> None:
    going_on = threading.Event()
    closed: list[str] = []

    def work() -> str:
        going_on.wait(10)
        return "an engine"

    in_a_moment(to_main)
    with within(0.1 + SOON), pytest.raises(KeyboardInterrupt):
        attended(work, unwanted=closed.append)
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
        attended(work, unwanted=closed.append)
    assert closed == [7]


def test_a_stop_leaves_work_that_does_not_ask() -> None:
    going_on = threading.Event()
    began = time.monotonic()
    with within(0.1 + SOON), pytest.raises(Interrupted):
        attended(lambda: going_on.wait(10), stop=lambda: time.monotonic() > began + 0.1)
    going_on.set()


def test_abandoned_work_hears_that_nobody_waits() -> None:
    noticed = threading.Event()

    def work() -> None:
        time.sleep(1.2)  # longer than anybody waits
        if heard():
            noticed.set()

    with pytest.raises(Interrupted):
        attended(work, stop=lambda: True)
    assert noticed.wait(3)


def test_several_interrupts_are_one() -> None:
    with hearing() as call:
        interrupt()
        interrupt()
        call.answer()


def test_when_the_first_was_of_no_use_for_seconds_the_next_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("joiner_magic.solvers.signals._IMPATIENT", 0.05)
    reached = False
    with pytest.raises(KeyboardInterrupt), hearing():
        interrupt()
        time.sleep(0.1)
        interrupt()
        reached = True
    assert not reached


def test_code_of_the_users_is_interrupted_where_it_is() -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), hearing() as call, call.raising():
        interrupt()
        reached = True
    assert not reached


def test_threads_of_their_own_hear_nothing() -> None:
    heard_there: list[bool] = []

    def background() -> None:
        with hearing() as call:
            time.sleep(0.05)
            heard_there.append(call.heard() or heard() or stop_of_this_call()())

    with hearing() as call:
        interrupt()
        thread = threading.Thread(target=background)
        thread.start()
        thread.join()
        call.answer()
    assert heard_there == [False]


def test_where_interrupts_are_ignored_they_still_are() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with hearing() as call:
            interrupt()
            assert not call.heard()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_handler_of_the_hosts_own_hears_it_too() -> None:
    told: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: told.append(number))
    try:
        with pytest.raises(KeyboardInterrupt), hearing():
            interrupt()
    finally:
        signal.signal(signal.SIGINT, before)
    assert told == [signal.SIGINT]


def test_asyncio_hears_it_too() -> None:
    async def main() -> None:
        with hearing() as call:
            interrupt()
            assert call.heard()

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())


def test_a_function_keeps_its_name_and_its_arguments() -> None:
    @interruptible
    def added(one: int, *, two: int) -> int:
        """One and two."""
        return one + two

    assert added(1, two=2) == 3
    assert (added.__name__, added.__doc__) == ("added", "One and two.")
