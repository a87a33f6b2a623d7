"""Finds the trade-off of a result: good unions of the rules that its run has kept, written as programs and counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.objective import EXACT, Price, plain
from joiner_magic.search.outcome.best_by_size import RuleUnion, best_by_size
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.prediction import evaluated
from joiner_magic.search.outcome.tradeoff import Tradeoff, TradeoffPoint
from joiner_magic.search.problem import Problem
from joiner_magic.search.stages.known_rules import ErrorPrices
from joiner_magic.search.stages.parts import Part
from joiner_magic.solvers.signals import interruptible, stop_of_this_call

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result

_NOT_KEPT = "a result that was saved, or asked for during its run, has no other rules to compare"
# Hypotheses that are nearly as cheap as the cheapest: they cost a quarter and two literals more at the most.
_NEARLY = Fraction(5, 4)
_MORE_LITERALS = 2
_MOST_NEAR = 20


@dataclass(frozen=True, slots=True)
class _Counted:
    """A hypothesis with what it covers, and what its errors cost as `ErrorPrices` counts."""

    program: Program
    evaluation: Evaluation
    errors: int
    is_result: bool


@interruptible
def find_tradeoff(result: Result) -> Tradeoff:
    """The trade-off of a result. It takes some tenths of a second."""
    prices = ErrorPrices(result.task, result.objective)
    unions = best_by_size(result.known, result.parts, prices, stop_of_this_call())
    hypotheses = _counted(result, unions, prices)
    front = list(_undominated(hypotheses, prices))
    points = [_nothing_learnt(result), *(_point(result, hypothesis, prices) for hypothesis in front)]
    if _may_reach_further(result.known):
        coverages = [hypothesis.evaluation for hypothesis in front]
    else:
        coverages = list(_nearly_as_cheap(unions, prices))
    known = [hypothesis.evaluation for hypothesis in hypotheses if hypothesis.is_result]
    near = tuple(dict.fromkeys([*known, *coverages]))[:_MOST_NEAR]
    is_alone = result.hypothesis is not None and not result.known
    return Tradeoff(tuple(points), _NOT_KEPT if is_alone else "", near)


def _counted(result: Result, unions: Sequence[RuleUnion], prices: ErrorPrices) -> list[_Counted]:
    """The hypothesis of the result, and of the unions those that make cheaper errors than all smaller ones."""
    writer = Problem.of(result.task, result.engine, objective=result.objective).writer
    best: list[RuleUnion] = []
    for union in unions:
        if union.parts and union.errors < (best[-1].errors if best else prices.of(0, 0)):
            best.append(union)
    others = [union for union in best if set(union.parts) != set(result.parts)]
    programs = [writer.program(union.parts) for union in others]
    evaluations = [Evaluation(union.pos, union.neg) for union in others]
    if result.hypothesis is not None:
        programs.insert(0, result.hypothesis)
        evaluations.insert(0, _union_of_parts(result.parts))
    if _may_reach_further(result.known):  # or nothing but the hypothesis is known
        evaluations = evaluated(result, programs, stop_of_this_call())
    return [
        _Counted(
            program,
            evaluation,
            prices.of(evaluation.pos, evaluation.neg or 0),
            program is result.hypothesis,
        )
        for program, evaluation in zip(programs, evaluations, strict=True)
        if evaluation.complete
    ]


def _may_reach_further(parts: Sequence[Part]) -> bool:
    """Whether rules may cover more together than each by itself, so that an engine has to count it."""
    return not parts or any(part.is_recursive or part.members for part in parts)


def _union_of_parts(parts: Iterable[Part]) -> Evaluation:
    pos = neg = 0
    for part in parts:
        pos |= part.pos
        neg |= part.neg
    return Evaluation(pos, neg)


def _undominated(hypotheses: Sequence[_Counted], prices: ErrorPrices) -> Iterator[_Counted]:
    """By size those that make cheaper errors than all smaller ones, and than no rule at all."""
    least = prices.of(0, 0)
    for hypothesis in sorted(
        hypotheses, key=lambda each: (each.program.size, each.errors, not each.is_result)
    ):
        if hypothesis.errors < least:
            least = hypothesis.errors
            yield hypothesis


def _nearly_as_cheap(unions: Iterable[RuleUnion], prices: ErrorPrices) -> Iterator[Evaluation]:
    """What the unions cover that cost little more than the cheapest one, by their cost."""
    costs = [(union.size * prices.literal + union.errors, union) for union in unions if union.parts]
    costs.sort(key=lambda cost: cost[0])
    for cost, union in costs:
        if cost <= costs[0][0] * _NEARLY + _MORE_LITERALS * prices.literal:
            yield Evaluation(union.pos, union.neg)


def _nothing_learnt(result: Result) -> TradeoffPoint:
    """The point of no rule at all."""
    examples = result.task.examples
    confusion = Confusion.of(None, len(examples.pos), len(examples.neg))
    price = result.objective.cost_without_rules(sum(examples.pos_weights))
    return TradeoffPoint(0, confusion, price, price, None, is_result=False, _of=result)


def _point(result: Result, hypothesis: _Counted, prices: ErrorPrices) -> TradeoffPoint:
    """A hypothesis as a point of the trade-off."""
    examples, evaluation = result.task.examples, hypothesis.evaluation
    confusion = Confusion.of(evaluation, len(examples.pos), len(examples.neg))
    size = hypothesis.program.size
    price = _price(result, confusion, hypothesis.errors, prices)
    cost = None
    if price is not None:
        cost = plain(size + price)
    return TradeoffPoint(
        size, confusion, price, cost, hypothesis.program, is_result=hypothesis.is_result, _of=result
    )


def _price(result: Result, confusion: Confusion, errors: int, prices: ErrorPrices) -> Price | None:
    """What errors cost by the objective, in literals; None if they are not allowed."""
    if result.objective.cost(0, confusion.fn, confusion.fp) is None:
        return None
    if result.objective == EXACT:
        return 0
    return plain(Fraction(errors, prices.literal))
