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

    positives: int  # examples
    negatives: int  # examples
    largest: int  # no generated program is larger
    engine: str  # what tests programs
    source: str  # where programs come from
    objective: Objective = EXACT  # what errors cost


@dataclass(frozen=True, slots=True)
class SizeStarted:
    """Programs of a size are generated from here on."""

    size: int  # in literals


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A batch of programs of one size was tested.

    A source that judges by itself gives only those that may be of use, unless `every_rule` asks for all.
    """

    size: int  # in literals
    programs: Sequence[Program]  # those that may be of use
    evaluations: Sequence[Evaluation]  # what each of them covers
    tested: int  # how many, with those that are not given
    made: int  # with those that need no test
    fates: Mapping[Fate, int]  # what became of them: by kind of constraint, and others
    share: float | None  # of this size's programs that have been made, if the source can tell


@dataclass(frozen=True, slots=True)
class Joined:
    """Conjunctions that may be rules of a hypothesis; `complete` when all of at most `bound` literals are known."""

    parts: Sequence[Part]  # conjunctions that are new
    complete: bool  # whether all of at most `bound` literals are known
    bound: int | None  # in literals; None where conjunctions were joined greedily


@dataclass(frozen=True, slots=True)
class Improved:
    """A better hypothesis was found."""

    hypothesis: Hypothesis  # covers no negative example, unless errors have a price
    solution: bool  # whether it covers every positive example, or the objective allows what it misses
    seconds: float  # since the run began
    cost: Price | None = None  # of a solution, in literals: its size, and the price of its errors


@dataclass(frozen=True, slots=True)
class Constrained:
    """What the source was told; one that judges by itself draws these conclusions without a word."""

    constraints: Sequence[Constraint]  # each says which programs need not be made


@dataclass(frozen=True, slots=True)
class SizeFinished:
    """All programs of a size were made and tested, or need not be."""

    size: int  # in literals
    tested: int  # programs of this size
    fragments: int  # of all sizes, that can still be joined
    parts: int  # that a hypothesis can be combined of
    bound: Price | None  # a better solution would cost at least this; without errors the cost is the size
    timings: Mapping[str, float]  # seconds by stage, since the run began
    fates: Mapping[Fate, int]  # what became of programs of this size: by kind of constraint, and others


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event."""

    result: Result  # what `learn` gives


Event: TypeAlias = (
    Started | SizeStarted | Evaluated | Joined | Improved | Constrained | SizeFinished | Finished
)
