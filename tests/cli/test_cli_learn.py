"""`joiner learn`: what it prints, what it measures, its exit status, and how it is stopped."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from busy import Busy, within
from conftest import ROOT, field_task
from joiner_magic import load_result
from joiner_magic.cli import BAD_INPUT, INTERRUPTED, main
from search import noisy_task

EXAMPLES = ROOT / "joiner_magic" / "examples"
FAMILY, PYRAMIDS = str(EXAMPLES / "family"), str(EXAMPLES / "pyramids")
SIZES = {"family": 5, "pyramids": 8, "strings": 15}
# There is a solution at once, and the rest takes minutes.
LONG = [PYRAMIDS, "--source", "asp", "--no-join", "--max-vars", "6", "--max-body", "10"]


def learnt(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    """The exit status, and the one JSON object that is all of the output."""
    status = main(["learn", *arguments, "--json"])
    said = capsys.readouterr()
    value = json.loads(said.out)
    assert isinstance(value, dict)
    assert said.out.count("\n") == 1
    assert said.err == ""
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


@pytest.mark.parametrize(
    ("words", "missed"),
    [
        (["--noise", FAMILY], 1),
        (["--noise", FAMILY, "--missed", "3"], 3),
        (["--timeout", "60", "--noise", FAMILY], 1),
        (["--noise", "--", FAMILY], 1),
        ([FAMILY, "--noise"], 1),
        (["--noise", "balanced", FAMILY], None),
        (["--noise=balanced", FAMILY], None),
    ],
)
def test_noise_stands_before_or_behind_the_directory(
    words: list[str], missed: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["learn", "--json", *words])
    value = json.loads(capsys.readouterr().out)
    assert status == (0 if value["cost"] else 1)
    positives = value["tp"] + value["fn"]
    balanced = Fraction(positives + value["tn"] + value["fp"], 2 * positives)
    assert Fraction(value["objective"]["missed"]) == (missed or balanced)


def test_a_price_that_is_too_high_is_told_as_it_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", FAMILY, "--missed", "2000000"]) == BAD_INPUT
    assert "missed is 2000000; give a whole number" in capsys.readouterr().err


def test_the_json_object_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    _, value = learnt(capsys, FAMILY, "--test", FAMILY)
    promised = """status size rules tp fn tn fp seconds first_solution_seconds programs_tested engine source
    test_accuracy"""
    assert set(promised.split()) <= set(value)
    assert value["test_accuracy"] == 1.0
    assert all(rule.endswith(".") for rule in value["rules"])
    assert 0 < value["first_solution_seconds"] <= value["seconds"]
    assert (value["tp"], value["tn"], value["programs_tested"]) == (8, 20, value["counts"]["tested"])


def test_the_text_has_the_rules_and_where_the_time_went(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", FAMILY, "--test", FAMILY]) == 0
    first, rule, covers, seconds, held_out = capsys.readouterr().out.splitlines()
    assert first.startswith("optimal solution")
    assert rule.startswith("  gifted(A) :- ")
    assert "covers 8 of 8 positive and 0 of 20 negative examples" in covers
    assert seconds.startswith("seconds: generate ")
    assert "; engine datalog, source asp, because the constraint" in seconds
    assert held_out.startswith("held out: covers 8 of 8")
    assert held_out.endswith("accuracy 100.0%, balanced 100.0%")


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
    assert value["first_solution_seconds"] is None


def test_bad_input_is_one_error_with_its_place(impossible: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (impossible / "bk.pl").write_text("p(a). p(b")
    assert main(["learn", str(impossible), "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert "bk.pl:1:" in said.err


@pytest.mark.parametrize(
    "option",
    [
        ["--max-vars", "0"],
        ["--max-body", "-1"],
        ["--max-clauses", "0"],
        ["--limit", "0"],
        ["--timeout", "-3"],
        ["--timeout", "nan"],
        ["--test", "no/such/directory"],
    ],
    ids=" ".join,
)
def test_bad_values_are_refused(
    impossible: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", str(impossible), *option]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: ")


@pytest.mark.parametrize(
    "option",
    [
        ["--max-vars", "many"],
        ["--engine", "swift"],
        ["--no-such-option"],
        ["--noise", "much"],
        ["--missed", "1/0"],
        ["--missed", "nan"],
        ["--wrong", "-1"],
        ["--wrong", "1e999999999"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_read_is_refused(
    impossible: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["learn", str(impossible), *option])
    assert stopped.value.code == 2
    assert option[-1] in capsys.readouterr().err


def test_switches_of_the_papers_comparisons(capsys: pytest.CaptureFixture[str]) -> None:
    _, joined = learnt(capsys, PYRAMIDS)
    _, splittable = learnt(capsys, PYRAMIDS, "--allow-splittable", "--max-body", "4")
    _, whole = learnt(capsys, PYRAMIDS, "--no-join")
    assert joined["size"] == whole["size"] == splittable["size"] == 8
    assert joined["counts"]["fragments"] > whole["counts"]["fragments"] == 0


# In each pair the first way has a solution, the second none.
EITHER_WAY = {
    "singletons": ("e(a,b). e(c,c).", "pos(f(a)). neg(f(b)).", "--singletons", "--no-singletons"),
    "variables": (
        "e(a,b). e(b,c). p(c).",
        "pos(f(a)). neg(f(b)). neg(f(c)).",
        "--max-vars=3",
        "--max-vars=2",
    ),
    "literals": ("e(a,b). e(b,c). p(c).", "pos(f(a)). neg(f(b)). neg(f(c)).", "--max-body=3", "--max-body=2"),
    "recursion": (
        "e(a,b). e(b,c). p(c). e(x,y).",
        "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(x)). neg(f(y)).",
        "--max-vars=2 --recursion",
        "--max-vars=2 --no-recursion",
    ),
    "rules": (
        "e(a,b). e(b,c). p(c). e(x,y).",
        "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(x)). neg(f(y)).",
        "--max-vars=2 --recursion --max-clauses=2",
        "--max-vars=2 --recursion --max-clauses=1",
    ),
}


@pytest.mark.parametrize("name", EITHER_WAY)
def test_options_that_override_the_bias(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    background, examples, opens, closes = EITHER_WAY[name]
    (tmp_path / "bk.pl").write_text(background)
    (tmp_path / "exs.pl").write_text(examples)
    (tmp_path / "bias.pl").write_text("max_vars(3). max_body(3).")
    assert learnt(capsys, str(tmp_path), *opens.split())[1]["status"] == "optimal"
    assert learnt(capsys, str(tmp_path), *closes.split())[1]["status"] == "none"


def test_advice_can_be_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bk.pl").write_text("e(a,b). e(c,c).")
    (tmp_path / "exs.pl").write_text("pos(f(a)). neg(f(b)).")
    (tmp_path / "bias.pl").write_text("max_vars(2). max_body(1).")
    assert main(["learn", str(tmp_path)]) == 1
    assert "try          allow_singletons.: there is a solution" in capsys.readouterr().out
    assert main(["learn", str(tmp_path), "--no-advice"]) == 1
    assert "try" not in capsys.readouterr().out


@pytest.fixture
def noisy(tmp_path: Path) -> str:
    """A task in which d8 is positive and negative, as a folder that also has held-out examples."""
    (tmp_path / "bk.pl").write_text(noisy_task.BACKGROUND)
    (tmp_path / "exs.pl").write_text(noisy_task.EXAMPLES + "pos(grows(d8)).\n")
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "exs.pl").write_text("pos(grows(d1)). neg(grows(d1)). neg(grows(d9)).")
    return str(tmp_path)


def test_where_errors_have_a_price_a_hypothesis_that_pays_is_a_solution(
    noisy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, value = learnt(capsys, noisy, "--noise", "--test", f"{noisy}/test")
    assert (status, value["status"], value["rules"]) == (0, "optimal", [noisy_task.RULE])
    assert (value["cost"], value["bound"], value["objective"]) == (5, None, {"missed": 1, "wrong": 1})
    assert value["test_accuracy"] == pytest.approx(2 / 3)
    status, value = learnt(capsys, noisy, "--missed", "1/3", "--wrong", "0.5")
    assert (status, value["status"], value["cost"], value["rules"]) == (1, "none", None, [])
    assert value["objective"] == {"missed": "1/3", "wrong": "1/2"}
    assert main(["learn", noisy]) == 2
    assert "grows(d8) is pos here but neg in line 3" in capsys.readouterr().err


def test_a_limit_per_program(capsys: pytest.CaptureFixture[str]) -> None:
    _, value = learnt(capsys, str(EXAMPLES / "strings"), "--limit", "1", "--no-advice", "--timeout", "20")
    assert value["counts"]["unfinished"] == 0 or value["status"] != "optimal"


@pytest.mark.prolog
def test_trusted_background_knowledge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bk.pl").write_text("p(X) :- getenv('PATH', _), X = a.\n")
    (tmp_path / "exs.pl").write_text("pos(f(a)). neg(f(b)).")
    (tmp_path / "bias.pl").write_text("head_pred(f,1). body_pred(p,1).")
    assert main(["learn", str(tmp_path), "--engine", "prolog"]) == 2
    assert "trusted" in capsys.readouterr().err
    status, value = learnt(capsys, str(tmp_path), "--engine", "prolog", "--trusted", "--test", str(tmp_path))
    assert (status, value["rules"], value["test_accuracy"]) == (0, ["f(A) :- p(A)."], 1.0)


def test_held_out_examples_with_background_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    """Published folders, whose background knowledge holds more than Prolog."""
    for name in ("onedarc_1d_move_1p", "onedarc_1d_flip"):
        folder = field_task(name)
        _, value = learnt(
            capsys, str(folder), "--test", str(folder / "test"), "--timeout", "5", "--no-advice"
        )
        assert 0.5 <= value["test_balanced_accuracy"] <= 1.0
        assert value["fp"] == 0
        if name == "onedarc_1d_move_1p":
            assert (value["status"], value["size"], value["test_accuracy"]) == ("optimal", 4, 1.0)


def test_a_saved_result_gives_the_hypothesis_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "result.json"
    _, value = learnt(capsys, FAMILY, "--save", str(saved))
    again = load_result(saved)
    assert again.rules == value["rules"]
    assert again.predict(["gifted(nobody)"]) == [False]


def test_a_timeout_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    for seconds in (1, 3, 9, 27):  # the first is enough unless the machine is very busy
        with within(seconds + 1):
            solved = main(["learn", *LONG, "--timeout", str(seconds)]) == 0
        if solved:
            break
    assert solved
    assert "the time was up" in capsys.readouterr().out


def test_ctrl_c_before_the_search_has_begun_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_: str, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("joiner_magic.cli.learn.load_task", interrupt)
    assert main(["learn", FAMILY]) == INTERRUPTED
    assert capsys.readouterr().err == "interrupted before there was a result\n"


def test_there_is_no_progress_line_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    main(["learn", *LONG, "--timeout", "0.5"])
    assert capsys.readouterr().err == ""


class Terminal:
    """The command with a terminal for its standard error stream, and pipes for the others."""

    def __init__(self, *arguments: str) -> None:
        self._reader, writer = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "joiner_magic", "learn", *arguments],
            stdout=subprocess.PIPE,
            stderr=writer,
            text=True,
        )
        os.close(writer)

    def wait_for(self, text: str, seconds: float = 20) -> str:
        """What was written to the terminal until `text` appeared."""
        seen = ""
        deadline = time.monotonic() + seconds
        while text not in seen and time.monotonic() < deadline:
            if select.select([self._reader], [], [], 0.1)[0]:
                seen += os.read(self._reader, 4096).decode()
        assert text in seen
        return seen

    def finish(self) -> tuple[str, str]:
        """All of the standard output, and the rest of what was written to the terminal."""
        out, _ = self.process.communicate(timeout=20)
        rest = b""
        try:
            while chunk := os.read(self._reader, 4096):
                rest += chunk
        except OSError:
            pass  # how Linux says that the other side is closed
        os.close(self._reader)
        return out, rest.decode()


needs_terminal = pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudo-terminals here")


@needs_terminal
def test_a_terminal_sees_one_line_of_progress_that_is_wiped() -> None:
    terminal = Terminal(*LONG, "--timeout", "4")
    seen = terminal.wait_for("best solution has 18 literals")
    out, rest = terminal.finish()
    assert out.startswith("best solution so far")
    assert "programs tested" in seen
    assert "\n" not in seen + rest
    assert rest.endswith("\r\033[K")


@needs_terminal
@pytest.mark.parametrize("seconds", [0, 1, 2.5])
def test_ctrl_c_gives_the_best_so_far(seconds: float) -> None:
    """At moments when different stages are at work."""
    terminal = Terminal(*LONG, "--json")
    terminal.wait_for("best solution has 18 literals")
    with Busy() as busy:
        time.sleep(seconds)
        interrupted = time.monotonic()
        terminal.process.send_signal(signal.SIGINT)
        out, rest = terminal.finish()
        ended = time.monotonic()
    assert ended - interrupted < busy.stretched(1)
    value = json.loads(out)
    assert (terminal.process.returncode, value["status"], value["fn"], value["fp"]) == (0, "best", 0, 0)
    assert "Traceback" not in rest


@needs_terminal
def test_ctrl_c_before_there_is_a_solution(tmp_path: Path) -> None:
    """All of a large space is searched in vain."""
    task = EXAMPLES / "pyramids"
    (tmp_path / "bk.pl").write_text((task / "bk.pl").read_text(encoding="utf-8"))
    (tmp_path / "exs.pl").write_text((task / "exs.pl").read_text(encoding="utf-8") + "pos(follows(none)).")
    (tmp_path / "bias.pl").write_text((task / "bias.pl").read_text(encoding="utf-8"))
    terminal = Terminal(str(tmp_path), *LONG[1:], "--json")
    terminal.wait_for("size 6")
    terminal.process.send_signal(signal.SIGINT)
    out, rest = terminal.finish()
    assert (terminal.process.returncode, json.loads(out)["status"]) == (1, "none")
    assert "Traceback" not in rest
