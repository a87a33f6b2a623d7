"""What a run tells while it works. The union is closed: a type checker can prove a reader complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from joiner_magic.logic.programs import Evaluation, Program

if TYPE_CHECKING:
    from joiner_magic.search.constrain import Constraint
    from joiner_magic.search.hypothesis import Hypothesis
    from joiner_magic.search.parts import Part
    from joiner_magic.search.result import Result


@dataclass(frozen=True, slots=True)
class Started:
    positives: int
    negatives: int
    largest: int  # no generated program is larger
    engine: str
    source: str


@dataclass(frozen=True, slots=True)
class SizeStarted:
    size: int


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A batch of programs of one size was tested.

    A source that judges by itself gives only those that may be of use, unless `every_rule` asks for all.
    """

    size: int
    programs: Sequence[Program]
    evaluations: Sequence[Evaluation]
    tested: int  # how many, with those that are not given
    made: int  # with those that need no test
    fates: Mapping[str, int]  # what became of them: by kind of constraint, and others
    share: float | None  # of this size's programs that have been made, if the source can tell


@dataclass(frozen=True, slots=True)
class Joined:
    """Conjunctions that cover no negative example; `complete` when all of at most `bound` literals are known."""

    parts: Sequence[Part]
    complete: bool
    bound: int | None


@dataclass(frozen=True, slots=True)
class Improved:
    hypothesis: Hypothesis
    solution: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Constrained:
    """What the source was told; one that judges by itself draws these conclusions without a word."""

    constraints: Sequence[Constraint]


@dataclass(frozen=True, slots=True)
class SizeFinished:
    size: int
    tested: int  # programs of this size
    fragments: int  # of all sizes, that can still be joined
    parts: int
    bound: int | None  # a better solution would have at least this size
    timings: Mapping[str, float]
    fates: Mapping[str, int]  # what became of programs of this size: by kind of constraint, and others


@dataclass(frozen=True, slots=True)
class Finished:
    result: Result


Event: TypeAlias = (
    Started | SizeStarted | Evaluated | Joined | Improved | Constrained | SizeFinished | Finished
)
