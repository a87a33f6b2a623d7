"""Where errors have a price, runs keep their limits, and can be interrupted and resumed, as all others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from busy import Busy, within
from conftest import ROOT
from joiner_magic import Budget, learn
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
from joiner_magic.solvers.cheapest_rules import CheapestRules
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.rule_groups import Prices, RuleCost
from joiner_magic.task.task import Task
from search.noisy_zendo import hard_closure, hard_linear_program, hard_local_search, noisy_zendo
from search.priced_tasks import DEAR, PricedTask
from search.test_resume import Questions, assert_same

PROGRAM = Path(__file__).with_name("interrupted_noisy_run.py")
SOON = 1.0  # seconds
WAYS: dict[str, dict[str, Any]] = {
    "native": {"source": "auto"},
    "two threads": {"source": "auto", "jobs": 2},
    "asp": {"source": "asp"},
}


@cache
def large() -> Task:
    task = noisy_zendo()
    assert len(task.examples.pos) + len(task.examples.neg) > 200
    return task


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(10))
def test_a_paused_run_is_the_same_run(seed: int, way: str) -> None:
    priced = PricedTask.random(Random(f"resumed {seed}"), DEAR, recursion=seed % 4 == 0, flipped=True)

    def budgets() -> Iterator[Budget]:
        rng = Random(seed)
        while True:
            yield Questions(rng.choice([2, 3, 10]))

    prices = {name: price for name, price in priced.prices.items() if price is not None}
    assert_same(priced.task(), {**WAYS[way], **prices}, budgets)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seconds", [0.2, 0.7, 2.0])
def test_a_timeout_is_kept(seconds: float, way: str) -> None:
    """At moments when different stages are at work."""
    task = noisy_zendo(1_000)
    with within(seconds + SOON):
        result = learn(task, noise=True, timeout=seconds, advise=False, **WAYS[way])
    assert result.status in ("best", "none")
    assert "the time was up" in result.why


def stop_after(seconds: float) -> Stop:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


@pytest.mark.parametrize("work", [hard_linear_program, hard_closure, hard_local_search])
@pytest.mark.parametrize("seconds", [0.2, 1.5])
def test_long_work_is_stopped_soon(seconds: float, work: Callable[[Stop], None]) -> None:
    with within(seconds + SOON), pytest.raises(Interrupted):
        work(stop_after(seconds))


def test_nothing_is_prepared_for_long_without_asking() -> None:
    """As many rules as a closure may have: the linear program asks from the beginning."""
    examples = 300
    rng = Random(1)
    rules = [RuleCost(5, rng.getrandbits(examples), rng.getrandbits(examples)) for _ in range(20_000)]
    prices = Prices([1] * examples, [1] * examples)
    with within(0.2 + SOON), pytest.raises(Interrupted):
        CheapestRules(rules, prices, stop_after(0.2))


def test_a_hypothesis_comes_within_a_second() -> None:
    task = large()
    with Busy() as busy:
        result = learn(task, noise=True, timeout=busy.stretched(2), advise=False)
        assert result.first_solution_seconds is not None
        assert result.first_solution_seconds < busy.stretched(SOON)


def test_the_memory_is_respected() -> None:
    result = learn(noisy_zendo(2_500), noise=True, memory=1, timeout=20, advise=False)
    assert result.status in ("best", "none")
    assert "memory" in result.why


def test_a_run_with_prices_goes_on_after_its_timeout() -> None:
    with Learner(large(), Options(noise=True, advise=False)) as learner:
        first = learner.go(Budget(0.3))
        second = learner.go(Budget(2.0))
    assert second.cost is not None
    assert first.cost is None or second.cost <= first.cost
    assert second.seconds > first.seconds


@pytest.mark.skipif(sys.platform == "win32", reason="another process cannot be sent Ctrl-C alone")
@pytest.mark.parametrize("work", ["linear program", "closure", "local search"])
def test_an_interrupt_is_heard_inside(work: str) -> None:
    command = [sys.executable, str(PROGRAM), work]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    with (
        Busy() as busy,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process,
    ):
        assert process.stdout is not None
        assert process.stdout.readline() == "inside\n"
        time.sleep(0.5)
        sent = time.time()
        os.kill(process.pid, signal.SIGINT)
        result = json.loads(process.stdout.read())
        assert result["at"] - sent < busy.stretched(SOON)
    assert result["status"] == "best"
    assert "the run was interrupted" in result["why"]
    assert result["rules"]


@pytest.mark.parametrize("seed", range(60))
def test_the_bound_of_fractions_is_never_above_the_optimum(seed: int) -> None:
    """Prices and weights that are fractions, brought to one unit; with no time for rounds, and with all of it."""
    rng = Random(seed)
    missed = [_fraction(rng) for _ in range(7)]
    wrong = [_fraction(rng) for _ in range(6)]
    unit = 60  # a multiple of all denominators
    prices = Prices([int(price * unit) for price in missed], [int(price * unit) for price in wrong])
    rules = [
        RuleCost(rng.randint(1, 4) * unit, rng.getrandbits(7), rng.getrandbits(6) & rng.getrandbits(6))
        for _ in range(rng.randint(1, 8))
    ]
    least = min(
        _cost(missed, wrong, unit, [rules[number] for number in range(len(rules)) if chosen >> number & 1])
        for chosen in range(1 << len(rules))
    )
    nothing = prices.cost(())
    for rounds, nodes in ((1, 0), (2, 0), (200, 0), (200, 200)):
        proof = CheapestRules(rules, prices).solve(nothing, most_rounds=rounds, most_nodes=nodes)
        assert Fraction(proof.bound, unit) <= least <= Fraction(proof.cost, unit)
    assert proof.is_optimal


def _fraction(rng: Random) -> Fraction:
    """A price times a weight."""
    price = Fraction(rng.choice(["1/2", "2/3", "1", "7/2"]))
    return price * Fraction(rng.choice(["1", "1", "2", "0.5", "1/5"]))


def _cost(missed: list[Fraction], wrong: list[Fraction], unit: int, rules: list[RuleCost]) -> Fraction:
    """What rules cost together, counted example by example."""
    cost = sum((Fraction(rule.size, unit) for rule in rules), Fraction(0))
    cost += sum(price for e, price in enumerate(missed) if not any(rule.pos >> e & 1 for rule in rules))
    cost += sum(price for n, price in enumerate(wrong) if any(rule.neg >> n & 1 for rule in rules))
    return cost
