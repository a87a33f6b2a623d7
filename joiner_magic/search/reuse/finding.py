"""What a run leaves behind for later ones, and when it is still true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.objective import EXACT
from joiner_magic.search.options import Bearing, Options
from joiner_magic.search.outcome.result import Result
from joiner_magic.search.reuse.task_order import TASK_ORDERS, belongs, is_narrower
from joiner_magic.task.task import Task


@dataclass(frozen=True, slots=True)
class Finding:
    """What a run leaves behind."""

    run: str  # what it is called
    result: Result
    options: Options  # in force: with the engine that was chosen
    independent: bool  # Engine.independent
    parts: Sequence[Conjunction]
    fragments: Sequence[Program]
    coverage: Mapping[Program, Evaluation] = field(default_factory=dict, repr=False)
    settled_by: str = ""  # the run whose solution it has taken over, if that was proven to be the smallest

    @property
    def bound(self) -> int | None:
        """No solution of its task has fewer literals; None where that is not known, and where errors have a price.

        Such prices may be other ones for the next task: by the weights of its examples, or because they are balanced.
        """
        if self.result.counts["unfinished"] or self.result.objective != EXACT:
            return None
        bound = self.result.cost if self.result.optimal else self.result.bound
        return None if bound is None else int(bound)

    @property
    def solution(self) -> tuple[Conjunction, ...]:
        """The conjunctions that the solution consists of; empty where there was none."""
        if not self.result.solved:
            return ()
        return tuple(conjunction for part in self.result.parts for conjunction in part.conjunctions)

    def searches_as(self, options: Options) -> bool:
        """Whether the options give the same space of hypotheses, the bias aside."""
        return self.options.that(Bearing.SPACE) == options.that(Bearing.SPACE)

    def claims_as(self, options: Options) -> bool:
        """Whether claims of this run are claims about runs with these options."""
        bearings = Bearing.SPACE, Bearing.CLAIMS
        return self.options.that(*bearings) == options.that(*bearings)

    def fitting(self, found: Sequence[Conjunction], task: Task) -> Sequence[Conjunction]:
        """What of it belongs to the space of a task."""
        before, bias = self.result.task.bias, task.bias
        if is_narrower(before, bias):
            return found
        return [c for c in found if all(belongs(program, before, bias) for program in c.programs)]


def carries_over(finding: Finding, task: Task, options: Options) -> bool:
    """Whether every solution of the task is one of the task that the finding is about; `options` are those in force."""
    before = finding.result.task
    return (
        finding.independent
        and finding.claims_as(options)
        and all(order.carries_over(before, task) for order in TASK_ORDERS.values())
    )
