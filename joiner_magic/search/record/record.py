"""The record of a run: every program that it tested, what it covers, and what became of it.

The native core writes its own (native_record.py); programs that are tested one by one are noted in a plain one
(plain_record.py). A record can be asked from another thread while the run goes on: it then tells of what is noted so
far. It outlives the learner and its engine.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from joiner_magic.logic.programs import Program
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.fate import Fate

Order: TypeAlias = Literal["size", "positives", "balance"]  # the last: positives minus negatives


@dataclass(frozen=True, slots=True)
class RecordedProgram:
    """A program that was tested, by its number in the record."""

    number: int
    program: Program
    size: int
    # How many examples it covers; None: the test ended before they were counted. Of what is no rule yet there may be more,
    # because only values were looked at that a rule of the space can reach.
    pos: int | None
    neg: int | None
    fate: Fate
    legal: bool  # whether it is a rule of the space, or a fragment of one
    later: Fate | None = None  # why it was not extended after all: a fate that it met when more was known

    @property
    def cut(self) -> Fate | None:
        """The fate for which its specialisations were left out, None if they were not."""
        return self.fate if self.fate.prunes else self.later


@dataclass(frozen=True, slots=True)
class CutSpecialisations:
    """Immediate specialisations of a program that were never made."""

    # The recorded program that forbids them; None where the search had not come so far, or where the facts alone say
    # that two variables of theirs are equal.
    cause: int | None
    kind: Fate  # that of the cause; UNFINISHED where the search had not come so far
    count: int


@dataclass(frozen=True, slots=True)
class Specialisations:
    """The programs that have a literal more than another one."""

    made: tuple[int, ...]
    cut: tuple[CutSpecialisations, ...] = ()
    counted: bool = True  # otherwise nobody can tell what was never made


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Programs of these sizes and fates (none given: of any), but for some numbers.

    Of each of the sets of predicates one occurs in the program.
    """

    sizes: Collection[int] = ()
    fates: Collection[Fate] = ()
    predicates: Sequence[Collection[Predicate]] = ()
    without: Collection[int] = ()


ALL = RecordFilter()


class Record(Protocol):
    """Programs by number, in the order in which they were tested."""

    @property
    def missed(self) -> int:
        """Programs that were tested when the record was full: they are counted only."""

    def __len__(self) -> int:
        """How many programs are recorded."""

    def __getitem__(self, number: int) -> RecordedProgram:
        """The program of this number, counted from 0 in the order of testing."""

    def counts(self) -> Mapping[tuple[int, Fate], int]:
        """How many programs there are by size and fate."""

    def page(
        self, which: RecordFilter = ALL, *, order: Order = "size", offset: int = 0, limit: int = 50
    ) -> tuple[int, list[int]]:
        """How many of these programs there are, and some of them in order."""

    def find(self, program: Program) -> int | None:
        """The number of a program, in whatever form it is written."""

    def generalisations(self, number: int) -> tuple[int, ...]:
        """The recorded programs that are this one without one literal."""

    def specialisations(self, number: int) -> Specialisations:
        """The recorded programs that are this one with one more literal, and what is known of those never made."""

    def never_made(self, number: int, kind: Fate, limit: int) -> list[Program]:
        """The first of the immediate specialisations that a cut of this kind stands for."""

    def sample_of_cut(self, number: int, how_many: int, seed: int) -> list[Program]:
        """Programs of the space that this one forbids and that were never made, drawn at random."""
