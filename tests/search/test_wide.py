"""The wide words of the core say what the usual ones do: the same tasks, mined with both."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from joiner_magic import Result, learn
from joiner_magic.search import prepare
from joiner_magic.search.spaces.mined_space import MinedSpace
from joiner_magic.task.task import Task, read_task
from search.learning_tasks import random_learning_task
from seeds import SEEDS


def _learnt(task: Task, monkeypatch: pytest.MonkeyPatch, *, wide: bool) -> Result:
    class Forced:
        @staticmethod
        def of(*args: Any, **options: Any) -> MinedSpace:
            # The wide words are tested without bits: neither are the others here.
            return replace(MinedSpace.of(*args, **options), wide=wide, bits=False)

    with monkeypatch.context() as patch:
        patch.setattr(prepare, "MinedSpace", Forced)
        return learn(task, advise=False, source="auto", timeout=60)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_is_found_and_counted(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(seed)
    for _ in range(15):
        made = random_learning_task(rng)
        task = read_task(made.background, made.examples, made.bias)
        usual, wide = (_learnt(task, monkeypatch, wide=wide) for wide in (False, True))
        assert (usual.status, usual.hypothesis, usual.counts) == (wide.status, wide.hypothesis, wide.counts)


def test_a_literal_that_meets_no_other_is_no_loss() -> None:
    """Two tables of nine columns that share values in one: they are joined there, and nowhere else."""
    one = " ".join(f"s({','.join([f'k{i}', *(f'x{i}_{j}' for j in range(8))])})." for i in range(3))
    other = " ".join(f"t({','.join([f'k{i}', *(f'y{i}_{j}' for j in range(8))])})." for i in range(2))
    bias = "head_pred(f,1). body_pred(s,9). body_pred(t,9). max_vars(17). allow_singletons. max_body(2)."
    task = read_task(f"{one} {other}", "pos(f(x0_0)). pos(f(x1_0)). neg(f(x2_0)).", bias)
    result = learn(task, source="native", timeout=60, join=False)
    assert (result.status, result.size) == ("optimal", 3)
