"""Advice to those whose task has no solution: changes of the bias, each tried for a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from joiner_magic.engines.protocol import Engine
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.shortfall import Advice, changes
from joiner_magic.search.prepare import prepare_search
from joiner_magic.search.running.budget import Budget
from joiner_magic.search.running.events import Improved
from joiner_magic.task.task import Task

_MOMENT = 1.0  # seconds for trying one change of the bias


def advice(task: Task, engine: Engine, options: Options, budget: Budget, covered: int) -> Iterator[Advice]:
    """Changes that let more positive examples be covered than so many."""
    if options.source == "native":  # that was about this bias: only the other source may fit a change of it
        options = replace(options, source="auto")
    for change, bias in changes(task.bias):
        if budget.stop():
            return
        trial = prepare_search(
            replace(task, bias=bias), engine, options, budget.slice(_MOMENT), patient=False
        )
        with closing(trial.run()) as events:
            for event in events:
                if isinstance(event, Improved) and event.solution:
                    break
        result = trial.result()
        if result.status != "unverified" and result.confusion.tp > covered:
            yield Advice(change, result.confusion.tp, result.solved)
