from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Cadical195  # type: ignore[import-untyped]

from joiner_magic.solvers.coverages import Known
from joiner_magic.solvers.interrupt import Interrupted, never
from joiner_magic.solvers.obligations import Law
from joiner_magic.solvers.sat_conjunctions import SatConjunctions
from joiner_magic.solvers.size_bound import SizeBound
from solvers.join_instances import Instance, instances, maximal, random_instance


@given(st.lists(st.lists(st.integers(1, 4), max_size=4), max_size=2), st.integers(1, 9), st.data())
def test_the_sums_within_a_budget_are_the_models(
    batches: list[list[int]], cap: int, data: st.DataObject
) -> None:
    costs = [cost for batch in batches for cost in batch]
    variables = iter(range(len(costs) + 1, 10_000))
    budget = data.draw(st.integers(0, cap - 1))
    with Cadical195() as solver:
        bound = SizeBound(cap, lambda: next(variables), solver.add_clause)
        literals = iter(range(1, len(costs) + 1))
        for batch in batches:
            bound.extend([(cost, next(literals)) for cost in batch], never)
        for chosen in product([False, True], repeat=len(costs)):
            picked = [number if choice else -number for number, choice in enumerate(chosen, 1)]
            total = sum(cost for cost, choice in zip(costs, chosen, strict=True) if choice)
            assert solver.solve(assumptions=[*picked, *bound.at_most(budget)]) == (total <= budget)


def sat_conjunctions(instance: Instance) -> SatConjunctions:
    law = Law(instance.positives, instance.negatives, instance.required, instance.demands)
    solver = SatConjunctions(law, Known(instance.positives))
    solver.add(instance.pieces, never)
    return solver


@given(instances(), st.integers(1, 20))
def test_all_maximal_coverages_and_nothing_else(instance: Instance, bound: int) -> None:
    given_in_turn = sat_conjunctions(instance).maximal(bound, never)
    found = [instance.conjunction(numbers) for numbers in given_in_turn if numbers is not None]
    coverages = [conjunction.pos for conjunction in found if conjunction is not None]
    assert sorted(coverages) == sorted(maximal(instance.conjunctions(), bound))
    assert len(coverages) == len(found)


@pytest.mark.parametrize("seconds", [0.1, 3.0])
def test_stops_while_it_is_built_and_while_it_solves(seconds: float) -> None:
    instance = random_instance(pieces=3_000, positives=200, negatives=200)
    solver = SatConjunctions(Law(instance.positives, instance.negatives), Known(instance.positives))
    begin = time.monotonic()

    def stop() -> bool:
        return time.monotonic() > begin + seconds

    def ask() -> None:
        solver.add(instance.pieces, stop)
        list(solver.maximal(40, stop))

    with pytest.raises(Interrupted):
        ask()
    assert time.monotonic() < begin + seconds + 0.7


@pytest.mark.skipif(sys.platform == "win32", reason="a signal to one process only")
def test_a_keyboard_interrupt_comes_through_and_harms_nothing() -> None:
    code = """
        from joiner_magic.solvers import conjunctions
        from solvers.join_instances import random_instance
        conjunctions._HEAD_START = conjunctions._TURN = 0
        solver = random_instance(pieces=300, positives=100, negatives=100).solver()
        print("begin", flush=True)
        for _ in range(2):
            try:
                list(solver.maximal(40))
            except KeyboardInterrupt:
                print("interrupted", flush=True)
    """
    paths = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        for _ in range(2):
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            assert process.stdout.readline() == "interrupted\n"
            assert time.monotonic() < begin + 1
        assert process.wait(timeout=10) == 0
