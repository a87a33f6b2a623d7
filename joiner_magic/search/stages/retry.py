"""Testing unfinished programs again, with more work (`unfinished` says when and why).

*After each size*, those that a short first attempt was not enough for: all with ten times as much, which is enough for most.
From then on programs that call themselves wait until the end: what they copy may grow with each step, so that ten times the
steps take a hundred times as long. The others are granted more up to the usual limit. That is given up for a while when many
more do not finish than do; what is counted are programs and not seconds, so that each run does the same.

*When nothing else is left to do*, all that did not finish: up to the usual limit, and from then on for a share of the time
that the search took; and where there is no solution, what may be one, without a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from math import inf
from typing import TYPE_CHECKING

from joiner_magic.engines.protocol import NO_LIMIT
from joiner_magic.logic.programs import Program
from joiner_magic.search.stages.unfinished import LEAST_SECONDS, SHARE
from joiner_magic.solvers.interrupt import Interrupted

if TYPE_CHECKING:
    from joiner_magic.search.state import SearchState

_MOST_IN_VAIN = 10  # programs more that did not finish with so much work than did


class Retry:
    """Tests what did not finish again. What is known then is judged like any other program."""

    def __init__(self, state: SearchState) -> None:
        """Nothing was tested again yet."""
        self._state = state
        self._since: float | None = None  # when programs were tested again for the first time

    @property
    def is_due(self) -> bool:
        """Whether a program had no more than a short first attempt."""
        limits, unfinished = self._state.unfinished.limits, self._state.unfinished
        return any(
            unfinished.granted_less(limit) for limit in islice(limits.further, 1) if limits.is_usual(limit)
        )

    def after_size(self) -> None:
        """Grant programs more work, up to the usual limit, as long as that helps."""
        unfinished = self._state.unfinished
        with self._state.ledger.timed("test"):
            for number, limit in enumerate(takewhile(unfinished.limits.is_usual, unfinished.limits.further)):
                programs = unfinished.granted_less(limit)
                if number:
                    programs = [program for program in programs if not program.calls_itself]
                self._finish_while_it_helps(programs, limit, most_in_vain=_MOST_IN_VAIN if number else inf)

    def _finish_while_it_helps(self, programs: Sequence[Program], limit: int, *, most_in_vain: float) -> None:
        in_vain = 0  # programs that did not finish, less those that did
        for program in programs:
            if self._state.budget.stop():
                raise Interrupted
            in_vain += -1 if self._finish(program, limit) else 1
            if in_vain > most_in_vain:
                return

    def run(self) -> bool:
        """Whether something is known now that was not."""
        with self._state.ledger.timed("test"):
            return self._finish_some() or self._verify_candidates()

    def _finish_some(self) -> bool:
        """Grant each program ten times the work, and again: up to the usual limit, and then for a while."""
        state = self._state
        enough = self._first_time() + max(LEAST_SECONDS, SHARE * self._first_time())
        for limit in state.unfinished.limits.further:
            finished = False
            for program in state.unfinished.granted_less(limit):
                if state.budget.stop():
                    raise Interrupted
                if state.budget.elapsed > enough and not state.unfinished.limits.is_usual(limit):
                    return finished
                finished |= self._finish(program, limit)
            if finished:
                return True
        return False

    def _first_time(self) -> float:
        """How long the run had worked when it began to test again."""
        if self._since is None:
            self._since = self._state.budget.elapsed
        return self._since

    def _verify_candidates(self) -> bool:
        """Without a solution, evaluate what may be one without a limit."""
        combine = self._state.combine
        while combine.cost is None and combine.unknown is not None:
            before = combine.unknown
            if combine.verify() is not None:
                return True
            if combine.unknown == before:
                return False
        while combine.cost is None and (program := self._doubtful()):
            if self._finish(program, NO_LIMIT):
                return True
            if self._doubtful() == program:  # it is not even known to cover a negative example
                return False
        return False

    def _doubtful(self) -> Program | None:
        """A program of what may be a solution that is not finished."""
        state = self._state
        unfinished = set(state.unfinished)
        candidates = state.unfinished.covering(state.parts)
        programs = (program for part in candidates for program in part.conjunction.programs)
        return next((program for program in programs if program in unfinished), None)

    def _finish(self, program: Program, limit: int) -> bool:
        """Test one program with so much work; whether that was enough."""
        state = self._state
        state.unfinished.grant(program, limit)
        evaluation = state.coverage.within(program, limit)
        if evaluation.complete:
            state.ledger.count(state.judge.again(program, evaluation))
        elif evaluation.pos or evaluation.neg:
            state.unfinished.add(program, evaluation)
        return evaluation.complete
