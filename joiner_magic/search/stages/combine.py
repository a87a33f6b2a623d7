"""The combine stage: the best hypothesis that is known, tested as a whole.

In exact learning it is the smallest union of parts that covers every positive example. Where errors have a price, its parts
are chosen by `priced_rules`. A union covers what its parts cover, unless recursion reaches from one into another. So each
union is tested as a whole before it counts. One that covers more negative examples than its parts is written with a
predicate of its own for each recursive part (`apart`), which is larger. From then on the search says "optimal" only if it
reaches what ignoring such failures would allow (`interference`). Neither counts a union whose test did not finish: it may
cover negative examples.

While the parts allow no solution, because a positive example must be covered and no part does so, the best partial
hypothesis is kept, found greedily.
"""

from __future__ import annotations

from collections.abc import Sequence

from joiner_magic.engines.protocol import NO_LIMIT
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.problem import Problem
from joiner_magic.search.stages.hypothesis import Hypothesis
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.search.stages.test import Coverage
from joiner_magic.solvers.covering import cheapest_cover, greedy_cover
from joiner_magic.solvers.interrupt import Stop, never


class Combiner:
    """Keeps the best hypothesis that the parts allow (the incumbent), and improves it as parts become known."""

    def __init__(self, problem: Problem, coverage: Coverage, parts: Parts) -> None:
        self._problem = problem
        self._coverage = coverage
        self._parts = parts
        self._seen: tuple[Part, ...] = ()
        # Unions that are not tried again, in the order in which they failed. Larger ones with all of their parts are not tried
        # either, so one belongs here only if it failed in both ways of writing.
        self._failed: dict[frozenset[Part], None] = {}
        self._unknown: dict[frozenset[Part], tuple[tuple[Part, ...], Program]] = {}  # not tested to the end
        self.interference = False  # whether recursion reached a negative example across parts, or might
        self.best: Hypothesis | None = None

    @property
    def solution(self) -> Hypothesis | None:
        """The best hypothesis, if the objective allows its errors: in exact learning, if it makes none."""
        best = self.best
        if best is not None and best.is_solution:
            return best
        return None

    @property
    def cost(self) -> int | None:
        """What the best solution costs, which may be to learn no rule at all; None as long as there is none."""
        if self.solution is not None:
            return self.solution.cost
        prices = self._problem.prices
        if not prices:
            return None
        return prices.cost(0, 0, 0)

    @property
    def unknown(self) -> tuple[tuple[Part, ...], Program] | None:
        """A union that covers every positive example, and perhaps negative ones: its test did not finish."""
        everything = self._problem.everything
        covering = (
            (union, program) for union, program in self._unknown.values() if _covered(union) == everything
        )
        return next(covering, None)

    def verify(self) -> Hypothesis | None:
        """Test the unknown union without a limit; the hypothesis, if that is a solution."""
        assert self.unknown is not None, "there is something to verify"
        union, program = self.unknown
        evaluation = self._coverage.of_hypothesis_within(program, NO_LIMIT)
        if not evaluation.complete and not evaluation.neg:
            return None
        del self._unknown[frozenset(union)]
        if evaluation.neg:
            return None
        self.best = self._hypothesis(union, program, evaluation)
        return self.best

    def improve(self, stop: Stop) -> Hypothesis | None:
        """A better hypothesis than the best so far, if the parts allow one."""
        parts = tuple(self._parts)
        if parts == self._seen:
            return None
        found = self._solve(parts, stop) if self._allow_a_solution() else self._cover_most(parts)
        self._seen = parts
        return found

    def take(self, union: Sequence[Part]) -> Hypothesis | None:
        """The union as a hypothesis, if it is better than the best so far: where errors have a price, others choose it."""
        prices = self._problem.prices
        assert prices is not None, "in exact learning the parts are covered as cheaply as possible"
        parts = tuple(union)
        counted = prices.cost(sum(part.size for part in parts), _covered(parts), _wrong(parts))
        if self.cost is not None and (counted is None or counted >= self.cost):
            return None
        if self._take(parts) or self._take(parts, apart=True):
            return self.best
        return None

    def settle(self, stop: Stop) -> Hypothesis | None:
        """Of the known solutions of the least cost the preferred one, if it is not the best already."""
        solution, cost = self.solution, self.cost
        if solution is None or cost is None:
            return None
        parts = tuple(part for part in self._parts if part.size <= cost)
        # Few parts that each leave little uncovered.
        uncovered = [self._problem.positives - part.pos.bit_count() for part in parts]
        union = self._cheapest(parts, stop, below=cost + 1, secondary=uncovered) or ()
        if frozenset(union) == frozenset(solution.parts) or not union:
            return None
        preferred = self._tested(union)
        if preferred is None or preferred.rank > solution.rank:
            return None
        self.best = preferred
        return preferred

    def is_relaxed_optimum(self) -> bool:
        """Whether the solution would be the cheapest even if recursion never reached across parts."""
        if self.solution is None:
            return False
        cheaper = self._cheapest(tuple(self._parts), never, below=self.cost, allow_failed=True)
        return cheaper is None

    def _allow_a_solution(self) -> bool:
        """Whether some union of the known parts is a solution, if recursion does not reach from one into another."""
        return self._parts.covered == self._problem.everything

    def _solve(self, parts: tuple[Part, ...], stop: Stop) -> Hypothesis | None:
        """Take the cheapest union of the parts, and while that fails as a whole, the cheapest of the others."""
        improved: Hypothesis | None = None
        while True:
            cost = self.cost
            if cost is not None:
                parts = tuple(part for part in parts if part.size < cost)
            union = self._cheapest(parts, stop, below=cost)
            if union is None:
                return improved
            if self._take(union) or self._take(union, apart=True):
                improved = self.best
            else:  # recursion reaches a negative example, or perhaps so
                self._failed[frozenset(union)] = None
                self.interference = True

    def _cover_most(self, parts: tuple[Part, ...]) -> Hypothesis | None:
        chosen = greedy_cover(self._parts.covered, [(part.size, part.pos) for part in parts])
        union = tuple(parts[number] for number in chosen)
        if self._take(union) or self._take(union, apart=True):
            return self.best
        return None

    def _cheapest(
        self,
        parts: tuple[Part, ...],
        stop: Stop,
        *,
        below: int | None,
        secondary: Sequence[int] | None = None,
        allow_failed: bool = False,
    ) -> tuple[Part, ...] | None:
        """The parts of least size that cover every positive example, if that is less than `below`."""
        chosen = cheapest_cover(
            self._problem.everything,
            [(part.size, part.pos) for part in parts],
            secondary=secondary,
            below=below,
            forbidden=() if allow_failed else self._forbidden(parts),
            stop=stop,
        )
        if chosen is None:
            return None
        return tuple(parts[number] for number in chosen)

    def _forbidden(self, parts: tuple[Part, ...]) -> list[frozenset[int]]:
        if not self._failed:  # the rule: numbering thousands of parts takes longer than the cover
            return []
        numbers = {part: number for number, part in enumerate(parts)}
        return [
            frozenset(numbers[part] for part in failed)
            for failed in self._failed
            if all(part in numbers for part in failed)
        ]

    def _take(self, union: tuple[Part, ...], *, apart: bool = False) -> bool:
        """Test the union as a whole; keep it if it is better than the best."""
        hypothesis = self._tested(union, apart=apart)
        if hypothesis is None or (self.best is not None and hypothesis.rank >= self.best.rank):
            return False
        if self.cost is not None and hypothesis.cost is not None and hypothesis.cost >= self.cost:
            return False  # no better than to learn nothing
        self.best = hypothesis
        return True

    def _tested(self, union: tuple[Part, ...], *, apart: bool = False) -> Hypothesis | None:
        """The union as a hypothesis; None if recursion reaches further negative examples, or perhaps does."""
        program = self._problem.writer.program(union, apart=apart)
        evaluation = self._coverage.of_hypothesis(program)
        reached = (evaluation.neg or 0) & ~_wrong(union)
        if reached:
            if apart or not any(part.is_recursive for part in union):
                raise AssertionError(f"parts cover more negative examples together: {program}")
            self.interference = True
            return None
        if not evaluation.complete:
            self._unknown.setdefault(frozenset(union), (union, program))
            return None
        return self._hypothesis(union, program, evaluation)

    def _hypothesis(self, union: tuple[Part, ...], program: Program, evaluation: Evaluation) -> Hypothesis:
        pos, neg = evaluation.pos, evaluation.neg or 0
        if self._problem.prices is not None:
            cost = self._problem.prices.cost(program.size, pos, neg)
        elif pos == self._problem.everything and not neg:
            cost = program.size
        else:
            cost = None
        return Hypothesis(union, program, evaluation, cost)


def _wrong(union: tuple[Part, ...]) -> int:
    """The negative examples that the parts cover, each by itself."""
    wrong = 0
    for part in union:
        wrong |= part.neg
    return wrong


def _covered(union: tuple[Part, ...]) -> int:
    covered = 0
    for part in union:
        covered |= part.pos
    return covered
