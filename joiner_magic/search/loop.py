"""The paper's Algorithm 1: generate, test, join, combine, constrain, by increasing size.

After the step of size k every part of at most k literals that could matter is known: rules of that
size have been generated, and conjunctions of at most that size joined. So a cheaper hypothesis than
the best one has a part of more than k literals, and the search ends as soon as that is impossible
(`bounds`). The run is a stream of events; whoever reads it may stop it at any time, also in the middle of a
stage (`pausable`), and `result` is always the best that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count

from joiner_magic.errors import FAILURES, in_a_line
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.assemble import finding_of, known_rules_of, result_of, shortfall_of
from joiner_magic.search.outcome.result import Result, Why
from joiner_magic.search.outcome.shortfall import Shortfall
from joiner_magic.search.outcome.verdict import bound_of, cost_of
from joiner_magic.search.priced_search import PricedSearch
from joiner_magic.search.problem import Problem
from joiner_magic.search.record.record import Record
from joiner_magic.search.reuse.finding import Finding
from joiner_magic.search.reuse.head_start import NOTHING_KNOWN, HeadStart
from joiner_magic.search.reuse.retest import retest
from joiner_magic.search.running.budget import Allowance
from joiner_magic.search.running.events import (
    Constrained,
    Evaluated,
    Event,
    Improved,
    Joined,
    SizeFinished,
    SizeStarted,
    Started,
)
from joiner_magic.search.running.ledger import Ledger
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.source import Batch, EvaluatedBatch, MemoryUsedUp, Source
from joiner_magic.search.stages.hypothesis import Hypothesis
from joiner_magic.search.stages.limits import NO_LIMITS, Limits
from joiner_magic.search.stages.parts import Part
from joiner_magic.search.stages.retry import Retry
from joiner_magic.search.stages.test import Coverage
from joiner_magic.search.state import SearchState
from joiner_magic.solvers.interrupt import Interrupted

# Conjunctions of the incomplete stage while more fragments are to come, without and with a solution.
_FEW = 20
_VERY_FEW = 4


class Search:
    """One search for a cheapest hypothesis. `run` does it; the rest tells what came of it, at any moment."""

    def __init__(
        self,
        problem: Problem,
        source: Source,
        coverage: Coverage,
        budget: Allowance,
        why_source: str = "",
        head_start: HeadStart = NOTHING_KNOWN,
        *,
        ledger: Ledger | None = None,
        limits: Limits = NO_LIMITS,
        patient: bool = True,
        several: Callable[[], AspSource] | None = None,
    ) -> None:
        """`limits` are those of `coverage`; if `patient`, what does not finish within them is tried with more in the end.

        `several` gives a source of programs of several rules, where they may share some.
        """
        self._state = SearchState(problem, source, coverage, budget, head_start, ledger, limits, several)
        self._source_said = why_source or source.name
        self._patient = patient
        self._retry = Retry(self._state)
        self._priced = None
        if problem.prices is not None:
            self._priced = PricedSearch(self._state, self._improved)

    def run(self) -> Generator[Event, None, None]:
        """Search until the end, and tell of every step; the reader may close it at any time."""
        state = self._state
        problem = state.problem
        yield Started(
            problem.positives,
            problem.negatives,
            state.source.largest,
            problem.engine,
            self._source_said,
            problem.objective,
        )
        try:
            yield from self._begin()
            yield from self._sizes()
            yield from self._settle()
        except Interrupted:
            if state.ended != "proven":  # then only the choice between equals was cut short
                state.ended = "cancelled" if state.budget.cancelled else "timeout"
        except MemoryUsedUp as large:
            state.ended, state.failure = "memory", str(large)
        except FAILURES as failure:
            self._fail(failure)

    # What came of it

    @property
    def ledger(self) -> Ledger:
        """What is written down; another thread may read it while the search goes on."""
        return self._state.ledger

    @property
    def ended(self) -> Why | None:
        """Why there is nothing more to search for, if that is so."""
        return self._state.ended

    @property
    def record(self) -> Record:
        """What was tested; it may be asked while the search goes on, and afterwards."""
        of_source = self._state.source.record
        return self._state.judge.record if of_source is None else of_source

    def result(self, paused: Why = "interrupted") -> Result:
        """The best that is known now, and whether it is proven to be optimal; `paused` says why it is not over."""
        return result_of(self._state, self._source_said, paused)

    def finding(self, run: str, result: Result, options: Options, *, independent: bool) -> Finding:
        """What later runs may make use of; `options` are those in force, `independent` says it of the engine."""
        return finding_of(self._state, run, result, options, independent=independent)

    def known_rules(self) -> tuple[Part, ...]:
        """Rules that were found, for a trade-off of size against errors."""
        return known_rules_of(self._state)

    def shortfall(self) -> Shortfall:
        """What stands in the way of a solution, when there is none."""
        return shortfall_of(self._state)

    # Algorithm 1

    def _begin(self) -> Iterator[Event]:
        """What earlier runs found is tested again: their solutions first, and the rest unless that settles it."""
        state, start = self._state, self._state.head_start
        for run, solution in start.solutions:
            if not state.is_settled:
                before = state.incumbent
                retest(state, solution, ())
                yield from self._combine_again()
                best = state.incumbent
                if best is not None and best is not before:
                    state.reuse = replace(state.reuse, solution=(run, best.size))
        if not state.is_settled and (start.parts or start.fragments):
            retest(state, start.parts, start.fragments)
            yield from self._join_greedily()

    def _sizes(self) -> Iterator[Event]:
        """The loop: one round for each size, until no cheaper hypothesis is left."""
        state = self._state
        for size in count(2):
            while self._is_over(size):
                if not self._come_back():
                    return
                state.bounds.reopen()
                state.shared.reopen()
                yield from self._join_up_to(size - 1)
            yield SizeStarted(size)
            before = state.coverage.tested
            if size <= state.source.largest:
                yield from self._generate(size)
                if self._retry.is_due:
                    yield from self._join_greedily()
                    self._retry.after_size()
            yield from self._join_up_to(size)
            while state.source.owes(size):
                yield from self._generate(size)
                yield from self._join_up_to(size)
            if size < state.source.largest:
                yield from self._constrain()
            state.ledger.size_finished(size, exhausted=size >= state.source.largest)
            yield SizeFinished(
                size,
                state.coverage.tested - before,
                len(state.fragments),
                len(state.parts),
                bound_of(state),
                state.ledger.timings,
                state.ledger.fates_of_size(),
            )

    def _is_over(self, size: int) -> bool:
        """Whether no cheaper hypothesis is left for this size and beyond; says why."""
        state, cost = self._state, self._state.combine.cost
        state.ended = None
        if cost is None:
            if size > state.source.largest:
                state.ended = "exhausted"
            return state.ended is not None
        if state.is_settled:
            state.bounds.set_proven(cost)
            state.ended = "proven"
            return True
        with state.ledger.timed("bound"):
            proven = state.bounds.excludes_better(size, cost)
        if proven:
            state.ended = "proven"
        elif self._priced is not None and size > state.source.largest:
            state.ended = "exhausted"  # nothing more is to come, and what is there was not enough for a proof
        return state.ended is not None

    def _come_back(self) -> bool:
        """Test programs again that were not finished, with more work; whether something is known now that was not."""
        return self._patient and self._retry.run()

    def _generate(self, size: int) -> Iterator[Event]:
        """Generate and test all programs of one size; while there is no solution, join in between."""
        state = self._state
        self._inform(size)
        with closing(state.source.generate(size, state.budget.stop)) as batches:
            untried = 0
            while True:
                with state.ledger.timed("generate"):
                    batch = next(batches, None)
                if batch is None:
                    break
                evaluated = self._test(size, batch)
                yield evaluated
                untried += evaluated.tested
                many = untried * 4 > state.coverage.tested > 1000
                if many and self._is_far(size):
                    untried = 0
                    yield from self._join_greedily()
                self._inform(size)

    def _test(self, size: int, batch: Batch) -> Evaluated:
        """Test and judge the programs of a batch."""
        state = self._state
        before = state.coverage.tested
        with state.ledger.timed("test"):
            evaluations = state.coverage.of_batch(batch, state.budget.stop)
        state.bounds.start_size(size, state.combine.cost)
        fates = state.judge.batch(batch, evaluations, state.budget.stop)
        state.ledger.count(fates)
        tested = state.coverage.tested - before
        made = batch.made if isinstance(batch, EvaluatedBatch) else tested
        return Evaluated(size, batch.programs, evaluations, tested, made, fates, batch.share)

    def _inform(self, size: int) -> None:
        """Tell the source what is known by now, so that it can leave programs out."""
        state = self._state
        with state.ledger.timed("bound"):
            state.source.inform(state.bounds.known(size, state.combine.cost))

    def _is_far(self, size: int) -> bool:
        """Whether the complete join, which knows conjunctions of this size only, cannot improve on the best one soon."""
        cost = self._state.combine.cost
        return cost is None or cost > 2 * size

    def _join_up_to(self, size: int) -> Iterator[Event]:
        """Algorithm 2: incomplete while there is no solution, complete once there is one.

        A first solution can be far too large. As long as the complete stage, which knows conjunctions up
        to this size only, cannot reach it soon, the incomplete stage looks for better ones as well.
        """
        state, bounds = self._state, self._state.bounds
        bounds.set_exhausted(size >= state.source.largest)
        if self._priced is not None:
            yield from self._priced.up_to(size)
            return
        yield from self._combine()
        if self._is_far(size):
            yield from self._join_greedily(last=bounds.exhausted)
        for bound in range(bounds.complete + 1, size + 1):
            cost = state.combine.cost
            if cost is None:
                return
            yield from self._share(cost - 1 if bounds.exhausted else min(bound, cost - 1))
            yield from self._join_completely(bound)
            bounds.set_complete(bound)
            yield from self._combine()

    def _join_completely(self, bound: int) -> Iterator[Event]:
        """The complete stage: all conjunctions of this size that a cheaper solution may have."""
        state, cost = self._state, self._state.combine.cost
        if state.join is None or cost is None:
            return
        with state.ledger.timed("join"):
            state.join.admit(state.budget.stop)
        with state.ledger.timed("bound"):
            required = state.bounds.requirements(bound, cost)
        with state.ledger.timed("join"):
            found = state.join.complete(bound, required, state.budget.stop)
        yield Joined(found, complete=True, bound=bound)

    def _join_greedily(self, *, last: bool = False) -> Iterator[Event]:
        """The incomplete stage; `last` if no more fragments are to come."""
        state = self._state
        if self._priced is not None:
            yield from self._priced.improve(quick=True)
            return
        if state.join:
            first = state.combine.cost is None
            few = _FEW if first else _VERY_FEW
            most = None if last and first else few
            with state.ledger.timed("join"):
                state.join.admit(state.budget.stop)
                found = state.join.incomplete(state.budget.stop, most=most, exact=first)
            yield Joined(found, complete=False, bound=None)
        yield from self._combine()

    def _share(self, size: int) -> Iterator[Event]:
        """Make parts of what shares rules, up to this size."""
        state = self._state
        with state.ledger.timed("combine"):
            new = state.shared.up_to(size, state.budget.stop)
        if new:
            yield from self._combine()

    def _combine_again(self) -> Iterator[Event]:
        """The best hypothesis of parts that earlier runs had found."""
        if self._priced is not None:
            yield from self._priced.improve(quick=True)
        else:
            yield from self._combine()

    def _combine(self) -> Iterator[Event]:
        """The cheapest union of the parts that are known."""
        state = self._state
        with state.ledger.timed("combine"):
            better = state.combine.improve(state.budget.stop)
        if better is not None:
            yield self._improved(better)

    def _constrain(self) -> Iterator[Event]:
        """Hand what follows from the tested programs over to the source."""
        state = self._state
        constraints = state.judge.pronounced()
        if not constraints:
            return
        with state.ledger.timed("constrain"):
            state.source.constrain(constraints, state.budget.stop)
        yield Constrained(constraints)

    def _settle(self) -> Iterator[Event]:
        """What follows from a proof: of equals the preferred solution, and that what was put off is not needed."""
        state = self._state
        if state.ended != "proven":
            return
        state.source.conclude()
        if self._priced is None:
            with state.ledger.timed("combine"):
                preferred = state.combine.settle(state.budget.stop)
            if preferred is not None:
                yield self._improved(preferred)

    def _improved(self, better: Hypothesis) -> Improved:
        ledger, seconds = self._state.ledger, self._state.budget.elapsed
        if better.is_solution and ledger.first_solution is None:
            ledger.first_solution = seconds
        return Improved(better, better.is_solution, seconds, cost_of(self._state, better))

    def _fail(self, failure: Exception) -> None:
        """The engine cannot go on, say: what was found stays. Without anything the failure is all there is to tell."""
        state = self._state
        if state.combine.best is None:
            raise failure
        if state.ended != "proven" or len(state.unfinished):
            state.ended, state.failure = "failed", in_a_line(failure)
