"""The native source against the ASP source, on tasks in every shape that the core treats in a way of its own.

The core tests rules over bits, or with plans where the facts are too many for that: both are compared.

At every size both are good for the same: the fronts of what their rules give to conjunctions are equal. One
pruning, of bodies with equal variables, is an exception. If one of these is a variable of the head, the smaller
body may be splittable, and is then a conjunction of fragments: so where splittable rules are not generated, the
fronts of conjunctions are compared with this pruning, and those of single rules without it. What a conjunction does
for outputs of the head does not follow from its fragments' fronts: there optimal sizes are compared instead.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from joiner_magic import learn
from joiner_magic._core import PRUNINGS
from joiner_magic.engines.datalog.engine import DatalogEngine
from search.mined_tasks import Merit, Yield
from search.mining_shapes import Shape, random_shape, tangled_shape, worlds_shape

WAYS: list[dict[str, bool]] = [{}, {}, {}, {"splittable": True}, {"splittable": True, "fragments": False}]
EXACT = tuple(pruning for pruning in PRUNINGS if pruning != "repeat")

Fronts = list[set[Merit]]


def check(shape: Shape, splittable: bool = False, fragments: bool = True) -> None:
    task = shape.task()
    largest = 1 + task.bias.max_body
    with DatalogEngine(task) as engine:
        gives = Yield(task, engine, splittable=splittable, fragments=fragments)
        expected = gives.asp(largest)
        assert gives.mined(largest, every=True, prunings=EXACT) == expected, str(shape)
        if not fragments:  # without joining, only what is consistent is of use
            expected = [{merit for merit in merits if not merit.neg} for merits in expected]
        for bits in (True, False):
            assert gives.mined(largest, prunings=EXACT, bits=bits) == expected, str(shape)
        if splittable:
            assert gives.mined(largest) == expected, str(shape)
        elif not gives.demands:
            assert gives.conjoined(gives.mined(largest)) == gives.conjoined(expected), str(shape)


def check_learnt(shape: Shape) -> None:
    task = shape.task()
    results = [learn(task, source=source, advise=False) for source in ("native", "asp")]
    assert len({(result.status, result.size) for result in results}) == 1, str(shape)


@pytest.mark.parametrize("make", [worlds_shape, tangled_shape, random_shape])
@pytest.mark.parametrize("some", range(8))
def test_fronts(make: Callable[[Random], Shape], some: int) -> None:
    for seed in range(some * 15, some * 15 + 15):
        rng = Random(seed)
        shape = make(rng)
        check(shape, **rng.choice(WAYS))


@pytest.mark.parametrize("make", [worlds_shape, tangled_shape, random_shape])
def test_optimal_sizes(make: Callable[[Random], Shape]) -> None:
    for seed in range(1000, 1040):
        check_learnt(make(Random(seed)))


def test_outputs_of_the_head() -> None:
    directed = 0
    for seed in range(2000, 2200):
        shape = random_shape(Random(seed))
        if "out" in shape.directions.get("f", ()):
            directed += 1
            check_learnt(shape)
    assert directed > 10


def test_worlds_of_one_value() -> None:
    """Each example has a state of its own: a variable with one value in each world still tells worlds apart."""
    shape = Shape(1, max_vars=3, max_body=3)
    shape.pos, shape.neg = [(f"e{i}",) for i in range(0, 60, 3)], [(f"e{i}",) for i in range(60) if i % 3]
    shape.add("in", [(f"e{i}", f"s{i}") for i in range(100)], ("e", "s"))
    shape.add("open", [(f"s{i}",) for i in range(0, 100, 3)], ("s",))
    shape.types["f"] = ("e",)
    check(shape)
    check_learnt(shape)
