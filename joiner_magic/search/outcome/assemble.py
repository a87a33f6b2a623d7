"""What came of a search: its result, what later runs may use of it, and the report when there is no solution.

Each is made of the search's state, at the end or at any moment before.
"""

from __future__ import annotations

from itertools import islice

from joiner_magic.logic.programs import Evaluation
from joiner_magic.search.fate import Fate
from joiner_magic.search.objective import Price, plain
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.result import Result, Why
from joiner_magic.search.outcome.shortfall import Shortfall
from joiner_magic.search.outcome.verdict import bound_of, in_literals, verdict
from joiner_magic.search.reuse.finding import Finding
from joiner_magic.search.stages.hypothesis import Hypothesis
from joiner_magic.search.stages.known_rules import ErrorPrices, known_rules
from joiner_magic.search.stages.parts import Part
from joiner_magic.search.state import SearchState

_MOST_KEPT = 2_000  # parts, and fragments, for later runs: testing them again should take a moment


def result_of(state: SearchState, source: str, paused: Why) -> Result:
    """The best that is known now, and what may be claimed of it.

    `source` says where programs came from, and `paused` why the search is not over, if it is not.
    """
    problem, ledger = state.problem, state.ledger
    best = _best(state)
    status, why = verdict(state, ended=state.ended or paused, doubtful=_is_doubtful(best))
    return Result(
        task=problem.task,
        hypothesis=best.program if best else None,
        status=status,
        why=why,
        confusion=Confusion.of(best.evaluation if best else None, problem.positives, problem.negatives),
        counts=_counts(state),
        timings=ledger.timings,
        seconds=state.budget.elapsed,
        first_solution_seconds=ledger.first_solution,
        engine=problem.engine,
        source=source,
        bound=bound_of(state) if status == "best" else None,
        price_of_errors=_price_of_errors(state, best),
        parts=best.parts if best else (),
        reused=state.reuse.told(state.head_start, settled=state.is_settled, recalled=state.coverage.recalled),
        objective=problem.objective,
    )


def finding_of(
    state: SearchState, run: str, result: Result, options: Options, *, independent: bool
) -> Finding:
    """What runs after this one may use; `options` are those in force, `independent` says it of the engine."""
    conjunctions = (c for part in islice(state.parts, _MOST_KEPT) for c in part.conjunctions)
    return Finding(
        run,
        result,
        options,
        independent=independent,
        parts=tuple(dict.fromkeys(conjunctions)),
        fragments=tuple(state.fragments[:_MOST_KEPT]),
        coverage=dict(state.coverage) if state.source.name != "native" else {},
        settled_by=_settled_by(state),
    )


def known_rules_of(state: SearchState) -> tuple[Part, ...]:
    """The rules that a result keeps, so that a trade-off can be made of them."""
    best = _best(state)
    prices = ErrorPrices(state.problem.task, state.problem.objective)
    return known_rules(best.parts if best else (), state.parts, state.priced, prices)


def shortfall_of(state: SearchState) -> Shortfall:
    """What stands in the way of a solution, when there is none."""
    best, coverage = state.combine.best, state.coverage
    helpful = [program for part in state.parts for program in part.conjunction.programs]
    return Shortfall.of(
        state.problem.task,
        covered=best.evaluation.pos if best else 0,
        coverable=state.parts.covered if state.ended == "exhausted" else None,
        unfinished=tuple(state.unfinished),
        searched=state.ledger.size,
        tested=coverage,
        helpful=[*helpful, *state.fragments],
        longest=coverage.longest,
        widest=coverage.widest,
        objective=state.problem.objective,
        proven=state.ended == "proven",
    )


def _best(state: SearchState) -> Hypothesis | None:
    """A solution; or else what may be one, as far as its evaluation got; or else the best partial hypothesis."""
    return state.incumbent or _unverified(state) or state.combine.best


def _unverified(state: SearchState) -> Hypothesis | None:
    """What may be a solution, if it covers no more than it is known to cover."""
    if state.combine.unknown is not None:
        union, program = state.combine.unknown
    else:
        union = tuple(state.unfinished.covering(state.parts))
        program = state.problem.writer.program(union)
    if not union:
        return None
    return Hypothesis(union, program, Evaluation(state.problem.everything, 0, False), cost=None)


def _price_of_errors(state: SearchState, best: Hypothesis | None) -> Price:
    """What the errors of a solution cost, in literals."""
    if best is None or best.cost is None:
        return 0
    return plain(in_literals(state, best.cost) - best.size)


def _is_doubtful(best: Hypothesis | None) -> bool:
    """Whether nobody knows if it covers negative examples."""
    return best is not None and not best.evaluation.complete


def _counts(state: SearchState) -> dict[str, int]:
    fates = {str(fate): number for fate, number in state.ledger.counts.items() if fate != Fate.UNFINISHED}
    return {
        "tested": state.coverage.tested,
        "unfinished": len(state.unfinished),
        "fragments": len(state.fragments),
        "parts": len(state.parts),
        **fates,
    }


def _settled_by(state: SearchState) -> str:
    """The run whose solution was taken over, if that was proven to be the cheapest."""
    if not state.is_settled:
        return ""
    solution = state.reuse.solution
    if solution:
        return solution[0]
    return state.head_start.seeds_of
