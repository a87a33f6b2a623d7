"""Where programs come from, as the loop sees it."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.fate import Fate
from joiner_magic.search.record.record import Record
from joiner_magic.search.stages.constrain import Constraint
from joiner_magic.solvers.interrupt import Stop


@dataclass(frozen=True, slots=True)
class Batch:
    """Programs of one size, each once, which nobody has tested."""

    programs: Sequence[Program]
    share: float | None = None  # of the work for this size that is done by now, if the source can tell


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedBatch(Batch):
    """Programs that the source has tested itself, with what they cover."""

    evaluations: Sequence[Evaluation]
    longest: int  # the most literals in a body that covers something
    widest: int  # the most variables in a body that covers something

    def judged(self, tally: Tally) -> JudgedBatch:
        """The batch of a source that has judged its programs, too."""
        return JudgedBatch(
            self.programs,
            self.share,
            evaluations=self.evaluations,
            longest=self.longest,
            widest=self.widest,
            tally=tally,
        )

    @property
    def tested(self) -> int:
        """How many programs were tested for this batch."""
        return len(self.programs)

    @property
    def made(self) -> int:
        """How many programs were made for this batch."""
        return self.tested


@dataclass(frozen=True, slots=True)
class Tally:
    """How many programs a source made and tested, and what became of them."""

    made: int
    tested: int
    fates: Mapping[Fate, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedBatch(EvaluatedBatch):
    """Programs of a source that judges by itself: only those are here that may still matter, and the tally has them all."""

    tally: Tally

    @property
    def tested(self) -> int:
        return self.tally.tested

    @property
    def made(self) -> int:
        return self.tally.made


@dataclass(frozen=True, slots=True)
class SourceHints:
    """What a source may use to leave programs out."""

    # Sizes and coverages of known parts, alone or together: a larger part that covers no more is of no use.
    covered: Sequence[tuple[int, int]]
    # Sets of positive examples, one of which a part must cover to be of use: a part of the size at hand, and
    # one that is larger. None while every part may be of use.
    required: tuple[Sequence[int], Sequence[int]] | None


class Worth(NamedTuple):
    """Which programs are needed where errors have a price: those that may be worth more than their literals, less `slack`."""

    literal: int  # what a literal costs
    positives: Sequence[int]  # what covering each positive example is worth, in the same unit
    slack: int = 0


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

    # Where errors have a price

    @property
    def expected(self) -> int:
        """About how many programs of the next size will be tested, as far as that is known."""

    def most_to_earn(self, worth: Sequence[int], stop: Stop) -> Sequence[tuple[int, int]] | None:
        """The most that programs which are still to come can earn, by what covering each positive example is worth.

        It is told by their size: those of at least this size earn at most so much, unless they are told with a larger one.
        Programs that cannot pay are left out. None if nothing is known of those that are still to come.
        """

    def focus(self, size: int, worth: Worth | None) -> None:
        """Put off what is not needed by this worth, until it is needed by another one; None if everything is needed.

        `size` is the last one that was generated. Programs of smaller sizes that are needed now come with the next ones.
        """

    def owes(self, size: int) -> bool:
        """Whether programs of at most this size were put off and are needed now."""

    def conclude(self) -> None:
        """What was put off is not needed at all: the search has proven it."""

    def inform(self, known: SourceHints) -> None:
        """What is known by now; called before programs are asked for, and in between."""

    def constrain(self, constraints: Sequence[Constraint], stop: Stop) -> None:
        """Leave out what the constraints forbid, from the next size on, as far as it pays."""
