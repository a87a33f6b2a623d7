"""The native source against the ASP source: at every size they are good for the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from benchmarks.growth_tasks import graph
from joiner_magic import read_task
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.search.spaces.restrictions import NotMinable, restrictions
from search.learning_tasks import random_learning_task
from search.mined_tasks import Yield


@pytest.mark.parametrize("seed", range(150))
def test_random_tasks(seed: int) -> None:
    made = random_learning_task(Random(seed))
    task = read_task(made.background, made.examples, made.bias)
    try:
        restrictions(task.bias)
    except NotMinable:  # left to the ASP source: here without it
        task = read_task(made.background, made.examples, replace(made, constraint=None).bias)
    largest = 1 + task.bias.max_body
    rng = Random(seed)
    ways = {"splittable": rng.random() < 0.3}
    if rng.random() < 0.2:
        ways = {"splittable": True, "fragments": False}
    with DatalogEngine(task) as engine:
        gives = Yield(task, engine, **ways)
        expected = gives.asp(largest)
        assert gives.mined(largest, every=True) == expected
        if not ways.get("fragments", True):  # without joining, only what is consistent is of use
            expected = [{merit for merit in merits if not merit.neg} for merits in expected]
        assert gives.mined(largest) == expected
        assert gives.mined(largest, jobs=2) == expected


@pytest.mark.parametrize("nodes", [1_000, 10_000])
def test_facts_as_bits_and_facts_that_are_too_many_for_it(nodes: int) -> None:
    made = graph(examples=40, nodes=nodes)
    task = read_task(made.background, made.examples, made.bias)
    with DatalogEngine(task) as engine:
        gives = Yield(task, engine)
        expected = gives.asp(4)
        assert gives.mined(4, every=True) == expected
        assert gives.mined(4) == expected
