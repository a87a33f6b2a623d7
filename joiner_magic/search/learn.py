"""Learn: one run from its beginning to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joiner_magic.search.learner import Learner, Listener
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.result import Result
from joiner_magic.search.running.budget import Budget
from joiner_magic.solvers.signals import defer_interrupts
from joiner_magic.task.task import Task


def learn(
    task: Task,
    *,
    listeners: Sequence[Listener] = (),
    budget: Budget | None = None,
    **options: Any,
) -> Result:
    """Search for a smallest program that covers every positive and no negative example of the task.

    The options are those of `Options`; each listener is called with every event. A timeout, a cancelled
    budget and Ctrl-C end the search early: the result is then the best that was found.
    """
    chosen = Options(**options)
    budget = budget or Budget(chosen.timeout)
    with defer_interrupts(), Learner(task, chosen) as learner:
        return learner.go(budget, listeners)
