"""What a run may claim: the status of its result, and in one sentence what that rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from joiner_magic.search.objective import Price
from joiner_magic.search.outcome.result import Status, Why
from joiner_magic.task.notes import counted

if TYPE_CHECKING:
    from joiner_magic.search.stages.hypothesis import Hypothesis
    from joiner_magic.search.state import SearchState

ENDED: Mapping[Why, str] = {
    "timeout": "the time was up",
    "cancelled": "the run was cancelled",
    "interrupted": "the run was interrupted",
    "memory": "the memory that the search may use was used up",
    "failed": "the search could not go on",
}


def verdict(state: SearchState, *, ended: Why, doubtful: bool) -> tuple[Status, str]:
    """The status, and what it rests on or what is left to do.

    `doubtful` says of the hypothesis that nobody knows whether it covers negative examples.
    """
    if state.combine.cost is None:
        return _without_solution(state, ended, doubtful)
    return _with_solution(state, ended)


def _without_solution(state: SearchState, ended: Why, doubtful: bool) -> tuple[Status, str]:
    end = _end(state, ended)
    before = ""
    if end:
        before = f"{end} before there was one; {_searched(state)}"
    if doubtful:
        unknown = "its evaluation did not finish, and whether it covers negative examples is not known"
        return "unverified", f"{unknown}; {before}" if before else unknown
    unfinished = _unfinished(state)
    if before:
        return "none", f"{before}; {unfinished}" if unfinished else before
    if unfinished:
        return "none", f"{unfinished}: whether there is a solution with them is not known"
    left = (state.problem.everything & ~state.parts.covered).bit_count()
    uncovered = counted(left, "positive example")
    if state.problem.objective.allows_wrong:
        return "none", f"no rule of the space covers {uncovered}"
    return "none", f"no rule of the space covers {uncovered} without a negative one"


def _with_solution(state: SearchState, ended: Why) -> tuple[Status, str]:
    objective = state.problem.objective
    better = objective.better
    if state.incumbent is None and ended != "proven":
        return "none", f"{_unproven(state, ended)}, and none is known that is cheaper than to learn nothing"
    if ended != "proven":
        lower = bound_of(state)
        bound = ""
        if lower:
            bound = f"; a {better} one {objective.at_least(lower)}"
        return "best", f"{_unproven(state, ended)}{bound}"
    if unfinished := _unfinished(state):
        return "best", f"{unfinished}: whether there is a {better} one with them is not known"
    if not _is_additive(state):
        return "best", f"whether parts that share rules or literals make a {better} one is not known"
    if state.combine.interference and (state.priced or not state.combine.is_relaxed_optimum()):
        return "best", "recursive parts reached negative examples when they were put together"
    if state.incumbent is None:
        return "none", "no hypothesis of the space is cheaper than to learn nothing"
    return "optimal", f"no {better} solution exists in the space"


def in_literals(state: SearchState, cost: int) -> Price:
    """A cost as users read it, in which a literal costs 1."""
    prices = state.problem.prices
    if not prices:
        return cost
    return prices.in_literals(cost)


def cost_of(state: SearchState, hypothesis: Hypothesis) -> Price | None:
    """What a hypothesis costs, in literals; None if it makes errors that are not allowed."""
    if hypothesis.cost is None:
        return None
    return in_literals(state, hypothesis.cost)


def bound_of(state: SearchState) -> Price | None:
    """What a cheaper solution costs at least, in literals; None where nothing is known about that."""
    if not state.lower:  # a bound of 0 says nothing
        return None
    return in_literals(state, state.lower)


def _unproven(state: SearchState, ended: Why) -> str:
    """What ended the search, and how far it was."""
    end = _end(state, ended) or "there are too many rules for a proof"
    return f"{end}; {_searched(state)}"


def _is_additive(state: SearchState) -> bool:
    """Whether it is known what can be smaller together than the sum of its sizes, because it shares rules or literals."""
    incumbent = state.incumbent
    if incumbent is None or incumbent.cost is None or state.is_settled:
        return True
    return incumbent.cost <= state.additive_below * state.problem.literal


def _end(state: SearchState, ended: Why) -> str:
    """What ended the search, if it was ended before its time."""
    if state.failure:
        return f"{ENDED[ended]} ({state.failure})"
    return ENDED.get(ended, "")


def _searched(state: SearchState) -> str:
    return f"every program of up to {state.ledger.size} literals was tried"


def _unfinished(state: SearchState) -> str:
    """What is to be said of programs whose evaluation did not finish; empty if there are none."""
    number = len(state.unfinished)
    if not number:
        return ""
    return f"the evaluation of {counted(number, 'program')} did not finish"
