"""Errors that have a price: the cheapest hypothesis, against an exhaustive search of the space with its joined rules."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from joiner_magic import Result, learn, load_result, read_task, save_result
from joiner_magic.errors import TaskError
from joiner_magic.search.objective import EXACT, Objective
from joiner_magic.solvers.cheapest_rules import CheapestRules
from joiner_magic.solvers.rule_groups import Prices, RuleCost
from search.brute_force import evaluate, least_cost, optimum
from search.learning_tasks import LearningTask, random_learning_task
from search.priced_tasks import PricedTask


@cache
def compared(seed: int, source: str) -> tuple[LearningTask, Result, Fraction | int | None]:
    """A random task with random prices and weights, its result, and the least cost."""
    priced = PricedTask.random(Random(seed))
    made, missed, wrong = priced.made, priced.missed, priced.wrong
    result = learn(priced.task(), **priced.prices, source=source, timeout=60)
    return made, result, least_cost(made, missed, wrong, join=True, weights=priced.weights)


@pytest.mark.parametrize("source", ["auto", "asp"])
@pytest.mark.parametrize("seed", range(150))
def test_no_hypothesis_is_cheaper(seed: int, source: str) -> None:
    made, result, least = compared(seed, source)
    told = f"{result}\n{made}\n{least}"
    assert least is not None, told
    if result.hypothesis is None:
        missed = result.objective.missed or 0
        nothing = sum(result.task.examples.pos_weights) * missed
        assert nothing == least, told
        assert result.status == "none", told
        return
    assert result.cost is not None, told
    assert result.cost >= least, told
    if result.status == "optimal":
        assert result.cost == least, told
    elif result.bound is not None:
        assert result.bound <= least, told
    pos, neg = evaluate(made, result.hypothesis)
    assert (result.confusion.tp, result.confusion.fp) == (pos.bit_count(), neg.bit_count()), told


@pytest.mark.parametrize("source", ["auto", "asp"])
def test_nearly_all_of_them_are_proven(source: str) -> None:
    results = [compared(seed, source)[1] for seed in range(150)]
    learnt = [result for result in results if result.hypothesis is not None]
    assert len(learnt) > 60
    proven = [result for result in learnt if result.optimal]
    assert len(proven) >= 0.95 * len(learnt), [str(result) for result in learnt if not result.optimal]
    assert any(result.confusion.fn for result in learnt)
    assert any(result.confusion.fp for result in learnt)
    assert any(len(result.rules) > 1 for result in learnt)


@pytest.mark.parametrize("seed", range(25))
def test_dear_errors_are_not_made(seed: int) -> None:
    """With prices above the size of a smallest solution, the answer has that size and no errors."""
    made = random_learning_task(Random(seed))
    size = optimum(made)
    if size is None:
        pytest.skip("there is no exact solution")
    task = read_task(made.background, made.examples, made.bias)
    result = learn(task, missed=size + 1, wrong=size + 1, timeout=60)
    assert (result.size, result.confusion.fn, result.confusion.fp) == (size, 0, 0), f"{result}\n{made}"


@pytest.mark.parametrize("seed", range(100))
def test_the_linear_program_against_all_sets_of_rules(seed: int) -> None:
    rng = Random(seed)
    prices = Prices([rng.randint(1, 3) for _ in range(7)], [rng.randint(1, 3) for _ in range(6)])
    rules = [
        RuleCost(rng.randint(1, 4), rng.getrandbits(7), rng.getrandbits(6) & rng.getrandbits(6))
        for _ in range(rng.randint(0, 8))
    ]
    least = min(
        prices.cost(rules[number] for number in range(len(rules)) if chosen >> number & 1)
        for chosen in range(1 << len(rules))
    )
    nothing = prices.cost(())
    proof = CheapestRules(rules, prices).solve(nothing)
    assert proof.bound <= least <= proof.cost
    assert proof.is_optimal
    if proof.chosen is not None:
        assert prices.cost(rules[number] for number in proof.chosen) == proof.cost
    # Rules that are left out: the bound holds for all of them if none is worth more than its size.
    some = rules[: len(rules) // 2]
    program = CheapestRules(some, prices)
    fewer = program.solve(nothing, most_nodes=0)
    worth = program.worth(fewer.duals, 1 << 12)
    left_out = rules[len(some) :]
    gains = [
        sum(worth[example] for example in range(7) if rule.pos >> example & 1) - (rule.size << 12)
        for rule in left_out
    ]
    if all(gain <= 0 for gain in gains):
        assert fewer.bound <= least


FACTS = "edge(a,b). edge(b,c). edge(c,d). edge(d,a). red(a). red(c). blue(b). blue(d). big(a). big(b)."
NOISY = "pos(f(a)). pos(f(c)). pos(f(d)). neg(f(b)). neg(f(a)). neg(f(d))."


def test_an_atom_may_be_positive_and_negative_where_errors_have_a_price() -> None:
    with pytest.raises(TaskError, match="neg here but pos"):
        read_task(FACTS, NOISY)
    task = read_task(FACTS, NOISY, noise=True)
    with pytest.raises(TaskError, match="neg here but pos"):
        learn(task)
    assert learn(task, noise=True).task.examples == task.examples
    assert learn(
        read_task(FACTS, NOISY + " pos(f(c),9).", "head_pred(f,1). body_pred(red,1). noisy."), timeout=9
    ).rules


@pytest.mark.parametrize(
    ("options", "objective"),
    [
        ({}, EXACT),
        ({"noise": True}, Objective(1, 1)),
        ({"noise": False}, EXACT),
        ({"noise": "balanced"}, Objective(Fraction(4, 3), Fraction(4, 5))),
        ({"missed": 2}, Objective(2, None)),
        ({"noise": True, "wrong": Fraction(1, 3)}, Objective(1, Fraction(1, 3))),
    ],
)
def test_what_the_options_ask_for(options: dict[str, Any], objective: Objective) -> None:
    examples = "pos(f(a)). pos(f(c), 2). neg(f(b), 4). neg(f(d))."
    task = read_task(FACTS, examples, "head_pred(f,1). body_pred(red,1). body_pred(big,1).")
    assert learn(task, **options).objective == objective


@pytest.mark.parametrize("wrong", [0, -1, 0.5, "1", True, 10**9])
def test_a_price_is_exact_and_above_zero(wrong: object) -> None:
    task = read_task(FACTS, "pos(f(a)). neg(f(b)).")
    with pytest.raises(TaskError, match="missed"):
        learn(task, missed=wrong)


def test_a_result_with_prices_is_stored(tmp_path: Any) -> None:
    examples = "pos(f(a),5). pos(f(c),1/3). neg(f(b)). neg(f(d))."
    task = read_task(FACTS, examples, "head_pred(f,1). body_pred(big,1). body_pred(edge,2).")
    result = learn(task, missed=1, wrong=Fraction(1, 2))
    save_result(result, tmp_path / "result.json")
    again = load_result(tmp_path / "result.json")
    assert (again.cost, again.bound, again.objective, again.status) == (
        result.cost,
        result.bound,
        result.objective,
        result.status,
    )
    assert result.gap == 0


@pytest.mark.parametrize("source", ["native", "asp"])
def test_programs_that_cannot_pay_are_left_out(source: str) -> None:
    tasks = (random_learning_task(Random(seed)) for seed in range(20))
    results = [
        learn(read_task(made.background, made.examples, made.bias), noise=True, source=source)
        for made in tasks
        if made.constraint is None
    ]
    assert any(result.counts["does not pay"] for result in results)
