"""Requirements rest on all unions of known parts that a budget allows: none may be missed."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.search.bounds import _minimal, _unions
from joiner_magic.search.parts import Part


def part(size: int, pos: int) -> Part:
    return Part(Conjunction(()), size, pos)


def by_hand(parts: list[Part], budget: int) -> set[int]:
    found = set()
    for length in range(len(parts) + 1):
        for chosen in combinations(parts, length):
            if sum(one.size for one in chosen) <= budget:
                union = 0
                for one in chosen:
                    union |= one.pos
                found.add(union)
    return found


def test_the_cheapest_way_to_a_union_counts() -> None:
    parts = [part(5, 0b001), part(4, 0b011), part(3, 0b100)]
    assert _unions(parts, 10, 100) == by_hand(parts, 10)
    assert 0b111 in by_hand(parts, 10)


@pytest.mark.parametrize("seed", range(200))
def test_all_unions_within_a_budget(seed: int) -> None:
    rng = Random(seed)
    parts = [part(rng.randint(2, 6), rng.getrandbits(5)) for _ in range(rng.randint(0, 7))]
    budget = rng.randint(0, 20)
    assert _unions(parts, budget, 10_000) == by_hand(parts, budget)


def test_too_many_unions_are_given_up() -> None:
    assert _unions([part(2, 1 << i) for i in range(10)], 100, 50) is None


def test_minimal_sets() -> None:
    assert sorted(_minimal([0b111, 0b011, 0b100, 0b110, 0b011])) == [0b011, 0b100]
