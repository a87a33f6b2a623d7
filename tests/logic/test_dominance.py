from __future__ import annotations

import random
from functools import reduce
from itertools import combinations
from operator import and_

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from joiner_magic import _core
from joiner_magic.logic.dominance import ParetoFront, Piece, bits

POSITIVES, NEGATIVES, REQUIRED, DEMANDS = 3, 3, 0b101, 3


def small(width: int) -> st.SearchStrategy[int]:
    return st.integers(0, (1 << width) - 1)


pieces = st.builds(
    Piece, st.integers(1, 4), small(POSITIVES), small(NEGATIVES), small(3), small(DEMANDS), small(DEMANDS)
)


def front() -> ParetoFront:
    return ParetoFront(POSITIVES, NEGATIVES, required=REQUIRED, demands=DEMANDS)


def dominates(one: Piece, other: Piece) -> bool:
    return (
        one.cost <= other.cost
        and not other.pos & ~one.pos
        and not one.neg & ~other.neg
        and not other.head & REQUIRED & ~one.head
        and not other.progress & ~one.progress
        and not one.stuck & ~other.stuck
    )


@given(st.lists(st.lists(pieces, max_size=12), max_size=4))
def test_a_batch_leaves_what_nothing_else_dominates(batches: list[list[Piece]]) -> None:
    tested, kept = front(), list[Piece]()
    for batch in batches:
        indices = tested.extend(batch)
        assert indices == sorted(set(indices))
        for index, piece in enumerate(batch):
            # Of pieces that dominate each other, the first stays.
            rivals = [
                other
                for place, other in enumerate(batch)
                if dominates(other, piece) and (place < index or not dominates(piece, other))
            ]
            assert (index in indices) != any(dominates(other, piece) for other in [*kept, *rivals])
        kept += [batch[index] for index in indices]


@given(st.lists(pieces, max_size=30))
def test_one_by_one_a_piece_is_kept_unless_a_kept_one_dominates_it(stream: list[Piece]) -> None:
    tested, kept = front(), list[Piece]()
    for piece in stream:
        dominated = any(dominates(other, piece) for other in kept)
        assert tested.dominates(piece) == dominated
        assert tested.add(piece) != dominated
        if not dominated:
            kept.append(piece)


def test_more_pieces_than_one_block_holds() -> None:
    tested = ParetoFront(positives=12, negatives=0)
    six_of_twelve = [sum(1 << bit for bit in chosen) for chosen in combinations(range(12), 6)]
    seven_of_twelve = [sum(1 << bit for bit in chosen) for chosen in combinations(range(12), 7)]
    antichain = [Piece(1, coverage, 0) for coverage in seven_of_twelve]
    dearer = [Piece(2, coverage, 0) for coverage in seven_of_twelve]
    inside = [Piece(2, coverage, 0) for coverage in six_of_twelve]
    cheap = [Piece(0, coverage, 0) for coverage in six_of_twelve]
    assert len(tested.extend(antichain)) == len(antichain)
    assert len(tested.extend(cheap)) == len(cheap)
    assert tested.extend(dearer) == tested.extend(inside) == []


def test_head_variables_count_only_where_they_are_required() -> None:
    tested = front()
    assert tested.add(Piece(2, 0b111, 0b1, head=0b001))
    assert not tested.add(Piece(2, 0b111, 0b1, head=0b010))
    assert tested.add(Piece(2, 0b111, 0b1, head=0b100))


# A literal as the variables it needs and those it binds. Variables 0 and 1 are `out` variables of the
# head, 2 and 3 are body-only; in a conjunction each piece has its own of those.
literals = st.tuples(
    st.frozensets(st.integers(0, 3), max_size=2), st.frozensets(st.integers(0, 3), max_size=2)
)
OUT = frozenset({0, 1})
SETS = [frozenset(chosen) for size in (1, 2) for chosen in combinations(sorted(OUT), size)]


def run(
    body: list[tuple[frozenset[int], frozenset[int]]], bound: frozenset[int]
) -> tuple[frozenset[int], bool]:
    """What is bound in the end, and whether every literal ran."""
    waiting = list(body)
    while ready := [literal for literal in waiting if literal[0] <= bound]:
        bound |= frozenset().union(*(binds for _, binds in ready))
        waiting = [literal for literal in waiting if literal not in ready]
    return bound, not waiting


def profile(body: list[tuple[frozenset[int], frozenset[int]]]) -> tuple[int, int]:
    progress = stuck = 0
    for number, unbound in enumerate(SETS):
        bound, done = run(body, OUT - unbound)
        progress |= bool(bound & unbound) << number
        stuck |= (not done) << number
    return progress, stuck


@given(st.lists(st.lists(literals, min_size=1, max_size=3), min_size=1, max_size=3))
def test_demands_say_which_conjunctions_can_be_ordered(
    bodies: list[list[tuple[frozenset[int], frozenset[int]]]],
) -> None:
    bodies = [body for body in bodies if run(body, OUT)[1]]
    profiles = [profile(body) for body in bodies]
    legal = all(
        not any(stuck >> number & 1 for _, stuck in profiles)
        or any(progress >> number & 1 for progress, _ in profiles)
        for number in range(len(SETS))
    )

    def apart(variables: frozenset[int], piece: int) -> frozenset[int]:
        return frozenset(v if v in OUT else v + 10 * piece for v in variables)

    together = [
        (apart(needs, piece), apart(binds, piece))
        for piece, body in enumerate(bodies)
        for needs, binds in body
    ]
    assert run(together, frozenset())[1] == legal


def test_bits_are_counted_from_the_lowest() -> None:
    assert list(bits(0b1010010)) == [1, 4, 6]
    assert list(bits(1 | 1 << 63 | 1 << 64 | 1 << 200)) == [0, 63, 64, 200]
    assert list(bits(0)) == []


@given(st.integers(0, 2**32), st.integers(1, 300), st.integers(1, 1_200))
@settings(max_examples=20)
def test_wide_and_long_fronts_compare_as_short_ones(seed: int, width: int, count: int) -> None:
    source = random.Random(seed)
    planes = [source.getrandbits(width) | source.getrandbits(width) for _ in range(8)]
    tested, kept = _core.Front(width), list[tuple[int, int]]()
    for _ in range(count):
        cost = source.randint(1, 4)
        merit = reduce(and_, source.sample(planes, source.randint(1, 3))) & ~(1 << source.randrange(width))
        dominated = any(other <= cost and not merit & ~greater for other, greater in kept)
        assert tested.dominates(cost, merit) == dominated
        dominator = tested.dominator(cost, merit)
        assert (dominator is not None) == dominated
        assert dominator is None or (kept[dominator][0] <= cost and not merit & ~kept[dominator][1])
        assert tested.add(cost, merit) != dominated
        kept += [] if dominated else [(cost, merit)]
    assert len(tested) == len(kept)


@pytest.mark.parametrize("merit", [-1, 1 << 64])
def test_a_merit_that_does_not_fit_is_refused(merit: int) -> None:
    with pytest.raises(OverflowError):
        _core.Front(10).add(1, merit)
