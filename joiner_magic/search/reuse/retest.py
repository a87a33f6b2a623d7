"""Testing what earlier runs found on the task of this one: what still holds is where the search begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from joiner_magic.logic.conjunctions import Conjunction, intersection
from joiner_magic.logic.programs import Program
from joiner_magic.search.stages.parts import Part

if TYPE_CHECKING:
    from joiner_magic.search.state import SearchState


def retest(state: SearchState, conjunctions: Sequence[Conjunction], fragments: Sequence[Program]) -> None:
    """Take up the conjunctions that may still be parts, and the fragments that still cover something."""
    programs = dict.fromkeys(chain(*(c.programs for c in conjunctions), fragments))
    with state.ledger.timed("test"):
        evaluations = state.coverage.again(list(programs), state.budget.stop)
    covered = dict(zip(programs, evaluations, strict=True))
    for conjunction in conjunctions:
        pos, neg, complete = intersection([covered[program] for program in conjunction.programs])
        if pos and complete and state.problem.objective.allows(neg or 0):
            state.parts.add(Part(conjunction, conjunction.size, pos, neg or 0))
    for fragment in fragments:
        if covered[fragment].pos and covered[fragment].complete:
            state.judge.program(fragment, covered[fragment])
    before = state.reuse
    state.reuse = replace(
        before, parts=before.parts + len(conjunctions), fragments=before.fragments + len(fragments)
    )
