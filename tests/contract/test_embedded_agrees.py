"""The embedded engine against the plain definition, on thousands of random programs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from contract.naive import evaluate
from contract.random_tasks import programs, tasks
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.protocol import Proof
from joiner_magic.task.task import read_task


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_every_bit_agrees_with_the_definition(data: st.DataObject) -> None:
    task = data.draw(tasks(recursive_rules=True))
    batch = data.draw(st.lists(programs(task), min_size=1, max_size=6))
    with DatalogEngine(read_task(task.background, task.examples, task.bias)) as engine:
        assert engine.evaluate(batch) == [evaluate(task, program) for program in batch]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_an_explanation_says_what_the_evaluation_says(data: st.DataObject) -> None:
    task = data.draw(tasks())
    program = data.draw(programs(task))
    with DatalogEngine(read_task(task.background, task.examples, task.bias)) as engine:
        (evaluation,) = engine.evaluate([program])
        for i, example in enumerate(task.pos):
            explanation = engine.explain(program, example)
            assert explanation.covered == bool(evaluation.pos >> i & 1)
            if explanation.proof:
                check_proof(explanation.proof, set())
            for failure in explanation.failures:
                assert failure.holds < len(failure.rule.body) or not failure.rule.body


def check_proof(proof: Proof, above: set[object]) -> None:
    """Every premise belongs to its rule, and no atom is used to prove itself."""
    assert proof.atom not in above
    if proof.rule is not None:
        assert len(proof.premises) == len(proof.rule.body)
        for premise in proof.premises:
            check_proof(premise, above | {proof.atom} if premise.rule else above)
