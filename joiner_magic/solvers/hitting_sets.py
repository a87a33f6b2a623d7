"""All conjunctions within a size bound whose coverage is not known yet: a search over bitsets.

A conjunction is a hitting set of its obligations: take the one that the fewest pieces meet, and branch on
the pieces that meet it, each branch without the pieces of those before it. Three things keep the tree small:

- The pieces that meet all that is owed are an intersection of bitsets. They finish the conjunction, and there
  is no reason to take one of them and go on. So a last piece is never branched on.
- Coverage only shrinks along a branch, so a branch ends where it is inside a known coverage; by the paper's
  proposition on subsumed conjunctions, what it leads to is of no use.
- A piece that leaves no room for another one is not branched on.

The paper enumerates the same conjunctions by SAT calls. Both ways agreed on fragments of real tasks; here are
the seconds for all bounds up to the given one:

    task (fragments, bound)     this search   CaDiCaL 1.9.5
    zendo3      (650, 12)       0.3           58
    iggp-rps    (234, 14)       6.6           17
    iggp-coins  (199, 14)       0.9           2.6
    pharma1-4 (2,069, 10)       0.03          78

Glucose, MiniSat and MapleChrono, which unlike CaDiCaL could be interrupted at any time, took longer. So did
this search with a lower bound from obligations that no piece meets together: it saved too few nodes.
"""

from __future__ import annotations

from joiner_magic.logic.dominance import bits
from joiner_magic.solvers.coverages import Coverages
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.obligations import Obligations

_NODES_PER_POLL = 256


class HittingSets:
    """One search; `known` grows by what it finds."""

    def __init__(self, table: Obligations, known: Coverages, stop: Stop) -> None:
        self._table = table
        self._known = known
        self._stop = stop
        self._nodes = 0
        self._cheapest = min(table.costs, default=1)
        dearest = max(table.costs, default=0)
        self._within = [
            sum(1 << piece for piece, cost in enumerate(table.costs) if cost <= budget)
            for budget in range(dearest + 1)
        ]
        self._found: list[tuple[int, ...]] = []

    def within(self, budget: int, among: int, positives: int) -> list[tuple[int, ...]]:
        """Conjunctions of these pieces that cost no more than the budget; no coverage is in one before it."""
        self._branch(self._table.owed, 0, positives, among, budget, ())
        return self._found

    def _branch(
        self, owed: int, met: int, covered: int, among: int, budget: int, chosen: tuple[int, ...]
    ) -> None:
        """Extend `chosen` by some of `among` that meet what is owed."""
        self._nodes += 1
        if not self._nodes % _NODES_PER_POLL and self._stop():
            raise Interrupted
        table = self._table
        among &= self._affordable(budget)
        among ^= self._finish(owed, met, covered, among, chosen)
        among &= self._affordable(budget - self._cheapest)
        branches = among & table.meeting[(owed & -owed).bit_length() - 1]
        for piece in bits(branches):
            among ^= 1 << piece
            covers = covered & table.coverages[piece]
            if self._known.contain(covers):
                continue
            meets = met | table.meets[piece]
            owes = (owed | table.brings[piece]) & ~meets
            self._branch(owes, meets, covers, among, budget - table.costs[piece], (*chosen, piece))

    def _finish(self, owed: int, met: int, covered: int, among: int, chosen: tuple[int, ...]) -> int:
        """Those of `among` that by themselves complete the conjunction; what they cover becomes known."""
        table = self._table
        last, rest = among, owed
        while rest and last:  # written out: this is where the time goes
            low = rest & -rest
            last &= table.meeting[low.bit_length() - 1]
            rest ^= low
        for piece in bits(last):
            if table.brings[piece] & ~(met | table.meets[piece]):
                last ^= 1 << piece
                continue
            covers = covered & table.coverages[piece]
            if not self._known.contain(covers):
                self._known.add(covers)
                self._found.append((*chosen, piece))
        return last

    def _affordable(self, budget: int) -> int:
        """The pieces that cost no more than this."""
        return self._within[min(budget, len(self._within) - 1)] if budget >= 0 else 0
