"""`joiner learn`: what it prints, what it measures, its exit status, and how it is stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT, field_task
from joiner_magic.cli import main

EXAMPLES = ROOT / "joiner_magic" / "examples"
SIZES = {"family": 5, "pyramids": 8, "strings": 15}


def learnt(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    status = main(["learn", *arguments, "--json"])
    value = json.loads(capsys.readouterr().out)
    assert isinstance(value, dict)
    return status, value


@pytest.mark.parametrize("name", sorted(SIZES))
def test_the_shipped_tasks_are_solved_optimally(
    name: str, engine_name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, value = learnt(capsys, str(EXAMPLES / name), "--engine", engine_name)
    assert status == 0
    assert (value["status"], value["size"]) == ("optimal", SIZES[name])
    assert (value["fn"], value["fp"], value["engine"]) == (0, 0, engine_name)
    (tmp_path / "learnt.pl").write_text("\n".join(value["rules"]))
    assert main(["cover", str(EXAMPLES / name), str(tmp_path / "learnt.pl")]) == 0
    assert f"positive    {value['tp']} of {value['tp']} covered" in capsys.readouterr().out


def test_the_json_object_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(EXAMPLES / "family")
    status, value = learnt(capsys, folder, "--test", folder)
    promised = """status size rules tp fn tn fp seconds first_solution_seconds programs_tested engine source
    test_accuracy"""
    assert set(promised.split()) <= set(value)
    assert value["test_accuracy"] == 1.0
    assert all(rule.endswith(".") for rule in value["rules"])
    assert 0 < value["first_solution_seconds"] <= value["seconds"]


@pytest.fixture
def impossible(tmp_path: Path) -> Path:
    (tmp_path / "bk.pl").write_text("p(a). p(b). q(b). q(c). r(c).")
    (tmp_path / "exs.pl").write_text("pos(f(a)). pos(f(b)). neg(f(c)).  pos(f(z)).")
    return tmp_path


def test_without_a_solution_the_status_is_1_and_the_reason_is_told(
    impossible: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", str(impossible)]) == 1
    said = capsys.readouterr().out
    assert "no solution" in said
    assert "impossible" in said
    assert "f(z)" in said


def test_the_best_partial_hypothesis_is_given(impossible: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, value = learnt(capsys, str(impossible))
    assert (status, value["status"], value["tp"], value["fn"]) == (1, "none", 2, 1)
    assert value["rules"] == ["f(A) :- p(A)."]


def test_bad_input_is_one_error_with_its_place(impossible: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (impossible / "bk.pl").write_text("p(a). p(b")
    assert main(["learn", str(impossible)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert "bk.pl:1:" in said


@pytest.mark.parametrize(
    "option", [["--max-vars", "0"], ["--max-body", "-1"], ["--timeout", "-3"], ["--max-vars", "0"]]
)
def test_bad_options_are_refused(
    impossible: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", str(impossible), *option]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_switches_of_the_papers_comparisons(capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(EXAMPLES / "pyramids")
    _, joined = learnt(capsys, folder)
    _, splittable = learnt(capsys, folder, "--allow-splittable", "--max-body", "4")
    _, whole = learnt(capsys, folder, "--no-join")
    assert joined["size"] == whole["size"] == splittable["size"] == 8


def test_a_saved_result_gives_the_hypothesis_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from joiner_magic import load_result

    saved = tmp_path / "result.json"
    _, value = learnt(capsys, str(EXAMPLES / "family"), "--save", str(saved))
    again = load_result(saved)
    assert again.rules == value["rules"]
    assert again.predict(["gifted(nobody)"]) == [False]


def test_ctrl_c_gives_the_best_so_far() -> None:
    folder = field_task("zendo3")
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "joiner_magic", "learn", str(folder), "--json", "--timeout", "100"],
        stdout=subprocess.PIPE,
        text=True,
    )
    time.sleep(4)
    process.send_signal(signal.SIGINT if os.name != "nt" else signal.CTRL_C_EVENT)
    out, _ = process.communicate(timeout=20)
    value = json.loads(out)
    assert time.monotonic() - started < 12
    assert process.returncode == (0 if value["status"] == "best" else 1)
    assert value["fp"] == 0


def test_a_timeout_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    folder = field_task("pharma1-4")
    started = time.monotonic()
    main(["learn", str(folder), "--timeout", "3"])
    assert time.monotonic() - started < 6
    assert "the time was up" in capsys.readouterr().out
