"""Programs whose evaluation did not finish: it ran into its limit, an error was raised, or the engine broke down.

What such a program is known to cover, it covers; of the other examples nothing is known. So nothing is concluded from it:
it is no part and no fragment, it forbids nothing, and as long as there is one, nothing is called optimal, impossible, or
a lower bound.

**Again.** When nothing else is left to do, they are tested again with ten times the work, and then with ten times that, as
long as it takes no longer than a share of the time that the search took.

**Candidates.** A rule that may stand in a hypothesis and covers no negative example as far as is known may be a part. If
there is no solution without such rules, and together they cover every positive example, they are evaluated without a
limit. What is still not known when the run is over is called unverified.
"""

from __future__ import annotations

from collections.abc import Iterator

from joiner_magic.engines.protocol import NO_LIMIT
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.problem import Problem
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.solvers.covering import greedy_cover

MORE = 10  # times the work of the attempt before
LEAST_SECONDS = 1.0  # that may be spent on further attempts
SHARE = 0.25  # of the time that the search took, which may be spent on further attempts


class UnfinishedPrograms:
    """The programs of a run that are not finished, and how much work each of them was granted."""

    def __init__(self, problem: Problem, limit: int | None) -> None:
        """`limit` is what evaluations are granted at first; None for no limit: then more work is of no use."""
        self._problem = problem
        self._programs: dict[Program, Evaluation] = {}
        self._granted = NO_LIMIT if limit is None else limit

    def __len__(self) -> int:
        """How many there are."""
        return len(self._programs)

    def __iter__(self) -> Iterator[Program]:
        """Those of now: they may be taken out meanwhile."""
        return iter(tuple(self._programs))

    @property
    def granted(self) -> int:
        """The work of the last attempt."""
        return self._granted

    def grant_more(self) -> int:
        """The work of the next attempt."""
        self._granted = min(self._granted * MORE, NO_LIMIT)
        return self._granted

    def add(self, program: Program, evaluation: Evaluation) -> None:
        """Keep a program, with what it covers as far as is known."""
        self._programs[program] = evaluation

    def finished(self, program: Program) -> None:
        """What it covers is known now."""
        self._programs.pop(program, None)

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
