from __future__ import annotations

import random
import time
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joiner_magic.solvers import covering
from joiner_magic.solvers.covering import Unions, cheapest_cover, greedy_cover
from joiner_magic.solvers.interrupt import Interrupted

EXAMPLES = 5
targets = st.integers(0, (1 << EXAMPLES) - 1)
parts_lists = st.lists(st.tuples(st.integers(1, 5), targets), max_size=7)


def covered(numbers: list[int], parts: list[tuple[int, int]]) -> int:
    union = 0
    for number in numbers:
        union |= parts[number][1]
    return union


def size(numbers: list[int], parts: list[tuple[int, int]]) -> int:
    return sum(parts[number][0] for number in numbers)


@given(
    targets,
    parts_lists,
    st.lists(st.integers(0, 3), min_size=7, max_size=7),
    st.none() | st.integers(0, 15),
    st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=3), max_size=3),
    st.booleans(),
    st.sampled_from([0, 30, 10**6]),
)
def test_the_cheapest_cover_is_that_of_all_choices(
    target: int,
    parts: list[tuple[int, int]],
    secondary: list[int],
    below: int | None,
    forbidden: list[frozenset[int]],
    with_secondary: bool,
    work: int,
) -> None:
    """By branch and bound, and by clingo where the work is not enough for that."""
    forbidden = [together for together in forbidden if max(together) < len(parts)]
    second = secondary[: len(parts)] if with_secondary else None

    def cost(numbers: list[int]) -> tuple[int, int]:
        return size(numbers, parts), sum(second[number] for number in numbers) if second else 0

    choices = chain.from_iterable(combinations(range(len(parts)), count) for count in range(len(parts) + 1))
    costs = [
        cost(list(choice))
        for choice in choices
        if not target & ~covered(list(choice), parts)
        and not any(together <= set(choice) for together in forbidden)
        and (below is None or size(list(choice), parts) < below)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(covering, "_WORK", work)
        found = cheapest_cover(target, parts, secondary=second, below=below, forbidden=forbidden)
    if found is None:
        assert not costs
        return
    assert not target & ~covered(found, parts)
    assert not any(together <= set(found) for together in forbidden)
    assert cost(found) == min(costs)


wide = st.integers(0, (1 << 130) - 1).map(lambda pos: pos | pos << 65 & (1 << 130) - 1)


@given(st.lists(st.tuples(st.integers(1, 6), wide), max_size=9), st.integers(0, 20))
def test_both_ways_find_a_cover_of_the_same_size(parts: list[tuple[int, int]], below: int) -> None:
    target = covered(list(range(len(parts))), parts)
    sizes = []
    for work in (0, 10**6):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(covering, "_WORK", work)
            found = cheapest_cover(target, parts, below=below)
        assert found is None or not target & ~covered(found, parts)
        sizes.append(None if found is None else size(found, parts))
    assert sizes[0] == sizes[1]


@given(
    st.lists(st.tuples(st.integers(1, 5), st.integers(0, (1 << 70) - 1)), max_size=7),
    st.lists(st.integers(0, 14), min_size=1, max_size=3),
)
def test_the_maximal_unions_are_those_of_all_choices(
    parts: list[tuple[int, int]], budgets: list[int]
) -> None:
    unions = Unions(parts)
    for budget in budgets:  # one object, whatever it was asked before
        choices = chain.from_iterable(
            combinations(range(len(parts)), count) for count in range(len(parts) + 1)
        )
        reached = {covered(list(c), parts) for c in choices if size(list(c), parts) <= budget}
        maximal = {one for one in reached if not any(one != other and not one & ~other for other in reached)}
        found = unions.within(budget)
        assert found is not None
        assert len(found) == len(maximal)
        assert set(found) == maximal


def test_too_many_unions_are_given_up_but_not_those_of_smaller_budgets() -> None:
    unions = Unions([(1, 1 << example) for example in range(60)])
    assert unions.within(8) is None
    assert len(unions.within(2) or []) == 60 * 59 // 2


@given(targets, parts_lists)
def test_a_greedy_cover_covers_what_can_be_covered_and_needs_each_part(
    target: int, parts: list[tuple[int, int]]
) -> None:
    chosen = greedy_cover(target, parts)
    goal = target & covered(list(range(len(parts))), parts)
    assert not goal & ~covered(chosen, parts)
    for number in chosen:
        assert goal & ~covered([other for other in chosen if other != number], parts)


def test_greedy_takes_what_covers_most_for_its_size() -> None:
    assert greedy_cover(0b1111, [(9, 0b1111), (2, 0b0011), (2, 0b1100), (3, 0b1000)]) == [1, 2]


def random_parts(parts: int, examples: int) -> list[tuple[int, int]]:
    source = random.Random(3)
    return [
        (source.randint(3, 12), sum(1 << e for e in range(examples) if source.random() < 0.1))
        for _ in range(parts)
    ]


@pytest.mark.parametrize("work", [1, 10**12], ids=["clingo", "branch and bound"])
def test_a_hard_cover_stops_when_it_is_told_to(work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "_WORK", work)
    begin = time.monotonic()
    with pytest.raises(Interrupted):
        cheapest_cover((1 << 100) - 1, random_parts(400, 100), stop=lambda: time.monotonic() > begin + 0.2)
    assert time.monotonic() < begin + 0.7


def test_a_cover_that_falls_apart_is_found_although_it_is_too_much_work_to_search() -> None:
    """Odd rings: two of three parts of each, and the bound says one and a half."""
    parts = [(2, (1 << 3 * ring + i) | 1 << 3 * ring + (i + 1) % 3) for ring in range(25) for i in range(3)]
    found = cheapest_cover((1 << 75) - 1, parts)
    assert found is not None
    assert size(found, parts) == 25 * 4


def test_the_same_parts_give_the_same_cover() -> None:
    parts = random_parts(60, 30)
    assert cheapest_cover((1 << 30) - 1, parts) == cheapest_cover((1 << 30) - 1, parts)
