"""Results in files: what comes back is what was saved, and what is no result is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from joiner_magic import Result, learn, load_result, load_task, read_task, save_result
from joiner_magic.errors import TaskError
from joiner_magic.search.outcome.result_json import summary

EXAMPLES = ROOT / "joiner_magic" / "examples"
IMPOSSIBLE = read_task("p(a). p(b). q(b). q(c).", "pos(f(a)). pos(f(z)). neg(f(c)).")


def saved(result: Result, folder: Path) -> Path:
    save_result(result, folder / "result.json")
    return folder / "result.json"


@pytest.mark.parametrize("name", ["family", "pyramids", "strings"])
def test_a_result_comes_back(name: str, tmp_path: Path) -> None:
    result = learn(load_task(EXAMPLES / name))
    again = load_result(saved(result, tmp_path))
    assert again.hypothesis == result.hypothesis
    assert summary(again) == summary(result)
    assert str(again) == str(result)
    assert (again.task.bias, again.task.examples) == (result.task.bias, result.task.examples)
    assert again.predict(result.task.examples.pos[:3]) == [True] * 3


@pytest.mark.parametrize("timeout", [None, 0])
def test_a_result_without_a_solution_comes_back(timeout: float | None, tmp_path: Path) -> None:
    result = learn(IMPOSSIBLE, timeout=timeout)
    again = load_result(saved(result, tmp_path))
    assert summary(again) == summary(result)
    assert again.hypothesis == result.hypothesis
    assert (again.status, again.first_solution_seconds) == ("none", None)


def test_quoted_names_and_other_letters_survive(tmp_path: Path) -> None:
    task = read_task("'ist rot'('Äpfel'). 'ist rot'(\"x\").", "pos(gut('Äpfel')). neg(gut('Birne')).")
    result = learn(task)
    assert load_result(saved(result, tmp_path)).rules == result.rules == ["gut(A) :- 'ist rot'(A)."]


def test_the_bias_in_force_is_saved(tmp_path: Path) -> None:
    result = learn(IMPOSSIBLE, max_vars=2, singletons=True, advise=False)
    bias = load_result(saved(result, tmp_path)).task.bias
    assert (bias.max_vars, bias.allow_singletons) == (2, True)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", "null", "{}", '{"format": "joiner-magic result", "version": 0}']
)
def test_what_is_no_result_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text(text)
    with pytest.raises(TaskError, match=r"result\.json"):
        load_result(tmp_path / "result.json")


def test_a_file_that_is_not_there_is_an_error_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="cannot read"):
        load_result(tmp_path / "none.json")


def test_a_task_of_another_version_is_refused(tmp_path: Path) -> None:
    path = saved(learn(IMPOSSIBLE, timeout=0), tmp_path)
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    value["task"]["version"] = 99
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(TaskError, match="no task of this version"):
        load_result(path)


def test_an_incomplete_result_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text('{"format": "joiner-magic result", "version": 1}')
    with pytest.raises(TaskError, match=r"result\.json has no field first_solution_seconds; save one"):
        load_result(path)


def test_a_place_that_cannot_be_written_is_an_error_of_the_user(tmp_path: Path) -> None:
    result = learn(read_task("p(a).", "pos(f(a))."))
    with pytest.raises(TaskError, match="cannot write"):
        save_result(result, tmp_path / "no such folder" / "result.json")
