"""Trust is given by the person in this process: nothing that is loaded grants it, however it says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from traitlets.config import Config

from joiner_magic import (
    Result,
    learn,
    load_result,
    load_task,
    read_task,
    save_result,
    task_from_json,
    task_to_json,
)
from joiner_magic.cli import main
from joiner_magic.errors import JoinerError, TaskError
from joiner_magic.notebook.config import Joiner
from joiner_magic.search.options import Options
from joiner_magic.sessions.session import Session
from joiner_magic.task.folder import save_task
from joiner_magic.views.all import VIEWS

pytestmark = pytest.mark.prolog

EXAMPLES = "pos(f(a)). neg(f(b))."
BIAS = "head_pred(f,1). body_pred(seen,1)."
TRUSTED = '"trusted": true'


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that background knowledge makes when it runs."""
    return tmp_path / "mark"


@pytest.fixture
def background(mark: Path) -> str:
    return f"seen(a) :- open('{mark}', write, S), close(S)."


@pytest.fixture
def saved(background: str, mark: Path, tmp_path: Path) -> Path:
    """A file with a result that says of itself in every way that it is trusted."""
    result = learn(read_task(background, EXAMPLES, BIAS), engine="prolog", trusted=True)
    assert result.optimal
    path = tmp_path / "result.json"
    save_result(result, path)
    mark.unlink()
    value = json.loads(path.read_text(encoding="utf-8"))
    assert "trusted" not in json.dumps(value)
    for holder in (value, value["task"], value["task"]["background"][0], value["counts"], value["timings"]):
        holder["trusted"] = 1
    value["trusted"] = value["task"]["trusted"] = value["task"]["background"][0]["trusted"] = True
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


QUESTIONS: dict[str, Callable[[Result], object]] = {
    "predict": lambda result: result.predict(["f(a)"]),
    "explain": lambda result: result.explain("f(a)"),
    "score": lambda result: result.score("pos(f(a))."),
    "score of a task": lambda result: result.score(result.task),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_result_from_a_file_is_not_trusted(question: str, saved: Path, mark: Path) -> None:
    result = load_result(saved)
    assert not result.trusted
    with pytest.raises(JoinerError) as caught:
        QUESTIONS[question](result)
    assert "load_result" in caught.value.headline
    assert "trusted=True" in caught.value.headline
    assert "--trusted" in caught.value.headline
    assert not mark.exists()


@pytest.mark.parametrize("question", QUESTIONS)
def test_whoever_loads_a_result_can_trust_it(question: str, saved: Path, mark: Path) -> None:
    assert QUESTIONS[question](load_result(saved, trusted=True))
    assert mark.exists()


@pytest.mark.parametrize("value", ["yes", 1, None, [True]])
def test_trust_is_true_or_false(value: Any, saved: Path) -> None:
    with pytest.raises(TaskError, match="trusted is"):
        load_result(saved, trusted=value)
    with pytest.raises(TaskError, match="trusted is"):
        Options(trusted=value)


def session_file(background: str, path: Path) -> Path:
    session = Session()
    session.bk(background)
    session.examples(EXAMPLES)
    session.bias(BIAS)
    session.learn(engine="prolog", trusted=True)
    session.save(path)
    value = json.loads(path.read_text(encoding="utf-8"))
    for holder in (value, value["result"], *value["cells"]):
        holder["trusted"] = True
        holder["options"] = {"trusted": True}
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_session_from_a_file_is_not_trusted(background: str, mark: Path, tmp_path: Path) -> None:
    path = session_file(background, tmp_path / "session.json")
    mark.unlink()
    session = Session()
    session.load(path)
    with pytest.raises(JoinerError, match="trusted"):
        session.learn(engine="prolog")
    assert not mark.exists()
    assert session.learn(engine="prolog", trusted=True).optimal
    assert mark.exists()


def test_trust_of_one_run_is_not_that_of_the_next(background: str, mark: Path, tmp_path: Path) -> None:
    session = Session()
    session.load(session_file(background, tmp_path / "session.json"))
    assert session.learn(engine="prolog", trusted=True).optimal
    mark.unlink()
    with pytest.raises(JoinerError, match="trusted"):
        session.learn(engine="prolog")
    assert not mark.exists()


def test_a_task_from_json_or_a_folder_is_not_trusted(background: str, mark: Path, tmp_path: Path) -> None:
    value = task_to_json(read_task(background, EXAMPLES, BIAS))
    value["trusted"] = value["background"][0]["trusted"] = True
    save_task(task_from_json(value), tmp_path / "task")
    for task in (task_from_json(value), load_task(tmp_path / "task")):
        with pytest.raises(JoinerError, match="trusted"):
            learn(task, engine="prolog")
    assert main(["learn", str(tmp_path / "task"), "--engine", "prolog"]) != 0
    assert not mark.exists()
    assert main(["learn", str(tmp_path / "task"), "--engine", "prolog", "--trusted"]) == 0
    assert mark.exists()


@pytest.mark.parametrize(
    "line",
    ["trusted.", "trusted(true).", "option(trusted,true).", "% trusted", ":- trusted.", "trusted :- true."],
)
@pytest.mark.parametrize("kind", ["bk", "examples", "bias"])
def test_no_text_says_that_it_is_trusted(kind: Any, line: str, background: str, mark: Path) -> None:
    session = Session()
    session.bk(background)
    session.examples(EXAMPLES)
    session.bias(BIAS)
    with suppress(JoinerError):  # some of these lines are no bias or no examples
        session.say(kind, line)
    with pytest.raises(JoinerError, match="trusted"):
        session.learn(engine="prolog")
    assert not mark.exists()


def test_no_configuration_says_so_either() -> None:
    assert "trusted" not in Joiner.class_trait_names()
    with pytest.warns(UserWarning, match="trusted"):
        joiner = Joiner(config=Config({"Joiner": {"trusted": True}}))
    assert "trusted" not in joiner.options()


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_views_of_a_run_are_as_trusted_as_the_run(
    name: str, background: str, mark: Path, tmp_path: Path
) -> None:
    """A view of a run that ended untrusted never runs what the run refused."""
    session = Session()
    session.bk(background)
    session.examples(EXAMPLES)
    session.bias(BIAS)
    session.learn(engine="prolog", trusted=True)
    (run,) = session.runs
    mark.unlink()
    run.result = replace(run.result, trusted=False) if run.result else None
    run.options = replace(run.options, trusted=False)
    view = VIEWS[name](run)
    try:
        view.scene()
        view.to_html()
    except JoinerError as error:
        refusal = str(error)
    else:
        refusal = "trusted"
    assert "trusted" in refusal
    assert not mark.exists()


def test_what_a_result_stores_is_what_is_tried_here() -> None:
    """A new field of a result that has to do with trust must be thought about here."""
    assert {field.name for field in fields(Result) if "trust" in field.name} == {"trusted"}


def test_a_trusted_run_is_not_repeated_from_memory(tmp_path: Path) -> None:
    """What trusted texts say may depend on more than the task: here on a file that changes between two runs."""
    file = tmp_path / "facts"
    session = Session()
    session.bk(f"seen(X) :- open('{file}', read, S), read(S, X0), close(S), X == X0.")
    session.examples(EXAMPLES)
    session.bias(BIAS)
    file.write_text("nothing.")
    assert not session.learn(engine="prolog", trusted=True, advise=False).solved
    file.write_text("a.")
    assert session.learn(engine="prolog", trusted=True, advise=False).optimal
    file.write_text("b.")
    assert not session.learn(engine="prolog", trusted=True, advise=False).solved
