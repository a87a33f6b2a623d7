"""Errors with a price where programs have several rules, and where Prolog tests them: claims, and costs counted again.

Each printed cost is counted again by the engine that did not learn.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from joiner_magic import Result, learn, read_task
from search.brute_force import evaluate, least_cost, least_cost_of_programs
from search.priced_tasks import DEAR, PricedTask, recounted

PROLOG_TASKS = range(40)
RECURSIVE_TASKS = range(60)
RECOUNTED_TASKS = range(40)
INVENTIVE_TASKS = range(15)


def check_claim(priced: PricedTask, result: Result, least: Fraction | int | None, told: str) -> None:
    """What a result claims, where `least` is the cost of some hypothesis of the space."""
    if result.status == "optimal":
        assert result.cost is not None, told
        assert least is not None, told
        assert result.cost <= least, told
    elif result.bound is not None and least is not None:
        assert result.bound <= least, told
    if result.hypothesis is not None and result.cost is not None:
        size = sum(1 + len(rule.body) for rule in result.hypothesis.rules)
        assert result.cost == priced.cost(size, *evaluate(priced.made, result.hypothesis)), told


@cache
def learnt_in_prolog(seed: int) -> tuple[PricedTask, Result]:
    priced = PricedTask.random(Random(f"prolog {seed}"), DEAR, recursion=seed % 5 == 0)
    return priced, learn(priced.task(), **priced.prices, engine="prolog", timeout=30, advise=False)


@pytest.mark.prolog
@pytest.mark.parametrize("seed", PROLOG_TASKS)
def test_no_hypothesis_is_cheaper_than_the_one_that_prolog_tested(seed: int) -> None:
    priced, result = learnt_in_prolog(seed)
    told = f"{result}\n{priced}"
    if priced.made.enable_recursion:
        check_claim(priced, result, least_cost_of_programs(priced.made, priced.cost), told)
        return
    least = least_cost(priced.made, priced.missed, priced.wrong, join=True, weights=priced.weights)
    check_claim(priced, result, least, told)
    if result.cost is not None:
        assert least is not None, told
        assert result.cost >= least, told
    elif least is not None:
        assert priced.cost_of_nothing == least, told


@pytest.mark.prolog
@pytest.mark.parametrize("seed", PROLOG_TASKS)
def test_what_prolog_learnt_costs_the_same_in_the_embedded_engine(seed: int) -> None:
    priced, result = learnt_in_prolog(seed)
    if result.cost is not None:
        assert recounted(priced, result, "datalog") == result.cost, f"{result}\n{priced}"


@cache
def learnt_recursively(seed: int) -> tuple[PricedTask, Result]:
    priced = PricedTask.random(Random(f"recursion {seed}"), DEAR, recursion=True, flipped=seed % 2 == 0)
    return priced, learn(priced.task(), **priced.prices, timeout=30, advise=False)


@pytest.mark.parametrize("seed", RECURSIVE_TASKS)
def test_no_recursive_program_is_cheaper(seed: int) -> None:
    priced, result = learnt_recursively(seed)
    check_claim(priced, result, least_cost_of_programs(priced.made, priced.cost), f"{result}\n{priced}")


@pytest.mark.parametrize("seed", INVENTIVE_TASKS)
def test_no_program_with_an_invented_predicate_is_cheaper(seed: int) -> None:
    priced = PricedTask.random(Random(f"invention {seed}"), DEAR, invention=True)
    result = learn(priced.task(), **priced.prices, timeout=30, advise=False)
    check_claim(priced, result, least_cost_of_programs(priced.made, priced.cost), f"{result}\n{priced}")


def is_recursive(result: Result) -> bool:
    assert result.hypothesis is not None
    return any(
        rule.head.predicate in {literal.predicate for literal in rule.body}
        for rule in result.hypothesis.rules
    )


def test_recursive_programs_are_learnt_with_errors_and_proven() -> None:
    results = [learnt_recursively(seed)[1] for seed in RECURSIVE_TASKS]
    learnt = [result for result in results if result.hypothesis is not None]
    recursive = [result for result in learnt if is_recursive(result)]
    assert len(learnt) > 30
    assert sum(result.optimal for result in learnt) > 20
    assert sum(result.optimal for result in recursive) > 2
    assert any(result.confusion.fn or result.confusion.fp for result in recursive)


@pytest.mark.prolog
@pytest.mark.parametrize("seed", RECOUNTED_TASKS)
def test_what_the_embedded_engine_learnt_costs_the_same_in_prolog(seed: int) -> None:
    if seed % 2:
        priced, result = learnt_recursively(seed)
    else:
        priced = PricedTask.random(Random(f"recounted {seed}"), DEAR)
        source = "asp" if seed % 4 else "auto"
        result = learn(priced.task(), **priced.prices, source=source, timeout=30, advise=False)
    if result.cost is None:
        assert result.hypothesis is None or result.status == "none"
        return
    assert recounted(priced, result, "prolog") == result.cost, f"{result}\n{priced}"


DROP = "tail([_|T],T). decrement(A,B) :- A > 0, B is A - 1. one(1). empty([]). head([H|_],H)."
DROP_BIAS = """head_pred(f,3). body_pred(tail,2). body_pred(decrement,2). body_pred(one,1). body_pred(empty,1).
    body_pred(head,2). enable_recursion. max_body(4). max_vars(5). max_clauses(2).
    direction(f,(in,in,out)). direction(tail,(in,out)). direction(decrement,(in,out)). direction(one,(in,)).
    direction(empty,(in,)). direction(head,(in,out)).
    type(f,(list,element,list)). type(tail,(list,list)). type(decrement,(element,element)). type(one,(element,)).
    type(empty,(list,)). type(head,(list,element))."""


def drops(rng: Random, *, right: bool) -> str:
    """An example of dropping the first elements of a list; unless `right`, a few too many or too few."""
    items = [rng.randint(1, 99) for _ in range(rng.randint(6, 40))]
    number = rng.randint(2, len(items) - 2)
    rest = items[number if right else number + rng.choice([-2, -1, 1, 2]) :]
    return f"f({items},{number},{rest})"


@pytest.mark.prolog
def test_a_recursion_over_long_lists_is_learnt_from_wrong_labels() -> None:
    """The least cost is that of the recursion and the wrong labels, by all that else is known of the task."""
    rng = Random(20)
    examples = [f"pos({drops(rng, right=number % 5 > 0)})." for number in range(40)]
    examples += [f"neg({drops(rng, right=number % 5 == 0)})." for number in range(40)]
    result = learn(
        read_task(DROP, " ".join(examples), DROP_BIAS), noise=True, engine="prolog", max_body=3, timeout=60
    )
    assert (result.size, result.cost) == (7, 7 + 16), str(result)
    assert is_recursive(result)
