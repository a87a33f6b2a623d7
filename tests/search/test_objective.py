"""What a hypothesis costs: one value decides it, and every stage follows.

Here an objective with prices for errors runs through the judge, the bounds, the combine stage,
the result and its file, and the cost is the least that an exhaustive search finds.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from joiner_magic import Budget, Result, learn, load_result, read_task, save_result
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.errors import TaskError
from joiner_magic.search.loop import Search
from joiner_magic.search.objective import EXACT, Objective, Price
from joiner_magic.search.problem import Problem
from joiner_magic.search.running.events import Improved
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.stages.test import Coverage
from search.brute_force import evaluate, least_cost
from search.learning_tasks import LearningTask, random_learning_task

OBJECTIVES = [
    Objective(1, 1),
    Objective(2, 2),
    Objective(3, 1),
    Objective(None, 2),
    Objective(2, None),
    EXACT,
]


def learnt(made: LearningTask, objective: Objective) -> tuple[Result, list[int | None]]:
    """The result, and what each hypothesis on the way cost."""
    task = read_task(made.background, made.examples, made.bias)
    costs: list[int | None] = []
    with DatalogEngine(task) as engine:
        problem = Problem.of(task, engine.name, join=False, objective=objective)
        source = AspSource(task.bias, splittable=True, fragments=False)
        search = Search(problem, source, Coverage(engine), Budget())
        for event in search.run():
            if isinstance(event, Improved):
                assert event.solution == (event.hypothesis.cost is not None)
                costs.append(event.hypothesis.cost)
        return search.result(), costs


@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
@pytest.mark.parametrize("seed", range(50))
def test_the_cost_is_the_least(seed: int, objective: Objective) -> None:
    made = random_learning_task(Random(seed))
    result, costs = learnt(made, objective)
    told = f"{result}\n{made}"
    best = least_cost(made, objective.missed, objective.wrong)
    learnt_nothing = objective.cost_without_rules(len(made.pos))
    assert (learnt_nothing if result.cost is None else result.cost) == best, told
    assert result.status == ("none" if result.hypothesis is None or best is None else "optimal"), told
    allowed = [cost for cost in costs if cost is not None]
    assert allowed == sorted(allowed, reverse=True), told
    if result.hypothesis is not None and best is not None:
        pos, neg = evaluate(made, result.hypothesis)
        confusion = result.confusion
        assert (confusion.tp, confusion.fp) == (pos.bit_count(), neg.bit_count()), told
        assert best == objective.cost(result.size, confusion.fn, confusion.fp), told
        assert allowed[-1] == best, told


def test_both_kinds_of_errors_are_made() -> None:
    """Otherwise the comparison above would say little."""
    results = [learnt(random_learning_task(Random(seed)), Objective(2, 1))[0] for seed in range(30)]
    assert any(result.confusion.fn and result.hypothesis for result in results)
    assert any(result.confusion.fp for result in results)
    assert any(not result.confusion.fn and not result.confusion.fp for result in results)


def test_a_result_with_errors_is_stored(tmp_path: Path) -> None:
    results = (learnt(random_learning_task(Random(seed)), Objective(2, 1))[0] for seed in range(30))
    result = next(result for result in results if result.confusion.fp)
    save_result(result, tmp_path / "result.json")
    again = load_result(tmp_path / "result.json")
    assert (again.objective, again.cost, again.status) == (Objective(2, 1), result.cost, "optimal")


def test_exact_learning_is_the_objective_without_errors() -> None:
    assert EXACT.cost(7, 0, 0) == 7
    assert EXACT.cost(7, 1, 0) is None
    assert EXACT.cost(7, 0, 1) is None
    assert EXACT.cost_without_rules(3) is None
    assert not EXACT.allows(0b10)
    assert Objective(1, 1).allows(0b10)
    assert Objective(2, 3).cost(7, 2, 1) == 7 + 4 + 3
    assert Objective(2, None).cost(7, 2, 1) is None
    assert Objective(Fraction(1, 2), 3).cost(7, 2, 1) == 7 + 1 + 3


@pytest.mark.parametrize(
    ("prices", "weight"),
    [
        ({"missed": Fraction(1, 10**30), "wrong": 1}, "1"),
        ({"missed": Fraction(10**6 - 1, 10**19 + 9)}, "1"),
        ({"noise": True}, "9223372036854775807"),  # the sum of all prices would be negative in 64 bits
        ({"noise": True}, "1e30"),
        ({"noise": True}, "0.1234567890123456789012345"),
        ({"wrong": 1}, "999999999999999999"),
    ],
)
def test_what_cannot_be_added_up_is_refused(prices: dict[str, Any], weight: str) -> None:
    labels = f"pos(f(a), {weight}). pos(f(b)). neg(f(c)). neg(f(d), {weight})."
    task = read_task("red(a). red(b). blue(c). blue(d).", labels)
    with pytest.raises(TaskError, match="too many digits to be added up exactly"):
        learn(task, **prices, timeout=10)
    assert learn(task, timeout=10).optimal  # where errors are not allowed, weights do not count


def test_an_error_that_is_not_allowed_costs_more_than_to_do_without_it() -> None:
    weights: list[Price] = [Fraction(1, 3), 2, 5]
    only_missed = Objective(missed=Fraction(3, 2)).price_list(weights, [1, 7])
    assert only_missed is not None
    assert (only_missed.literal, only_missed.missed) == (2, (1, 6, 15))
    assert all(price > only_missed.gain(0b111) for price in only_missed.wrong)
    only_wrong = Objective(wrong=1).price_list([1, 7], weights)
    assert only_wrong is not None
    assert (only_wrong.literal, only_wrong.wrong) == (3, (1, 6, 15))
    rule = 1_000 * only_wrong.literal  # that covers one more, and all negative examples
    assert all(price > rule + sum(only_wrong.wrong) for price in only_wrong.missed)
