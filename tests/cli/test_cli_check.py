"""`joiner check`: what it prints, where, and its exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from joiner_magic.cli import main
from joiner_magic.task.folder import load_task


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bk.pl").write_text(":- dynamic p/2.\np(a,b). p(b,c). q(b).\nr(X) :- q(X).\n")
    (tmp_path / "exs.pl").write_text("pos(f(a)).\nneg(f(b)).\nneg(f(c)).\n")
    (tmp_path / "bias.pl").write_text(
        "head_pred(f,1). body_pred(p,2). body_pred(r,1). max_vars(4). enable_recursion.\n"
        "type(f,(t,)). type(p,(t,u)). type(r,(u,)). direction(p,(in,out)).\n"
        ":- body_literal(_,p,_,(A,B)), A > B.\n"
    )
    return tmp_path


ALLOW = "or allow errors: noisy. in the bias, or the option noise"


def test_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert not err
    for line in (
        "background  3 facts, 1 rule, 3 predicates, 3 constants",
        "examples    1 positive, 2 negative, of f/1",
        "bias        max_vars 4, max_body 10, max_clauses 2, enable_recursion",
        "      predicate  types  directions",
        "head  f/1        t      -",
        "body  p/2        t, u   in, out",
        "body  r/1        u      -",
        "  :- body_literal(_,p,_,(A,B)), A > B.",
    ):
        assert line in out.splitlines()
    assert "engine      datalog (" in out
    assert f"  {folder / 'bk.pl'}:1:1: this directive is not executed" in out.splitlines()
    assert "no direction is given for f/1, r/1" in out


def test_the_engine_can_be_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder), "--engine", "datalog"]) == 0
    assert "engine      datalog (as asked)" in capsys.readouterr().out


def test_prologs_own_predicates_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (folder / "bias.pl").open("a") as bias:
        bias.write("body_pred(append,3).\n")
    main(["check", str(folder), "--engine", "datalog"])
    assert "defined by Prolog: append/3" in capsys.readouterr().out


def test_the_bias_in_force_as_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bias.pl").unlink()
    inferred = load_task(folder)
    assert main(["check", str(folder), "--bias"]) == 0
    (folder / "bias.pl").write_text(capsys.readouterr().out)
    assert load_task(folder) == inferred


def test_bad_input(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "exs.pl").write_text("pos(f(a)).\nneg(f(a)).\n")
    assert main(["check", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.splitlines() == [
        f"error: {folder / 'exs.pl'}:2:5: f(a) is neg here but pos in line 1; keep one of them, {ALLOW}",
        "  neg(f(a)).",
        "      ^",
    ]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, on a terminal that knows only ASCII."""
    command = [sys.executable, "-m", "joiner_magic", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    return subprocess.run(command, capture_output=True, check=False, timeout=60, cwd=folder, env=environment)


def test_any_terminal_can_show_it(folder: Path) -> None:
    (folder / "bias.pl").unlink()
    (folder / "bk.pl").write_text("'żółw'(a,b).\n", encoding="utf-8")
    done = run(folder, "check", ".")
    assert done.returncode == 0
    assert b"\\u017c" in done.stdout


def test_any_terminal_can_show_errors(folder: Path) -> None:
    (folder / "bk.pl").write_text("'żółw'(a,b.\n", encoding="utf-8")
    done = run(folder, "check", ".")
    assert done.returncode == 2
    assert b"\\u017c" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error there")
def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    command = [sys.executable, "-m", "joiner_magic", "check", "."]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_without_a_command_it_says_how_to_use_it(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 2
    assert b"check" in done.stderr
