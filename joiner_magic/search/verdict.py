"""What a run may claim: the status of its result, and in one sentence what that rests on."""

from __future__ import annotations

from collections.abc import Mapping

from joiner_magic.search.combine import Combiner
from joiner_magic.search.parts import Parts
from joiner_magic.search.problem import Problem
from joiner_magic.search.result import Status, Why

_ENDED: Mapping[Why, str] = {
    "timeout": "the time was up",
    "cancelled": "the run was cancelled",
    "interrupted": "the run was interrupted",
    "memory": "the memory that the search may use was used up",
}


def verdict(
    problem: Problem,
    parts: Parts,
    combine: Combiner,
    *,
    ended: Why,
    searched: int,
    lower: int | None,
    unfinished: int,
) -> tuple[Status, str]:
    """The status, and what it rests on or what is left to do.

    `searched` is the size up to which every program was tried, `lower` what a smaller solution has at least,
    and `unfinished` the number of programs whose evaluation ran into its limit.
    """
    tried = f"every program of up to {searched} literals was tried"
    if combine.solution is None:
        if ended == "exhausted":
            left = (problem.everything & ~parts.covered).bit_count()
            examples = f"{left} positive example{'' if left == 1 else 's'}"
            return "none", f"no rule of the space covers {examples} without a negative one"
        return "none", f"{_ENDED[ended]} before there was one; {tried}"
    if ended != "proven":
        bound = f"; a smaller one has at least {lower} literals" if lower else ""
        return "best", f"{_ENDED[ended]}; {tried}{bound}"
    if unfinished:
        return "best", f"{unfinished} programs ran into the limit of their evaluation"
    if combine.interference and not combine.is_relaxed_optimum():
        return "best", "recursive parts reached negative examples when they were put together"
    return "optimal", "no smaller solution exists in the space"
