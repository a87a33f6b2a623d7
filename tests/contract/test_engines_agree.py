"""Both engines and the plain definition agree on every bit of random tasks and programs."""

from __future__ import annotations

from random import Random

import pytest

from contract.naive import evaluate
from contract.random_tasks import random_program, random_task
from joiner_magic.engines.choose import choose_engine
from joiner_magic.logic.render import render_program
from joiner_magic.task.task import read_task


@pytest.mark.prolog
@pytest.mark.parametrize("seed", range(40))
def test_three_ways_to_the_same_bits(seed: int) -> None:
    rng = Random(seed)
    random = random_task(rng, recursive_rules=True)
    programs = [random_program(rng, random) for _ in range(25)]
    task = read_task(random.background, random.examples, random.bias)
    with choose_engine(task, "datalog").engine as embedded, choose_engine(task, "prolog").engine as prolog:
        # Facts that are there several times make Prolog backtrack: the limit must not decide here.
        by_prologs = prolog.evaluate(programs, limit=10**8)
        answers = zip(programs, embedded.evaluate(programs), by_prologs, strict=True)
        for program, by_embedded, by_prolog in answers:
            expected = evaluate(random, program)
            assert (by_embedded, by_prolog) == (expected, expected), f"{random}\n{render_program(program)}"
        for program in programs[:5]:
            for example in random.pos[:3]:
                found = [engine.explain(program, example) for engine in (embedded, prolog)]
                assert found[0].covered == found[1].covered
                holds = [[failure.holds for failure in explanation.failures] for explanation in found]
                assert holds[0] == holds[1], render_program(program)


@pytest.mark.prolog
@pytest.mark.parametrize("seed", range(20))
def test_what_prolog_knows_within_a_limit_is_true(seed: int) -> None:
    """Each example is tried without tables and then with them: whichever runs into the limit, nothing false is said."""
    rng = Random(f"limits {seed}")
    random = random_task(rng, recursive_rules=True)
    programs = [random_program(rng, random) for _ in range(25)]
    task = read_task(random.background, random.examples, random.bias)
    unfinished = 0
    with choose_engine(task, "prolog").engine as prolog:
        for limit in (1, 10, 30, 100, 300, 1_000, 10_000):
            for program, found in zip(programs, prolog.evaluate(programs, limit=limit), strict=True):
                expected = evaluate(random, program)
                told = f"{limit}\n{random}\n{render_program(program)}"
                assert found.neg is not None
                assert expected.neg is not None
                assert found.pos & ~expected.pos == found.neg & ~expected.neg == 0, told
                assert not found.complete or found == expected, told
                unfinished += not found.complete
    assert unfinished
