"""The join stage, Algorithm 2 of the paper: conjunctions of fragments that cover no negative example.

A fragment that covers at least the positive and at most the negative examples of another, mentions at
least its head variables and is no larger, can replace it in any conjunction: only fragments that
none replaces are joined.

The sizes of fragments add up, because the literals of two fragments are different: a fragment that is not splittable and
has a literal over head variables alone is that literal. Splittable ones may share such literals, which are then
written once. Without constraints of the user that is to no avail, for what they are made of can be joined as well;
with constraints it may be forbidden, and a conjunction be smaller than the sum says (`least_overlap`). Two fragments that
share a literal have three together at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from joiner_magic.logic.conjunctions import Conjunction, added_size
from joiner_magic.logic.dominance import ParetoFront, Piece
from joiner_magic.logic.programs import Evaluation, Literal, Program
from joiner_magic.search.problem import Problem
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.search.stages.preference import rank
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.join_solver import FoundConjunction, JoinSolver

_FOUND_PER_POLL = 256  # conjunctions, of which one bound can have tens of thousands


class Join:
    def __init__(self, problem: Problem, parts: Parts) -> None:
        self._problem = problem
        self._parts = parts
        self._front = ParetoFront(
            problem.positives,
            problem.negatives,
            required=problem.required,
            demands=problem.modes.demands,
        )
        self._offered: dict[Piece, Program] = {}  # of equal fragments the preferred one
        self._cheapest: dict[tuple[int, ...], int] = {}  # what fragments are good for, at what cost
        self._pending: list[Piece] = []
        self._pieces: list[Piece] = []  # by their number in the solver
        self._greedy_with = 0  # so many fragments were there when conjunctions were last looked for greedily
        self._blocked: set[tuple[int, int]] = set()
        self._may_overlap = problem.splittable and bool(problem.task.bias.constraints)
        self._of_splittable: set[Literal] = set()  # literals over head variables, of splittable fragments
        self.least_overlap = inf  # smaller conjunctions have the size that is counted
        self._solver = JoinSolver(
            problem.positives,
            problem.negatives,
            required=problem.required,
            demands=problem.modes.demands,
        )

    @property
    def fragments(self) -> Sequence[Program]:
        """Those that are joined, by their number in the solver."""
        return [self._offered[piece] for piece in self._pieces]

    def offer(self, program: Program, evaluation: Evaluation) -> None:
        """A fragment that is no part of a hypothesis by itself."""
        if self._may_overlap and self.least_overlap == inf:
            self._look_for_overlap(program)
        progress, stuck = self._problem.modes.profile(program)
        mentioned = self._problem.mentioned(program) & self._problem.required
        merit = evaluation.pos, evaluation.neg or 0, mentioned, progress, stuck
        cost = added_size(program)
        # Coverages are few compared with programs: most offers are no better than one before.
        least = self._cheapest.setdefault(merit, cost)
        if least < cost:
            return
        piece = Piece(cost, *merit)
        equal = self._offered.setdefault(piece, program)
        if equal is program:
            self._pending.append(piece)
        elif rank(program) < rank(equal):
            self._offered[piece] = program

    def _look_for_overlap(self, program: Program) -> None:
        if len(program.rules) > 1 or len(program.rules[0].body) == 1:
            return
        head, body = program.rules[0]
        shared = {literal for literal in body if set(literal.args) <= set(head.args)}
        if not shared.isdisjoint(self._of_splittable):
            self.least_overlap = 4  # with the head
        self._of_splittable |= shared

    def admit(self, stop: Stop) -> None:
        """Hand the fragments that nothing dominates over to the solver."""

        def poll() -> None:
            if stop():
                raise Interrupted

        pending, self._pending = self._pending, []
        pieces = [pending[number] for number in self._front.extend(pending, poll)]
        self._pieces += pieces
        self._solver.add(pieces)

    def incomplete(self, stop: Stop, *, most: int | None, exact: bool) -> list[Part]:
        """Greedily cover the positive examples, each time by a conjunction that covers the most.

        At most so many conjunctions: where each covers little, they say nothing, and more fragments
        are to come. None: until nothing more can be covered. `exact` is about the first one: the
        others have less to gain.
        """
        if most is not None and len(self._pieces) == self._greedy_with:
            return []
        self._greedy_with = len(self._pieces)
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
        for part in self._parts:
            if (part.pos, part.size) not in self._blocked:
                self._blocked.add((part.pos, part.size))
                self._solver.block(part.pos, part.size)

    def _part(self, found: FoundConjunction) -> Part:
        conjunction = Conjunction(tuple(self._offered[self._pieces[number]] for number in found.pieces))
        return Part(conjunction, conjunction.size, found.pos)
