"""The join stage's solver: conjunctions of pieces that cover no negative example.

The problem is the paper's: choose pieces so that each negative is missed by one of them, each required head
variable mentioned, the directions legal (`obligations`) and the size within a bound; what the conjunction
covers is what all of its pieces cover. The incomplete stage asks for a conjunction that covers the most
(`most_covering`, MaxSAT). The complete stage asks for all with subset-maximal coverage at one size
bound. By the paper's proposition on subsumed conjunctions nothing else is needed for an optimal solution: one
that covers a subset of what a known program covers, which is no larger, can be replaced by it.

The complete stage is a search over bitsets (`hitting_sets`): it measured far better than SAT calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from joiner_magic.logic.dominance import Piece, bits, ones
from joiner_magic.solvers.coverages import Coverages
from joiner_magic.solvers.hitting_sets import HittingSets
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.solvers.most_covering import most_covering
from joiner_magic.solvers.obligations import Obligations


@dataclass(frozen=True, slots=True)
class Found:
    pieces: tuple[int, ...]  # their numbers, in the order in which they were added
    pos: int
    size: int


class Conjunctions:
    """Pieces are added once and for all; known coverages, found or blocked, are never found again."""

    def __init__(self, positives: int, negatives: int, *, required: int = 0, demands: int = 0) -> None:
        self._positives = positives
        self._negatives = negatives
        self._required = required
        self._demands = demands
        self._pieces: list[Piece] = []
        self._known: list[tuple[int, int]] = []  # size and coverage
        self._table: Obligations | None = None
        self._table_from = 0

    def add(self, pieces: Sequence[Piece]) -> None:
        self._pieces += pieces
        self._table = None

    def block(self, pos: int, size: int) -> None:
        """A program of this size covers `pos` and no negative: no larger one inside it is of use."""
        self._known.append((size, pos))

    def covers_most(self, uncovered: int, stop: Stop = never, *, exact: bool = True) -> Found | None:
        """A conjunction that covers the most of `uncovered`, and of those that cover the same a smallest.

        If that is too hard, or need not be exact, what it covers of them cannot grow, but might not be
        the most. None if no conjunction covers any of them.
        """
        table = self._tabulated(0)
        chosen = most_covering(table, uncovered, stop, exact=exact)
        return None if chosen is None else self._found(table, chosen)

    def maximal(
        self, bound: int, stop: Stop = never, *, new_only_from: int = 0, including: int = 0
    ) -> list[Found]:
        """All conjunctions of at most this size with subset-maximal coverage that is not known.

        Known is what is inside the coverage of a blocked program, or of a conjunction that was found, of at
        most this size. Only conjunctions with a piece numbered `new_only_from` or higher count, and only
        those that cover all of `including`. With bounds that rise one by one, each coverage is found
        at its smallest size.
        """
        table = self._tabulated(new_only_from)
        known = Coverages(self._positives, (pos for size, pos in self._known if size <= bound))
        search = HittingSets(table, known, stop)
        chosen = search.within(bound - 1, table.covering_all(including), ones(self._positives))
        found = {conjunction.pos: conjunction for conjunction in (self._found(table, c) for c in chosen)}
        maximal = [found[pos] for pos in Coverages(self._positives).add_maximal(found, stop)]
        self._known += [(conjunction.size, conjunction.pos) for conjunction in maximal]
        return maximal

    def coverages(self, most: int, stop: Stop = never) -> list[int] | None:
        """The maximal sets of positives that conjunctions of any size can cover; None beyond `most` of them.

        Directions are left out: each conjunction's coverage is inside one of the sets. Without them, a set is
        covered if for each obligation one of the pieces that meet it covers the set, so one
        obligation after the other cuts the sets down to what its pieces leave of them.
        """
        table = self._tabulated(0)
        everything = ones(self._positives)
        sets = Coverages(self._positives, [everything])
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
                rest.update(Coverages(self._positives).add_maximal(parts, stop))
            covering |= {part: table.covering_all(part) for part in sets.add_maximal(rest, stop)}
            if len(covering) > most:
                return None
        return list(covering)

    def _tabulated(self, new_from: int) -> Obligations:
        if self._table is None or self._table_from != new_from:
            self._table_from = new_from
            self._table = Obligations.of(
                self._pieces,
                positives=self._positives,
                negatives=self._negatives,
                required=self._required,
                demands=self._demands,
                new_from=new_from,
            )
        return self._table

    def _found(self, table: Obligations, chosen: Iterable[int]) -> Found:
        numbers = tuple(sorted(table.numbers[piece] for piece in chosen))
        covered = ones(self._positives)
        for number in numbers:
            covered &= self._pieces[number].pos
        return Found(numbers, covered, 1 + sum(self._pieces[number].cost for number in numbers))
