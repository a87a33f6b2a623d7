"""Sets of positives that can be covered, indexed for one question: is this set inside one of them?"""

from __future__ import annotations

from collections.abc import Iterable

from joiner_magic.logic.dominance import bits
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.obligations import transposed

_SETS_PER_POLL = 1024


class Coverages:
    """By positive, a bitset of the sets that have it: a set is inside those that all its positives have."""

    def __init__(self, positives: int, sets: Iterable[int] = ()) -> None:
        rows = list(sets)
        self._having = list(transposed(rows, positives))
        self._marks = {coverage: 1 << number for number, coverage in enumerate(rows)}
        self._next = 1 << len(rows)
        self._left = self._next - 1  # which of the sets have not been removed
        self._inside: set[int] = set()  # what was found inside one

    def add(self, coverage: int) -> None:
        for example in bits(coverage):
            self._having[example] |= self._next
        self._left |= self._next
        self._marks[coverage] = self._next
        self._next <<= 1

    def add_maximal(self, sets: Iterable[int], stop: Stop) -> list[int]:
        """Add those that are inside no other, the largest first; what is there is inside none of them."""
        added = []
        largest_first = sorted(sets, key=lambda coverage: (-coverage.bit_count(), coverage))
        for number, coverage in enumerate(largest_first):
            if not number % _SETS_PER_POLL and stop():
                raise Interrupted
            if not self.contain(coverage):
                self.add(coverage)
                added.append(coverage)
        return added

    def remove(self, sets: Iterable[int]) -> None:
        for coverage in sets:
            self._left &= ~self._marks.pop(coverage)
        self._inside.clear()

    def contain(self, coverage: int) -> bool:
        """Whether the coverage is inside one of the sets, or empty."""
        if coverage in self._inside:
            return True
        left, having, rest = self._left, self._having, coverage
        while rest and left:  # written out: the join asks this most of its time
            low = rest & -rest
            left &= having[low.bit_length() - 1]
            rest ^= low
        if left or not coverage:
            self._inside.add(coverage)
            return True
        return False


class Known:
    """What programs of a size cover. The index of those up to a bound is kept for as long as bounds rise."""

    def __init__(self, positives: int) -> None:
        self._positives = positives
        self._bound = 0
        self._within = Coverages(positives)
        self.all: list[tuple[int, int]] = []  # coverage and size; append-only, by `add`

    def add(self, coverage: int, size: int) -> None:
        self.all.append((coverage, size))
        if size <= self._bound:
            self._index(coverage)

    def within(self, bound: int) -> Coverages:
        """What those of at most this size cover, also those that are added until the next call."""
        if bound < self._bound:
            self._bound, self._within = 0, Coverages(self._positives)
        if bound > self._bound:
            for coverage, size in self.all:
                if self._bound < size <= bound:
                    self._index(coverage)
            self._bound = bound
        return self._within

    def _index(self, coverage: int) -> None:
        if not self._within.contain(coverage):
            self._within.add(coverage)
