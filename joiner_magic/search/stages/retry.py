"""Testing unfinished programs again, with more work, when nothing else is left to do.

Two kinds of programs are worth it (`unfinished` says why): all that did not finish, for a share of the time that the search
took; and where there is no solution, what may be one, without a limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from joiner_magic.engines.protocol import NO_LIMIT
from joiner_magic.logic.programs import Program
from joiner_magic.search.stages.unfinished import LEAST_SECONDS, SHARE
from joiner_magic.solvers.interrupt import Interrupted

if TYPE_CHECKING:
    from joiner_magic.search.state import SearchState


class Retry:
    """Tests what did not finish again. What is known then is judged like any other program."""

    def __init__(self, state: SearchState) -> None:
        """Nothing was tested again yet."""
        self._state = state
        self._since: float | None = None  # when programs were tested again for the first time

    def run(self) -> bool:
        """Whether something is known now that was not."""
        with self._state.ledger.timed("test"):
            return self._finish_some() or self._verify_candidates()

    def _finish_some(self) -> bool:
        """Grant each program ten times the work, and again, for a while."""
        state = self._state
        enough = self._first_time() + max(LEAST_SECONDS, SHARE * self._first_time())
        while len(state.unfinished) and state.unfinished.granted < NO_LIMIT:
            limit, finished = state.unfinished.grant_more(), False
            for program in state.unfinished:
                if state.budget.stop():
                    raise Interrupted
                if state.budget.elapsed > enough:
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
        evaluation = state.coverage.within(program, limit)
        if evaluation.complete:
            state.ledger.count(state.judge.again(program, evaluation))
        elif evaluation.pos or evaluation.neg:
            state.unfinished.add(program, evaluation)
        return evaluation.complete
