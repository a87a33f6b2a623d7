"""The constrain stage: what a tested program says about programs that have not been generated yet.

Each constraint forbids the specialisations of one program (its cause). Its kind is the fate of that program, whose
sentence has the proposition that makes this sound (`fate`): no specialisation can be needed for an optimal hypothesis. A constraint holds for
programs larger than its cause; sizes come in increasing order, so the others are there already.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from joiner_magic.logic.programs import Program
from joiner_magic.search.fate import Fate
from joiner_magic.search.stages.parts import Part


@dataclass(frozen=True, slots=True)
class CoversNothing:
    """The program covers no positive example, so no specialisation of it does."""

    kind: ClassVar[Fate] = Fate.COVERS_NOTHING
    program: Program


@dataclass(frozen=True, slots=True)
class Consistent:
    """The program covers no negative example: a specialisation would be larger and cover no more."""

    kind: ClassVar[Fate] = Fate.CONSISTENT
    program: Program


@dataclass(frozen=True, slots=True)
class ConsistentFragment:
    """Covers no negative, but leaves head variables out, so it is no rule of a hypothesis yet."""

    kind: ClassVar[Fate] = Fate.CONSISTENT_FRAGMENT
    program: Program
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Subsumed:
    """A known part that is no larger covers all the positive examples that the program covers, or more."""

    kind: ClassVar[Fate] = Fate.SUBSUMED
    program: Program
    by: Part


@dataclass(frozen=True, slots=True)
class TooLarge:
    """Any specialisation would be too large to stand in a hypothesis that is better than the best one."""

    kind: ClassVar[Fate] = Fate.TOO_LARGE
    program: Program


@dataclass(frozen=True, slots=True)
class Unprofitable:
    """Covers positive examples that are worth no more than what a larger rule costs."""

    kind: ClassVar[Fate] = Fate.UNPROFITABLE
    program: Program


@dataclass(frozen=True, slots=True)
class CheaperUnion:
    """Known parts together cover all that the program covers, and are cheaper."""

    kind: ClassVar[Fate] = Fate.CHEAPER_UNION
    program: Program


Constraint: TypeAlias = (
    CoversNothing | Consistent | ConsistentFragment | Subsumed | TooLarge | Unprofitable | CheaperUnion
)
KINDS: tuple[type[Constraint], ...] = (
    CoversNothing,
    Consistent,
    ConsistentFragment,
    Subsumed,
    TooLarge,
    Unprofitable,
    CheaperUnion,
)
