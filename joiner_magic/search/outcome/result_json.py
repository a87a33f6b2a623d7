"""Results as JSON: what the command prints, and files that give a result back."""

from __future__ import annotations

import os
import re
from dataclasses import MISSING, fields, replace
from fractions import Fraction
from typing import Any, cast, get_args

from joiner_magic.engines.protocol import ENGINES
from joiner_magic.errors import TaskError, TextError
from joiner_magic.logic.programs import Program
from joiner_magic.search.objective import EXACT, Objective, Price, plain
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.result import Result, Status
from joiner_magic.solvers.signals import interruptible
from joiner_magic.task.json_value import JsonValue
from joiner_magic.task.reader import read_program
from joiner_magic.task.task import Task
from joiner_magic.task.task_json import load_json, save_json, task_of, task_to_json

_FORMAT = "joiner-magic result"
_VERSION = 1
_FRACTION = re.compile(r"[0-9]{1,30}/[1-9][0-9]{0,30}")


def summary(result: Result) -> dict[str, Any]:
    """The outcome in plain values, without the task."""
    confusion = result.confusion
    return {
        "status": result.status,
        "why": result.why,
        "size": result.size,
        "rules": result.rules,
        "tp": confusion.tp,
        "fn": confusion.fn,
        "tn": confusion.tn,
        "fp": confusion.fp,
        "unknown_pos": confusion.unknown_pos,
        "unknown_neg": confusion.unknown_neg,
        "seconds": result.seconds,
        "first_solution_seconds": result.first_solution_seconds,
        "programs_tested": result.counts["tested"],
        "engine": result.engine,
        "source": result.source,
        "cost": price_to_json(result.cost),
        "bound": price_to_json(result.bound),
        "objective": objective_to_json(result.objective),
        "counts": dict(result.counts),
        "timings": dict(result.timings),
    }


@interruptible
def save_result(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the result and its task to a file, for `load_result`.

    Whether the background knowledge is trusted is not written: whoever loads the file decides that.
    """
    value = {"format": _FORMAT, "version": _VERSION, "task": task_to_json(result.task), **summary(result)}
    save_json(value, path)


@interruptible
def load_result(path: str | os.PathLike[str], *, trusted: bool = False) -> Result:
    """The result in a file. What only views of a run need, such as its parts, is not stored.

    A file may come from anybody, and cannot say of itself that it is trusted. `trusted` does: questions about the result
    then let background knowledge reach files, processes or the network.
    """
    if not isinstance(trusted, bool):
        raise TaskError(f"trusted is {trusted!a}", remedy="give True or False")
    return replace(_result(load_json(path, _FORMAT, _VERSION, "save one with save_result")), trusted=trusted)


def _result(value: JsonValue) -> Result:
    first = value.field("first_solution_seconds")
    task = task_of(value.field("task"))
    result = Result(
        task=task,
        hypothesis=_hypothesis(value.field("rules"), task),
        status=cast("Status", value.field("status").choice(get_args(Status))),
        why=value.field("why").line(),
        confusion=_confusion(value),
        counts={name: count.count() for name, count in value.field("counts").fields()},
        timings={name: time.seconds() for name, time in value.field("timings").fields()},
        seconds=value.field("seconds").seconds(),
        first_solution_seconds=None if first.is_null else first.seconds(),
        engine=value.field("engine").choice(ENGINES),
        source=value.field("source").line(),
        bound=_price(value.field("bound")),
        objective=_objective(value),
    )
    if result.objective != EXACT and result.solved:
        result = replace(result, price_of_errors=plain((_price(value.field("cost")) or 0) - result.size))
    _refuse_contradictions(result, value)
    return result


def _confusion(value: JsonValue) -> Confusion:
    """Its counts by name; one that has a default may be missing, as in files of earlier versions."""
    needed = [each.name for each in fields(Confusion) if value.has(each.name) or each.default is MISSING]
    return Confusion(**{name: value.field(name).count() for name in needed})


def objective_to_json(objective: Objective) -> dict[str, int | str | None]:
    """The price of each kind of error; None for one that is not allowed."""
    return {"missed": price_to_json(objective.missed), "wrong": price_to_json(objective.wrong)}


def price_to_json(price: Price | None) -> int | str | None:
    """A whole number as it is, another one exactly, as a text such as 1/3."""
    if price is None or isinstance(price, int):
        return price
    return str(price)


def _objective(value: JsonValue) -> Objective:
    """The price of each kind of error; null for one that is not allowed. A file without any is of exact learning."""
    if not value.has("objective"):
        return EXACT
    prices = {each.name: _price(value.field("objective").field(each.name)) for each in fields(Objective)}
    for name, price in prices.items():
        if price is not None and price <= 0:
            value.field("objective").field(name).refuse("is 0, but an error has a price")
    return Objective(**prices)


def _price(value: JsonValue) -> Price | None:
    """What `price_to_json` wrote."""
    if value.is_null:
        return None
    if not value.is_text:
        return value.count()
    text = value.line()
    if not _FRACTION.fullmatch(text):
        value.refuse("is no number such as 1/3")
    return plain(Fraction(text))


def _hypothesis(rules: JsonValue, task: Task) -> Program | None:
    """A program for the head of the task, over predicates that its bias names and those that it defines itself."""
    texts = [rule.text() for rule in rules.items()]
    if not texts:
        return None
    try:
        program = read_program("\n".join(texts), "rules")
    except TextError as error:
        rules.refuse(f"cannot be read: {error.headline}")
    head = task.bias.head
    if head not in program.defined:
        rules.refuse(f"have none for {head}, which is to be learnt")
    known = {*task.bias.body, *program.defined}
    for rule in program.rules:
        for literal in rule.body:
            if literal.predicate not in known:
                rules.refuse(f"call {literal.predicate}, which the bias does not name")
        if rule.head.predicate != head and rule.head.predicate in {
            *task.bias.body,
            *task.background.predicates,
        }:
            rules.refuse(f"define {rule.head.predicate}, which the background knowledge does")
    return program


def _is_allowed(result: Result) -> bool:
    """Whether the objective allows errors of the kinds that the hypothesis makes."""
    missed, wrong = bool(result.confusion.fn), bool(result.confusion.fp)
    allowed = result.objective.cost(0, int(missed), int(wrong)) is not None
    return allowed and (result.price_of_errors > 0) == (missed or wrong)


def _refuse_contradictions(result: Result, value: JsonValue) -> None:
    """What no run can have found: two fields that cannot both be right."""
    confusion, examples = result.confusion, result.task.examples
    covered = confusion.tp + confusion.fp
    if confusion.positives != len(examples.pos):
        value.field("tp").refuse(f"and fn do not add up to the {len(examples.pos)} positive examples")
    if confusion.negatives != len(examples.neg):
        value.field("tn").refuse(f"and fp do not add up to the {len(examples.neg)} negative examples")
    nothing_learnt = result.hypothesis is None and result.cost is None
    if result.hypothesis is None and (covered or (nothing_learnt and result.status != "none")):
        value.field("rules").refuse("are missing, though something was found")
    if result.solved and (not _is_allowed(result) or confusion.unknown):
        value.field("status").refuse(f"is {result.status}, but examples are wrong")
    if value.field("size").count() != result.size:
        value.field("size").refuse(f"is not the number of literals, {result.size}")
    dearest = result.size if result.cost is None else result.cost
    if result.bound is not None and (result.status != "best" or result.bound > dearest):
        value.field("bound").refuse(
            f"is {result.bound} of a result that is {result.status} with {result.size} literals"
        )
    for name in ("tested", "unfinished"):
        value.field("counts").field(name)
    if value.field("programs_tested").count() != result.counts["tested"]:
        value.field("programs_tested").refuse("is not what counts.tested says")
