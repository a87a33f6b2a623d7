"""The combine stage: the cheapest union of parts that covers every positive example.

Parts cover no negative example, and neither does their union, unless recursion reaches from one
into another. So each union is tested as a whole before it counts. One that fails is not tried again,
and from then on the search says "optimal" only if it reaches what ignoring such failures would allow
(`interference`). Neither counts a union whose test did not finish: it may cover negative examples.

While some positive example is covered by no part, the best partial hypothesis is kept, found greedily.
"""

from __future__ import annotations

from joiner_magic.engines.protocol import NO_LIMIT
from joiner_magic.logic.programs import Program
from joiner_magic.search.problem import Problem
from joiner_magic.search.stages.hypothesis import Hypothesis
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.search.stages.test import Coverage
from joiner_magic.solvers.covering import cheapest_cover, greedy_cover
from joiner_magic.solvers.interrupt import Stop


class Combiner:
    def __init__(self, problem: Problem, coverage: Coverage, parts: Parts) -> None:
        self._problem = problem
        self._coverage = coverage
        self._parts = parts
        self._seen: tuple[Part, ...] = ()
        self._failed: dict[frozenset[Part], None] = {}  # a set that keeps its order
        self._unknown: dict[frozenset[Part], tuple[tuple[Part, ...], Program]] = {}  # not tested to the end
        self.best: Hypothesis | None = None

    @property
    def solution(self) -> Hypothesis | None:
        """The best hypothesis, if it covers every positive example."""
        best = self.best
        return best if best is not None and best.is_solution(self._problem.positives) else None

    @property
    def interference(self) -> bool:
        """Whether a union had to be given up because recursion reached a negative example, or might."""
        return bool(self._failed)

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
        self.best = Hypothesis(union, program, evaluation)
        return self.best

    def improve(self, stop: Stop) -> Hypothesis | None:
        """A better hypothesis than the best so far, if the parts allow one."""
        parts = tuple(self._parts)
        if parts == self._seen:
            return None
        found = self._cover_all(parts, stop) if self._covers_all() else self._cover_most(parts)
        self._seen = parts
        return found

    def settle(self, stop: Stop) -> Hypothesis | None:
        """Of the known solutions of the best size the preferred one, if it is not the best already."""
        solution = self.solution
        if solution is None:
            return None
        parts = tuple(part for part in self._parts if part.size <= solution.size)
        chosen = cheapest_cover(
            self._problem.everything,
            [(part.size, part.pos) for part in parts],
            # Few parts that each leave little uncovered.
            secondary=[self._problem.positives - part.pos.bit_count() for part in parts],
            below=solution.size + 1,
            forbidden=self._forbidden(parts),
            stop=stop,
        )
        union = tuple(parts[number] for number in chosen or ())
        if frozenset(union) == frozenset(solution.parts) or not union:
            return None
        preferred = self._tested(union)
        if preferred is None or preferred.rank > solution.rank:
            return None
        self.best = preferred
        return preferred

    def is_relaxed_optimum(self) -> bool:
        """Whether the solution would be the cheapest even if recursion never reached across parts."""
        solution = self.solution
        costs = [(part.size, part.pos) for part in self._parts]
        return (
            solution is not None
            and cheapest_cover(self._problem.everything, costs, below=solution.size) is None
        )

    def _covers_all(self) -> bool:
        return self._parts.covered == self._problem.everything

    def _cover_all(self, parts: tuple[Part, ...], stop: Stop) -> Hypothesis | None:
        improved: Hypothesis | None = None
        while True:
            solution = self.solution
            if solution:
                parts = tuple(part for part in parts if part.size < solution.size)
            chosen = cheapest_cover(
                self._problem.everything,
                [(part.size, part.pos) for part in parts],
                below=solution.size if solution else None,
                forbidden=self._forbidden(parts),
                stop=stop,
            )
            if chosen is None:
                return improved
            union = tuple(parts[number] for number in chosen)
            if self._take(union) or self._take(union, apart=True):
                improved = self.best
            else:  # recursion reaches a negative example, or perhaps so
                self._failed[frozenset(union)] = None

    def _cover_most(self, parts: tuple[Part, ...]) -> Hypothesis | None:
        chosen = greedy_cover(self._parts.covered, [(part.size, part.pos) for part in parts])
        union = tuple(parts[number] for number in chosen)
        return self.best if self._take(union) or self._take(union, apart=True) else None

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
        self.best = hypothesis
        return True

    def _tested(self, union: tuple[Part, ...], *, apart: bool = False) -> Hypothesis | None:
        """The union as a hypothesis; None if recursion reaches negative examples, or perhaps does."""
        program = self._problem.writer.program(union, apart=apart)
        evaluation = self._coverage.of_hypothesis(program)
        if evaluation.neg:
            if apart or not any(part.is_recursive for part in union):
                raise AssertionError(f"consistent parts cover negative examples together: {program}")
            self._failed[frozenset(union)] = None
            return None
        if not evaluation.complete:
            self._unknown.setdefault(frozenset(union), (union, program))
            return None
        return Hypothesis(union, program, evaluation)


def _covered(union: tuple[Part, ...]) -> int:
    covered = 0
    for part in union:
        covered |= part.pos
    return covered
