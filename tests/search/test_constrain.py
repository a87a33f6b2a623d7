"""Constraints never remove the optimum: each kind alone, and all of them, against none."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from random import Random

import pytest

from joiner_magic import Result, read_task
from joiner_magic.engines.choose import choose_engine
from joiner_magic.logic.canonical import canonical
from joiner_magic.search.loop import Search
from joiner_magic.search.problem import Problem
from joiner_magic.search.running.budget import Budget
from joiner_magic.search.running.events import Constrained, Evaluated
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.source import Batch, SourceHints, Worth
from joiner_magic.search.stages.constrain import KINDS, Constraint, Subsumed, TooLarge, Unprofitable
from joiner_magic.search.stages.test import Coverage
from joiner_magic.solvers.interrupt import Stop
from joiner_magic.task.task import Task
from search.learning_tasks import random_learning_task


class Deaf:
    """A source that listens to some kinds of constraints only."""

    name = "deaf"
    record = None

    def __init__(self, source: AspSource, kinds: Sequence[type[Constraint]]) -> None:
        self._source = source
        self._kinds = tuple(kinds)

    @property
    def largest(self) -> int:
        return self._source.largest

    def generate(self, size: int, stop: Stop) -> Generator[Batch, None, None]:
        return self._source.generate(size, stop)

    expected = 0

    def most_to_earn(self, worth: Sequence[int], stop: Stop) -> None: ...
    def focus(self, size: int, worth: Worth | None) -> None: ...
    def owes(self, size: int) -> bool:
        return False

    def conclude(self) -> None: ...

    def inform(self, known: SourceHints) -> None:
        self._source.inform(known)

    def constrain(self, constraints: Sequence[Constraint], stop: Stop) -> None:
        self._source.constrain([c for c in constraints if isinstance(c, self._kinds)], stop)


def searched(task: Task, kinds: Sequence[type[Constraint]]) -> tuple[Result, list[Constraint], int]:
    """The result, all constraints that were found, and how many programs were tested."""
    found: list[Constraint] = []
    tested = 0
    with choose_engine(task, "datalog").engine as engine:
        problem = Problem.of(task, engine.name)
        search = Search(problem, Deaf(AspSource(task.bias), kinds), Coverage(engine), Budget())
        for event in search.run():
            if isinstance(event, Constrained):
                found += event.constraints
            if isinstance(event, Evaluated):
                tested += len(event.programs)
        return search.result(), found, tested


def some_task(seed: int) -> Task:
    made = random_learning_task(Random(1000 + seed), recursion=seed % 4 == 0)
    return read_task(made.background, made.examples, made.bias)


@pytest.mark.parametrize("seed", range(25))
def test_no_constraint_removes_the_optimum(seed: int) -> None:
    task = some_task(seed)
    free, _, most = searched(task, ())
    outcome = (free.status, free.size if free.solved else free.confusion.tp)
    for kinds in (*((kind,) for kind in KINDS), KINDS):
        result, _, tested = searched(task, kinds)
        assert (result.status, result.size if result.solved else result.confusion.tp) == outcome, kinds
        assert tested <= most


def test_each_kind_occurs() -> None:
    """Otherwise the test above says nothing about it."""
    occurring = {type(constraint) for seed in range(25) for constraint in searched(some_task(seed), KINDS)[1]}
    assert occurring == set(KINDS) - {Unprofitable}  # which needs prices of errors: test_noise has it


@pytest.mark.parametrize("seed", range(0, 25, 5))
def test_a_constraint_names_a_program_that_was_tested(seed: int) -> None:
    task = some_task(seed)
    _, constraints, _ = searched(task, KINDS)
    with choose_engine(task, "datalog").engine as engine:
        for constraint in constraints:
            (evaluation,) = engine.evaluate([constraint.program])
            assert canonical(constraint.program, task.bias.head) == constraint.program
            if constraint.kind == "covers nothing":
                assert evaluation.pos == 0
            elif constraint.kind in ("consistent", "consistent fragment"):
                assert evaluation.pos
                assert evaluation.neg == 0
            elif isinstance(constraint, Subsumed):
                assert evaluation.pos & ~constraint.by.pos == 0
                assert constraint.by.size <= constraint.program.size
            else:
                assert isinstance(constraint, TooLarge)
                assert evaluation.pos
