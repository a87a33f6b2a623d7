"""The paper's Algorithm 1: generate, test, join, combine, constrain, by increasing size.

After the step of size k every part of at most k literals that could matter is known: rules of that
size have been generated, and conjunctions of at most that size joined. So a better hypothesis than
the best one has a part of more than k literals, and the search ends as soon as that is impossible
(`bounds`). The run is a stream of events; whoever reads it may stop it at any time, also in the middle of a
stage (`strand`), and `result` is always the best that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain, count, islice
from math import inf

from joiner_magic.engines.protocol import NO_LIMIT
from joiner_magic.errors import FAILURES, in_a_line
from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.result import Result, Why
from joiner_magic.search.outcome.shortfall import Shortfall
from joiner_magic.search.outcome.verdict import verdict
from joiner_magic.search.problem import Problem
from joiner_magic.search.record.record import Record
from joiner_magic.search.reuse.earlier import NOTHING_KNOWN, Finding, HeadStart, Reuse, intersection
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
from joiner_magic.search.spaces.source import Batch, MemoryUsedUp, Source
from joiner_magic.search.stages.bounds import Bounds
from joiner_magic.search.stages.combine import Combiner
from joiner_magic.search.stages.hypothesis import Hypothesis
from joiner_magic.search.stages.join import Join
from joiner_magic.search.stages.judge import Judge
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.search.stages.shared_rules import SharedRules
from joiner_magic.search.stages.test import Coverage
from joiner_magic.search.stages.unfinished import LEAST_SECONDS, SHARE, Unfinished
from joiner_magic.solvers.covering import greedy_cover
from joiner_magic.solvers.interrupt import Interrupted

# Conjunctions of the incomplete stage while more fragments are to come, without and with a solution.
_FEW = 20
_VERY_FEW = 4
_MOST_KEPT = 2_000  # parts, and fragments, for later runs: testing them again should take a moment


class Search:
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
        limit: int | None = None,
        patient: bool = True,
        several: Callable[[], AspSource] | None = None,
    ) -> None:
        """`limit` is what `coverage` grants each program; if `patient`, what does not finish is tried with more.

        `several` gives a source of programs of several rules, where they may share some.
        """
        self._problem = problem
        self._patient = patient
        self._unfinished = Unfinished(problem, limit)
        self._source = source
        self._source_said = why_source or source.name
        self._coverage = coverage
        self._budget = budget
        self._head_start = head_start
        self._reused = Reuse()
        self._parts = Parts(problem.positives)
        self._join = Join(problem, self._parts) if problem.join else None
        self._combine = Combiner(problem, coverage, self._parts)
        self._bounds = Bounds(problem.everything, self._parts, self._join, budget.stop)
        self._shared = SharedRules(problem, self._parts, coverage, self._unfinished, several)
        self._judge = Judge(problem, self._parts, self._join, self._bounds, self._unfinished)
        self._ledger = ledger or Ledger(lambda: budget.elapsed)
        self._why: Why | None = None
        self._failure = ""  # that ended it
        self._again_since: float | None = None

    def run(self) -> Generator[Event, None, None]:
        problem = self._problem
        yield Started(
            problem.positives, problem.negatives, self._source.largest, problem.engine, self._source_said
        )
        try:
            yield from self._begin()
            yield from self._sizes()
            yield from self._settle()
        except Interrupted:
            if self._why != "proven":  # then only the choice between equals was cut short
                self._why = "cancelled" if self._budget.cancelled else "timeout"
        except MemoryUsedUp as large:
            self._why, self._failure = "memory", str(large)
        except FAILURES as failure:
            self._fail(failure)

    def _fail(self, failure: Exception) -> None:
        """The engine cannot go on, say: what was found stays. Without anything the failure is all there is to tell."""
        if self._combine.solution is None and self._combine.best is None:
            raise failure
        if self._why != "proven" or len(self._unfinished):
            self._why, self._failure = "failed", in_a_line(failure)

    @property
    def ledger(self) -> Ledger:
        """What is written down; another thread may read it while the search goes on."""
        return self._ledger

    @property
    def ended(self) -> Why | None:
        """Why there is nothing more to search for, if that is so."""
        return self._why

    @property
    def record(self) -> Record:
        """What was tested; it may be asked while the search goes on, and afterwards."""
        of_source = self._source.record
        return self._judge.record if of_source is None else of_source

    def result(self, paused: Why = "interrupted") -> Result:
        """The best that is known now, and whether it is proven to be optimal; `paused` says why it is not over."""
        solution = self._combine.solution
        best = solution or self._unverified() or self._combine.best
        lower = self._lower
        status, why = verdict(
            self._problem,
            self._parts,
            self._combine,
            ended=self._why or paused,
            failure=self._failure,
            searched=self._ledger.size,
            lower=lower,
            unfinished=len(self._unfinished),
            additive=solution is None or self._is_settled() or solution.size <= self._additive_below,
            doubtful=best is not None and not best.evaluation.complete,
        )
        ledger = self._ledger
        return Result(
            task=self._problem.task,
            hypothesis=best.program if best else None,
            status=status,
            why=why,
            confusion=Confusion.of(
                best.evaluation if best else None, self._problem.positives, self._problem.negatives
            ),
            counts={
                "tested": self._coverage.tested,
                "unfinished": len(self._unfinished),
                "fragments": len(self._fragments),
                "parts": len(self._parts),
                **{fate: number for fate, number in ledger.counts.items() if fate != "unfinished"},
            },
            timings=ledger.timings,
            seconds=self._budget.elapsed,
            first_solution_seconds=ledger.first_solution,
            engine=self._problem.engine,
            source=self._source_said,
            bound=lower if status == "best" else None,
            parts=best.parts if best else (),
            reused=self._reused.told(
                self._head_start, settled=self._is_settled(), recalled=self._coverage.recalled
            ),
        )

    @property
    def _lower(self) -> int | None:
        """What a smaller solution has at least, as far as anything is known about that.

        Where recursion has spoilt a union, a smaller solution may have a part that another is better than. And
        what a program covers that is not finished, nobody knows. Parts may share rules in a way that is not known yet,
        and fragments literals.
        """
        lower = self._bounds.lower
        if lower is None or self._combine.interference or len(self._unfinished):
            return None
        return int(min(lower, self._additive_below))

    @property
    def _additive_below(self) -> float:
        """What is smaller than this, and shares rules or literals, has the size that is counted for it."""
        least_overlap = self._join.least_overlap if self._join else inf
        return min(self._shared.known + 1, least_overlap)

    def _unverified(self) -> Hypothesis | None:
        """What may be a solution, if it covers no more than it is known to cover."""
        if self._combine.unknown is not None:
            union, program = self._combine.unknown
        else:
            union = tuple(self._candidates())
            program = self._problem.writer.program(union)
        return Hypothesis(union, program, Evaluation(self._problem.everything, 0, False)) if union else None

    def _candidates(self) -> list[Part]:
        """Parts, and programs that may be parts, which together cover every positive example for sure."""
        everything = self._problem.everything
        doubtful = self._unfinished.candidates()
        if not doubtful:
            return []
        parts = [*self._parts, *doubtful]
        chosen = [parts[number] for number in greedy_cover(everything, [(p.size, p.pos) for p in parts])]
        covered = 0
        for part in chosen:
            covered |= part.pos
        return chosen if covered == everything else []

    def finding(self, run: str, result: Result, options: Options, *, independent: bool) -> Finding:
        """What later runs may make use of; `options` are those in force, `independent` says it of the engine."""
        return Finding(
            run,
            result,
            options,
            independent=independent,
            parts=tuple(
                dict.fromkeys(c for part in islice(self._parts, _MOST_KEPT) for c in part.conjunctions)
            ),
            fragments=tuple(self._fragments[:_MOST_KEPT]),
            coverage=dict(self._coverage) if self._source.name != "native" else {},
            settled_by=self._settled_by if self._is_settled() else "",
        )

    @property
    def _settled_by(self) -> str:
        """The run that the solution at the beginning comes from."""
        solution = self._reused.solution
        return solution[0] if solution else self._head_start.seeds_of

    def shortfall(self) -> Shortfall:
        """What stands in the way of a solution, when there is none."""
        best = self._combine.best
        helpful = [program for part in self._parts for program in part.conjunction.programs]
        return Shortfall.of(
            self._problem.task,
            covered=best.evaluation.pos if best else 0,
            coverable=self._parts.covered if self._why == "exhausted" else None,
            unfinished=tuple(self._unfinished),
            searched=self._ledger.size,
            tested=self._coverage,
            helpful=[*helpful, *self._fragments],
            longest=self._coverage.longest,
            widest=self._coverage.widest,
        )

    def _begin(self) -> Iterator[Event]:
        """What earlier runs found is tested again: their solutions first, and the rest unless that settles it."""
        start = self._head_start
        for run, solution in start.solutions:
            if not self._is_settled():
                self._retest(solution, ())
                before = self._combine.solution
                yield from self._improve()
                best = self._combine.solution
                if best is not None and best is not before:
                    self._reused = replace(self._reused, solution=(run, best.size))
        if not self._is_settled() and (start.parts or start.fragments):
            self._retest(start.parts, start.fragments)
            yield from self._join_greedily()

    def _retest(self, conjunctions: Sequence[Conjunction], fragments: Sequence[Program]) -> None:
        programs = dict.fromkeys(chain(*(c.programs for c in conjunctions), fragments))
        with self._ledger.timed("test"):
            evaluations = self._coverage.again(list(programs), self._budget.stop)
        covered = dict(zip(programs, evaluations, strict=True))
        for conjunction in conjunctions:
            pos, neg, complete = intersection([covered[program] for program in conjunction.programs])
            if pos and not neg and complete:
                self._parts.add(Part(conjunction, conjunction.size, pos))
        for fragment in fragments:
            if covered[fragment].pos and covered[fragment].complete:
                self._judge.program(fragment, covered[fragment])
        reused = self._reused
        self._reused = replace(
            reused, parts=reused.parts + len(conjunctions), fragments=reused.fragments + len(fragments)
        )

    def _is_settled(self) -> bool:
        """Whether an earlier run has proven that no solution is smaller than the best."""
        best = self._combine.solution
        return best is not None and best.size <= self._head_start.floor

    def _sizes(self) -> Iterator[Event]:
        for size in count(2):
            while self._is_over(size):
                if not self._come_back():
                    return
                self._bounds.reopen()
                self._shared.reopen()
                yield from self._join_up_to(size - 1)
            yield SizeStarted(size)
            before = self._coverage.tested
            if size <= self._source.largest:
                yield from self._generate(size)
            yield from self._join_up_to(size)
            if size < self._source.largest:
                yield from self._constrain()
            self._ledger.size_finished(size, exhausted=size >= self._source.largest)
            yield SizeFinished(
                size,
                self._coverage.tested - before,
                len(self._fragments),
                len(self._parts),
                self._lower,
                self._ledger.timings,
                self._ledger.fates_of_size(),
            )

    @property
    def _fragments(self) -> Sequence[Program]:
        return self._join.fragments if self._join else ()

    def _is_over(self, size: int) -> bool:
        """Whether no better hypothesis is left for this size and beyond; says why."""
        exhausted = size > self._source.largest
        best = self._combine.solution
        self._why = None
        if best is None and exhausted:
            self._why = "exhausted"
            return True
        if best is None:
            return False
        if self._is_settled():
            self._bounds.lower, self._why = best.size, "proven"
            return True
        with self._ledger.timed("bound"):
            proven = self._bounds.excludes_better(size, best.size)
        if proven:
            self._why = "proven"
        return proven

    def _come_back(self) -> bool:
        """Test programs again that were not finished, with more work; whether something is known now that was not."""
        if not self._patient:
            return False
        with self._ledger.timed("test"):
            return self._finish_some() or self._finish_candidates()

    def _finish_some(self) -> bool:
        """Ten times the work for each of them, and again, for a while."""
        enough = self._began_again() + max(LEAST_SECONDS, SHARE * self._began_again())
        while len(self._unfinished) and self._unfinished.granted < NO_LIMIT:
            limit, finished = self._unfinished.grant_more(), False
            for program in self._unfinished:
                if self._budget.stop():
                    raise Interrupted
                if self._budget.elapsed > enough:
                    return finished
                finished |= self._finish(program, limit)
            if finished:
                return True
        return False

    def _began_again(self) -> float:
        """When programs were tested again for the first time."""
        if self._again_since is None:
            self._again_since = self._budget.elapsed
        return self._again_since

    def _finish_candidates(self) -> bool:
        """Without a solution, what may be one is evaluated without a limit."""
        while self._combine.solution is None and self._combine.unknown is not None:
            before = self._combine.unknown
            if self._combine.verify() is not None:
                return True
            if self._combine.unknown == before:
                return False
        while self._combine.solution is None and (program := self._doubtful()):
            if self._finish(program, NO_LIMIT):
                return True
            if self._doubtful() == program:  # it is not even known to cover a negative example
                return False
        return False

    def _doubtful(self) -> Program | None:
        """A program of what may be a solution that is not finished."""
        unfinished = set(self._unfinished)
        programs = (program for part in self._candidates() for program in part.conjunction.programs)
        return next((program for program in programs if program in unfinished), None)

    def _finish(self, program: Program, limit: int) -> bool:
        evaluation = self._coverage.within(program, limit)
        if evaluation.complete:
            self._ledger.count(self._judge.again(program, evaluation))
        elif evaluation.pos or evaluation.neg:
            self._unfinished.add(program, evaluation)
        return evaluation.complete

    def _settle(self) -> Iterator[Event]:
        """Of equals the preferred solution."""
        if self._why == "proven":
            with self._ledger.timed("combine"):
                preferred = self._combine.settle(self._budget.stop)
            if preferred is not None:
                yield self._improved(preferred)

    def _generate(self, size: int) -> Iterator[Event]:
        """Generate and test all programs of one size; while there is no solution, join in between."""
        self._inform(size)
        with closing(self._source.generate(size, self._budget.stop)) as batches:
            untried = 0
            while (batch := self._next(batches)) is not None:
                before = self._coverage.tested
                with self._ledger.timed("test"):
                    evaluations = self._coverage.of_batch(batch, self._budget.stop)
                best = self._combine.solution
                self._bounds.start_size(size, best.size if best else None)
                fates = self._judge.batch(batch, evaluations, self._budget.stop)
                self._ledger.count(fates)
                tested = self._coverage.tested - before
                made = batch.counts["made"] if batch.counts else tested
                yield Evaluated(size, batch.programs, evaluations, tested, made, fates, batch.share)
                untried += tested
                best = self._combine.solution
                if (best is None or best.size > 2 * size) and untried * 4 > self._coverage.tested > 1000:
                    untried = 0
                    yield from self._join_greedily()
                self._inform(size)

    def _inform(self, size: int) -> None:
        best = self._combine.solution
        with self._ledger.timed("bound"):
            self._source.inform(self._bounds.known(size, best.size if best else None))

    def _next(self, batches: Iterator[Batch]) -> Batch | None:
        with self._ledger.timed("generate"):
            return next(batches, None)

    def _join_up_to(self, size: int) -> Iterator[Event]:
        """Algorithm 2: incomplete while there is no solution, complete once there is one.

        A first solution can be far too large. As long as the complete stage, which knows conjunctions up
        to this size only, cannot reach it soon, the incomplete stage looks for better ones as well.
        """
        yield from self._improve()
        best = self._combine.solution
        self._bounds.exhausted = size >= self._source.largest
        if best is None or best.size > 2 * size:
            yield from self._join_greedily(last=self._bounds.exhausted)
        for bound in range(self._bounds.complete + 1, size + 1):
            best = self._combine.solution
            if best is None:
                return
            yield from self._share(best.size - 1 if self._bounds.exhausted else min(bound, best.size - 1))
            best = self._combine.solution or best
            if self._join:
                with self._ledger.timed("join"):
                    self._join.admit(self._budget.stop)
                with self._ledger.timed("bound"):
                    required = self._bounds.requirements(bound, best.size)
                with self._ledger.timed("join"):
                    found = self._join.complete(bound, required, self._budget.stop)
                yield Joined(found, complete=True, bound=bound)
            self._bounds.complete = bound
            yield from self._improve()

    def _share(self, size: int) -> Iterator[Event]:
        """Make parts of what shares rules, up to this size."""
        with self._ledger.timed("combine"):
            new = self._shared.up_to(size, self._budget.stop)
        if new:
            yield from self._improve()

    def _join_greedily(self, *, last: bool = False) -> Iterator[Event]:
        """The incomplete stage; `last` if no more fragments are to come."""
        if self._join:
            first = self._combine.solution is None
            most = None if last and first else _FEW if first else _VERY_FEW
            with self._ledger.timed("join"):
                self._join.admit(self._budget.stop)
                found = self._join.incomplete(self._budget.stop, most=most, exact=first)
            yield Joined(found, complete=False, bound=None)
        yield from self._improve()

    def _improve(self) -> Iterator[Event]:
        """The combine stage."""
        with self._ledger.timed("combine"):
            better = self._combine.improve(self._budget.stop)
        if better is not None:
            yield self._improved(better)

    def _improved(self, better: Hypothesis) -> Improved:
        solution = better.is_solution(self._problem.positives)
        seconds = self._budget.elapsed
        if solution and self._ledger.first_solution is None:
            self._ledger.first_solution = seconds
        return Improved(better, solution, seconds)

    def _constrain(self) -> Iterator[Event]:
        constraints = self._judge.pronounced()
        if not constraints:
            return
        with self._ledger.timed("constrain"):
            self._source.constrain(constraints, self._budget.stop)
        yield Constrained(constraints)
