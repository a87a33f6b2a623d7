"""What conjunctions can cover at all, against all conjunctions of a few pieces."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from joiner_magic.logic.dominance import Piece, bits
from joiner_magic.solvers.interrupt import Interrupted
from joiner_magic.solvers.join_solver import JoinSolver

NEGATIVES = 3


def random_pieces(rng: Random, positives: int) -> list[Piece]:
    return [
        Piece(1, rng.getrandbits(positives), rng.getrandbits(NEGATIVES), head=rng.getrandbits(2))
        for _ in range(rng.randint(0, 6))
    ]


def coverages(pieces: list[Piece], positives: int, required: int) -> list[int]:
    """What the legal conjunctions cover."""
    found = []
    for length in range(1, len(pieces) + 1):
        for chosen in combinations(pieces, length):
            pos, neg, head = (1 << positives) - 1, (1 << NEGATIVES) - 1, 0
            for piece in chosen:
                pos, neg, head = pos & piece.pos, neg & piece.neg, head | piece.head
            if not neg and not required & ~head:
                found.append(pos)
    return found


@pytest.mark.parametrize("positives", [1, 5, 66])
@pytest.mark.parametrize("seed", range(60))
def test_what_can_be_covered_together(seed: int, positives: int) -> None:
    rng = Random(seed)
    pieces, required = random_pieces(rng, positives), rng.choice([0, 1, 3])
    solver = JoinSolver(positives, NEGATIVES, required=required)
    solver.add(pieces)
    covered = coverages(pieces, positives, required)

    def coverable(examples: int) -> bool:
        return any(not examples & ~coverage for coverage in covered)

    for _ in range(20):
        examples = rng.getrandbits(positives) & rng.getrandbits(positives) & rng.getrandbits(positives)
        assert solver.can_cover(examples) == coverable(examples)
    conflicts = solver.conflicts()
    assert conflicts
    for apart in conflicts:
        for one, other in combinations(bits(apart), 2):
            assert not coverable(1 << one | 1 << other)
        # None is missing: each other example is coverable together with one of them.
        for example in bits((1 << positives) - 1 & ~apart):
            assert any(coverable(1 << one | 1 << example) for one in bits(apart))


def test_it_stops_when_it_is_told_to() -> None:
    rng = Random(3)
    solver = JoinSolver(900, 30)
    few = [rng.getrandbits(900) & rng.getrandbits(900) & rng.getrandbits(900) for _ in range(60)]
    pieces = [Piece(1, pos, rng.getrandbits(30)) for pos in few]
    solver.add(pieces)
    with pytest.raises(Interrupted):
        solver.conflicts(lambda: True)


def test_of_many_positives_some_are_looked_at() -> None:
    """Each piece misses all negatives and covers a tenth of the positives: one of each tenth is in conflict."""
    positives = 100_000
    tenths = [sum(1 << example for example in range(tenth, positives, 10)) for tenth in range(10)]
    solver = JoinSolver(positives, 1)
    solver.add([Piece(1, tenth, 0) for tenth in tenths])
    (apart,) = solver.conflicts()
    assert [(apart & tenth).bit_count() for tenth in tenths] == [1] * 10
