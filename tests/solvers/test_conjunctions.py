from __future__ import annotations

import time
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joiner_magic.logic.dominance import Front, Piece
from joiner_magic.solvers import most_covering
from joiner_magic.solvers.conjunctions import Conjunctions, Found
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.optimum import Undecided
from solvers.join_instances import Instance, instances, maximal, random_instance

LARGEST = 1 + 7 * 4


@given(instances())
def test_rising_bounds_find_each_maximal_coverage_at_its_smallest_size(instance: Instance) -> None:
    everything = instance.conjunctions()
    solver = instance.solver()
    smaller: set[int] = set()
    for bound in range(1, LARGEST + 1):
        found = solver.maximal(bound)
        expected = {c for c in maximal(everything, bound) if all(c & ~known for known in smaller)}
        assert sorted(conjunction.pos for conjunction in found) == sorted(expected)
        assert all(conjunction.size == bound for conjunction in found)
        assert all(instance.conjunction(conjunction.pieces) == conjunction for conjunction in found)
        smaller |= expected


@given(instances(), st.integers(1, LARGEST))
def test_one_bound_alone(instance: Instance, bound: int) -> None:
    found = instance.solver().maximal(bound)
    assert {conjunction.pos for conjunction in found} == maximal(instance.conjunctions(), bound)
    assert all(conjunction.size <= bound for conjunction in found)
    assert all(instance.conjunction(conjunction.pieces) == conjunction for conjunction in found)


def subsumed(conjunction: Found, known: list[Found]) -> bool:
    return any(not conjunction.pos & ~other.pos and other.size <= conjunction.size for other in known)


@given(instances(), st.integers(0, 7))
def test_pieces_added_later_only_need_conjunctions_with_new_ones(instance: Instance, old: int) -> None:
    solver = instance.solver(old)
    first = [found for bound in range(LARGEST + 1) for found in solver.maximal(bound)]
    solver.add(instance.pieces[old:])
    later = [f for bound in range(LARGEST + 1) for f in solver.maximal(bound, new_only_from=old)]
    assert all(max(found.pieces) >= old for found in later)
    assert all(subsumed(conjunction, first + later) for conjunction in instance.conjunctions())
    assert not any(subsumed(found, first) for found in later)


@given(instances(), st.integers(0, 15), st.integers(1, 12), st.integers(1, 12))
def test_nothing_inside_a_blocked_program_of_the_same_size_or_a_smaller_one(
    instance: Instance, pos: int, size: int, bound: int
) -> None:
    pos &= (1 << instance.positives) - 1
    solver = instance.solver()
    solver.block(pos, size)
    found = {conjunction.pos for conjunction in solver.maximal(bound)}
    expected = maximal(instance.conjunctions(), bound)
    assert found == {c for c in expected if bound < size or c & ~pos}


@given(instances(), st.integers(0, 15), st.integers(1, LARGEST))
def test_including_some_positives(instance: Instance, including: int, bound: int) -> None:
    including &= (1 << instance.positives) - 1
    found = {conjunction.pos for conjunction in instance.solver().maximal(bound, including=including)}
    assert found == {c for c in maximal(instance.conjunctions(), bound) if not including & ~c}


@given(instances(demands=0))
def test_coverages_of_any_size(instance: Instance) -> None:
    expected = maximal(instance.conjunctions(), LARGEST)
    found = instance.solver().coverages(16)
    assert found is not None
    assert sorted(found) == sorted(expected)


@given(instances())
def test_directions_only_shrink_what_can_be_covered(instance: Instance) -> None:
    found = instance.solver().coverages(16)
    assert found is not None
    assert all(any(not c.pos & ~coverage for coverage in found) for c in instance.conjunctions())


def test_too_many_coverages_are_not_listed() -> None:
    instance = random_instance(pieces=60, positives=40, negatives=40)
    assert instance.solver().coverages(100) is None


@given(instances(), st.integers(0, 15))
def test_covers_most(instance: Instance, uncovered: int) -> None:
    uncovered &= (1 << instance.positives) - 1
    useful = [c for c in instance.conjunctions() if c.pos & uncovered]
    found = instance.solver().covers_most(uncovered)
    if found is None:
        assert not useful
        return
    assert instance.conjunction(found.pieces) == found
    goal = found.pos & uncovered
    assert goal.bit_count() == max((c.pos & uncovered).bit_count() for c in useful)
    assert found.size == min(c.size for c in useful if not goal & ~c.pos)


@pytest.mark.parametrize("seed", [9, 14])
def test_covers_most_where_greed_is_not_enough(seed: int) -> None:
    instance = random_instance(pieces=12, positives=30, negatives=4, seed=seed)
    most = max(conjunction.pos.bit_count() for conjunction in instance.conjunctions())
    found = instance.solver().covers_most((1 << 30) - 1)
    assert found is not None
    assert found.pos.bit_count() == most
    greedy = instance.solver().covers_most((1 << 30) - 1, exact=False)
    assert greedy is not None
    assert greedy.pos.bit_count() < most


@given(instances(), st.integers(1, 15))
def test_where_the_optimum_is_too_hard_the_answer_cannot_grow(instance: Instance, uncovered: int) -> None:
    uncovered &= (1 << instance.positives) - 1
    useful = [c for c in instance.conjunctions() if c.pos & uncovered]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(most_covering, "cheapest_model", _gives_up)
        found = instance.solver().covers_most(uncovered)
    if found is None:
        assert not useful
        return
    goal = found.pos & uncovered
    assert instance.conjunction(found.pieces) == found
    assert not any(c.pos & uncovered & ~goal and not goal & ~c.pos for c in useful)
    fewer = combinations(found.pieces, len(found.pieces) - 1)
    assert all(instance.conjunction(pieces) is None for pieces in fewer)


def _gives_up(*_: object, **__: object) -> None:
    raise Undecided


def cheapest_union(conjunctions: list[Found], goal: int) -> int | None:
    """The least size of a set of conjunctions that covers the goal."""
    best = {0: 0}
    for conjunction in conjunctions:
        for covered, size in list(best.items()):
            union, total = covered | conjunction.pos, size + conjunction.size
            best[union] = min(total, best.get(union, total))
    return min((size for covered, size in best.items() if not goal & ~covered), default=None)


@given(instances())
def test_dominance_changes_no_optimum(instance: Instance) -> None:
    front = Front(
        instance.positives, instance.negatives, required=instance.required, demands=instance.demands
    )
    kept = tuple(instance.pieces[number] for number in front.extend(instance.pieces))
    fewer = Instance(instance.positives, instance.negatives, instance.required, instance.demands, kept)
    goal = (1 << instance.positives) - 1
    solver = fewer.solver()
    found = [conjunction for bound in range(LARGEST + 1) for conjunction in solver.maximal(bound)]
    assert cheapest_union(found, goal) == cheapest_union(instance.conjunctions(), goal)


def test_the_papers_example() -> None:
    """Example 3: positives [a,b,c,d] and [c,b,d,e], negatives [c,b], [d,b] and [a,c,d,e]; plain sizes."""
    pieces = [
        Piece(2, 0b01, 0b100),  # head(S,a)
        Piece(2, 0b10, 0b100),  # last(S,e)
        Piece(3, 0b11, 0b011),  # tail(S,T), head(T,b)
        Piece(5, 0b11, 0b101),  # contains c
        Piece(5, 0b11, 0b110),  # contains d
    ]
    solver = Conjunctions(positives=2, negatives=3)
    solver.add(pieces)
    assert solver.covers_most(0b11) == Found((2, 3, 4), 0b11, 14)
    found = [conjunction for bound in range(14) for conjunction in solver.maximal(bound)]
    assert sorted(found, key=lambda c: c.pos) == [Found((0, 2), 0b01, 6), Found((1, 2), 0b10, 6)]
    assert solver.maximal(14) == [Found((2, 3, 4), 0b11, 14)]


def test_the_same_pieces_give_the_same_answer() -> None:
    instance = random_instance(pieces=40, positives=12, negatives=12)
    one, other = instance.solver(), instance.solver()
    assert [one.maximal(bound) for bound in range(9)] == [other.maximal(bound) for bound in range(9)]
    assert one.covers_most(0xFFF) == other.covers_most(0xFFF)


QUESTIONS: dict[str, Callable[[Conjunctions, Stop], object]] = {
    "maximal": lambda solver, stop: solver.maximal(40, stop),
    "covers_most": lambda solver, stop: solver.covers_most((1 << 120) - 1, stop),
    "coverages": lambda solver, stop: solver.coverages(10**9, stop),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_long_search_stops_when_it_is_told_to(question: str) -> None:
    solver = random_instance(pieces=400, positives=120, negatives=120).solver()
    begin = time.monotonic()
    with pytest.raises(Interrupted):
        QUESTIONS[question](solver, lambda: time.monotonic() > begin + 0.2)
    assert time.monotonic() < begin + 0.7
