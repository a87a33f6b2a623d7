"""The join stage's solver: conjunctions of pieces that cover no negative example.

The problem is the paper's: choose pieces so that each negative is missed by one of them, each required head
variable mentioned, the directions legal (`obligations`) and the size within a bound; what the conjunction
covers is what all of its pieces cover. The incomplete stage asks for a conjunction that covers the most
(`most_covering`, MaxSAT). The complete stage asks for all with subset-maximal coverage at one size
bound. By the paper's proposition on subsumed conjunctions nothing else is needed for an optimal solution: one
that covers a subset of what a known program covers, which is no larger, can be replaced by it.

Two searches do this. The one over bitsets (`hitting_sets`) is the faster one on most tasks, and by far, but
its tree can double with each bound. The paper's SAT calls (`sat_conjunctions`) cost more from the start, but
hardly grow. Which is better cannot be seen beforehand, so after a head start for the first they take
turns: what one finds is known to the other, and when one of them is done, so is the bound. At worst this
takes twice as long as the better one. Turns are counted in work, not in time, so runs can be repeated.
Seconds on the fragments of real tasks, for one bound after the smaller ones:

    task (fragments), bound    bitsets   SAT     by turns
    iggp-rps (235), 12         0.8       1.1     0.8
    iggp-rps (235), 18         18        0.7     4.1
    iggp-rps (1,110), 14       7.5       17      11
    iggp-rps (1,110), 16       27        9       15
    iggp-coins (607), 14       1.4       37      1.0
    iggp-coins (607), 18       12        > 45    19
    zendo3 (1,574), 9          0.03      > 45    0.03
    zendo3 (1,574), 16         3.9       > 45    3.4
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, cycle

from joiner_magic.logic.dominance import Piece, bits, ones
from joiner_magic.solvers.coverages import Coverages, Known
from joiner_magic.solvers.hitting_sets import HittingSets
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.most_covering import most_covering
from joiner_magic.solvers.obligations import Law, Obligations
from joiner_magic.solvers.sat_conjunctions import SatConjunctions

# Nodes of the search over bitsets. About two seconds, and about as long as a turn of the SAT solver.
_HEAD_START = 200_000
_TURN = 5_000


@dataclass(frozen=True, slots=True)
class Found:
    pieces: tuple[int, ...]  # their numbers, in the order in which they were added
    pos: int
    size: int


class Conjunctions:
    """Pieces are added once and for all; known coverages, found or blocked, are never found again."""

    def __init__(self, positives: int, negatives: int, *, required: int = 0, demands: int = 0) -> None:
        self._law = Law(positives, negatives, required, demands)
        self._pieces: list[Piece] = []
        self._known = Known(positives)
        self._tabulated: Obligations | None = None
        self._sat: SatConjunctions | None = None

    def add(self, pieces: Sequence[Piece]) -> None:
        self._pieces += pieces
        self._tabulated = None

    def block(self, pos: int, size: int) -> None:
        """A program of this size covers `pos` and no negative: no larger one inside it is of use."""
        self._known.add(pos, size)

    def covers_most(self, uncovered: int, stop: Stop = never, *, exact: bool = True) -> Found | None:
        """A conjunction that covers the most of `uncovered`, and of those that cover the same a smallest.

        If that is too hard, or need not be exact, what it covers of them cannot grow, but might not be
        the most. None if no conjunction covers any of them.
        """
        table = self._table(stop)
        chosen = most_covering(table, uncovered, stop, exact=exact)
        return None if chosen is None else self._found(table.numbers[piece] for piece in chosen)

    def maximal(self, bound: int, stop: Stop = never, *, including: int = 0) -> Iterator[Found]:
        """All conjunctions of at most this size with subset-maximal coverage that is not known.

        Known is what is inside the coverage of a blocked program, or of a conjunction that was found, of at
        most this size. Only conjunctions that cover all of `including` count. With bounds that rise one by
        one, each coverage is found at its smallest size. Some of those that come early may be inside
        later ones: they are given as soon as they are found.
        """
        if stop():
            raise Interrupted
        table = self._table(stop)
        among = table.largest(table.covering_all(including))
        if not among:
            return
        known = self._known.within(bound)
        searches = (self._over_bitsets(bound, among, stop), self._by_sat(bound, including, stop))
        try:
            for numbers in _by_turns(*searches):
                found = self._found(numbers)
                if not known.contain(found.pos):  # the other search may have been faster
                    self._known.add(found.pos, found.size)
                    yield found
        except BaseException:
            # The solver might know of a conjunction that nobody was told of.
            self._sat = None
            raise

    def _over_bitsets(self, bound: int, among: int, stop: Stop) -> Iterator[tuple[int, ...] | None]:
        table = self._table(stop)
        search = HittingSets(table, self._known.within(bound), stop, head_start=_HEAD_START, turn=_TURN)
        for chosen in search.within(bound - 1, among, ones(self._law.positives)):
            yield None if chosen is None else tuple(table.numbers[piece] for piece in chosen)

    def _by_sat(self, bound: int, including: int, stop: Stop) -> Iterator[tuple[int, ...] | None]:
        if self._sat is None:
            self._sat = SatConjunctions(self._law, self._known)
        self._sat.add(self._pieces[len(self._sat) :], stop)
        yield from self._sat.maximal(bound, stop, including=including)

    def coverages(self, most: int, stop: Stop = never) -> list[int] | None:
        """The maximal sets of positives that conjunctions of any size can cover; None beyond `most` of them.

        Directions are left out: each conjunction's coverage is inside one of the sets. Without them, a set is
        covered if for each obligation one of the pieces that meet it covers the set, so one
        obligation after the other cuts the sets down to what its pieces leave of them.
        """
        table = self._table(stop)
        everything = ones(self._law.positives)
        sets = Coverages(self._law.positives, [everything])
        covering = {everything: table.covering_all(everything)}
        for rank in bits(table.owed):
            meeting = table.meeting[rank]
            cut = [whole for whole, pieces in covering.items() if not pieces & meeting]
            if not cut:
                continue
            sets.remove(cut)
            rest: set[int] = set()
            for whole in cut:
                del covering[whole]
                parts = {whole & table.coverages[piece] for piece in bits(meeting)}
                rest.update(Coverages(self._law.positives).add_maximal(parts, stop))
            covering |= {part: table.covering_all(part) for part in sets.add_maximal(rest, stop)}
            if len(covering) > most:
                return None
        return list(covering)

    def can_cover(self, positives: int, stop: Stop = never) -> bool:
        """Whether some conjunction, of whatever size, covers all of these."""
        table = self._table(stop)
        return bool(table.largest(table.covering_all(positives)))

    def conflicts(self, stop: Stop = never) -> list[int]:
        """For each positive those that no conjunction covers together with it."""
        table = self._table(stop)
        conflicts = [0] * self._law.positives
        for one, other in combinations(range(self._law.positives), 2):
            if not table.largest(table.covering[one] & table.covering[other]):
                conflicts[one] |= 1 << other
                conflicts[other] |= 1 << one
        return conflicts

    def _table(self, stop: Stop) -> Obligations:
        if self._tabulated is None:
            self._tabulated = Obligations.of(self._pieces, self._law, stop)
        return self._tabulated

    def _found(self, pieces: Iterable[int]) -> Found:
        numbers = tuple(sorted(pieces))
        covered = ones(self._law.positives)
        for number in numbers:
            covered &= self._pieces[number].pos
        return Found(numbers, covered, 1 + sum(self._pieces[number].cost for number in numbers))


def _by_turns(*searches: Iterator[tuple[int, ...] | None]) -> Iterator[tuple[int, ...]]:
    """What searches for the same things find: each until it pauses, and until one of them is done."""
    for search in cycle(searches):
        for found in search:
            if found is None:
                break
            yield found
        else:
            return
