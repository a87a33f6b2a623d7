"""Tasks as JSON values: what comes back is the same task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT, each_field_task
from joiner_magic import load_task, read_task, task_from_json, task_to_json
from joiner_magic.errors import TaskError, TextError
from joiner_magic.task.task import Task

EXAMPLES = ROOT / "joiner_magic" / "examples"


def assert_survives(task: Task) -> None:
    again = task_from_json(json.loads(json.dumps(task_to_json(task))))
    assert (again.bias, again.examples) == (task.bias, task.examples)
    assert set(again.background.predicates) == set(task.background.predicates)
    assert [s.text for s in again.background.sources] == [s.text for s in task.background.sources]


@pytest.mark.parametrize("name", ["family", "pyramids", "strings"])
def test_the_shipped_tasks(name: str) -> None:
    assert_survives(load_task(EXAMPLES / name))


@each_field_task
def test_the_fields_tasks(folder: Path) -> None:
    assert_survives(load_task(folder))


def test_an_inferred_bias_and_constraints_are_written_out() -> None:
    assert_survives(read_task("e(a,b). p(b).", "pos(f(a)). neg(f(b))."))
    bias = "head_pred(f,1). body_pred(e,2). allow_singletons. :- body_literal(_,e,_,(A,B)), A > B."
    assert_survives(read_task("e(a,b).", "pos(f(a)). neg(f(b)).", bias))


def test_places_name_the_text_they_are_in() -> None:
    value = task_to_json(read_task("p(a).", "pos(f(a))."))
    value["background"][0]["text"] = "p(a). p(b"
    with pytest.raises(TextError, match=r"^bk:1:"):
        task_from_json(value)


NO_TASKS: list[Any] = [
    {},
    [],
    "text",
    {"format": "joiner-magic task"},
    {"format": "other", "version": 1},
    {"format": "joiner-magic task", "version": 1},
    {"format": "joiner-magic task", "version": 1, "background": [1], "examples": "", "bias": ""},
]


@pytest.mark.parametrize("value", NO_TASKS)
def test_what_is_no_task_is_refused(value: Any) -> None:
    with pytest.raises(TaskError, match=r"this JSON value(: background| is no task| has no field)"):
        task_from_json(value)
