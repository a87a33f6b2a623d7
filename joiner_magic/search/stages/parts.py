"""Parts: what a hypothesis is a union of, and what is known about the cheapest of them.

A part is a conjunction that may stand in a solution: it covers some positive examples, and no negative ones unless the
objective has a price for them. Only parts that no other part subsumes are kept: one that covers at least as many positive
and at most as many negative examples and is no larger (Proposition 1 of the paper; `objective` says why it holds whatever
errors cost). The sizes of parts add up; those that share rules are one part together, a cluster (`shared_rules`).

**Merit.** The core compares bitsets. The merit of a part is what it covers of the positive examples and, where a part may
cover negative ones, what it leaves out of these: one part does at least as well as another if its merit contains the other's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from joiner_magic import _core
from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.search.stages.preference import Rank, rank


@dataclass(frozen=True, slots=True)
class Part:
    """A conjunction that may stand in a solution, with its price in literals and what it covers."""

    conjunction: Conjunction
    size: int  # its price in a union: sizes add up
    pos: int  # positive examples it covers, as a bitset
    neg: int = (
        0  # negative examples it covers, as a bitset; each is paid for once, however many parts cover it
    )
    members: tuple[Conjunction, ...] = ()  # of a cluster: the parts that share rules (`shared_rules`)

    @property
    def conjunctions(self) -> tuple[Conjunction, ...]:
        """What it is made of that is of the space by itself."""
        return self.members or (self.conjunction,)

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

    def __init__(self, positives: int, negatives: int = 0) -> None:
        """`negatives` is the number of negative examples where parts may cover some, and 0 where they may not."""
        self._positives = positives
        self._left_out = (1 << negatives) - 1  # the merit of leaving every negative example out
        self._width = positives + negatives
        self._front = _core.Front(self._width)
        self._found: list[Part] = []  # by their number in the front, also those that later ones subsume
        self._kept: dict[tuple[int, int], int] = {}  # by merit and size their numbers
        self._new: list[tuple[int, int]] = []  # those that may subsume others among the kept
        self.covered = 0

    def __len__(self) -> int:
        self._prune()
        return len(self._kept)

    def __iter__(self) -> Iterator[Part]:
        self._prune()
        return map(self._found.__getitem__, self._kept.values())

    def add(self, part: Part) -> bool:
        """Whether the part is new: no part known covers as much and is no larger, or it is preferred to an equal one."""
        key = self._merit(part.pos, part.neg), part.size
        equal = self._kept.get(key)
        if equal is not None:
            is_preferred = part.rank < self._found[equal].rank
            if is_preferred:
                self._found[equal] = part
            return is_preferred
        if not self._front.add(part.size, key[0]):
            return False
        self._kept[key] = len(self._found)
        self._new.append(key)
        self._found.append(part)
        self.covered |= part.pos
        return True

    def _prune(self) -> None:
        """Drop those that later ones subsume: for thousands that come together, all at once."""
        if not self._new:
            return
        front = _core.Front(self._width)
        # What subsumes another of the new ones comes first in this order.
        for merit, size in sorted(self._new, key=lambda key: (key[1], -key[0].bit_count())):
            if not front.add(size, merit):
                del self._kept[merit, size]
        least, new = min(size for _, size in self._new), set(self._new)
        for key in [key for key in self._kept if key[1] >= least and key not in new]:
            if front.dominates(key[1], key[0]):
                del self._kept[key]
        self._new.clear()

    def subsuming(self, pos: int, size: int) -> Part | None:
        """A part that covers all of `pos` and no negative example, and is no larger than `size`."""
        number = self._front.dominator(size, self._merit(pos, 0))
        if number is None:
            return None
        return self._found[number]

    def _merit(self, pos: int, neg: int) -> int:
        """What is covered of the positive examples and left out of the negative ones, where these count."""
        if not self._left_out:
            return pos
        return pos | (self._left_out & ~neg) << self._positives

    def covered_within(self, size: int) -> int:
        """What parts of at most this size cover."""
        covered = 0
        for part in self:
            if part.size <= size:
                covered |= part.pos
        return covered
