from __future__ import annotations

import _thread
import threading
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joiner_magic.solvers import solver_thread
from joiner_magic.solvers.interrupt import never
from joiner_magic.solvers.optimum import cheapest_model

VARIABLES = 4
literals = st.integers(1, VARIABLES).flatmap(lambda variable: st.sampled_from([variable, -variable]))
prices = st.dictionaries(literals, st.integers(1, 4), min_size=1, max_size=4)


def cost(model: frozenset[int], priced: dict[int, int]) -> int:
    return sum(price for literal, price in priced.items() if (abs(literal) in model) == (literal > 0))


@given(st.lists(st.lists(literals, max_size=3), max_size=6), prices, prices, st.none() | st.integers(1, 12))
def test_the_cheapest_model_is_that_of_all_assignments(
    clauses: list[list[int]], first: dict[int, int], second: dict[int, int], below: int | None
) -> None:
    assignments = (
        frozenset(variable for variable, true in enumerate(values, 1) if true)
        for values in product([False, True], repeat=VARIABLES)
    )
    costs = [
        (cost(model, first), cost(model, second))
        for model in assignments
        if all(any((abs(lit) in model) == (lit > 0) for lit in clause) for clause in clauses)
        and (below is None or cost(model, first) < below)
    ]
    found = cheapest_model(VARIABLES, clauses, [first, second], never, below=below)
    if found is None:
        assert not costs
    else:
        assert (cost(found, first), cost(found, second)) == min(costs)


def pigeons(holes: int) -> tuple[int, list[list[int]], dict[int, int]]:
    """One pigeon too many: each must sit somewhere, and each pair that shares a hole costs."""
    seat = {(p, h): 1 + p * holes + h for p in range(holes + 1) for h in range(holes)}
    clauses = [[seat[p, h] for h in range(holes)] for p in range(holes + 1)]
    shared: dict[int, int] = {}
    for hole in range(holes):
        for one in range(holes + 1):
            for other in range(one):
                variable = len(seat) + len(shared) + 1
                shared[variable] = 1
                clauses.append([-seat[one, hole], -seat[other, hole], variable])
    return len(seat) + len(shared), clauses, shared


def test_a_keyboard_interrupt_gets_through() -> None:
    variables, clauses, shared = pigeons(12)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        cheapest_model(variables, clauses, [shared], never)
    assert time.monotonic() < begin + 1


def test_nothing_is_searched_for_while_whoever_waits_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a paused run does; afterwards the search goes on, and its answer is as good."""
    monkeypatch.setattr(solver_thread, "_PAUSED_AFTER", 0.1)
    variables, clauses, shared = pigeons(8)  # takes half a second
    spent: list[float] = []

    def sleep_once() -> bool:
        if not spent:
            time.sleep(0.3)
            before = time.process_time()
            time.sleep(1)
            spent.append(time.process_time() - before)
        return False

    found = cheapest_model(variables, clauses, [shared], sleep_once)
    assert found is not None
    assert cost(found, shared) == 1
    assert len(spent) == 1
    assert spent[0] < 0.2
