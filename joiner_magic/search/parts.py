"""Parts: what a hypothesis is a union of, and what is known about the cheapest of them.

A part is a consistent conjunction: it covers some positive examples and no negative one. Only parts that
no other part subsumes are kept: one that covers as much and is no larger (Proposition 1 of the paper).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.dominance import bits
from joiner_magic.search.preference import Rank, rank


@dataclass(frozen=True, slots=True)
class Part:
    conjunction: Conjunction
    size: int
    pos: int  # positive examples it covers, as a bitset

    @property
    def rank(self) -> tuple[Rank, ...]:
        """Of parts that are equal in size and coverage the smaller rank is preferred."""
        return tuple(sorted(map(rank, self.conjunction.programs)))

    @property
    def is_recursive(self) -> bool:
        """Whether its rules may reach further when other rules are put next to them."""
        programs = self.conjunction.programs
        return len(programs) == 1 and len(programs[0].rules) > 1


class Parts:
    """The parts found so far that no other subsumes."""

    def __init__(self, positives: int) -> None:
        self._positives = positives
        self._kept: list[Part] = []
        self._subsumed: dict[int, Part] = {}  # a coverage, and the part that was found to subsume it
        self.covered = 0

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Part]:
        return iter(self._kept)

    def add(self, part: Part) -> bool:
        """Whether the part is new: no part known covers as much and is no larger."""
        by = self.subsuming(part.pos, part.size)
        if by is not None:
            return self._prefer(part, by)
        self._kept = [old for old in self._kept if old.size < part.size or old.pos & ~part.pos]
        self._kept.append(part)
        self.covered |= part.pos
        return True

    def _prefer(self, part: Part, known: Part) -> bool:
        """Put the part in the place of an equal one if it is preferred."""
        equal = part.pos == known.pos and part.size == known.size and known in self._kept
        if not equal or not part.rank < known.rank:
            return False
        self._kept[self._kept.index(known)] = part
        self._subsumed.clear()
        return True

    def subsuming(self, pos: int, size: int) -> Part | None:
        """A part that covers all of `pos` and is no larger than `size`."""
        known = self._subsumed.get(pos)
        if known is not None and known.size <= size:
            return known
        for part in self._kept:
            if part.size <= size and not pos & ~part.pos:
                self._subsumed[pos] = part
                return part
        return None

    def costs(self, unknown: int) -> list[int]:
        """For each positive example the size of the smallest part that covers it, at most `unknown`."""
        costs = [unknown] * self._positives
        for part in self._kept:
            if part.size >= unknown:
                continue
            for example in bits(part.pos):
                costs[example] = min(costs[example], part.size)
        return costs
