"""A run ends when it is told to, and gives the best that it has."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, cast

import pytest

from busy import within
from conftest import ROOT
from joiner_magic import Budget, Program, Result, learn, load_task, read_program, read_task
from joiner_magic.logic.programs import Evaluation
from joiner_magic.search import loop
from joiner_magic.search.problem import Problem
from joiner_magic.search.running.events import Event, Finished, Improved, SizeStarted
from joiner_magic.search.stages.combine import Combiner
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.solvers.interrupt import never

if TYPE_CHECKING:
    from joiner_magic.search.stages.test import Coverage

PYRAMIDS = load_task(ROOT / "joiner_magic" / "examples" / "pyramids")
# There is a solution at once, and the rest takes minutes.
LONG: dict[str, Any] = {"source": "asp", "join": False, "max_vars": 6, "max_body": 10}
SOON = 0.9  # seconds; 0.2 on a machine that has nothing else to do
TIMES = (1.0, 3.0, 9.0, 27.0)  # seconds; there is a solution in the first, unless the machine is very busy


def test_a_deadline() -> None:
    budget = Budget(0.05)
    assert not budget.stop()
    time.sleep(0.06)
    assert budget.stop()
    assert budget.remaining == 0
    assert budget.elapsed >= 0.05
    assert not budget.cancelled


def test_without_a_deadline_only_cancelling_ends_it() -> None:
    budget = Budget()
    assert budget.remaining is None
    assert not budget.stop()
    budget.cancel()
    assert budget.stop()
    assert budget.cancelled


def test_a_slice_is_never_longer_and_is_cancelled_with_the_whole() -> None:
    whole = Budget(10)
    part, rest = whole.slice(1), whole.slice(100)
    assert part.remaining is not None
    assert rest.remaining is not None
    assert part.remaining <= 1
    assert rest.remaining <= 10
    whole.cancel()
    assert part.stop()
    assert rest.cancelled


def test_no_time_at_all() -> None:
    result = learn(PYRAMIDS, timeout=0)
    assert (result.status, result.hypothesis, result.counts["tested"]) == ("none", None, 0)
    assert "the time was up" in result.why
    assert result.shortfall
    assert not result.shortfall.exhausted
    assert len(result.shortfall.uncovered) == 12


def assert_best_so_far(result: Result) -> None:
    assert (result.status, result.confusion.fn, result.confusion.fp) == ("best", 0, 0)
    assert result.bound is not None
    assert result.bound <= result.size
    assert f"at least {result.bound} literals" in str(result)


def test_a_timeout_gives_the_best_so_far() -> None:
    for seconds in TIMES:
        with within(seconds + SOON):
            result = learn(PYRAMIDS, timeout=seconds, **LONG)
        if result.solved:
            break
    assert_best_so_far(result)
    assert "the time was up" in str(result)


@pytest.mark.parametrize("seconds", [0.05, 0.5, 1.0, 2.5])
def test_cancelling_from_another_thread(seconds: float) -> None:
    """At moments when different stages are at work."""
    budget = Budget()
    timer = threading.Timer(seconds, budget.cancel)
    timer.start()
    with within(seconds + SOON):
        result = learn(PYRAMIDS, budget=budget, **LONG)
    assert result.status in ("best", "none")
    assert "the run was cancelled" in result.why


def test_a_cancelled_budget_starts_nothing() -> None:
    budget = Budget()
    budget.cancel()
    events: list[Event] = []
    result = learn(PYRAMIDS, budget=budget, listeners=[events.append])
    assert (result.status, result.counts["tested"]) == ("none", 0)
    assert isinstance(events[-1], Finished)


def test_a_keyboard_interrupt_gives_the_best_so_far() -> None:
    def interrupt(event: Event) -> None:
        if isinstance(event, Improved) and event.solution:
            raise KeyboardInterrupt

    result = learn(PYRAMIDS, listeners=[interrupt], **LONG)
    assert (result.status, result.confusion.fn, result.confusion.fp) == ("best", 0, 0)
    assert "the run was interrupted" in result.why


def test_a_keyboard_interrupt_before_anything_was_found() -> None:
    def interrupt(event: Event) -> None:
        if isinstance(event, SizeStarted):
            raise KeyboardInterrupt

    result = learn(PYRAMIDS, listeners=[interrupt])
    assert (result.status, result.hypothesis) == ("none", None)
    assert "the run was interrupted" in result.why


@pytest.mark.prolog
def test_the_prolog_engine_is_stopped_too() -> None:
    endless = read_task("p(a). p(b). slow(X) :- between(1,inf,Y), Y < 0, p(X).", "pos(f(a)). neg(f(b)).")
    with within(4):
        result = learn(endless, engine="prolog", timeout=1)
    assert result.status == "none"


class Unfinished:
    """Whatever is asked as a whole runs into the limit of its evaluation."""

    def of_hypothesis(self, program: Program) -> Evaluation:
        return Evaluation(0, 0, complete=False)


def test_a_union_that_runs_into_the_limit_is_given_up() -> None:
    """Its parts did not; it must not be tried for ever."""
    problem = Problem.of(PYRAMIDS, "datalog")
    parts = Parts(problem.positives)
    parts.add(Part(Problem.alone(read_program("follows(A) :- has(A, B).")), 2, problem.everything))
    combine = Combiner(problem, cast("Coverage", Unfinished()), parts)
    combine.improve(never)
    assert combine.solution is None
    assert combine.unknown is not None


def test_a_low_limit_on_work_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop.Search, "_come_back", lambda search: False)
    result = learn(PYRAMIDS, limit=60, advise=False)
    assert (result.status, result.source) == ("unverified", "asp, because the work per program is limited")
    assert result.counts["unfinished"] > 0
