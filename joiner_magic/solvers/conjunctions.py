"""The join stage's solver: conjunctions of pieces that cover no negative example.

The problem is the paper's: choose pieces so that each negative is missed by one of them, each required head
variable mentioned, the directions legal (see `joiner_magic.logic.dominance`) and the size within a bound; what the
conjunction covers is what all of its pieces cover. The incomplete stage asks for a conjunction that covers the
most (`most_covering`). The complete stage asks for all with subset-maximal coverage at one size bound. By the
paper's proposition on subsumed conjunctions nothing else is needed for an optimal solution: one that covers a
subset of what a known program covers, which is no larger, can be replaced by it.

The native core searches: `core/join/obligations.hpp` says what a conjunction owes, `core/join/hitting_sets.hpp` how all within
a size bound are found, `core/join/reach.hpp` what conjunctions of any size can cover. CPU seconds on the fragments of real
tasks, for one bound after the smaller ones and with nothing required, next to the paper's SAT calls (CaDiCaL):

    task (fragments), bound    here    SAT
    iggp-rps (235), 12         0.1     1.6
    iggp-rps (235), 18         0.3     0.4
    iggp-rps (1,176), 8        0.03    15
    iggp-rps (1,176), 10       0.1     19
    iggp-rps (1,176), 18       5.3     not tried

On zendo3 (1,574 fragments) the SAT calls did not end in 45 s at bounds 9 and 16; here bound 16 takes 1.3 s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from joiner_magic import _core
from joiner_magic.logic.dominance import Piece, ones
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.most_covering import most_covering


@dataclass(frozen=True, slots=True)
class FoundConjunction:
    pieces: tuple[int, ...]  # their numbers, in the order in which they were added
    pos: int
    size: int


class Conjunctions:
    """Pieces are added once and for all; known coverages, found or blocked, are never found again."""

    def __init__(self, positives: int, negatives: int, *, required: int = 0, demands: int = 0) -> None:
        self._positives = positives
        self._required = required
        self._pieces: list[Piece] = []
        self._core = _core.Conjunctions(positives, negatives, required, demands)

    def add(self, pieces: Sequence[Piece]) -> None:
        self._pieces += pieces
        for piece in pieces:
            head = piece.head & self._required
            self._core.add(piece.cost, piece.pos, piece.neg, head, piece.progress, piece.stuck)

    def block(self, pos: int, size: int) -> None:
        """A program of this size covers `pos` and no negative: no larger one inside it is of use."""
        self._core.block(pos, size)

    def covers_most(
        self, uncovered: int, stop: Stop = never, *, exact: bool = True
    ) -> FoundConjunction | None:
        """A conjunction that covers the most of `uncovered`, and of those that cover the same a smallest.

        If that is too hard, or need not be exact, what it covers of them cannot grow, but might not be
        the most. None if no conjunction covers any of them.
        """
        chosen = most_covering(self._core, uncovered, stop, exact=exact)
        return None if chosen is None else self._found(chosen)

    def maximal(self, bound: int, stop: Stop = never, *, including: int = 0) -> Iterator[FoundConjunction]:
        """All conjunctions of at most this size with subset-maximal coverage that is not known.

        Known is what is inside the coverage of a blocked program, or of a conjunction that was found, of at
        most this size. Only conjunctions that cover all of `including` count. With bounds that rise one by
        one, each coverage is found at its smallest size. What was found before an interrupt is given.
        """
        if stop():
            raise Interrupted
        found, finished = self._core.maximal(bound, including, stop)
        for pieces, pos, size in found:
            yield FoundConjunction(pieces, pos, size)
        if not finished:
            raise Interrupted

    def coverages(self, most: int, stop: Stop = never) -> list[int] | None:
        """The maximal sets of positives that conjunctions of any size can cover.

        Directions are left out: each conjunction's coverage is inside one of the sets. None if there are more
        than `most` of them, or if it takes too long.
        """
        if stop():
            raise Interrupted
        try:
            return self._core.coverages(most, stop)
        except _core.Stopped:
            raise Interrupted from None

    def can_cover(self, positives: int, stop: Stop = never) -> bool:
        """Whether some conjunction, of whatever size, covers all of these."""
        if stop():
            raise Interrupted
        return self._core.can_cover(positives)

    def conflicts(self, stop: Stop = never) -> list[int]:
        """Large sets of positives no two of which a conjunction covers together; not all of them.

        Directions are left out: with them there might be more.
        """
        try:
            return self._core.conflicts(stop)
        except _core.Stopped:
            raise Interrupted from None

    def _found(self, chosen: Iterable[int]) -> FoundConjunction:
        numbers = tuple(sorted(chosen))
        pos, size = ones(self._positives), 1
        for number in numbers:
            pos &= self._pieces[number].pos
            size += self._pieces[number].cost
        return FoundConjunction(numbers, pos, size)
