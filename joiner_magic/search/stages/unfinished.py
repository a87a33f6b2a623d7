"""Programs whose evaluation did not finish: it ran into its limit, an error was raised, or the engine broke down.

What such a program is known to cover, it covers; of the other examples nothing is known. So nothing is concluded from it:
it is no part and no fragment, it forbids nothing, and as long as there is one, nothing is called optimal, impossible, or
a lower bound.

**Again.** The first attempt is short (`limits`). Before programs of the next size are made, what did not finish is tested again
with ten times the work, up to the usual limit, as long as that helps. When nothing else is left to do, all is tested
with the usual limit that was not yet, and then with ten times that and more, as long as it takes no longer than a share
of the time that the search took.

**Candidates.** A rule that may stand in a hypothesis and covers no negative example as far as is known may be a part. If
there is no solution without such rules, and together they cover every positive example, they are evaluated without a
limit. What is still not known when the run is over is called unverified.
"""

from __future__ import annotations

from collections.abc import Iterator

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.problem import Problem
from joiner_magic.search.stages.limits import Limits
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.solvers.covering import greedy_cover

LEAST_SECONDS = 1.0  # that may be spent on further attempts
SHARE = 0.25  # of the time that the search took, which may be spent on further attempts


class UnfinishedPrograms:
    """The programs of a run that are not finished, and how much work each of them was granted."""

    def __init__(self, problem: Problem, limits: Limits) -> None:
        self._problem = problem
        self._programs: dict[Program, Evaluation] = {}
        self._granted: dict[Program, int] = {}  # to those that had more than a first attempt
        self.limits = limits

    def __len__(self) -> int:
        """How many there are."""
        return len(self._programs)

    def __iter__(self) -> Iterator[Program]:
        """Those of now: they may be taken out meanwhile."""
        return iter(tuple(self._programs))

    def granted_less(self, limit: int) -> list[Program]:
        """Those that were not tested with so much work, oldest first. Without limits more work is of no use."""
        first = self.limits.first
        if first is None:
            return []
        return [program for program in self._programs if self._granted.get(program, first) < limit]

    def grant(self, program: Program, limit: int) -> None:
        """It is tested with so much work."""
        self._granted[program] = limit

    def add(self, program: Program, evaluation: Evaluation) -> None:
        """Keep a program, with what it covers as far as is known."""
        self._programs[program] = evaluation

    def finished(self, program: Program) -> None:
        """What it covers is known now."""
        self._programs.pop(program, None)
        self._granted.pop(program, None)

    def candidates(self) -> list[Part]:
        """Those that may be parts of a hypothesis, with what they cover for sure."""
        return [
            Part(self._problem.alone(program), program.size, evaluation.pos)
            for program, evaluation in self._programs.items()
            if evaluation.pos and not evaluation.neg and self._problem.is_legal(program)
        ]

    def covering(self, parts: Parts) -> list[Part]:
        """Parts, and programs that may be parts, which together cover every positive example for sure; or none."""
        everything = self._problem.everything
        doubtful = self.candidates()
        if not doubtful:
            return []
        every = [*parts, *doubtful]
        chosen = [every[number] for number in greedy_cover(everything, [(p.size, p.pos) for p in every])]
        covered = 0
        for part in chosen:
            covered |= part.pos
        return chosen if covered == everything else []
