"""Work and its reader take turns, and the work sleeps where it was stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Sequence

import pytest

from joiner_magic import Program, read_program
from joiner_magic.engines.protocol import Cancelled
from joiner_magic.logic.programs import Evaluation
from joiner_magic.search.running.pausable import PausableIterator
from joiner_magic.search.stages.test import RetryingTester
from joiner_magic.solvers.interrupt import Interrupted, never


def always() -> bool:
    return True


class Counting:
    """Gives the numbers from 1, asking three times on the way to each; notes what it does."""

    def __init__(self, most: int = 3) -> None:
        self.strand: PausableIterator[int] = PausableIterator()
        self.most = most
        self.done: list[str] = []
        self.strand.start(self.steps())

    def steps(self) -> Generator[int, None, None]:
        try:
            for number in range(1, self.most + 1):
                for question in "abc":
                    if self.strand.stop():
                        raise Interrupted
                    self.done.append(f"{number}{question}")
                yield number
        except Interrupted:
            self.done.append("sent home")
        finally:
            self.done.append("over")

    def end(self) -> None:
        self.strand.close()
        assert self.strand.join(5)


def test_steps_come_one_by_one_and_nothing_is_done_ahead() -> None:
    counting = Counting()
    assert counting.done == []
    assert counting.strand.next(never) == 1
    assert counting.done == ["1a", "1b", "1c"]
    assert [counting.strand.next(never) for _ in range(4)] == [2, 3, None, None]
    assert counting.strand.ended
    counting.end()


def test_work_that_rests_goes_on_where_it_was() -> None:
    counting = Counting(most=2)
    answers = iter([False, True])
    with pytest.raises(Interrupted):
        counting.strand.next(lambda: next(answers))
    assert counting.done == ["1a"]
    with pytest.raises(Interrupted):
        counting.strand.next(always)
    assert counting.done == ["1a"]
    assert counting.strand.next(never) == 1
    assert counting.done == ["1a", "1b", "1c"]
    counting.end()


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_closing_ends_the_work_between_steps(turns: int) -> None:
    counting = Counting()
    for _ in range(turns):
        counting.strand.next(never)
    counting.end()
    assert counting.done[3 * turns :] == (["over"] if turns else [])
    assert counting.strand.ended


def test_closing_ends_the_work_in_the_middle_of_a_step() -> None:
    counting = Counting()
    with pytest.raises(Interrupted):
        counting.strand.next(always)
    counting.end()
    assert counting.done == ["sent home", "over"]


def test_a_step_is_not_lost_when_the_reader_is_torn_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A keyboard interrupt in `next` may come when the step is about to be made."""
    counting = Counting()

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(counting.strand, "_wait", interrupt)
        with pytest.raises(KeyboardInterrupt):
            counting.strand.next(never)
    while len(counting.done) < 3:  # it is at work, and nobody waits for it
        time.sleep(0.01)
    counting.strand.rest()
    assert [counting.strand.next(never) for _ in range(4)] == [1, 2, 3, None]
    counting.end()


def test_an_error_is_raised_at_the_reader() -> None:
    def failing() -> Generator[int, None, None]:
        yield 1
        raise ZeroDivisionError

    strand: PausableIterator[int] = PausableIterator()
    strand.start(failing())
    assert strand.next(never) == 1
    with pytest.raises(ZeroDivisionError):
        strand.next(never)
    assert strand.ended
    assert strand.join(5)


def test_the_work_has_a_thread_of_its_own_and_the_reader_waits() -> None:
    threads: list[str] = []

    def steps() -> Generator[int, None, None]:
        threads.append(threading.current_thread().name)
        yield 1

    strand: PausableIterator[int] = PausableIterator()
    strand.start(steps())
    assert strand.next(never) == 1
    assert threads == ["joiner-search"]
    strand.close()
    assert strand.join(5)


class Slow:
    """Is cancelled whenever it is asked for more than so many programs at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.calls: list[int] = []

    def evaluate(
        self, programs: Sequence[Program], *, limit: int | None = None, lazy: bool = False
    ) -> list[Evaluation]:
        self.calls.append(len(programs))
        if len(programs) > self._most:
            raise Cancelled
        return [Evaluation(program.size, 0) for program in programs]


PROGRAMS = [read_program("f(A) :- " + ", ".join(f"p{i}(A)" for i in range(n)) + ".") for n in range(1, 12)]


@pytest.mark.parametrize("most", [1, 2, 5, 11])
def test_calls_that_are_cancelled_are_made_again_in_halves(most: int) -> None:
    slow = Slow(most)
    evaluations = RetryingTester(slow, never).evaluate(PROGRAMS)
    assert [evaluation.pos for evaluation in evaluations] == [program.size for program in PROGRAMS]
    assert sum(number for number in slow.calls if number <= most) == len(PROGRAMS)


def test_a_cancelled_call_of_work_that_is_to_stop_is_not_made_again() -> None:
    slow = Slow(1)
    with pytest.raises(Interrupted):
        RetryingTester(slow, always).evaluate(PROGRAMS)
    assert slow.calls == [len(PROGRAMS)]
