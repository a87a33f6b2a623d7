"""The join stage, Algorithm 2 of the paper: conjunctions of fragments that cover no negative example (`fragments`)."""

from __future__ import annotations

from collections.abc import Sequence

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.problem import Problem
from joiner_magic.search.stages.fragments import Fragments
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.join_solver import FoundConjunction, JoinSolver

_FOUND_PER_POLL = 256  # conjunctions, of which one bound can have tens of thousands


class Join:
    """Finds conjunctions for the parts that are known, and asks for more when there are new fragments."""

    def __init__(self, problem: Problem, parts: Parts) -> None:
        """The solver knows examples and numbers of fragments only."""
        self._problem = problem
        self._parts = parts
        self._of = Fragments(problem)
        self._greedy_with = 0  # so many fragments were there when conjunctions were last looked for greedily
        self._blocked: set[tuple[int, int]] = set()
        self._solver = JoinSolver(
            problem.positives,
            problem.negatives,
            required=problem.required,
            demands=problem.modes.demands,
        )

    @property
    def fragments(self) -> Sequence[Program]:
        """Those that are joined, by their number in the solver."""
        return self._of.programs

    @property
    def least_overlap(self) -> float:
        """Smaller conjunctions have the size that is counted."""
        return self._of.least_overlap

    def offer(self, program: Program, evaluation: Evaluation) -> None:
        """A fragment that is no part of a hypothesis by itself."""
        self._of.offer(program, evaluation)

    def admit(self, stop: Stop) -> None:
        """Hand the fragments that nothing dominates over to the solver."""
        self._solver.add(self._of.admit(stop))

    def incomplete(self, stop: Stop, *, most: int | None, exact: bool) -> list[Part]:
        """Greedily cover the positive examples, each time by a conjunction that covers the most.

        At most so many conjunctions: where each covers little, they say nothing, and more fragments
        are to come. None: until nothing more can be covered. `exact` is about the first one: the
        others have less to gain.
        """
        if most is not None and len(self._of.pieces) == self._greedy_with:
            return []
        self._greedy_with = len(self._of.pieces)
        uncovered = self._problem.everything
        parts: list[Part] = []
        while uncovered and len(parts) != most:
            found = self._solver.covers_most(uncovered, stop, exact=exact and not parts)
            if found is None:
                break
            parts.append(self._part(found))
            self._parts.add(parts[-1])
            uncovered &= ~found.pos
        return parts

    def complete(self, bound: int, required: Sequence[int], stop: Stop) -> list[Part]:
        """All conjunctions of at most this size that nothing known subsumes and that cover a required set.

        Bounds come one by one, so what is found has the smallest size for what it covers.
        """
        self._block_known()
        parts: list[Part] = []
        for examples in required:
            for number, found in enumerate(self._solver.maximal(bound, stop, including=examples)):
                if not number % _FOUND_PER_POLL and stop():
                    raise Interrupted
                part = self._part(found)
                if self._parts.add(part):
                    parts.append(part)
        return parts

    def can_cover(self, examples: int, stop: Stop) -> bool:
        """Whether some conjunction, of whatever size, covers these positive and no negative examples."""
        return self._solver.can_cover(examples, stop)

    def conflicts(self, stop: Stop) -> list[int]:
        """Large sets of positive examples no two of which a conjunction covers together."""
        return self._solver.conflicts(stop)

    def coverages(self, most: int, stop: Stop) -> list[int] | None:
        """Sets that contain the coverage of every conjunction, of whatever size; None beyond `most`."""
        return self._solver.coverages(most, stop)

    def _block_known(self) -> None:
        """Tell the solver of parts that it does not know: a conjunction must be better than each of them."""
        for part in self._parts:
            if (part.pos, part.size) not in self._blocked:
                self._blocked.add((part.pos, part.size))
                self._solver.block(part.pos, part.size)

    def _part(self, found: FoundConjunction) -> Part:
        """What the solver has found, as a part."""
        conjunction = self._of.conjunction(found.pieces)
        return Part(conjunction, conjunction.size, found.pos)
