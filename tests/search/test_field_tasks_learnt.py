"""What is learnt on one engine holds on the other: shipped tasks, and tasks of the field."""

from __future__ import annotations

import pytest

from conftest import ROOT, field_task
from joiner_magic import Budget, Result, choose_engine, learn, load_task
from joiner_magic.logic.programs import Evaluation
from joiner_magic.search.running.events import Event, Improved

EXAMPLES = ROOT / "joiner_magic" / "examples"
# Proven sizes, under the biases as they are: without singletons.
OPTIMA = {
    "iggp-minimaldecay": 11,
    "iggp-centipede": 8,
    "iggp-buttons-goal": 24,
    "iggp-buttons": 61,
    "imdb1": 3,
    "zendo1": 7,
}
OTHER = {"datalog": "prolog", "prolog": "datalog"}


def assert_holds_on_the_other_engine(result: Result) -> None:
    task, program = result.task, result.hypothesis
    assert program is not None
    with choose_engine(task, OTHER[result.engine]).engine as engine:
        (evaluation,) = engine.evaluate([program])
    assert evaluation == Evaluation((1 << len(task.examples.pos)) - 1, 0)


@pytest.mark.prolog
@pytest.mark.parametrize("name", ["family", "pyramids", "strings"])
def test_shipped_tasks(name: str, engine_name: str) -> None:
    result = learn(load_task(EXAMPLES / name), engine=engine_name)
    assert (result.status, result.engine) == ("optimal", engine_name)
    assert_holds_on_the_other_engine(result)


@pytest.mark.prolog
@pytest.mark.parametrize("name", OPTIMA)
def test_tasks_of_the_field(name: str) -> None:
    result = learn(load_task(field_task(name)), engine="datalog", timeout=60)
    assert (result.status, result.size) == ("optimal", OPTIMA[name])
    assert_holds_on_the_other_engine(result)


@pytest.mark.prolog
@pytest.mark.parametrize(("name", "size"), [("iggp-minimaldecay", 9), ("iggp-buttons", 52)])
def test_with_singletons_solutions_are_smaller(name: str, size: int) -> None:
    result = learn(load_task(field_task(name)), engine="datalog", timeout=60, singletons=True)
    assert (result.status, result.size) == ("optimal", size)
    assert_holds_on_the_other_engine(result)


@pytest.mark.prolog
def test_a_conjunction_of_recursive_programs_of_the_field() -> None:
    """The proof takes long: the first solution will do."""
    budget = Budget(60)

    def first_solution(event: Event) -> None:
        if isinstance(event, Improved) and event.solution:
            budget.cancel()

    task = load_task(field_task("stringbodysize_1-4"))
    result = learn(task, engine="datalog", budget=budget, listeners=[first_solution])
    assert (result.status, result.size) == ("best", 29)
    assert_holds_on_the_other_engine(result)
