"""A run that is paused, however often and wherever, is the same run."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from busy import Busy, within
from conftest import ROOT, field_task
from joiner_magic import Budget, Result, load_task, read_task
from joiner_magic.errors import TaskError
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
from joiner_magic.search.running.events import Event, Finished, Improved, SizeFinished, Started
from joiner_magic.task.task import Task
from search.learning_tasks import random_learning_task
from search.mining_shapes import wide_texts

EXAMPLES = ROOT / "joiner_magic" / "examples"
WAYS: dict[str, dict[str, Any]] = {
    "native": {"source": "auto"},
    "two threads": {"source": "auto", "jobs": 2},
    "asp": {"source": "asp"},
    "whole rules": {"join": False},
    "every rule": {"every_rule": True},
}


class Questions(Budget):
    """Used up when it has been asked so many times."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._left = number

    def stop(self) -> bool:
        self._left -= 1
        return self._left <= 0


def without_clock(event: Event) -> Event:
    if isinstance(event, Improved):
        return replace(event, seconds=0.0)
    if isinstance(event, SizeFinished):
        return replace(event, timings={})
    return event


def run(
    task: Task, options: dict[str, Any], budgets: Iterator[Budget]
) -> tuple[Result, list[Event], list[Result]]:
    """The result, what was told on the way, and the results of all goes."""
    events: list[Event] = []
    results: list[Result] = []
    with Learner(task, Options(**options, advise=False)) as learner:
        for budget in budgets:
            results.append(learner.go(budget, [events.append]))
            last = events.pop()
            assert last == Finished(results[-1])
            if learner.finished:
                break
        assert learner.finished
    assert not any(isinstance(event, Finished) for event in events)
    return results[-1], [without_clock(event) for event in events], results


def assert_same(task: Task, options: dict[str, Any], budgets: Callable[[], Iterator[Budget]]) -> list[Result]:
    whole, told, _ = run(task, options, iter([Budget()]))
    paused, told_too, results = run(task, options, budgets())
    assert told_too == told
    assert (paused.status, paused.why, paused.rules) == (whole.status, whole.why, whole.rules)
    assert (paused.counts, paused.confusion) == (whole.counts, whole.confusion)
    for before, after in pairwise(results):
        assert before.seconds <= after.seconds
        assert before.counts["tested"] <= after.counts["tested"]
        assert before.confusion.tp <= after.confusion.tp
    return results


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(30))
def test_random_tasks(seed: int, way: str) -> None:
    made = random_learning_task(Random(seed), recursion=seed % 3 == 0)
    task = read_task(made.background, made.examples, made.bias)

    def budgets() -> Iterator[Budget]:
        rng = Random(seed)
        while True:
            yield Questions(rng.choice([2, 2, 3, 10]))

    assert_same(task, WAYS[way], budgets)


@pytest.mark.prolog
@pytest.mark.parametrize("seed", range(5))
def test_random_tasks_on_prolog(seed: int) -> None:
    made = random_learning_task(Random(seed), recursion=seed % 3 == 0)
    task = read_task(made.background, made.examples, made.bias)

    def budgets() -> Iterator[Budget]:
        while True:
            yield Questions(4)

    assert_same(task, {"engine": "prolog"}, budgets)


@pytest.mark.parametrize(
    ("folder", "options", "moment"),
    [
        pytest.param("zendo3", {}, 0.03, id="zendo3"),
        pytest.param("zendo3", {"jobs": 2}, 0.03, id="zendo3, two threads"),
        pytest.param("iggp-coins", {}, 0.03, id="iggp-coins"),
        pytest.param(EXAMPLES / "strings", {}, 0.005, id="strings"),
        pytest.param(EXAMPLES / "pyramids", {"source": "asp"}, 0.03, id="pyramids, asp"),
        pytest.param(
            EXAMPLES / "pyramids", {"engine": "prolog"}, 0.03, id="Prolog", marks=pytest.mark.prolog
        ),
    ],
)
def test_many_moments_make_one_run(folder: str | Path, options: dict[str, Any], moment: float) -> None:
    task = load_task(folder if isinstance(folder, Path) else field_task(folder))

    def budgets() -> Iterator[Budget]:
        # They grow: what the engine is asked in one call, or a new worker, may take longer than the first ones.
        for number in count():
            yield Budget(moment * 1.2**number)

    results = assert_same(task, options, budgets)
    assert len(results) > 2
    assert all("the time was up" in result.why for result in results[:-1] if result.status != "optimal")


WIDE = read_task(*wide_texts(Random(0), max_vars=7, max_body=8))
HARD: dict[str, Any] = {"source": "asp", "join": False, "max_vars": 6, "max_body": 10}


def test_time_is_that_of_work() -> None:
    task = load_task(EXAMPLES / "pyramids")
    began = time.monotonic()
    with Learner(task, Options(**HARD)) as learner:
        first, given = learner.go(Budget(1.0)), 1.0
        while first.status == "none":  # on a busy machine
            first, given = learner.go(Budget(1.0)), given + 1.0
        left = time.monotonic()
        time.sleep(1.0)
        returned = time.monotonic()
        events: list[Event] = []
        second = learner.go(Budget(0.5), [events.append])
        worked = time.monotonic() - returned + left - began
    assert first.status == second.status == "best"
    assert second.first_solution_seconds == first.first_solution_seconds
    assert given + 0.5 <= second.seconds <= worked  # the budgets were used up
    # Grounding comes before the first stage, and takes its time where other work is done.
    assert second.seconds / 5 < sum(second.timings.values()) <= second.seconds
    assert not any(isinstance(event, Started) for event in events)


def test_the_stage_that_is_left_in_the_middle_has_its_time() -> None:
    with Learner(WIDE, Options(source="native", advise=False)) as learner:
        result = learner.go(Budget(0.7))
    assert sum(result.timings.values()) > 0.5 * result.seconds


def test_why_a_run_rests() -> None:
    cancelled = Budget()
    cancelled.cancel()

    def interrupt(event: Event) -> None:
        if not isinstance(event, Finished):
            raise KeyboardInterrupt

    with Learner(WIDE, Options(advise=False)) as learner:
        assert "the time was up" in learner.go(Budget(0.05)).why
        assert "the run was cancelled" in learner.go(cancelled).why
        assert "the run was interrupted" in learner.go(Budget(5), [interrupt]).why
        assert not learner.finished


def test_a_finished_run_gives_its_result_again() -> None:
    with Learner(load_task(EXAMPLES / "family"), Options()) as learner:
        result = learner.go(Budget())
        events: list[Event] = []
        assert learner.finished
        assert learner.go(Budget(), [events.append]) is result
        assert events == [Finished(result)]


def test_without_memory_a_run_cannot_go_on() -> None:
    with Learner(WIDE, Options(source="native", memory=1, advise=False)) as learner:
        assert "memory" in learner.go(Budget()).why
        assert not learner.finished
        with pytest.raises(TaskError, match="cannot go on: the memory"):
            learner.go(Budget())


def test_a_listener_that_fails_loses_nothing_but_that_event() -> None:
    task = load_task(EXAMPLES / "pyramids")

    def fail(event: Event) -> None:
        if isinstance(event, Improved):
            raise ZeroDivisionError

    with Learner(task, Options()) as learner:
        with pytest.raises(ZeroDivisionError):
            learner.go(Budget(), [fail])
        assert learner.go(Budget()).status == "optimal"


@pytest.fixture(autouse=True)
def others() -> set[threading.Thread]:
    """Threads that other tests have left."""
    _OTHERS.clear()
    _OTHERS.update(threading.enumerate())
    return _OTHERS


_OTHERS: set[threading.Thread] = set()


def running() -> set[str]:
    new = set(threading.enumerate()) - _OTHERS
    return {thread.name for thread in new if thread.name.startswith("joiner")}


def ended_with(learner: Learner) -> bool:
    """Whether all that works for it has ended a second after it was closed."""
    with Busy() as busy:
        began = time.monotonic()
        learner.close()
        while running() and time.monotonic() < began + busy.stretched(1):
            time.sleep(0.02)
        return not running() and time.monotonic() < began + busy.stretched(1)


@pytest.mark.parametrize("options", [HARD, {"source": "native", "jobs": 2}, {"source": "asp"}], ids=str)
@pytest.mark.parametrize("seconds", [0.0, 0.3])
def test_closing_a_run_that_rests(options: dict[str, Any], seconds: float) -> None:
    learner = Learner(WIDE, Options(**options))
    learner.go(Budget(seconds))
    assert running()
    assert ended_with(learner)
    learner.close()
    with pytest.raises(ValueError, match="closed"):
        learner.go(Budget())


def test_a_run_that_nobody_holds_ends() -> None:
    learner = Learner(WIDE, Options())
    learner.go(Budget(0.3))
    assert running()
    del learner
    gc.collect()
    assert not running()


PROGRAM = """
import sys
from joiner_magic import Budget, load_task
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
options = Options(source=sys.argv[2], max_vars=6, max_body=10, join=False)
kept = Learner(load_task(sys.argv[1]), options)
print(kept.go(Budget(0.5)).seconds, flush=True)
"""


@pytest.mark.parametrize("source", ["asp", "native"])
def test_a_process_ends_although_a_run_rests(source: str) -> None:
    command = [sys.executable, "-c", PROGRAM, str(EXAMPLES / "pyramids"), source]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        with within(2):
            _, complaints = process.communicate(timeout=30)
    assert (process.returncode, complaints) == (0, "")


def test_closing_from_another_thread_ends_a_run_at_work() -> None:
    learner = Learner(WIDE, Options(advise=False))
    threading.Timer(0.3, learner.close).start()
    with within(1.5):
        result = learner.go(Budget(30))
    assert "cancelled" in result.why


def test_closing_between_two_steps_is_said_to_be_that() -> None:
    learner = Learner(WIDE, Options(advise=False))
    result = learner.go(Budget(30), [lambda event: None if isinstance(event, Finished) else learner.close()])
    assert "cancelled" in result.why


@pytest.mark.prolog
def test_no_worker_is_left() -> None:
    task = read_task("p(a). p(b). slow(X) :- between(1,inf,Y), Y < 0, p(X).", "pos(f(a)). neg(f(b)).")
    learner = Learner(task, Options(engine="prolog", advise=False))
    while not learner.prepared:
        learner.go(Budget(0.1))
    learner.close()
    engine: Any = learner._work.engines[0]
    assert engine._worker is None
    assert not running()


@pytest.mark.prolog
def test_no_worker_is_left_by_a_run_that_was_never_prepared() -> None:
    task = read_task("p(a). p(b).", "pos(f(a)). neg(f(b)).")
    learner = Learner(task, Options(engine="prolog", advise=False))
    result = learner.go(Budget(0))
    assert (result.status, result.why) == ("none", "the time was up before the search began")
    assert not learner.prepared
    assert ended_with(learner)
    workers = subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", "prolog.worker"], capture_output=True)
    assert not workers.stdout
