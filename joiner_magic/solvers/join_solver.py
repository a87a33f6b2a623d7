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
    """A conjunction without negatives: its pieces, the positives that it covers as bits, and its size."""

    pieces: tuple[int, ...]  # their numbers, in the order in which they were added
    pos: int
    size: int


class JoinSolver:
    """Finds conjunctions of pieces that cover no negative example.

    Pieces are added and never removed. A coverage that was found, or blocked, is not found again.
    """

    def __init__(self, positives: int, negatives: int, *, required: int = 0, demands: int = 0) -> None:
        self._positives = positives
        self._required = required
        self._pieces: list[Piece] = []
        self._core = _core.Conjunctions(positives, negatives, required, demands)

    def add(self, pieces: Sequence[Piece]) -> None:
        """Add pieces; they are numbered in the order in which they come."""
        self._pieces += pieces
        for piece in pieces:
            head = piece.head & self._required
            self._core.add(piece.cost, piece.pos, piece.neg, head, piece.progress, piece.stuck)

    def block(self, pos: int, size: int) -> None:
        """Say that a program of this size covers `pos` and no negative.

        Conjunctions that are no smaller and cover a subset of `pos` are then not needed.
        """
        self._core.block(pos, size)

    def covers_most(
        self, uncovered: int, stop: Stop = never, *, exact: bool = True
    ) -> FoundConjunction | None:
        """A smallest conjunction among those that cover the most of `uncovered`; None if none covers any of it.

        With `exact` false, or where the problem is too hard, it may cover fewer than possible; but no conjunction
        covers the same examples of `uncovered` and others besides.
        """
        chosen = most_covering(self._core, uncovered, stop, exact=exact)
        if chosen is None:
            return None
        return self._conjunction(chosen)

    def maximal(self, bound: int, stop: Stop = never, *, including: int = 0) -> Iterator[FoundConjunction]:
        """All conjunctions of at most this size whose coverage is new and subset-maximal.

        A coverage is new if no blocked program, and no conjunction that was found before, of at most this size
        covers as much or more. Only conjunctions that cover all of `including` are considered. If the bounds rise
        one by one, each coverage is found at its smallest size. Before Interrupted is raised, all conjunctions
        that were found so far are yielded.
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

        Directions are ignored, so a set may be larger than what a legal conjunction covers; but the coverage of
        each conjunction is a subset of one of them. None if there are more than `most`, or if it takes too long.
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
        """Large sets of positives such that no conjunction covers two examples of one set. Not all of them are found.

        Directions are ignored; with them there might be more such sets.
        """
        try:
            return self._core.conflicts(stop)
        except _core.Stopped:
            raise Interrupted from None

    def _conjunction(self, chosen: Iterable[int]) -> FoundConjunction:
        """The conjunction of the pieces with these numbers."""
        numbers = tuple(sorted(chosen))
        pos, size = ones(self._positives), 1
        for number in numbers:
            pos &= self._pieces[number].pos
            size += self._pieces[number].cost
        return FoundConjunction(numbers, pos, size)
