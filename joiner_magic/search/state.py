"""What a search knows by now: the one object that changes while it runs.

The loop owns it, the stages add to it, and whoever tells of the run reads it: `outcome` makes results of it, at the end and
in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from joiner_magic.logic.programs import Program
from joiner_magic.search.outcome.result import Why
from joiner_magic.search.problem import Problem
from joiner_magic.search.reuse.head_start import HeadStart, ReuseSummary
from joiner_magic.search.running.budget import Allowance
from joiner_magic.search.running.ledger import Ledger
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.source import Source
from joiner_magic.search.stages.bounds import bounds_for
from joiner_magic.search.stages.combine import Combiner
from joiner_magic.search.stages.hypothesis import Hypothesis
from joiner_magic.search.stages.join import Join
from joiner_magic.search.stages.judge import Judge
from joiner_magic.search.stages.limits import Limits
from joiner_magic.search.stages.parts import Parts
from joiner_magic.search.stages.priced_rules import PricedRules
from joiner_magic.search.stages.shared_rules import SharedRules
from joiner_magic.search.stages.test import Coverage
from joiner_magic.search.stages.unfinished import UnfinishedPrograms

_WORK_PER_PROGRAM = 40_000  # words of coverage: some tenths of a millisecond


class SearchState:
    """A problem, where its programs come from, what was found so far, and why the search ended if it has."""

    def __init__(
        self,
        problem: Problem,
        source: Source,
        coverage: Coverage,
        budget: Allowance,
        head_start: HeadStart,
        ledger: Ledger | None,
        limits: Limits,
        several: Callable[[], AspSource] | None,
    ) -> None:
        """`limits` are those of `coverage`, `several` a source of programs that may share rules."""
        self.problem = problem
        self.source = source
        self.coverage = coverage
        self.budget = budget
        self.ledger = ledger or Ledger(lambda: budget.elapsed)
        self.head_start = head_start
        self.reuse = ReuseSummary()
        negatives = 0
        if problem.prices:
            negatives = problem.negatives
        self.unfinished = UnfinishedPrograms(problem, limits)
        self.parts = Parts(problem.positives, negatives)
        self.priced = PricedRules(problem, self.parts) if problem.prices else None
        self.join = Join(problem, self.parts) if problem.join and not problem.prices else None
        self.combine = Combiner(problem, coverage, self.parts)
        self.bounds = bounds_for(problem, self.parts, self.join, budget.stop)
        self.shared = SharedRules(problem, self.parts, coverage, self.unfinished, several)
        self.judge = Judge(problem, self.parts, self.priced or self.join, self.bounds, self.unfinished)
        self.ended: Why | None = None  # why there is nothing more to search for, if that is so
        self.failure = ""  # what ended it, if it could not go on

    @property
    def incumbent(self) -> Hypothesis | None:
        """The best solution so far."""
        return self.combine.solution

    @property
    def fragments(self) -> Sequence[Program]:
        """What conjunctions are joined of."""
        joining = self.priced or self.join
        return joining.fragments if joining else ()

    @property
    def work_of_join(self) -> float:
        """How many words of coverage a search for cheap rules may look at, where errors have a price.

        Where clingo makes the programs they are few, and more are to come: then it takes no longer than they did.
        """
        if self.source.record is not None or self.bounds.exhausted:
            return inf
        return self.coverage.tested * _WORK_PER_PROGRAM

    @property
    def is_settled(self) -> bool:
        """Whether an earlier run has proven that no solution is cheaper than the best."""
        incumbent = self.incumbent
        return (
            incumbent is not None and incumbent.cost is not None and incumbent.cost <= self.head_start.floor
        )

    @property
    def lower(self) -> int | None:
        """What a cheaper solution costs at least, as far as anything is known about that.

        Where recursion has spoilt a union, a cheaper solution may have a part that another is better than. And what a
        program covers that is not finished, nobody knows. Parts may share rules in a way that is not known yet, and
        fragments literals.
        """
        lower = self.bounds.lower
        if lower is None or self.combine.interference or len(self.unfinished):
            return None
        return int(min(lower, self.additive_below * self.problem.literal))

    @property
    def additive_below(self) -> float:
        """What is smaller than this, and shares rules or literals, has the size that is counted for it."""
        joining = self.priced or self.join
        least_overlap = joining.least_overlap if joining else inf
        return min(self.shared.known + 1, least_overlap)
