"""Fragments: programs that may stand in a conjunction, without those that another one can replace.

A fragment that covers at least the positive and at most the negative examples of another, mentions at least its head
variables and is no larger, can replace it in any conjunction: only fragments that none replaces are joined.

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
from joiner_magic.search.stages.preference import rank
from joiner_magic.solvers.interrupt import Interrupted, Stop


class Fragments:
    """The fragments that were offered, and as pieces of conjunctions those that no other can replace."""

    def __init__(self, problem: Problem) -> None:
        """Without a fragment yet: `admit` takes programs in."""
        self._problem = problem
        self._front = ParetoFront(
            problem.positives,
            problem.negatives,
            required=problem.required,
            demands=problem.modes.demands,
        )
        self._offered: dict[Piece, Program] = {}  # of equal fragments the preferred one
        self._cheapest: dict[tuple[int, ...], int] = {}  # what fragments are good for, at what cost
        self._pending: list[Piece] = []
        self._may_overlap = problem.splittable and bool(problem.task.bias.constraints)
        self._of_splittable: set[Literal] = set()  # literals over head variables, of splittable fragments
        self.pieces: list[Piece] = []  # by their number
        self.least_overlap = inf  # smaller conjunctions have the size that is counted

    @property
    def programs(self) -> Sequence[Program]:
        """Those that are joined, by their number."""
        return [self._offered[piece] for piece in self.pieces]

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
        """Note from which size on two fragments may share a literal, which a conjunction has only once."""
        if len(program.rules) > 1 or len(program.rules[0].body) == 1:
            return
        head, body = program.rules[0]
        shared = {literal for literal in body if set(literal.args) <= set(head.args)}
        if not shared.isdisjoint(self._of_splittable):
            self.least_overlap = 4  # with the head
        self._of_splittable |= shared

    def admit(self, stop: Stop) -> list[Piece]:
        """Number the fragments that nothing dominates, of those that were offered since the last time; these are given."""

        def poll() -> None:
            """Raise Interrupted if the work is to stop."""
            if stop():
                raise Interrupted

        pending, self._pending = self._pending, []
        pieces = [pending[number] for number in self._front.extend(pending, poll)]
        self.pieces += pieces
        return pieces

    def conjunction(self, numbers: Sequence[int]) -> Conjunction:
        """The conjunction of the fragments with these numbers."""
        return Conjunction(tuple(self._offered[self.pieces[number]] for number in numbers))
