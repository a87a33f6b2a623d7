"""The line that says what noise allows after exact learning: its figures are right, and it is said only where it helps."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from busy import Busy
from joiner_magic import Budget, learn, load_task, read_task
from joiner_magic.generators.zendo import RULES, zendo
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
from joiner_magic.search.outcome import noise_advice as advice
from joiner_magic.search.outcome.noise_advice import is_due
from joiner_magic.search.outcome.result import NoiseAdvice
from joiner_magic.task.task import Task
from search.noisy_zendo import noisy_zendo
from search.test_suspicious import flipped
from search.test_tradeoff import BACKGROUND

EXAMPLES = Path(__file__).parents[2] / "joiner_magic" / "examples"
BACKGROUND_OF_MANY = "".join(f"wet(x{i}). warm(x{i}). dry(y{i}). cold(y{i}). " for i in range(20))
LABELS_OF_MANY = "".join(f"pos(g(x{i})). neg(g(y{i})). " for i in range(19)) + "neg(g(x19)). pos(g(y19))."


@pytest.fixture(scope="module")
def contradicted() -> Task:
    """No rule tells x19 from the positive examples, nor y19 from the negative ones."""
    return read_task(BACKGROUND_OF_MANY, LABELS_OF_MANY)


def test_without_a_solution(contradicted: Task) -> None:
    result = learn(contradicted, timeout=60)
    assert result.status == "none"
    assert result.noise_advice == NoiseAdvice(1, 2, 38, 40)
    assert str(result).splitlines()[-1] == "try          --noise: 1 rule of 2 literals gets 38 of 40 right"
    noisy = learn(contradicted, noise=True, timeout=60)
    confusion = noisy.confusion
    assert (len(noisy.rules), noisy.size, confusion.tp + confusion.tn) == (1, 2, 38)


def test_with_a_solution_that_is_far_too_large() -> None:
    task, _ = flipped(zendo(RULES["touching"], scenes=60).made().task(), 0.08, 1)
    result = learn(task, timeout=120)
    told = result.noise_advice
    assert result.solved
    assert told is not None
    assert str(result).splitlines()[-1] == f"try {told}"
    noisy = learn(task, noise=True, timeout=60)
    assert noisy.cost is not None
    assert 2 * noisy.cost < result.size
    assert told.right > max(noisy.confusion.positives, noisy.confusion.negatives)
    errors = told.examples - told.right
    assert 2 * (told.literals + errors) < result.size
    assert noisy.cost <= told.literals + errors


@pytest.mark.parametrize("name", ["family", "pyramids", "strings"])
def test_a_clean_task_gets_none(name: str) -> None:
    result = learn(load_task(EXAMPLES / name), timeout=60)
    assert result.solved
    assert result.noise_advice is None
    assert "--noise" not in str(result)


def test_a_guess_is_no_advice() -> None:
    """The cheapest hypothesis covers all: that is right as often as to call all examples positive."""
    facts = "".join(f"p(a{i}). " for i in range(9)) + "p(b). p(c)."
    labels = "".join(f"pos(f(a{i})). " for i in range(9)) + "neg(f(b)). neg(f(c))."
    task = read_task(facts, labels, "head_pred(f,1). body_pred(p,1). max_vars(1).")
    assert learn(task, noise=True, timeout=60).rules == ["f(A) :- p(A)."]
    assert learn(task, timeout=60).noise_advice is None


def test_few_examples_are_not_worth_a_rule() -> None:
    task = read_task(BACKGROUND, "pos(g(d1)). neg(g(d2)). neg(g(d5)).")
    result = learn(task, timeout=60)
    assert (result.status, result.noise_advice) == ("none", None)


def test_where_it_is_not_wanted(contradicted: Task) -> None:
    assert learn(contradicted, advise=False, timeout=60).noise_advice is None
    assert learn(contradicted, noise=False, timeout=60).noise_advice is None  # that was decided
    assert learn(contradicted, noise=True, timeout=60).noise_advice is None
    assert learn(contradicted, timeout=0).noise_advice is None


def test_the_time_is_kept() -> None:
    task, _ = flipped(zendo(RULES["touching"], scenes=60).made().task(), 0.08, 1)
    for timeout in (0.2, 1.0):
        began = time.monotonic()
        learn(task, max_vars=2, max_body=3, timeout=timeout)
        assert time.monotonic() - began < timeout + 2  # within a second, unless the machine is busy


def test_a_run_that_is_not_done_in_time_has_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried before the time is up, with the search at rest between two of its steps."""
    with Busy() as busy, Learner(noisy_zendo(), Options(max_vars=6, max_body=12)) as learner:
        seconds = busy.stretched(6)
        for moment in ("_MOMENT", "_LEAST", "_MEANWHILE"):
            monkeypatch.setattr(advice, moment, seconds)  # of its time, a share is left
        result = learner.go(Budget(seconds))
        assert not learner.finished
        assert result.noise_advice is not None
        assert 2 * result.noise_advice.right > result.noise_advice.examples
        again = learner.go(Budget(busy.stretched(0.5)))
    assert again.noise_advice is not None
    assert again.seconds > result.seconds


def test_when_a_run_tries_it() -> None:
    assert not is_due(Budget(60))
    assert is_due(Budget(0))
    assert not is_due(Budget())
    started = time.monotonic()
    budget = Budget(0.5)
    while not is_due(budget):
        assert time.monotonic() - started < 0.5
    assert budget.elapsed > 0.3


def test_it_does_not_count_as_time_of_the_run() -> None:
    task, _ = flipped(zendo(RULES["touching"], scenes=60).made().task(), 0.08, 1)
    began = time.monotonic()
    result = learn(task, timeout=120)
    assert result.seconds < time.monotonic() - began
    assert sum(result.timings.values()) <= result.seconds


def test_it_reads_well() -> None:
    assert str(NoiseAdvice(1, 5, 280, 300)) == "--noise: 1 rule of 5 literals gets 280 of 300 right"
    assert (
        str(NoiseAdvice(3, 15, 1200, 1300))
        == "--noise: 3 rules of 15 literals in all get 1,200 of 1,300 right"
    )
