"""The line that says how far a run is: on terminals, and where nobody looks."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from joiner_magic.errors import JoinerError
from joiner_magic.notebook.progress_display import TerminalLine, last_line
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session

Cell = Callable[..., Any]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def rows(self) -> list[str]:
        """What is to be seen at the end."""
        return [row.split("\033[K")[-1] for row in self.getvalue().split("\n")]


@pytest.fixture
def session() -> Session:
    session = Session()
    session.bk("p(1). q(1). q(2).")
    session.examples("pos(f(1)). neg(f(2)).")
    return session


@pytest.fixture
def run(session: Session) -> Run:
    run = session.start()
    run.wait()
    return run


def test_a_terminal_line_is_written_over_and_stays_at_the_end(run: Run) -> None:
    terminal = Terminal()
    line = TerminalLine(terminal)
    line.update(run)
    line.update(run)
    line.end(last_line(run))
    assert terminal.rows == [last_line(run), ""]
    assert "programs tested" in terminal.rows[0]


def test_a_line_that_is_to_be_erased_fits_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    terminal = Terminal()
    TerminalLine(terminal).update(run)
    assert len(terminal.rows[0]) == 29


def test_the_last_line_says_what_was_reused(run: Run) -> None:
    assert last_line(run) == f"run 1: {run.progress}"
    assert run.result is not None
    run.result = replace(run.result, reused="the solution of run 0 still is one")
    assert last_line(run).endswith(" s; the solution of run 0 still is one")


def in_terminal(cell: Cell, monkeypatch: pytest.MonkeyPatch, line: str) -> Terminal:
    terminal = Terminal()
    cell("%bk p(1). q(1). q(2).")
    cell("%examples pos(f(1)). neg(f(2)).")
    monkeypatch.setattr("sys.stderr", terminal)
    cell(line)
    return terminal


def test_learning_in_a_terminal_shows_a_line(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_terminal(cell, monkeypatch, "%joiner learn").rows[0].startswith("run 1: size ")


@pytest.mark.parametrize("line", ["%joiner learn --quiet", "%joiner learn --background"])
def test_nothing_is_written_where_it_would_disturb(
    cell: Cell, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    assert not in_terminal(cell, monkeypatch, line).getvalue()


def test_a_run_in_the_background_says_how_to_stop_it(cell: Cell, capsys: pytest.CaptureFixture[str]) -> None:
    cell("%bk p(1). q(1). q(2).")
    cell("%examples pos(f(1)). neg(f(2)).")
    capsys.readouterr()
    cell("r = %joiner learn --background")
    assert "%joiner stop" in capsys.readouterr().out


def test_progress_can_be_switched_off_for_good(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    cell("%config Joiner.progress = False")
    assert not in_terminal(cell, monkeypatch, "%joiner learn").getvalue()


def test_without_a_terminal_only_the_result_is_seen(cell: Cell, capsys: pytest.CaptureFixture[str]) -> None:
    cell("%bk p(1). q(1). q(2).")
    cell("%examples pos(f(1)). neg(f(2)).")
    capsys.readouterr()
    cell("r = %joiner learn")
    assert capsys.readouterr() == ("", "")


def test_a_run_that_fails_raises_in_the_cell(cell: Cell, shell: InteractiveShell) -> None:
    cell("%bk p(X) :- q(X), atom_length(X, _). q(a).")
    cell("%examples pos(f(a)).")
    with pytest.raises(JoinerError):
        cell("%joiner learn --engine datalog")
    assert "_joiner" not in shell.user_ns


def test_why_a_run_failed_is_known_later(cell: Cell, capsys: pytest.CaptureFixture[str]) -> None:
    cell("%bk p(X) :- q(X), atom_length(X, _). q(a).")
    cell("%examples pos(f(a)).")
    run = cell("%joiner learn --engine datalog --background")
    with pytest.raises(JoinerError):
        run.wait()
    seconds = run.progress.seconds
    capsys.readouterr()
    cell("%joiner status")
    assert "run 1: failed; In [1]:1:" in capsys.readouterr().out
    with pytest.raises(JoinerError, match="run 1 failed"):
        cell("%joiner show coverage")
    assert run.progress.seconds == seconds
