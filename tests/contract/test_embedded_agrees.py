"""The embedded engine against the plain definition, on thousands of random programs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from contract.naive import as_atom, evaluate
from contract.random_tasks import RandomTask, programs, tasks

from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.logic.programs import Evaluation
from joiner_magic.task.task import read_task


def meaning(task: RandomTask, program: object) -> Evaluation:
    facts = {as_atom(fact) for fact in task.facts}
    return evaluate(facts, program, list(task.pos), list(task.neg), list(task.domain))  # type: ignore[arg-type]


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_every_bit_agrees_with_the_definition(data: st.DataObject) -> None:
    task = data.draw(tasks())
    batch = data.draw(st.lists(programs(task), min_size=1, max_size=6))
    with DatalogEngine(read_task(task.background, task.examples, task.bias)) as engine:
        assert engine.evaluate(batch) == [meaning(task, program) for program in batch]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_an_explanation_says_what_the_evaluation_says(data: st.DataObject) -> None:
    task = data.draw(tasks())
    program = data.draw(programs(task))
    with DatalogEngine(read_task(task.background, task.examples, task.bias)) as engine:
        (evaluation,) = engine.evaluate([program])
        for i, example in enumerate(task.pos):
            assert engine.explain(program, example).covered == bool(evaluation.pos >> i & 1)
