"""Both engines and the plain definition agree on every bit of random tasks and programs."""

from __future__ import annotations

import pytest
from contract.naive import evaluate
from contract.random_tasks import programs, tasks
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from joiner_magic.engines.choose import choose_engine
from joiner_magic.task.task import read_task


@pytest.mark.prolog
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_three_ways_to_the_same_bits(data: st.DataObject) -> None:
    # Recursion within the background knowledge would loop in Prolog, so only programs have it here.
    random_task = data.draw(tasks())
    batch = data.draw(st.lists(programs(random_task), min_size=4, max_size=8))
    task = read_task(random_task.background, random_task.examples, random_task.bias)
    expected = [evaluate(random_task, program) for program in batch]
    for name in ("datalog", "prolog"):
        with choose_engine(task, name).engine as engine:
            assert engine.evaluate(batch) == expected, name
            for program, evaluation in zip(batch[:2], expected, strict=False):
                explanation = engine.explain(program, random_task.pos[0])
                assert explanation.covered == bool(evaluation.pos & 1), name
