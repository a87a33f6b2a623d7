"""Advice to those whose data may have errors in them: learning with noise, tried for a moment.

It is given where exact learning finds no solution, and where its solution is so large that it seems to fit single
examples.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from fractions import Fraction

from joiner_magic.engines.protocol import Engine
from joiner_magic.search.loop import Search
from joiner_magic.search.objective import EXACT, Price
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.result import NoiseAdvice, Result
from joiner_magic.search.prepare import prepare_search
from joiner_magic.search.running.budget import Budget
from joiner_magic.search.running.events import SizeFinished
from joiner_magic.solvers.cheapest_rules import CheapestRules
from joiner_magic.solvers.interrupt import never
from joiner_magic.solvers.rule_groups import Prices
from joiner_magic.task.task import Task

_MOMENT = 1.0  # seconds at the most
_SHARE = 0.3  # of the time that is left
_LEAST = 0.5  # seconds next to a solution, and a share of the time that it took
_SHARE_OF_RUN = 0.25
_MEANWHILE = 0.5  # seconds, where exact learning is to go on
_CHEAPEST = 3  # a hypothesis of a rule and an error costs no less
_SMALL = (
    20  # literals: solutions that fit wrong labels are larger, and nobody should wait because of smaller ones
)
# When a run that is not over tries it: as long as there is time left, and before most people lose their patience.
_LATE = 0.7  # of the time that it has
_LONG = 20.0  # seconds


def is_due(budget: Budget) -> bool:
    """Whether a search that is still at work is to be interrupted for a trial."""
    if budget.remaining is None:
        return budget.elapsed > _LONG
    return budget.elapsed > min(_LONG, _LATE * (budget.elapsed + budget.remaining))


def is_wanted(options: Options, result: Result) -> bool:
    """Whether noise was left open, and a hypothesis with errors can be cheap enough to be told."""
    if not options.advise or options.noise is not None or result.objective != EXACT:
        return False
    if result.solved and result.size < _SMALL:
        return False
    return _limit(result) > _CHEAPEST


def try_noise(
    task: Task, engine: Engine, options: Options, budget: Budget, result: Result, *, meanwhile: bool
) -> Result:
    """What learning with noise finds in a moment, after exact learning has come to this result, or `meanwhile`."""
    CheapestRules((), Prices((), ())).start(
        never
    )  # the first one loads its solver, which can take half a second
    seconds = _moment(result, budget)
    if meanwhile:
        seconds = min(seconds, _MEANWHILE)
    trial = prepare_search(task, engine, _with_noise(options), budget.slice(seconds), patient=False)
    return _tried(trial, _limit(result))


def noise_advice(learnt: Result, result: Result) -> NoiseAdvice | None:
    """What was learnt with noise, if it is cheap enough to be told next to the result of exact learning."""
    if learnt.hypothesis is None or learnt.cost is None or learnt.cost >= _limit(result):
        return None
    confusion = learnt.confusion
    right = confusion.tp + confusion.tn
    if right <= max(confusion.positives, confusion.negatives):
        return None  # to take all examples for positive, or all for negative, is right as often
    return NoiseAdvice(len(learnt.rules), learnt.size, right, confusion.positives + confusion.negatives)


def _limit(result: Result) -> Price:
    """What a hypothesis with errors must cost less than: half of a solution, or without one as much as no rule at all."""
    nothing = sum(result.task.examples.pos_weights)
    if not result.solved:
        return nothing
    return min(nothing, Fraction(result.size, 2))


def _moment(result: Result, budget: Budget) -> float:
    """How long it is tried: shorter next to a solution that was found quickly."""
    seconds = _MOMENT
    if result.solved:
        seconds = min(seconds, _LEAST + _SHARE_OF_RUN * result.seconds)
    if budget.remaining is not None:
        seconds = min(seconds, _SHARE * budget.remaining)
    return seconds


def _with_noise(options: Options) -> Options:
    """The options with noise; a source that was asked for may not fit."""
    return replace(options, noise=True, source="auto")


def _tried(trial: Search, limit: Price) -> Result:
    """What a search finds before its time is up, or before it is known that nothing is cheaper than the limit."""
    with closing(trial.run()) as events:
        for event in events:
            if isinstance(event, SizeFinished):
                bound = trial.result().bound
                if bound is not None and bound >= limit:
                    break
    return trial.result()
