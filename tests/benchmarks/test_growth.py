"""Generated tasks have the solution they are made for, and share panels of a plot."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.growth import SERIES, exponent, facts, panels, write
from benchmarks.growth_tasks import graph, states
from joiner_magic import learn
from joiner_magic.engines.choose import choose_engine
from joiner_magic.generators.generated_task import GeneratedTask
from joiner_magic.task.folder import load_task
from joiner_magic.task.reader import read_program


@pytest.mark.parametrize(
    "task",
    [
        states(examples=40, pieces=5, fragments=2),
        states(examples=99, pieces=12, fragments=9),
        graph(examples=60, nodes=200),
        *(series.task(series.values[0]) for series in SERIES.values()),
    ],
)
def test_the_solution_covers_all_positives_and_no_negative(task: GeneratedTask, tmp_path: Path) -> None:
    write(task, tmp_path)
    loaded = load_task(tmp_path)
    with choose_engine(loaded, "datalog").engine as engine:
        (found,) = engine.evaluate([read_program(task.rule)])
    assert found.pos.bit_count() == len(loaded.examples.pos) > 0
    assert found.neg == 0
    assert len(loaded.examples.neg) > 0


def test_a_rule_of_several_fragments_is_the_smallest() -> None:
    result = learn(states(examples=60, pieces=6, fragments=4).task())
    assert (result.status, result.size) == ("optimal", 13)


def test_the_numbers_of_a_series_are_those_of_its_tasks() -> None:
    for name, series in SERIES.items():
        value = series.values[1]
        task = series.task(value)
        assert task == series.task(value), "the generator is seeded"
        measured = {
            "examples": task.examples.count("\n"),
            "facts": facts(task),
            "max_vars": int(task.bias.split("max_vars(")[1].split(")")[0]),
            "literals of the rule": 1 + task.rule.count("(") - 1,
        }[series.number]
        assert measured == pytest.approx(value, rel=0.1), name


def test_exponents() -> None:
    assert exponent((10, 1.0), (100, 100.0)) == pytest.approx(2)
    assert exponent((10, 1.0), (20, 1.0)) == pytest.approx(0)
    assert exponent(None, (10, 1.0)) is None
    assert exponent((10, 0.0), (100, 1.0)) is None


def test_series_share_a_panel_for_each_number() -> None:
    measured = {"states, facts": [(10.0, 1.0)], "graph, facts": [(10.0, 2.0)], "states, rule": []}
    assert [[line.name for line in panel.lines] for panel in panels(measured)] == [["states", "graph"]]
