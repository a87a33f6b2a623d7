"""Where programs come from, as the loop sees it."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.record.fates import called
from joiner_magic.search.record.record import Record
from joiner_magic.search.stages.constrain import Constraint
from joiner_magic.solvers.interrupt import Stop


@dataclass(frozen=True, slots=True)
class Batch:
    """Programs of one size, each once.

    A source that tests and judges by itself gives the coverage, and what it counted on the way: programs that
    were "made" and "tested", and what became of them, in the words of a record. Then only those programs are here that
    may be of use.
    """

    programs: Sequence[Program]
    evaluations: Sequence[Evaluation] | None = None
    counts: Mapping[str, int] | None = None
    # Then also the most literals and the most variables in a body that covers something.
    longest: int = 0
    widest: int = 0
    share: float | None = None  # of the work for this size that is done by now, if the source can tell

    @property
    def fates(self) -> Mapping[str, int]:
        """What became of programs, as far as the source has counted, in the words of `fates`."""
        counts = self.counts or {}
        return {called(fate): number for fate, number in counts.items() if fate not in ("made", "tested")}


@dataclass(frozen=True, slots=True)
class Known:
    """What a source may use to leave programs out."""

    # Sizes and coverages of known parts, alone or together: a larger part that covers no more is of no use.
    covered: Sequence[tuple[int, int]]
    # Sets of positive examples, one of which a part must cover to be of use: a part of the size at hand, and
    # one that is larger. None while every part may be of use.
    required: tuple[Sequence[int], Sequence[int]] | None


class MemoryUsedUp(Exception):
    """Control flow, not an error: the source would need more memory than it may use."""


class Source(Protocol):
    """Programs of a hypothesis space by size."""

    @property
    def name(self) -> str: ...

    @property
    def record(self) -> Record | None:
        """What it has tested, if it judges by itself."""

    @property
    def largest(self) -> int:
        """No program of the space is larger."""

    def generate(self, size: int, stop: Stop) -> Generator[Batch, None, None]:
        """All programs of this size that no constraint forbids. Raises Interrupted when `stop` says so.

        The reader closes it: what works in the background must not outlive an interrupted run.
        """

    def inform(self, known: Known) -> None:
        """What is known by now; called before programs are asked for, and in between."""

    def constrain(self, constraints: Sequence[Constraint], stop: Stop) -> None:
        """Leave out what the constraints forbid, from the next size on, as far as it pays."""
