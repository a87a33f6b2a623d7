"""What a run may claim: the status of its result, and in one sentence what that rests on."""

from __future__ import annotations

from collections.abc import Mapping

from joiner_magic.search.outcome.result import Status, Why
from joiner_magic.search.problem import Problem
from joiner_magic.search.stages.combine import Combiner
from joiner_magic.search.stages.parts import Parts
from joiner_magic.task.notes import counted

ENDED: Mapping[Why, str] = {
    "timeout": "the time was up",
    "cancelled": "the run was cancelled",
    "interrupted": "the run was interrupted",
    "memory": "the memory that the search may use was used up",
    "failed": "the search could not go on",
}


def verdict(
    problem: Problem,
    parts: Parts,
    combine: Combiner,
    *,
    ended: Why,
    failure: str = "",
    searched: int,
    lower: int | None,
    unfinished: int,
    doubtful: bool,
    additive: bool,
) -> tuple[Status, str]:
    """The status, and what it rests on or what is left to do.

    `failure` is what ended the search, if that can be told, `searched` the size up to which every program was tried,
    `lower` what a smaller solution has at least, `unfinished` the number of programs whose evaluation did not finish, and `doubtful` says that the hypothesis
    is one of which nobody knows whether it covers negative examples. `additive` says that it is known
    what can be smaller together than the sum of its sizes, because it shares rules or literals.
    """
    tried = f"every program of up to {searched} literals was tried"
    end = f"{ENDED[ended]} ({failure})" if failure else ENDED.get(ended, "")
    not_finished = f"the evaluation of {counted(unfinished, 'program')} did not finish"
    if combine.solution is None:
        before = f"{end} before there was one; {tried}" if end else ""
        if doubtful:
            unknown = "its evaluation did not finish, and whether it covers negative examples is not known"
            return "unverified", f"{unknown}; {before}" if before else unknown
        if before:
            return "none", f"{before}; {not_finished}" if unfinished else before
        if unfinished:
            return "none", f"{not_finished}: whether there is a solution with them is not known"
        left = (problem.everything & ~parts.covered).bit_count()
        return (
            "none",
            f"no rule of the space covers {counted(left, 'positive example')} without a negative one",
        )
    if ended != "proven":
        bound = f"; a smaller one has at least {lower} literals" if lower else ""
        return "best", f"{end}; {tried}{bound}"
    if unfinished:
        return "best", f"{not_finished}: whether there is a smaller one with them is not known"
    if not additive:
        return "best", "whether parts that share rules or literals make a smaller one is not known"
    if combine.interference and not combine.is_relaxed_optimum():
        return "best", "recursive parts reached negative examples when they were put together"
    return "optimal", "no smaller solution exists in the space"
