"""Damaged files: each is read as it was, or refused in one line that says what is wrong and where."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conftest import ROOT
from faults.damage import damaged_bytes, damaged_value
from joiner_magic import learn, load_result, load_task, read_task, save_result, task_from_json, task_to_json
from joiner_magic.errors import FileError, JoinerError, TextError
from joiner_magic.files import read_file
from joiner_magic.sessions.session import Session
from seeds import SEEDS

FAMILY = ROOT / "joiner_magic" / "examples" / "family"


def use_result(path: Path) -> None:
    result = load_result(path)
    assert str(result)
    assert repr(result)
    result.predict(result.task.examples.pos[:2])


def use_session(path: Path) -> None:
    session = Session()
    session.load(path)
    assert repr(session)
    session.task()


def use_task(path: Path) -> None:
    task_from_json(json.loads(path.read_text(encoding="utf-8")))


USES: dict[str, Callable[[Path], None]] = {"result": use_result, "session": use_session, "task": use_task}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one file of each kind."""
    folder = tmp_path_factory.mktemp("whole")
    session = Session()
    session.import_task(FAMILY)
    save_result(session.learn(), folder / "result.json")
    session.save(folder / "session.json")
    (folder / "task.json").write_text(json.dumps(task_to_json(session.task())), encoding="utf-8")
    for kind, use in USES.items():
        use(folder / f"{kind}.json")
    return folder


def refused(use: Callable[[Path], object], path: Path) -> bool:
    """Whether a file is refused; it is then in one line, and anything but an error for the user fails the test."""
    error: JoinerError | None = None
    try:
        use(path)
    except JoinerError as caught:
        error = caught
    assert error is None or "\n" not in error.headline
    return error is not None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", USES)
def test_random_damage_to_json_files(kind: str, seed: int, whole: Path, tmp_path: Path) -> None:
    data = (whole / f"{kind}.json").read_bytes()
    count = 0
    for number in range(120):
        rng = Random(seed + number)
        path = tmp_path / "damaged.json"
        if kind == "task" or number % 2:
            path.write_text(damaged_value(rng, data.decode()), encoding="utf-8")
        else:
            path.write_bytes(damaged_bytes(rng, data))
        count += refused(USES[kind], path)
    assert count > 50


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["bk.pl", "exs.pl", "bias.pl"])
def test_random_damage_to_texts(name: str, seed: int, tmp_path: Path) -> None:
    data = (FAMILY / name).read_bytes()
    shutil.copytree(FAMILY, tmp_path / "task")
    count = 0
    for number in range(60):
        (tmp_path / "task" / name).write_bytes(damaged_bytes(Random(seed + number), data))
        count += refused(load_task, tmp_path / "task")
    assert count > 20


WHOLE_FILES: list[tuple[bytes, str]] = [
    (b"", "no JSON text"),
    (b"{", "damaged.json:1:2: this is no JSON text"),
    (b"\x00", "no JSON text"),
    (b"\xff\xfe{\x00}\x00", "not UTF-8"),
    (b"[" * 100_000, "nested too deeply"),
    (b'{"a":' * 50_000, "nested too deeply"),
    (b'{"seconds": NaN}', "NaN is no number"),
    (b'{"seconds": -Infinity}', "-Infinity is no number"),
    (b'{"seconds": 1e999}', "too large"),
    (b'{"seconds": ' + b"9" * 10_000 + b"}", "too large"),
    (b'{"format": 1, "format": 2}', "'format' is there twice"),
    (b"[" + b"0," * 100_000 + b"0]", "holds no"),
    (b'"joiner-magic result"', "holds no"),
    (b'{"format": "joiner-magic result", "version": true}', "holds no"),
]


@pytest.mark.parametrize(("data", "said"), WHOLE_FILES)
@pytest.mark.parametrize("kind", ["result", "session"])
def test_files_that_are_something_else(kind: str, data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "damaged.json"
    path.write_bytes(data)
    with pytest.raises(JoinerError) as caught:
        USES[kind](path)
    assert said in caught.value.headline
    assert "\n" not in caught.value.headline


def test_a_byte_order_mark_is_skipped_everywhere(whole: Path, tmp_path: Path) -> None:
    mark = "\ufeff"
    for kind in ("result", "session"):
        path = tmp_path / f"{kind}.json"
        path.write_text(mark + (whole / f"{kind}.json").read_text(encoding="utf-8"), encoding="utf-8")
        USES[kind](path)
    for name in ("bk.pl", "exs.pl", "bias.pl"):
        (tmp_path / name).write_text(mark + (FAMILY / name).read_text(encoding="utf-8"), encoding="utf-8")
    assert load_task(tmp_path).bias == load_task(FAMILY).bias
    texts = (
        f"{mark}p(a). p(b). q(b).",
        f"{mark}pos(f(a)). neg(f(b)).",
        f"{mark}head_pred(f,1). body_pred(p,1).",
    )
    assert read_task(*texts).bias.body
    session = Session()
    for kind, text in zip(("bk", "examples", "bias"), texts, strict=True):
        session.say(kind, text, line=7)  # type: ignore[arg-type]
    assert session.task().bias.body


def changed(value: dict[str, Any], where: str, to: Any) -> dict[str, Any]:
    """The value with another one at a path such as counts.tested."""
    *path, last = [int(step) if step.isdigit() else step for step in where.split(".")]
    holder: Any = value
    for step in path:
        holder = holder[step]
    holder[last] = to
    return value


CONTRADICTIONS: list[tuple[str, Any, str]] = [
    ("status", "perfect", "status is not one of optimal, best"),
    ("status", "none", ""),
    ("rules", [], "rules are missing, though something was found"),
    ("rules", ["g(A) :- parent(A,B)."], "rules have none for gifted/1"),
    ("rules", ["gifted(A) :- nothing(A,B)."], "rules call nothing/2, which the bias does not name"),
    ("rules", ["gifted(A) :- parent(A,"], "rules cannot be read"),
    ("rules", "gifted(A).", "rules is a text, not a list"),
    ("tp", 1, "tp and fn do not add up"),
    ("fp", 1, "tn and fp do not add up"),
    ("tp", -1, "tp is not a whole number from 0"),
    ("tp", True, "tp is not a whole number from 0"),
    ("tp", 2.0, "tp is not a whole number from 0"),
    ("size", 99, "size is not the number of literals"),
    ("bound", 1, "bound is 1 of a result that is optimal"),
    ("seconds", -1, "seconds is not a number of seconds"),
    ("seconds", "1", "seconds is not a number of seconds"),
    ("counts.tested", 10**25, "counts.tested is not a whole number"),
    ("counts", {}, "has no field counts.tested"),
    ("programs_tested", 0, "programs_tested is not what counts.tested says"),
    ("timings.test", None, "timings.test is not a number of seconds"),
    ("engine", "shell", "engine is not one of datalog, prolog"),
    ("why", "a\nb", "why is no text of one line"),
    ("task.background.0.text", 3, "task.background[0].text is a number, not a text"),
    ("task.background.0.name", "a\nb", "task.background[0].name is no text of one line"),
    ("task.version", 99, "task is no task of this version"),
    ("task", [], "task is no task of this version"),
]


@pytest.mark.parametrize(("where", "to", "said"), CONTRADICTIONS)
def test_a_result_that_contradicts_itself_is_refused(
    where: str, to: Any, said: str, whole: Path, tmp_path: Path
) -> None:
    value = changed(json.loads((whole / "result.json").read_text(encoding="utf-8")), where, to)
    path = tmp_path / "result.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    if not said:  # nothing is claimed of this one that its rules do not show
        assert load_result(path).status == to
        return
    with pytest.raises(JoinerError) as caught:
        load_result(path)
    assert said in caught.value.headline
    assert "result.json" in caught.value.headline
    assert "\n" not in caught.value.headline


SESSIONS: list[tuple[str, Any, str]] = [
    ("cells", None, "cells is null, not a list"),
    ("cells.0", 3, "cells[0] is a number, not an object"),
    ("cells.0.kind", "spell", "cells[0].kind is not one of bk, examples"),
    ("cells.0.line", 10**18, "cells[0].line is not a whole number from 1"),
    ("cells.0.line", 0, "cells[0].line is not a whole number from 1"),
    ("cells.0.text", "p(", "bk.pl:1:2: unclosed"),
    ("cells.0.name", 7, "cells[0].name is a number, not a text"),
    ("cells.0.text", "\ud800", "cells[0].text holds half of a character"),
]


@pytest.mark.parametrize(("where", "to", "said"), SESSIONS)
def test_a_session_that_is_damaged_is_refused_and_leaves_the_one_that_is_here(
    where: str, to: Any, said: str, whole: Path, tmp_path: Path
) -> None:
    value = changed(json.loads((whole / "session.json").read_text(encoding="utf-8")), where, to)
    path = tmp_path / "session.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    session = Session()
    session.bk("p(a).")
    before = session.cells
    with pytest.raises(JoinerError) as caught:
        session.load(path)
    assert said in caught.value.headline
    assert session.cells is before


def test_a_key_that_is_there_twice(whole: Path, tmp_path: Path) -> None:
    value = json.loads((whole / "session.json").read_text(encoding="utf-8"))
    value["cells"].append(value["cells"][0])
    (tmp_path / "session.json").write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(FileError, match=r"cells\[\d\]\.key is the key of an earlier text too"):
        Session().load(tmp_path / "session.json")


READERS: list[Callable[[Any], object]] = [
    load_result,
    load_task,
    lambda path: Session().load(path),
    lambda path: Session().import_task(path),
    lambda path: Session().say_file("bk", path),
]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("path", ["no such file", "a\x00b", "x" * 5000, "a\nb", "\udc80"])
def test_paths_that_cannot_be_read(read: Callable[[Any], object], path: str) -> None:
    with pytest.raises(JoinerError) as caught:
        read(path)
    assert "\n" not in caught.value.headline
    assert caught.value.headline.isprintable()


@pytest.mark.parametrize("read", [load_result, lambda path: Session().say_file("bk", path)])
def test_a_folder_instead_of_a_file(read: Callable[[Any], object], tmp_path: Path) -> None:
    with pytest.raises(FileError, match="Is a directory"):
        read(tmp_path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the administrator may read everything")
@pytest.mark.parametrize("read", READERS)
def test_files_that_may_not_be_read(read: Callable[[Any], object], tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0)
    with pytest.raises(JoinerError):
        read(tmp_path / "locked" / "x")


def test_a_result_of_a_run_with_options_comes_back(tmp_path: Path) -> None:
    """The checks refuse nothing that a run can find: without a solution, stopped at once, with recursion, invented."""
    chain = "e(a,b). e(b,c). e(c,d). p(d). e(x,y).", "pos(f(a)). pos(f(d)). neg(f(x))."
    several = "head_pred(f,1). body_pred(e,2). body_pred(p,1). max_vars(2). max_body(2). "
    for bias in (
        several,
        several + "enable_recursion.",
        several + "enable_pi.",
        several + "enable_recursion. enable_pi.",
    ):
        for options in ({}, {"timeout": 0}, {"join": False}, {"limit": 3}, {"splittable": True}):
            result = learn(read_task(*chain, bias), advise=False, **options)
            save_result(result, tmp_path / "r.json")
            assert load_result(tmp_path / "r.json").rules == result.rules


def test_a_result_of_an_earlier_version_comes_back(whole: Path, tmp_path: Path) -> None:
    """Files that were written before it was counted how many examples are unknown."""
    value = json.loads((whole / "result.json").read_text(encoding="utf-8"))
    del value["unknown_pos"], value["unknown_neg"]
    (tmp_path / "result.json").write_text(json.dumps({**value, "trusted": False}), encoding="utf-8")
    assert load_result(tmp_path / "result.json").optimal


def test_the_place_of_a_byte_that_is_no_text_counts_from_the_mark_on(tmp_path: Path) -> None:
    file = tmp_path / "bk.pl"
    file.write_bytes(b"\xef\xbb\xbfp(a).\n\xc3\xa4\xe4x")
    with pytest.raises(TextError, match=r"bk\.pl:2:2: this is not UTF-8 text"):
        read_file(file)
