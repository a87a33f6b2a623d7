"""Lines 10 to 15 and 20 of the paper's Algorithm 1: what a tested program is good for, and what it excludes.

It is a rule of a hypothesis, or a fragment for the join, or neither; and from what it covers may follow that none of
its specialisations is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.fate import Fate
from joiner_magic.search.problem import Problem
from joiner_magic.search.record.plain_record import PlainRecord
from joiner_magic.search.spaces.source import Batch, JudgedBatch
from joiner_magic.search.spaces.specialisations import SpecialisationSpace
from joiner_magic.search.stages.bounds import Bounds
from joiner_magic.search.stages.constrain import (
    CheaperUnion,
    Consistent,
    ConsistentFragment,
    Constraint,
    CoversNothing,
    Subsumed,
    TooLarge,
    Unprofitable,
)
from joiner_magic.search.stages.join import Join
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.search.stages.priced_rules import PricedRules
from joiner_magic.search.stages.unfinished import UnfinishedPrograms
from joiner_magic.solvers.interrupt import Interrupted

_PER_POLL = 512  # programs


class Judge:
    """Decides for each tested program what it is good for and what it excludes, and keeps the record of it."""

    def __init__(
        self,
        problem: Problem,
        parts: Parts,
        join: Join | PricedRules | None,
        bounds: Bounds,
        unfinished: UnfinishedPrograms,
    ) -> None:
        """It hands programs on to the stages that it is given."""
        self._problem = problem
        self._parts = parts
        self._join = join
        self._bounds = bounds
        self._unfinished = unfinished
        self._constraints: list[Constraint] = []
        space = SpecialisationSpace(
            problem.task.bias, splittable=problem.splittable or not problem.join, fragments=problem.join
        )
        self.record = PlainRecord(space)  # of what a source has not judged itself

    def batch(
        self, batch: Batch, evaluations: Sequence[Evaluation], stop: Callable[[], bool]
    ) -> Mapping[Fate, int]:
        """What became of the programs of a batch, and how many of them."""
        judged: list[Constraint] = []
        fates: Counter[Fate] = Counter()
        for number, (program, evaluation) in enumerate(zip(batch.programs, evaluations, strict=True)):
            if not number % _PER_POLL and stop():
                raise Interrupted
            constraint = self.program(program, evaluation)
            if constraint is not None:
                judged.append(constraint)
            if not isinstance(batch, JudgedBatch):
                fate = _fate(constraint, evaluation)
                self.record.note(program, evaluation, fate)
                fates[fate] += 1
        if isinstance(batch, JudgedBatch):  # the source has drawn its conclusions, and of far more programs
            return batch.tally.fates
        self._constraints += judged
        return fates

    def program(self, program: Program, evaluation: Evaluation) -> Constraint | None:
        """Takes the program up for what it is good for; if that is not known, it is put aside."""
        pos, neg, complete = evaluation
        if not complete:
            self._unfinished.add(program, evaluation)
            return None
        if not pos:
            return CoversNothing(program)
        if self._problem.objective.allows(neg or 0) and self._problem.is_legal(program):
            self._parts.add(Part(self._problem.alone(program), program.size, pos, neg or 0))
            if not neg:
                return Consistent(program)
        if by := self._parts.subsuming(pos, program.size):
            return Subsumed(program, by)
        if not self._bounds.pays(pos, program.size):
            return Unprofitable(program)
        if self._bounds.too_large(pos):
            return TooLarge(program)
        if self._bounds.has_cheaper_union(pos):
            return CheaperUnion(program)
        if self._join:
            self._join.offer(program, evaluation)
        missing = self._problem.missing(program)
        if not neg and missing and not self._problem.modes.demands:
            return ConsistentFragment(program, missing)
        return None

    def again(self, program: Program, evaluation: Evaluation) -> Mapping[Fate, int]:
        """Takes up a program that is finished now; how many programs more, or less, met each fate."""
        self._unfinished.finished(program)
        constraint = self.program(program, evaluation)
        if constraint is not None:
            self._constraints.append(constraint)
        fate = _fate(constraint, evaluation)
        self.record.correct(program, evaluation, fate)
        return {Fate.UNFINISHED: -1, fate: 1}

    def pronounced(self) -> list[Constraint]:
        """The constraints since the last time."""
        constraints, self._constraints = self._constraints, []
        return constraints


def _fate(constraint: Constraint | None, evaluation: Evaluation) -> Fate:
    """What became of a program that was judged."""
    if not evaluation.complete:
        return Fate.UNFINISHED
    if constraint:
        return constraint.kind
    return Fate.JOINABLE
