"""What a person sees: everything there, everything escaped, and never too much of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from joiner_magic.notebook import display
from joiner_magic.notebook.display import show, show_cells, view_of
from joiner_magic.notebook.session_display import cells_view
from joiner_magic.questions.constraints.fates import Fates
from joiner_magic.questions.coverage.matrix import CoverageMatrix
from joiner_magic.questions.lattice.lattice import Lattice
from joiner_magic.search.learn import learn
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.prediction import measured
from joiner_magic.sessions.comparison import ComparedRun, Comparison
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.task.task import read_task
from joiner_magic.views.output import Output

_VOID = {"img", "br", "hr"}
_HOSTILE = [
    "<script>alert(1)</script>", "\\\"><img src=x onerror=alert(1)>", "`${process}`", "</pre></code></table>",
    "$\\\\alpha$", "&lt;b&gt;", "\u202etfel", "x" * 3_000, "שלום",
]  # fmt: skip


class _Page(HTMLParser):
    """Checks that elements are closed as they were opened, and gathers what a browser would show."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.sources: list[str] = []
        self.shown = ""
        self.in_code = 0
        self.outside_code = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]
        self.in_code += tag in ("code", "pre")
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        self.in_code -= tag in ("code", "pre")

    def handle_data(self, data: str) -> None:
        self.shown += data
        if not self.in_code:
            self.outside_code += data


def hostile_session() -> Session:
    session = Session("<b>task</b> $x$")
    names = [f"'{name}'" for name in _HOSTILE]
    facts = "".join(f"{name}(a{i}). {name}({name}).\n" for i, name in enumerate(names))
    session.say("bk", facts, name="<i>cell</i>")
    examples = "".join(f"pos('<f>'(a{i})).\n" for i in range(len(names)))
    session.say("examples", f"{examples}neg('<f>'('</pre>')).\n")
    return session


def views(session: Session) -> Iterator[Output]:
    """Of everything that can be shown."""
    result = session.learn(timeout=20.0)
    session.learn("max_vars(2).")
    yield view_of(result)
    yield view_of(session)
    yield view_of(session.comparison())
    yield view_of(CoverageMatrix.of(result))
    yield view_of(Fates.of(session.runs[0]))
    yield view_of(Lattice.of(session.runs[0]))
    yield view_of(session.task())
    yield view_of(session.explain(session.task().examples.pos[0]))
    yield view_of(session.explain(session.task().examples.neg[0]))
    yield view_of(session.bk("'<u>'(a). :- '<dir>'."))
    yield cells_view(session, "bk")


def test_texts_of_the_task_are_escaped_and_nothing_comes_from_elsewhere() -> None:
    for view in views(hostile_session()):
        page = _Page(view.html)
        assert page.tags <= {
            "bdi", "b", "code", "details", "div", "img", "pre", "span", "summary", "table", "tbody", "td", "th",
            "thead", "tr",
        }  # fmt: skip
        assert page.attributes <= {"style", "alt", "src"}
        assert all(source.startswith("data:image/svg+xml;base64,") for source in page.sources)
        assert "$" not in page.outside_code  # a front end would set it as mathematics
        assert "\u202e" not in view.html


def test_what_is_shown_is_what_was_said() -> None:
    session = hostile_session()
    page = _Page(cells_view(session, "bk").html)
    assert "<script>alert(1)</script>" in page.shown
    assert "`${process}`" in page.shown
    assert "⟨U+202E⟩" in page.shown
    assert "<i>cell</i>" in page.shown


def test_a_result_shows_status_rules_and_numbers() -> None:
    result = learn(read_task("p(a). q(b). r(a). r(b). r(c).", "pos(f(a)). pos(f(b)). neg(f(c))."))
    page = _Page(view_of(result).html)
    assert "optimal" in page.shown
    assert "f(A) :- p(A)." in page.shown
    assert "covers 2 of 2 positive and 0 of 1 negative examples; accuracy 100.0%" in page.shown
    assert "generate" in page.shown
    assert view_of(result).text == str(result)


def test_an_accuracy_says_on_which_examples_it_was_measured() -> None:
    """What is learnt from examples is right on them: that says little about others."""
    learnt = learn(read_task("p(a). p(c). q(b).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1)."))
    result = replace(learnt, test=learnt.score("pos(f(c)). neg(f(b)). pos(f(d)). neg(f(e))."))
    held_out = "held out: covers 1 of 2 positive and 0 of 2 negative examples; accuracy 75.0%"
    page = _Page(view_of(result).html)
    assert "training: covers 1 of 1 positive and 0 of 1 negative examples; accuracy 100.0%" in page.shown
    assert held_out in page.shown
    assert held_out in str(result)


@pytest.mark.parametrize("prices", [{}, {"noise": True}, {"wrong": 1}])
def test_a_hypothesis_with_errors_shows_its_held_out_score(prices: dict[str, Any]) -> None:
    task = read_task("red(a). red(b). blue(c). blue(d).", "pos(f(a),3). pos(f(b)). pos(f(c)). neg(f(d)).")
    result = measured(learn(task, advise=False, **prices), task.subset([0, 2, 3]))
    page = _Page(view_of(result).html)
    assert result.hypothesis is not None
    assert result.test is not None
    assert f"held out: {result.test.scored}" in page.shown
    assert f"held out: {result.test.scored}" in str(result).splitlines()


def test_an_accuracy_that_is_not_known_is_a_least_one() -> None:
    learnt = learn(read_task("p(a). q(b).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1)."))
    result = replace(learnt, test=Confusion(1, 0, 0, 0, unknown_pos=0, unknown_neg=1))
    least = "0 of 1 (and perhaps 1 more) negative examples; accuracy at least 50.0%"
    assert least in str(result)
    assert least in _Page(view_of(result).html).shown


def test_without_a_solution_the_report_is_shown() -> None:
    result = learn(read_task("p(1). p(2).", "pos(f(1)). neg(f(2))."))
    page = _Page(view_of(result).html)
    assert "no solution" in page.shown
    assert "searched     all programs of up to" in page.shown


def test_a_rule_of_many_literals_has_a_line_for_each_fragment() -> None:
    facts = "".join(f"has(1,x{i}). p{i}(x{i}). has({i + 2},y{i}). " for i in range(12))
    facts += "".join(f"p{i}(y{j}). " for i in range(12) for j in range(12) if i != j)
    negatives = "".join(f"neg(f({i + 2})). " for i in range(12))
    result = learn(read_task(facts, f"pos(f(1)). {negatives}", "max_vars(2). max_body(2)."), timeout=20.0)
    assert result.size == 25
    page = _Page(view_of(result).html)
    assert page.shown.count("    has(A, ") == 12


@pytest.mark.parametrize("rows", [1, 5, 20])
def test_big_tasks_are_bounded(rows: int) -> None:
    session = Session()
    session.bk("\n".join(f"p{i % 300}({i})." for i in range(3_000)) + "\n" + "q(" + "x" * 5_000 + ").")
    session.examples("".join(f"pos(f({i})). " for i in range(0, 600, 2)) + "neg(f(x)).")
    session.learn(timeout=1.0)
    for value in (session, session.task(), session.result, CoverageMatrix.of(session.runs[0].result)):  # type: ignore[arg-type]
        page = _Page(view_of(value, rows).html)
        assert len(page.shown) < 12_000
    page = _Page(cells_view(session, "bk", rows).html)
    assert f"… and {3_001 - rows:,} more lines" in page.shown
    assert f"p{rows - 1}({rows - 1})." in page.shown
    assert f"p{rows}({rows})." not in page.shown


def test_many_rules_are_bounded_as_text_too() -> None:
    facts = "".join(f"p{i}(a{i}). " for i in range(30)) + "q(b)."
    result = learn(
        read_task(facts, "".join(f"pos(f(a{i})). " for i in range(30)) + "neg(f(b))."), timeout=20.0
    )
    assert len(result.rules) == 30
    for shown in (view_of(result, 5).text, _Page(view_of(result, 5).html).shown):
        assert shown.count(":-") == 5
        assert "… and 25 more rules" in shown
        assert "covers 30 of 30" in shown
    assert view_of(result, 30).text == str(result)


def test_a_run_has_one_line() -> None:
    session = Session()
    session.bk("p(a). p(b). q(a).")
    session.examples("pos(f(a)). neg(f(b)).")
    session.learn()
    assert view_of(session.runs[0]).text.startswith("run 1: optimal; size ")


def test_a_session_that_was_told_nothing_says_how_to_begin() -> None:
    assert "%%bk" in view_of(Session()).text


def test_the_status_counts_cells_and_tells_of_the_last_run() -> None:
    session = Session("mine")
    session.bk("p(a).")
    session.bk("q(b).")
    session.examples("pos(f(a)). neg(f(b)).")
    assert "no run yet" in view_of(session).text
    session.learn()
    page = _Page(view_of(session).html)
    assert "2 facts, 2 predicates" in page.shown
    assert "run 1: optimal" in page.shown
    assert "mine" in page.shown


def test_said_is_one_line_and_its_notes() -> None:
    said = Session().bk("p(1). :- dynamic(p/1).")
    first, note = view_of(said).text.splitlines()
    assert first == str(said)
    assert "not executed" in note


class TestInAShell:
    @pytest.fixture
    def shell(self) -> Iterator[InteractiveShell]:
        shell = InteractiveShell.instance()
        display.install(shell)
        yield shell
        display.uninstall(shell)
        InteractiveShell.clear_instance()

    def test_a_value_at_the_end_of_a_cell_is_shown(self, shell: InteractiveShell) -> None:
        result = learn(read_task("p(1). p(2). q(1).", "pos(f(1)). neg(f(2))."))
        data, _ = formatted(shell, result)
        assert data == view_of(result).bundle

    def test_an_uninstalled_view_is_gone(self, shell: InteractiveShell) -> None:
        display.uninstall(shell)
        data, _ = formatted(shell, Session())
        assert "text/html" not in data

    def test_show_makes_one_output(self, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
        show(Session("mine"))
        show("a line")
        assert capsys.readouterr().out == f"{view_of(Session('mine')).text}\na line\n"

    def test_texts_of_a_kind(self, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
        session = Session()
        session.examples("pos(f(a)). neg(f(b)).")
        show_cells(session, "examples")
        assert "pos(f(a))." in capsys.readouterr().out
        show_cells(session, "bias")
        assert "nothing yet" in capsys.readouterr().out


def formatted(shell: InteractiveShell, value: object) -> Any:
    assert shell.display_formatter is not None
    return shell.display_formatter.format(value)  # type: ignore[no-untyped-call]


def test_of_many_runs_the_last_are_compared() -> None:
    """The text of a cell's value is kept by IPython for ever: with every run in it, it grew with the square of the edits."""
    first = ComparedRun.of(Run(1, read_task("p(a).", "pos(f(a))."), Options()), None)
    shown = view_of(Comparison(tuple(replace(first, run=number) for number in range(1, 101)))).text
    assert shown.splitlines()[-2].split()[0] == "100"
    assert shown.splitlines()[-1] == "… and 80 more runs before"
    assert len(shown.splitlines()) <= 1 + 2 * 20 + 1
