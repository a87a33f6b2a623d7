"""`joiner cover`: what it prints and its exit status, with either engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import ROOT
from joiner_magic.cli import main

EXAMPLES = ROOT / "joiner_magic" / "examples"
SHIPPED = sorted(folder.name for folder in EXAMPLES.iterdir() if (folder / "bk.pl").exists())


def cover(name: str, *more: str) -> list[str]:
    return ["cover", str(EXAMPLES / name), str(EXAMPLES / name / "solution.pl"), *more]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_solutions_are_solutions(
    name: str, engine_name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(cover(name, "--engine", engine_name)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"engine      {engine_name} (as asked)"
    covered, of, total = lines[2].split()[1:4]
    assert (of, covered) == ("of", total)
    assert lines[3].split()[1:3] == ["0", "of"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bk.pl").write_text("p(a). p(b). q(b). q(c).")
    (tmp_path / "exs.pl").write_text("pos(f(a)). pos(f(b)). pos(f(d)). neg(f(c)). neg(f(e)).")
    (tmp_path / "rules.pl").write_text("f(A) :- p(A).\nf(A) :- q(A).\n")
    return tmp_path


def test_examples_on_the_wrong_side_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cover", str(folder), str(folder / "rules.pl")]) == 0
    out = capsys.readouterr().out
    assert "program     2 rules, 4 literals" in out
    assert "positive    2 of 3 covered, not f(d)" in out
    assert "negative    1 of 2 covered, such as f(c)" in out


def test_explaining_an_example(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cover", str(folder), str(folder / "rules.pl"), "--explain", "f(c)"]) == 0
    assert capsys.readouterr().out == "f(c) is covered:\n  f(c)   by f(A) :- q(A).\n    q(c)\n"
    assert main(["cover", str(folder), str(folder / "rules.pl"), "--explain", "f(d)"]) == 0
    expected = "f(d) is not covered:\n  f(A) :- p(A).\n    fails: p(d)\n  f(A) :- q(A).\n    fails: q(d)\n"
    assert capsys.readouterr().out == expected


def test_explaining_an_atom_that_is_no_example(engine_name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(cover("strings", "--engine", engine_name, "--explain", "f([a,d,a,b])")) == 0
    assert "f([a, d, a, b]) is covered" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("program", "more", "message"),
    [
        ("g(A) :- p(A).", [], "has no rule for f/1"),
        ("f(A) :- pp(A).", [], "calls pp/1, which the task does not define; did you mean p/1?"),
        ("f(A) :- p(A", [], "rules.pl:1:"),
        ("f(A) :- p(A).", ["--explain", "f(X)"], "f(X) has variables"),
        ("f(A) :- p(A).", ["--explain", "g(a)"], "no rule for g/1"),
        ("f(A) :- p(A).", ["--explain", "f("], "--explain:1:"),
    ],
)
def test_bad_input_is_one_error_and_exit_status_two(
    folder: Path, program: str, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "rules.pl").write_text(program)
    assert main(["cover", str(folder), str(folder / "rules.pl"), *more]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert message in err
    assert "Traceback" not in err


def test_a_program_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cover", str(folder), str(folder / "none.pl")]) == 2
    assert "give a file of rules" in capsys.readouterr().err
