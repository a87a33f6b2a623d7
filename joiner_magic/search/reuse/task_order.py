"""How two tasks compare: whether every solution of one is a solution of the other, and whether they ask for the same.

Each field of a task says how it decides that, and each field of the bias how it orders spaces (`task/orders.py`). A field
that does not say so is an error when the module is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from joiner_magic.logic.programs import Program
from joiner_magic.search.reuse.visible_facts import sees_the_same
from joiner_magic.task.bias import BIAS_ORDERS, Bias
from joiner_magic.task.task import Task


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """How one field of a task decides what earlier runs still know."""

    carries_over: Callable[
        [Task, Task], bool
    ]  # every solution of the later task is one of the earlier, by this field
    is_same: Callable[[Task, Task], bool]  # both tasks ask for the same, by this field


def _more_examples(before: Task, task: Task) -> bool:
    """Whether all examples of before are still there: what is a solution now was one then."""
    pos, neg = set(before.examples.pos), set(before.examples.neg)
    return pos <= set(task.examples.pos) and neg <= set(task.examples.neg)


def _same_examples(one: Task, other: Task) -> bool:
    """Whether both have the same examples in the same order."""
    return (one.examples.pos, one.examples.neg) == (other.examples.pos, other.examples.neg)


def _sees_as_before(before: Task, task: Task) -> bool:
    """Whether the facts that the old examples can see are the same."""
    return sees_the_same((*before.examples.pos, *before.examples.neg), before, task)


def _same_texts(one: Task, other: Task) -> bool:
    """The same and in the same order, wherever they stand in their cells."""
    texts = [[source.text.strip() for source in task.background.sources] for task in (one, other)]
    return texts[0] == texts[1]


def _same_builtins(one: Task, other: Task) -> bool:
    """Whether the same built-in predicates may be called."""
    return one.builtins == other.builtins


def _no_effect(one: Task, other: Task) -> bool:
    """For what a run does not depend on."""
    return True


# Every field of `Task`. What is found out quickly comes first: what examples see takes a moment.
TASK_ORDERS: dict[str, TaskOrder] = {
    "examples": TaskOrder(_more_examples, _same_examples),
    "bias": TaskOrder(
        lambda before, task: is_narrower(task.bias, before.bias),
        lambda one, other: is_narrower(one.bias, other.bias) and is_narrower(other.bias, one.bias),
    ),
    "builtins": TaskOrder(_same_builtins, _same_builtins),
    "notes": TaskOrder(_no_effect, _no_effect),
    "background": TaskOrder(_sees_as_before, _same_texts),
}
if set(TASK_ORDERS) != {each.name for each in fields(Task)}:
    raise TypeError("a field of Task does not say how it decides what earlier runs still know")


def is_same_task(one: Task, other: Task) -> bool:
    """Whether the same is asked for, wherever it is said."""
    return all(order.is_same(one, other) for order in TASK_ORDERS.values())


def is_narrower(bias: Bias, other: Bias) -> bool:
    """Whether every hypothesis of `bias` is one of `other`. (It may be so even if this says no.)"""
    return bias == other or all(order.is_narrower(name, bias, other) for name, order in BIAS_ORDERS.items())


def belongs(program: Program, before: Bias, bias: Bias) -> bool:
    """Whether a program of the space of `before` is one of the space of `bias`. (Also if this says no.)"""
    return all(order.keeps(name, program, before, bias) for name, order in BIAS_ORDERS.items())
