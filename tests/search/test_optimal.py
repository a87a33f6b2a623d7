"""What the learner calls optimal is the optimum, and what it calls unsolvable has no solution.

Random tasks against an exhaustive search, in every way of searching; each learnt program is evaluated
by the plain definition and its size counted from its text.
"""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

import pytest

from joiner_magic import learn, read_program, read_task
from search.brute_force import evaluate, lies_outside, optimum, relaxed
from search.learning_tasks import LearningTask, random_learning_task

Ways: TypeAlias = dict[str, dict[str, Any]]
WAYS: Ways = {"joining": {}, "whole rules": {"join": False}, "splittable too": {"splittable": True}}


def check(made: LearningTask, engine: str, ways: Ways = WAYS) -> None:
    task = read_task(made.background, made.examples, made.bias)
    for way, options in ways.items():
        result = learn(task, engine=engine, advise=False, **options)
        told = f"{way}, {result.status}:\n{result.to_prolog()}\n{made}"
        best = optimum(made, **options)
        overlap = bool(
            options.get("splittable") and made.constraint
        )  # the optimum counts shared literals twice
        assert (result.status == "none") == (best is None), told
        if result.status == "best":
            # All that may stand in the way of a proof is recursion that reaches from one part into another:
            # other parts with the same coverage might not, and the learner does not keep them. Or splittable
            # fragments that share literals: what they are made of, the user's constraint may forbid.
            assert made.enable_recursion or overlap, told
            assert overlap or result.size >= (best or 0), told
            assert overlap or result.size > (relaxed(made, **options) or 0), told
        if result.status == "optimal":
            outside = overlap or lies_outside(result)
            assert result.size == best or (outside and result.size < (best or 0)), told
        if result.hypothesis:
            assert result.size == read_program(result.to_prolog()).size, told
            pos, neg = evaluate(made, result.hypothesis)
            assert neg == 0, told
            assert result.status == "none" or pos == (1 << len(made.pos)) - 1, told


@pytest.mark.parametrize("seed", range(300))
def test_random_tasks(seed: int) -> None:
    check(random_learning_task(Random(seed)), "datalog")


@pytest.mark.parametrize("seed", range(80))
def test_random_tasks_with_recursion(seed: int) -> None:
    check(random_learning_task(Random(seed), recursion=True), "datalog")


@pytest.mark.parametrize("seed", range(20))
def test_random_tasks_with_invention(seed: int) -> None:
    check(random_learning_task(Random(seed), invention=True), "datalog")


@pytest.mark.prolog
@pytest.mark.parametrize("seed", range(40))
def test_random_tasks_on_prolog(seed: int) -> None:
    check(random_learning_task(Random(seed), recursion=seed % 3 == 0), "prolog", {"joining": {}})
