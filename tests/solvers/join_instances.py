"""Random pieces, and all their conjunctions by enumeration of all subsets."""

from __future__ import annotations

import operator
import random
from dataclasses import dataclass
from itertools import combinations

from hypothesis import strategies as st

from joiner_magic.logic.dominance import Piece
from joiner_magic.solvers.join_solver import FoundConjunction, JoinSolver


@dataclass(frozen=True, slots=True)
class Instance:
    positives: int
    negatives: int
    required: int
    demands: int
    pieces: tuple[Piece, ...]

    def solver(self, pieces: int | None = None) -> JoinSolver:
        solver = JoinSolver(self.positives, self.negatives, required=self.required, demands=self.demands)
        solver.add(self.pieces[:pieces])
        return solver

    def conjunctions(self) -> list[FoundConjunction]:
        """All legal conjunctions that cover a positive and no negative."""
        numbers = range(len(self.pieces))
        found = (self.conjunction(chosen) for size in numbers for chosen in combinations(numbers, size + 1))
        return [conjunction for conjunction in found if conjunction is not None]

    def conjunction(self, numbers: tuple[int, ...]) -> FoundConjunction | None:
        pieces = [self.pieces[number] for number in numbers]
        pos, neg, head = (1 << self.positives) - 1, (1 << self.negatives) - 1, 0
        for piece in pieces:
            pos, neg, head = pos & piece.pos, neg & piece.neg, head | piece.head
        orderable = all(
            any(piece.progress >> demand & 1 for piece in pieces)
            for demand in range(self.demands)
            if any(piece.stuck >> demand & 1 for piece in pieces)
        )
        if not numbers or not pos or neg or self.required & ~head or not orderable:
            return None
        return FoundConjunction(numbers, pos, 1 + sum(piece.cost for piece in pieces))


@st.composite
def instances(draw: st.DrawFn, demands: int = 2) -> Instance:
    """Small enough for all subsets; pieces cover more positives than negatives, so that some join.

    Some have each example many times, so that bitsets of them take several words.
    """

    def subset(width: int) -> st.SearchStrategy[int]:
        return st.integers(0, (1 << width) - 1)

    def examples(sets: st.SearchStrategy[int], width: int) -> st.SearchStrategy[int]:
        return sets.map(lambda chosen: chosen * sum(1 << width * copy for copy in range(copies)))

    positives, negatives = draw(st.integers(1, 4)), draw(st.integers(0, 4))
    required, demands = draw(subset(2)), draw(st.integers(0, demands))
    copies = draw(st.sampled_from([1, 40]))
    piece = st.builds(
        Piece,
        cost=st.integers(1, 4),
        pos=examples(st.builds(operator.or_, subset(positives), subset(positives)), positives),
        neg=examples(subset(negatives), negatives),
        head=st.builds(operator.or_, subset(2), subset(2)),
        progress=subset(demands),
        stuck=subset(demands),
    )
    pieces = draw(st.lists(piece, min_size=draw(st.integers(0, 7)), max_size=7))
    return Instance(copies * positives, copies * negatives, required, demands, tuple(pieces))


def maximal(conjunctions: list[FoundConjunction], bound: int) -> set[int]:
    """The subset-maximal coverages of conjunctions of at most this size."""
    coverages = {conjunction.pos for conjunction in conjunctions if conjunction.size <= bound}
    return {c for c in coverages if not any(c != other and not c & ~other for other in coverages)}


def random_instance(pieces: int, positives: int, negatives: int, seed: int = 7) -> Instance:
    """Pieces that cover three quarters of all examples each, none much better than the others."""
    source = random.Random(seed)

    def subset(width: int) -> int:
        return source.getrandbits(width) | source.getrandbits(width)

    made = (Piece(source.randint(1, 4), subset(positives), subset(negatives)) for _ in range(pieces))
    return Instance(positives, negatives, 0, 0, tuple(made))
