"""Every magic, as a function of the session and through a real shell."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest
from IPython.core.interactiveshell import InteractiveShell

from busy import within
from conftest import ROOT
from joiner_magic.errors import CommandError, JoinerError, TaskError, TextError
from joiner_magic.search.outcome.result import Result
from joiner_magic.sessions.cells import Kind
from joiner_magic.sessions.current import current
from joiner_magic.sessions.runs import Run

Cell = Callable[..., Any]

TRAINS = """has_car(t1,c1). has_car(t2,c2). has_car(t3,c3). has_car(t4,c4).
short(c1). short(c2). long(c3). long(c4)."""
EXAMPLES = "pos(east(t1)). pos(east(t2)). neg(east(t3)). neg(east(t4))."
SOLUTION = ["east(A) :- has_car(A, B), short(B)."]
PYRAMIDS = ROOT / "joiner_magic" / "examples" / "pyramids"
LONG = "--source asp --no-join --max-vars 6 --max-body 10"  # a solution at once, and the rest takes minutes


class Way(Protocol):
    """A way to speak to the session."""

    def say(self, kind: Kind, text: str) -> None: ...
    def learn(self, bias: str = "", timeout: float | None = None) -> Result: ...


class AsFunctions:
    def say(self, kind: Kind, text: str) -> None:
        current().say(kind, text)

    def learn(self, bias: str = "", timeout: float | None = None) -> Result:
        return current().learn(bias, timeout=timeout)


class AsMagics:
    def __init__(self, cell: Cell) -> None:
        self._cell = cell

    def say(self, kind: Kind, text: str) -> None:
        magic = {"test": "examples --test", "test bk": "bk --test"}.get(kind, kind)
        self._cell(f"%%{magic}\n{text}")

    def learn(self, bias: str = "", timeout: float | None = None) -> Result:
        options = "" if timeout is None else f"--timeout {timeout}"
        result = self._cell(f"%%joiner {options}\n{bias}" if bias else f"%joiner learn {options}")
        assert isinstance(result, Result)
        return result


@pytest.fixture(params=["functions", "magics"])
def way(request: pytest.FixtureRequest, cell: Cell) -> Way:
    return AsFunctions() if request.param == "functions" else AsMagics(cell)


def test_a_task_is_said_and_learnt(way: Way) -> None:
    way.say("bk", TRAINS)
    way.say("examples", EXAMPLES)
    result = way.learn()
    assert (result.status, result.rules) == ("optimal", SOLUTION)


def test_bias_of_the_run_goes_before_bias_of_cells(way: Way) -> None:
    way.say("bk", TRAINS)
    way.say("examples", EXAMPLES)
    way.say("bias", "max_vars(1).")
    assert way.learn().status == "none"
    assert way.learn("max_vars(2).").rules == SOLUTION
    assert way.learn().status == "none"


def test_held_out_examples_measure_the_run(way: Way) -> None:
    way.say("bk", TRAINS)
    way.say("examples", EXAMPLES)
    way.say("test", "pos(east(t9)). neg(east(t8)).")
    way.say("test bk", "has_car(t9,c9). short(c9).")
    way.learn()
    test = current().runs[-1].test
    assert test is not None
    assert (test.tp, test.tn, test.fp, test.fn) == (1, 1, 0, 0)


@pytest.mark.parametrize(
    ("kind", "text"),
    [("bk", "p(a"), ("examples", "p(a)."), ("bias", "max_vars(many)."), ("test", "pos(X).")],
)
def test_a_text_with_an_error_leaves_the_session_as_it_was(way: Way, kind: Kind, text: str) -> None:
    way.say("bk", TRAINS)
    before = current().cells
    with pytest.raises(JoinerError) as caught:
        way.say(kind, text)
    assert caught.value.place is not None
    assert current().cells is before


def test_learning_without_a_task_says_what_is_missing(way: Way) -> None:
    with pytest.raises(TaskError, match="no examples yet"):
        way.learn()


def test_a_magic_answers_with_one_line(cell: Cell, capsys: pytest.CaptureFixture[str]) -> None:
    cell(f"%%bk\n{TRAINS}")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("bk: added 8 facts")


def test_line_forms(cell: Cell) -> None:
    cell("%bk p('it''s', \"a b\", {x}, $y).")
    cell("%examples pos(f(1)).")
    cell("%bias max_vars(3).")
    assert [(each.kind, each.text) for each in current().cells] == [
        ("bk", "p('it''s', \"a b\", {x}, $y)."),
        ("examples", "pos(f(1))."),
        ("bias", "max_vars(3)."),
    ]


def test_braces_and_dollars_in_bodies_are_left_alone(cell: Cell) -> None:
    cell("x = 5")
    cell("%%bk --name $x\np('{x}', '$x').")
    (said,) = current().cells
    assert (said.name, said.text.strip()) == ("$x", "p('{x}', '$x').")


def test_a_file_is_said_under_the_cell_that_names_it(cell: Cell, tmp_path: Path) -> None:
    first, second = tmp_path / "a first.pl", tmp_path / "second.pl"
    first.write_text("p(1).\n")
    second.write_text("p(2). p(3).\n")
    cell(f'%bk --file "{first}"', "c")
    cell(f"%bk --file={second}", "c")
    (said,) = current().cells
    assert (said.text, said.name) == ("p(2). p(3).\n", str(second))


def test_a_file_that_is_not_there(cell: Cell) -> None:
    with pytest.raises(TaskError, match=r"cannot read nowhere\.pl"):
        cell("%bk --file nowhere.pl")


def test_replace_forgets_the_others_of_its_kind(cell: Cell) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    cell("%bk --replace p(1).")
    assert [each.text.strip() for each in current().cells] == [EXAMPLES, "p(1)."]


def test_what_there_is_is_shown_on_request_and_bounded(
    cell: Cell, capsys: pytest.CaptureFixture[str]
) -> None:
    cell("%config Joiner.max_rows = 3")
    facts = [f"p({number})." for number in range(10)]
    cell("%%bk --show\n" + "\n".join(facts))
    shown = capsys.readouterr().out
    cell("%bk")
    again = capsys.readouterr().out
    for text in (shown, again):
        assert "p(2)." in text
        assert "p(3)." not in text
        assert "7 more" in text


def test_the_result_is_the_value_and_is_stored(cell: Cell, shell: InteractiveShell) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    result = cell("%%joiner -o east --max-vars 2\nmax_body(3).")
    assert result.rules == SOLUTION
    assert shell.user_ns["east"] is result
    assert shell.user_ns["_joiner"] is result
    assert cell("found = %joiner learn --quiet\nfound") is shell.user_ns["_joiner"] is not result


def test_options_are_those_of_the_learner(cell: Cell) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    cell("%joiner learn --timeout 50 --max-vars 4 --no-join --allow-splittable --source asp --no-recursion")
    options = current().runs[-1].options
    assert (options.timeout, options.max_vars, options.join, options.splittable) == (50, 4, False, True)
    assert (options.source, options.recursion, options.advise) == ("asp", False, True)


def test_options_alone_are_those_of_learning(cell: Cell) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    assert cell("%joiner --max-vars 2").rules == SOLUTION


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%joiner lern", "%joiner has no subcommand lern; did you mean learn?"),
        ("%joiner frobnicate", "%joiner has no subcommand frobnicate; %joiner --help shows what there is"),
        ("%joiner learn --timout 3", "%joiner learn does not take --timout; did you mean --timeout?"),
        ("%joiner learn --timeout soon", "%joiner learn: argument --timeout: invalid float value: 'soon'"),
        ("%joiner learn --engine swift", "invalid choice: 'swift'"),
        ("%joiner learn --max-vars 0", "max_vars is 0; give a whole number above 0"),
        ("%joiner learn now", "%joiner learn does not take now"),
        ("%joiner learn --noise much", "%joiner learn: argument --noise: invalid choice: 'much'"),
        (
            "%joiner learn --missed 1/0",
            "argument --missed: 1/0 is no number; write a price such as 2, 0.5 or 1/3",
        ),
        ("%joiner learn --wrong 1e999999999", "argument --wrong: 1e999999999 has too many digits"),
        ("%joiner learn -o 3x", "'3x' is no name of a variable"),
        ("%joiner show lattices", "%joiner show has no lattices; did you mean lattice?"),
        ("%joiner show", "lattice|constraints|coverage"),
        ("%joiner reset everything", "%joiner reset has no everything; take one of bk, examples"),
        ("%joiner save", "the following arguments are required: FILE"),
        ("%joiner explain", "the following arguments are required: ATOM"),
        ("%joiner status now", "%joiner status does not take now"),
        ("%%bk --nme x\np(1).", "%%bk does not take --nme; did you mean --name?"),
        ("%%bk p(1).\np(2).", "the first line of the cell takes options only, not p(1)."),
        ("%bk --file x.pl p(1).", "both a file and a text are given"),
        ("%bk --replace", "there is nothing to replace with; %joiner reset bk forgets it"),
        ("%bk --replace --test", "there is nothing to replace with; %joiner reset test forgets it"),
        ("%bk --name", "%bk: argument --name: expected one argument"),
        ("%joiner resume --timeout soon", "%joiner resume: argument --timeout: invalid float value: 'soon'"),
        ("%bias --test max_vars(3).", "%bias does not take --test"),
    ],
)
def test_mistakes_in_a_line_are_one_line(
    cell: Cell, shell: InteractiveShell, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    cell("%bk q(1).")
    cell("%examples pos(f(1)).")
    before = current().cells
    capsys.readouterr()
    with pytest.raises(JoinerError) as caught:
        cell(line)
    assert said in caught.value.headline
    assert capsys.readouterr().out.splitlines() == [f"{type(caught.value).__name__}: {caught.value}"]
    assert current().cells is before


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("%joiner --help", "why-not ATOM"),
        ("%joiner learn --help", "--allow-splittable"),
        ("%joiner resume -h", "--timeout"),
        ("%joiner show --help", "lattice|constraints|coverage"),
        ("%joiner explain --help", "ATOM"),
        ("%bk -h", "--file PATH"),
        ("%%examples --help\npos(f(1)).", "--test"),
        ("%bk?", "%%bk --replace"),
        ("%%joiner?", "%joiner compare"),
    ],
)
def test_help_is_printed_and_nothing_is_said(
    cell: Cell, capsys: pytest.CaptureFixture[str], line: str, known: str
) -> None:
    assert cell(line) is None
    assert known in capsys.readouterr().out
    assert not list(current().cells)


def test_every_option_of_the_command_is_an_option_of_the_magic(
    cell: Cell, capsys: pytest.CaptureFixture[str]
) -> None:
    from dataclasses import fields

    from joiner_magic.search.options import Options

    cell("%joiner learn --help")
    shown = capsys.readouterr().out
    for option in fields(Options):
        assert option.metadata["help"].split()[0] in shown


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("%%bk\np(1).\n  p(2", "In [3]:3:4"),
        ("\n\n%%bk\np(1).\n  p(2", "In [3]:5:4"),
        ("%%bk --name cars\np(1).\n  p(2", "cars:3:4"),
        ("%%time\n%%bk\np(2", "In [3]:3:2"),
        ("x = 1\n%bk p(1).\n  \n%bk  p(2", "In [3]:4:7"),
        ("%%time\n%bk p(1).\n%bk p(2", "In [3]:3:6"),
        ("for n in range(2):\n    %bk p(1).\n    %bk p(2", "In [3]:3:10"),
        ("%%joiner\nmax_vars(2).\nmax_body(", "In [3]:3:10"),
        ("%%bias\n\nmax_vars(many).", "In [3]:3:1"),
    ],
)
def test_places_are_in_the_cells_own_numbering(cell: Cell, text: str, place: str) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    with pytest.raises(JoinerError) as caught:
        cell(text)
    assert str(caught.value.place) == place


def test_a_cell_that_is_indented_is_numbered_as_it_stands(cell: Cell) -> None:
    with pytest.raises(TextError) as caught:
        cell("\n\n   %%bk\n   p(1).\n   q(")
    assert caught.value.place is not None
    assert caught.value.place.line == 5


def test_the_caret_stands_under_the_mistake_on_the_magics_own_line(cell: Cell) -> None:
    with pytest.raises(TextError) as caught:
        cell("%bk p(1). q(2")
    assert caught.value.place is not None
    assert caught.value.place.caret() == "  %bk p(1). q(2\n             ^"


def test_status_follows_a_run_in_the_background_and_stop_stops_it(
    cell: Cell, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    cell(f"%joiner import {PYRAMIDS}")
    with within(1):
        run = cell(f"%joiner learn {LONG} --background -o found")
    assert isinstance(run, Run)
    assert cell("1 + 1") == 2
    capsys.readouterr()
    cell("%joiner status")
    assert "running" in capsys.readouterr().out
    with pytest.raises(TaskError):
        cell("%joiner learn")
    while run.progress.best is None:
        time.sleep(0.01)
    cell("%joiner stop")
    result = run.wait()
    assert result.status == "best"
    _eventually(lambda: shell.user_ns.get("found") is shell.user_ns.get("_joiner") is result)
    cell("%joiner stop")
    assert "no run is going on" in capsys.readouterr().out


def _eventually(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 2
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_run_that_was_stopped_goes_on(cell: Cell) -> None:
    cell(f"%joiner import {PYRAMIDS}")
    assert cell("%joiner learn --timeout 0").status == "none"
    assert cell("%joiner resume --timeout 60").status == "optimal"
    with pytest.raises(TaskError):
        cell("%joiner resume")


def test_a_task_goes_out_and_comes_back(cell: Cell, tmp_path: Path) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    cell("%joiner learn")
    cell(f'%joiner save "{tmp_path / "my session.json"}"')
    cell(f"%joiner export {tmp_path / 'task'}")
    cell("%joiner reset")
    assert not list(current().cells)
    cell(f"%joiner import {tmp_path / 'task'}")
    assert cell("%joiner learn").rules == SOLUTION
    cell("%joiner reset")
    cell(f'%joiner load "{tmp_path / "my session.json"}"')
    assert cell("%joiner learn --quiet").rules == SOLUTION


def test_a_part_is_forgotten(cell: Cell) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    cell("%joiner reset examples")
    assert [each.kind for each in current().cells] == ["bk"]


def test_the_bias_in_force_is_printed_to_copy(cell: Cell, capsys: pytest.CaptureFixture[str]) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    capsys.readouterr()
    cell("%joiner bias")
    bias = capsys.readouterr().out
    assert "head_pred(east,1)." in bias
    cell(f"%%bias\n{bias}")
    assert cell("%joiner learn").rules == SOLUTION


@pytest.mark.parametrize("command", ["explain", "why-not"])
def test_an_atom_is_explained(cell: Cell, capsys: pytest.CaptureFixture[str], command: str) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    cell("%joiner learn")
    capsys.readouterr()
    cell(f"%joiner {command} east(t3)")
    assert "short(" in capsys.readouterr().out
    with pytest.raises(TextError):
        cell(f"%joiner {command} east(")


@pytest.mark.parametrize("view", ["lattice", "constraints", "coverage"])
def test_the_last_run_is_looked_at(cell: Cell, capsys: pytest.CaptureFixture[str], view: str) -> None:
    with pytest.raises(TaskError):
        cell(f"%joiner show {view}")
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    cell("%joiner learn")
    capsys.readouterr()
    cell(f"%joiner show {view}")
    assert capsys.readouterr().out.strip()


def test_runs_are_compared(cell: Cell) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    cell("%joiner learn")
    cell("%joiner learn --max-vars 1")
    assert "optimal" in str(cell("%joiner compare"))


def test_two_tasks_in_one_kernel_do_not_see_each_other(
    cell: Cell, capsys: pytest.CaptureFixture[str]
) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    capsys.readouterr()
    cell("%joiner task other")
    assert capsys.readouterr().out.splitlines() == ["  main", "* other"]
    with pytest.raises(TaskError):
        cell("%joiner learn")
    cell("%bk p(1). p(2).")
    cell("%examples pos(f(1)). pos(f(2)).")
    assert cell("%joiner learn").rules == ["f(A) :- p(A)."]
    cell("%joiner task main")
    assert cell("%joiner learn").rules == SOLUTION
    assert len(current().runs) == 1


def test_a_bad_name_of_a_variable_stops_nothing_half_way(cell: Cell) -> None:
    with pytest.raises(CommandError):
        cell("%joiner learn -o not-a-name --background")
    assert not current().runs


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("%%bk\n% later", "bk: added nothing; in all nothing\n"),
        ("%%examples\n\n", "examples: added 0 positive, 0 negative; in all 0 positive, 0 negative\n"),
        ("%%bk --test", "test bk: added nothing; in all nothing\n"),
    ],
)
def test_a_text_of_nothing(cell: Cell, capsys: pytest.CaptureFixture[str], text: str, said: str) -> None:
    cell(text)
    assert capsys.readouterr().out == said


def test_a_tab_behind_a_subcommand(cell: Cell, capsys: pytest.CaptureFixture[str]) -> None:
    cell("%joiner reset\tbk")
    assert capsys.readouterr().out == "forgot the bk of main\n"


def test_after_a_stop_there_is_room_for_a_run(cell: Cell) -> None:
    cell(f"%joiner import {PYRAMIDS}")
    cell(f"%joiner learn {LONG} --background")
    assert cell("%joiner stop\n%joiner learn").status == "optimal"


def test_a_mistake_in_the_bias_of_a_run_is_told(cell: Cell, capsys: pytest.CaptureFixture[str]) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    capsys.readouterr()
    cell("%%joiner\nmax_vras(3).")
    assert ":2:1: max_vras/1 is not a directive" in capsys.readouterr().out
    cell("%joiner learn")
    assert "max_vras" not in capsys.readouterr().out


def test_a_place_that_cannot_be_written_to(cell: Cell, tmp_path: Path) -> None:
    cell(f"%%bk\n{TRAINS}")
    cell(f"%%examples\n{EXAMPLES}")
    (tmp_path / "file").write_text("")
    with pytest.raises(TaskError, match="cannot make the folder"):
        cell(f"%joiner export {tmp_path / 'file'}")


@pytest.mark.prolog
def test_no_file_that_a_magic_reads_grants_trust(cell: Cell, tmp_path: Path) -> None:
    mark, saved, text = tmp_path / "mark", tmp_path / "session.json", tmp_path / "bk.pl"
    text.write_text(f"% trusted\nseen(a) :- open('{mark}', write, S), close(S).")
    cell(f"%bk --file {text}")
    cell("%examples pos(f(a)). neg(f(b)).")
    cell("%bias head_pred(f,1). body_pred(seen,1).")
    cell("%joiner learn --engine prolog --trusted")
    cell(f"%joiner save {saved}")
    mark.unlink()
    value = json.loads(saved.read_text(encoding="utf-8"))
    value["trusted"] = value["result"]["trusted"] = True
    saved.write_text(json.dumps(value), encoding="utf-8")
    cell("%joiner reset all")
    cell(f"%joiner load {saved}")
    with pytest.raises(JoinerError, match="--trusted"):
        cell("%joiner learn --engine prolog")
    assert not mark.exists()
    cell("%joiner learn --engine prolog --trusted")
    assert mark.exists()
