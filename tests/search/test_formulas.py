"""Properties alone: a smallest formula in disjunctive normal form, against all of them.

Single properties are all the fragments there are, so such a task is won or lost by the join and by the bounds
of a space that has been searched whole.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from joiner_magic import Task, learn, read_task
from joiner_magic.logic.dominance import ones
from joiner_magic.search.stages.bounds import ExactBounds
from joiner_magic.search.stages.join import Join
from joiner_magic.search.stages.parts import Part
from joiner_magic.solvers.interrupt import Stop
from joiner_magic.solvers.join_solver import FoundConjunction

PROPERTIES = 8


def random_rows(rng: Random) -> tuple[list[int], list[int]]:
    """Positives and negatives by the properties they have; no positive has only what a negative has."""
    density = rng.uniform(0.3, 0.8)
    rows = [
        sum(1 << place for place in range(PROPERTIES) if rng.random() < density)
        for _ in range(rng.randint(8, 40))
    ]
    share = rng.uniform(0.2, 0.6)
    positives = [row for row in rows if rng.random() < share]
    negatives = [row for row in rows if not any(not pos & ~row for pos in positives)]
    return positives, negatives


def as_task(positives: list[int], negatives: list[int]) -> Task:
    names = {f"e{number}": row for number, row in enumerate(positives + negatives)}
    facts = [
        f"p{place}({name})."
        for place in range(PROPERTIES)
        for name, row in [*names.items(), ("x", (1 << PROPERTIES) - 1)]
        if row >> place & 1
    ]
    bias = ["head_pred(f,1).", "max_body(1).", "max_vars(1)."]
    bias += [f"body_pred(p{place},1)." for place in range(PROPERTIES)]
    examples = [f"pos(f(e{number}))." for number in range(len(positives))]
    examples += [f"neg(f(e{number}))." for number in range(len(positives), len(names))]
    return read_task("\n".join(facts), "\n".join(examples), "\n".join(bias))


def optimum(positives: list[int], negatives: list[int]) -> int:
    """The size of a smallest formula: by dynamic programming over what is covered."""
    covering: dict[int, int] = {}
    for length in range(1, PROPERTIES + 1):
        for chosen in combinations(range(PROPERTIES), length):
            needed = sum(1 << place for place in chosen)
            covered = sum(1 << number for number, row in enumerate(positives) if not needed & ~row)
            if covered and all(needed & ~row for row in negatives):
                covering.setdefault(covered, 1 + length)
    everything = (1 << len(positives)) - 1
    cheapest = {0: 0}
    for target in range(len(positives)):
        # Whatever is covered, the first example that is not must be.
        for done, size in sorted(cheapest.items()):
            if not done >> target & 1:
                del cheapest[done]
                for covered, more in covering.items():
                    if covered >> target & 1:
                        union = done | covered
                        cheapest[union] = min(size + more, cheapest.get(union, size + more))
    return cheapest[everything]


CASES = [
    rows
    for seed in range(150)
    if len((rows := random_rows(Random(seed)))[0]) > 2 and all(rows[0]) and rows[1]
]


def one_by_one(self: Join, stop: Stop, *, most: int | None, exact: bool) -> list[Part]:
    """A poor first solution: for each positive all the properties it has."""
    for example in range(self._problem.positives):
        numbers = tuple(number for number, piece in enumerate(self._of.pieces) if piece.pos >> example & 1)
        pos, neg = ones(self._problem.positives), ones(self._problem.negatives)
        for number in numbers:
            pos, neg = pos & self._of.pieces[number].pos, neg & self._of.pieces[number].neg
        if numbers and not neg:
            self._parts.add(self._part(FoundConjunction(numbers, pos, 0)))
    return []


@pytest.mark.parametrize("poor", [False, True], ids=["greedy first", "poor first"])
@pytest.mark.parametrize("number", range(len(CASES)))
def test_the_formula_is_a_smallest_one(number: int, poor: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if poor:  # all the way to the optimum is then up to the complete stage
        monkeypatch.setattr(Join, "incomplete", one_by_one)
    positives, negatives = CASES[number]
    result = learn(as_task(positives, negatives), advise=False)
    assert result.status == "optimal"
    assert result.size == optimum(positives, negatives)


def test_conflicts_decide_some_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the test above says nothing about them."""
    decided = []
    known = ExactBounds._in_conflict

    def in_conflict(self: ExactBounds, covered: int, number: int) -> bool:
        decided.append(known(self, covered, number))
        return decided[-1]

    monkeypatch.setattr(ExactBounds, "_in_conflict", in_conflict)
    for positives, negatives in CASES:
        learn(as_task(positives, negatives), advise=False)
    assert sum(decided) > 20
    assert not all(decided)
