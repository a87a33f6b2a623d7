from __future__ import annotations

import random
import time
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joiner_magic.solvers.covering import cheapest_cover, greedy_cover
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
)
def test_the_cheapest_cover_is_that_of_all_choices(
    target: int,
    parts: list[tuple[int, int]],
    secondary: list[int],
    below: int | None,
    forbidden: list[frozenset[int]],
    with_secondary: bool,
) -> None:
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
    found = cheapest_cover(target, parts, secondary=second, below=below, forbidden=forbidden)
    if found is None:
        assert not costs
        return
    assert not target & ~covered(found, parts)
    assert not any(together <= set(found) for together in forbidden)
    assert cost(found) == min(costs)


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


def test_a_hard_cover_stops_when_it_is_told_to() -> None:
    begin = time.monotonic()
    with pytest.raises(Interrupted):
        cheapest_cover((1 << 100) - 1, random_parts(400, 100), stop=lambda: time.monotonic() > begin + 0.2)
    assert time.monotonic() < begin + 0.7


def test_the_same_parts_give_the_same_cover() -> None:
    parts = random_parts(60, 30)
    assert cheapest_cover((1 << 30) - 1, parts) == cheapest_cover((1 << 30) - 1, parts)
