"""All conjunctions within a size bound whose coverage is not known yet: a search over bitsets.

A conjunction is a hitting set of its obligations: take the one that the fewest pieces meet, and branch on
the pieces that meet it, each branch without the pieces of those before it. Three things keep the tree small:

- The pieces that meet all that is owed are an intersection of bitsets. They finish the conjunction, and there
  is no reason to take one of them and go on. So a last piece is never branched on.
- Coverage only shrinks along a branch, so a branch ends where it is inside a known coverage; by the paper's
  proposition on subsumed conjunctions, what it leads to is of no use.
- A piece that leaves no room for another one is not branched on.

A lower bound from obligations that no piece meets together saved too few nodes to pay for itself, and so did
branching on the obligation that the fewest of the pieces left meet, instead of the fewest of all pieces.
"""

from __future__ import annotations

from collections.abc import Iterator

from joiner_magic.logic.dominance import bits
from joiner_magic.solvers.coverages import Coverages
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.obligations import Obligations

_NODES_PER_POLL = 256


class HittingSets:
    """One search, which pauses (it gives None) after `head_start` nodes, and then after every `turn` nodes."""

    def __init__(self, table: Obligations, known: Coverages, stop: Stop, head_start: int, turn: int) -> None:
        self._table = table
        self._known = known
        self._stop = stop
        self._left = head_start
        self._turn = turn
        self._cheapest = min(table.costs, default=1)

    def within(self, budget: int, among: int, positives: int) -> Iterator[tuple[int, ...] | None]:
        """Conjunctions of these pieces that cost no more than the budget, and whose coverage is not known.

        Each must become known before the next one is asked for.
        """
        return self._branch(self._table.owed, 0, positives, among, budget, ())

    def _branch(
        self, owed: int, met: int, covered: int, among: int, budget: int, chosen: tuple[int, ...]
    ) -> Iterator[tuple[int, ...] | None]:
        """Extend `chosen` by some of `among` that meet what is owed."""
        if self._is_over():
            yield None
        table = self._table
        among &= self._affordable(budget)
        last = self._finishing(owed, met, among)
        for piece in bits(last):
            if not self._known.contain(covered & table.coverages[piece]):
                yield (*chosen, piece)
        among &= self._affordable(budget - self._cheapest) & ~last
        branches = among & table.meeting[(owed & -owed).bit_length() - 1]
        for piece in bits(branches):
            among ^= 1 << piece
            covers = covered & table.coverages[piece]
            if self._known.contain(covers):
                continue
            meets = met | table.meets[piece]
            owes = (owed | table.brings[piece]) & ~meets
            yield from self._branch(owes, meets, covers, among, budget - table.costs[piece], (*chosen, piece))

    def _is_over(self) -> bool:
        """Count a node: whether the turn is over."""
        if not self._left % _NODES_PER_POLL and self._stop():
            raise Interrupted
        over = not self._left
        self._left = self._turn if over else self._left - 1
        return over

    def _finishing(self, owed: int, met: int, among: int) -> int:
        """Those of `among` that by themselves complete the conjunction."""
        table = self._table
        last, rest = among, owed
        while rest and last:  # written out: this is where the time goes
            low = rest & -rest
            last &= table.meeting[low.bit_length() - 1]
            rest ^= low
        if table.demands:
            for piece in bits(last):
                if table.brings[piece] & ~(met | table.meets[piece]):
                    last ^= 1 << piece
        return last

    def _affordable(self, budget: int) -> int:
        """The pieces that cost no more than this."""
        return self._table.within[min(budget, len(self._table.within) - 1)] if budget >= 0 else 0
