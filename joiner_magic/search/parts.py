"""Parts: what a hypothesis is a union of, and what is known about the cheapest of them.

A part is a consistent conjunction: it covers some positive examples and no negative one. Only parts that
no other part subsumes are kept: one that covers as much and is no larger (Proposition 1 of the paper).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from joiner_magic import _core
from joiner_magic.logic.conjunctions import Conjunction
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
        self._front = _core.Front(positives)
        self._found: list[Part] = []  # by their number in the front, also those that later ones subsume
        self._kept: dict[tuple[int, int], int] = {}  # by coverage and size their numbers
        self.covered = 0

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Part]:
        return map(self._found.__getitem__, self._kept.values())

    def add(self, part: Part) -> bool:
        """Whether the part is new: no part known covers as much and is no larger, or it is preferred to an equal one."""
        equal = self._kept.get((part.pos, part.size))
        if equal is not None:
            is_preferred = part.rank < self._found[equal].rank
            if is_preferred:
                self._found[equal] = part
            return is_preferred
        if not self._front.add(part.size, part.pos):
            return False
        for old in [key for key in self._kept if key[1] >= part.size and not key[0] & ~part.pos]:
            del self._kept[old]
        self._kept[part.pos, part.size] = len(self._found)
        self._found.append(part)
        self.covered |= part.pos
        return True

    def subsuming(self, pos: int, size: int) -> Part | None:
        """A part that covers all of `pos` and is no larger than `size`."""
        number = self._front.dominator(size, pos)
        return None if number is None else self._found[number]

    def covered_within(self, size: int) -> int:
        """What parts of at most this size cover."""
        covered = 0
        for part in self:
            if part.size <= size:
                covered |= part.pos
        return covered
