"""The constrain stage: what a tested program says about programs that have not been generated yet.

Each constraint forbids the specialisations of one program (its cause) and says which proposition
makes that sound: no specialisation can be needed for an optimal hypothesis. A constraint holds for
programs larger than its cause; sizes come in increasing order, so the others are there already.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from joiner_magic.logic.programs import Program
from joiner_magic.search.stages.parts import Part


@dataclass(frozen=True, slots=True)
class CoversNothing:
    kind: ClassVar[str] = "covers nothing"
    proposition: ClassVar[str] = (
        "A specialisation of a program that covers no positive example covers none either, and neither does"
        " any conjunction with it (Proposition 2 of the paper)."
    )
    program: Program


@dataclass(frozen=True, slots=True)
class Consistent:
    kind: ClassVar[str] = "consistent"
    proposition: ClassVar[str] = (
        "A program that covers no negative example covers at least what its specialisations cover and is"
        " smaller than any of them (Proposition 3 of the paper)."
    )
    program: Program


@dataclass(frozen=True, slots=True)
class ConsistentFragment:
    """Covers no negative, but leaves head variables out, so it is no rule of a hypothesis yet."""

    kind: ClassVar[str] = "consistent fragment"
    proposition: ClassVar[str] = (
        "In any conjunction the fragment can take the place of a specialisation that mentions no further head"
        " variable: it covers at least as much, no negative example, and is smaller."
    )
    program: Program
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Subsumed:
    kind: ClassVar[str] = "subsumed"
    proposition: ClassVar[str] = (
        "What the program covers, and so what any conjunction with it or with a specialisation covers, is"
        " covered by a consistent part that is no larger (Proposition 1 of the paper)."
    )
    program: Program
    by: Part


@dataclass(frozen=True, slots=True)
class TooLarge:
    kind: ClassVar[str] = "too large"
    proposition: ClassVar[str] = (
        "What a specialisation of the program leaves uncovered costs so much that a hypothesis with it is no"
        " smaller than the best solution."
    )
    program: Program


@dataclass(frozen=True, slots=True)
class CheaperUnion:
    kind: ClassVar[str] = "cheaper union"
    proposition: ClassVar[str] = (
        "What the program covers is covered by consistent parts that together are no larger: they can take the"
        " place of any conjunction with it or with a specialisation, and make the hypothesis smaller."
    )
    program: Program


Constraint: TypeAlias = CoversNothing | Consistent | ConsistentFragment | Subsumed | TooLarge | CheaperUnion
KINDS: tuple[type[Constraint], ...] = (
    CoversNothing,
    Consistent,
    ConsistentFragment,
    Subsumed,
    TooLarge,
    CheaperUnion,
)
