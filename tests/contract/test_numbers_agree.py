"""Rules that calculate, closed into facts, mean what Prolog makes of them, or are refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from contract.numeric_tasks import VALUES, NumericTask, outcome, random_task
from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.protocol import Engine
from joiner_magic.errors import NeedsProlog
from joiner_magic.task.background import Background
from joiner_magic.task.reader import PrologText, read_program
from joiner_magic.task.task import read_task
from seeds import SEEDS

EXAMPLES = "\n".join(f"pos(f({value}))." for value in VALUES)
BIAS = "head_pred(f,1). body_pred(q,1). body_pred(p,1). body_pred(r,2)."
TASK = read_task("p(1). q(1). r(1,2).", EXAMPLES, BIAS)
HOW_MANY = 200  # tasks a seed


def covered(task: NumericTask) -> int | None:
    """What the embedded engine says that q holds of, as bits over VALUES; None if it refuses."""
    try:
        background = Background((PrologText.read(task.text(), "bk"),))
        with DatalogEngine(replace(TASK, background=background)) as engine:
            return engine.evaluate([read_program("f(A) :- q(A).")])[0].pos
    except NeedsProlog as refusal:
        if refusal.place is None:  # it names the clause
            raise
        return None


def check(task: NumericTask, found: int, outcomes: Sequence[bool | None]) -> int:
    """How many values were compared: where Prolog raises an error there is nothing to compare with."""
    for number, expected in enumerate(outcomes):
        if expected is not None:
            assert bool(found >> number & 1) == expected, f"q({VALUES[number]}) in\n{task.text()}"
    return sum(expected is not None for expected in outcomes)


def answered(seed: int, how_many: int = HOW_MANY) -> list[tuple[NumericTask, int]]:
    """Random tasks that the embedded engine takes: at least half of them."""
    rng = Random(seed)
    tasks = [random_task(rng) for _ in range(how_many)]
    taken = [(task, found) for task in tasks if (found := covered(task)) is not None]
    assert len(taken) >= how_many / 2, (
        f"seed {seed}: {how_many - len(taken)} of {how_many} tasks were refused"
    )
    return taken


@pytest.mark.parametrize("seed", SEEDS)
def test_a_plain_evaluator_agrees(seed: int) -> None:
    taken = answered(seed)
    compared = sum(check(task, found, [outcome(task, value) for value in VALUES]) for task, found in taken)
    assert compared > len(VALUES) * len(taken) / 2, "nearly all ended in errors: that says little"


@pytest.mark.prolog
@pytest.mark.parametrize("seed", [seed + 1 for seed in SEEDS])
def test_prolog_agrees(seed: int) -> None:
    """One Prolog knows all tasks, each with predicates of its own: to start it takes longer than to ask it."""
    taken = answered(seed)
    together = "\n".join(numbered(task.text(), number) for number, (task, _) in enumerate(taken))
    names = " ".join(f"body_pred(q{number},1)." for number in range(len(taken)))
    compared = 0
    with choose_engine(read_task(together, EXAMPLES, f"head_pred(f,1). {names}"), "prolog").engine as prolog:
        for number, (task, found) in enumerate(taken):
            compared += check(task, found, by_prolog(prolog, number))
    assert compared > len(VALUES) * len(taken) / 2, "nearly all ended in errors: that says little"


def by_prolog(prolog: Engine, number: int) -> list[bool | None]:
    """What q of a task holds of; None where an error ends it."""
    (together,) = prolog.evaluate([read_program(f"f(A) :- q{number}(A).")])
    if together.complete:
        return [bool(together.pos >> i & 1) for i in range(len(VALUES))]
    # Each value by itself: whether the program ends does not depend on the example then.
    alone = prolog.evaluate([read_program(f"f(A) :- q{number}({value}).") for value in VALUES])
    return [bool(one.pos) if one.complete else None for one in alone]


def numbered(text: str, number: int) -> str:
    return re.sub(r"\b([pqrs])\(", rf"\g<1>{number}(", text)
