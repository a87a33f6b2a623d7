"""Questions about the last result of a session: why a hypothesis covers an atom or not, and what its rules cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joiner_magic.engines.narrate import narrate
from joiner_magic.engines.protocol import Explanation
from joiner_magic.errors import TaskError
from joiner_magic.logic.terms import Term
from joiner_magic.search.outcome.prediction import explain

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result


def learnt(result: Result | None) -> Result:
    """The result; TaskError if nothing has been learnt yet."""
    if result is None:
        raise TaskError("nothing has been learnt yet", remedy="begin a run with %joiner learn")
    return result


def explain_result(result: Result | None, atom: str | Term) -> Explanation:
    """Why the hypothesis covers an atom, or how far each of its rules gets."""
    return explain(learnt(result), atom)


def why_not_covered(result: Result | None, atom: str | Term) -> str:
    """Why the hypothesis does not cover an atom, in words; also if no rule of the space can cover it."""
    if result is not None and result.hypothesis is None:
        return str(result.shortfall or result.why)
    explanation = explain_result(result, atom)
    words = narrate(explanation)
    shortfall = result and result.shortfall
    if shortfall and explanation.example in shortfall.impossible:
        words += "\n  and no rule of the space covers it"
        if not shortfall.allows_wrong:
            words += " without covering a negative example"
    return words
