"""What a run tells while it works. The union is closed: a type checker can prove a reader complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.fate import Fate
from joiner_magic.search.objective import EXACT, Objective, Price

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.search.stages.constrain import Constraint
    from joiner_magic.search.stages.hypothesis import Hypothesis
    from joiner_magic.search.stages.parts import Part


@dataclass(frozen=True, slots=True)
class Started:
    """The run begins: the task is prepared."""

    positives: int  # how many positive examples there are
    negatives: int  # how many negative examples there are
    largest: int  # literals of the largest program that may be generated
    engine: str  # the engine that tests programs
    source: str  # where programs come from
    objective: Objective = EXACT  # what errors cost


@dataclass(frozen=True, slots=True)
class SizeStarted:
    """Programs of a size are generated from here on."""

    size: int  # literals of each of these programs


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A batch of programs of one size was tested.

    A source that judges by itself gives only those that may be of use, unless `every_rule` asks for all.
    """

    size: int  # literals of each of these programs
    programs: Sequence[Program]  # those that may be of use
    evaluations: Sequence[Evaluation]  # what each of them covers
    tested: int  # how many were tested, with those that are not listed
    made: int  # how many were made, with those that need no test
    fates: Mapping[Fate, int]  # what became of them: by kind of constraint, and others
    share: (
        float | None
    )  # the part of this size's programs that was made by now; None if the source cannot tell


@dataclass(frozen=True, slots=True)
class Joined:
    """Conjunctions that may be rules of a hypothesis; `complete` when all of at most `bound` literals are known."""

    parts: Sequence[Part]  # conjunctions that are new
    complete: bool  # whether all of at most `bound` literals are known
    bound: int | None  # a number of literals; None where conjunctions were joined greedily


@dataclass(frozen=True, slots=True)
class Improved:
    """A better hypothesis was found."""

    hypothesis: Hypothesis  # covers no negative example, unless errors have a price
    solution: bool  # whether it covers every positive example, or the objective allows what it misses
    seconds: float  # from the beginning of the run
    cost: Price | None = None  # what a solution costs, in literals: its size, and the price of its errors


@dataclass(frozen=True, slots=True)
class Constrained:
    """Programs that need not be made, as the source was told. A source that judges by itself sends no such event."""

    constraints: Sequence[Constraint]  # each says which programs need not be made


@dataclass(frozen=True, slots=True)
class SizeFinished:
    """All programs of a size were made and tested, or need not be."""

    size: int  # literals of each of these programs
    tested: int  # how many programs of this size were tested
    fragments: int  # how many fragments, of all sizes, can still be joined
    parts: int  # how many parts there are of which a hypothesis can be combined
    bound: Price | None  # a better solution would cost at least this; without errors the cost is the size
    timings: Mapping[str, float]  # seconds of each stage, from the beginning of the run
    fates: Mapping[Fate, int]  # what became of programs of this size: by kind of constraint, and others


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event."""

    result: Result  # what `learn` returns


Event: TypeAlias = (
    Started | SizeStarted | Evaluated | Joined | Improved | Constrained | SizeFinished | Finished
)
