"""The embedded engine against the plain definition, on thousands of random programs."""

from __future__ import annotations

from random import Random

import pytest

from contract.naive import evaluate
from contract.random_tasks import random_program, random_task
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.protocol import Proof
from joiner_magic.logic.render import render_program
from joiner_magic.logic.terms import Term
from joiner_magic.task.task import read_task


# Among the tasks of seed 1 is one whose rules are closed in a process with bounded memory.
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.bounds_memory), *range(2, 8)])
def test_every_bit_agrees_with_the_definition(seed: int) -> None:
    rng = Random(seed)
    seen = {"none": 0, "some": 0, "all": 0}
    for _ in range(60):
        task = random_task(rng, recursive_rules=True)
        programs = [random_program(rng, task) for _ in range(8)]
        with DatalogEngine(read_task(task.background, task.examples, task.bias)) as engine:
            for program, found in zip(programs, engine.evaluate(programs), strict=True):
                expected = evaluate(task, program)
                assert found == expected, f"{task.background}\n{task.examples}\n{render_program(program)}"
                count = found.pos.bit_count() + (found.neg or 0).bit_count()
                seen["none" if not count else "all" if count == len(task.pos + task.neg) else "some"] += 1
    assert min(seen.values()) > 50, f"the programs say too little: {seen}"


@pytest.mark.parametrize("seed", range(4))
def test_an_explanation_says_what_the_evaluation_says(seed: int) -> None:
    rng = Random(1000 + seed)
    for _ in range(50):
        task = random_task(rng)
        program = random_program(rng, task)
        with DatalogEngine(read_task(task.background, task.examples, task.bias)) as engine:
            (evaluation,) = engine.evaluate([program])
            for i, example in enumerate(task.pos):
                explanation = engine.explain(program, example)
                assert explanation.covered == bool(evaluation.pos >> i & 1)
                if explanation.proof:
                    check_proof(explanation.proof, frozenset())
                for failure in explanation.failures:
                    assert failure.holds < len(failure.rule.body) or not failure.rule.body


def check_proof(proof: Proof, above: frozenset[Term]) -> None:
    """Every premise belongs to its rule, and no atom is used to prove itself."""
    assert proof.atom not in above
    if proof.rule is not None:
        assert len(proof.premises) == len(proof.rule.body)
        for premise in proof.premises:
            check_proof(premise, above | {proof.atom} if premise.rule else above)
