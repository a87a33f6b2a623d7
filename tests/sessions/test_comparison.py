"""Runs side by side: what changed, in numbers, as text and as a picture."""

from __future__ import annotations

import sys
from xml.etree import ElementTree

import pytest

from joiner_magic.errors import MissingPart
from joiner_magic.questions.constraints.fates import Fates
from joiner_magic.questions.lattice.lattice import Lattice
from joiner_magic.sessions.comparison import WIDTH, Comparison
from joiner_magic.sessions.session import Session
from search import noisy_task

BK = "red(a). red(b). red(c). big(a). big(b). big(d). edge(a,b). edge(b,c)."


@pytest.fixture
def session() -> Session:
    session = Session()
    session.bk(BK)
    session.examples("pos(f(a)). pos(f(b)). neg(f(c)). neg(f(d)).")
    return session


def changes(session: Session) -> list[str]:
    return [run.change for run in session.comparison().runs]


def test_without_runs_there_is_a_line() -> None:
    assert str(Comparison.of([])) == "no runs yet"
    assert Comparison.of([]).rows() == []
    ElementTree.fromstring(Comparison.of([]).to_svg())


def test_what_changed_is_said_in_a_few_words(session: Session) -> None:
    session.learn("max_vars(4).")
    session.learn("max_vars(5). enable_recursion.")
    session.learn("max_vars(5). enable_recursion.", fresh=True)
    session.learn("max_vars(5).", timeout=60.0)
    session.examples("pos(f(e)). neg(f(g)).")
    session.bk("big(e). red(e).")
    session.learn("max_vars(5).", timeout=60.0)
    first, second, third, fourth, fifth = changes(session)
    assert first == ""
    assert second == "max_vars 4 → 5; max_clauses 1 → 2; + enable_recursion."
    assert third == "the same again"
    assert fourth == "max_clauses 2 → 1; − enable_recursion.; timeout none → 60.0"
    assert fifth == "pos +1; neg +1; facts +2"


def test_what_was_taken_back_is_said_too(session: Session) -> None:
    session.say("examples", "neg(f(z)).", key="more")
    session.say("bk", "big(z).", key="facts")
    session.learn()
    session.say("examples", "neg(f(y)).", key="more")
    session.say("bk", "big(y).", key="facts")
    session.learn()
    assert changes(session)[1] == "neg +1 −1; background knowledge edited"


def test_many_lines_of_bias_are_counted(session: Session) -> None:
    session.learn("body_pred(red,1).")
    session.bk("".join(f"p{i}(a). " for i in range(9)))
    session.learn("".join(f"body_pred(p{i},1). " for i in range(9)) + "body_pred(red,1).")
    assert "+ 6 more lines" in changes(session)[1]


def test_numbers_of_a_run(session: Session) -> None:
    session.examples("pos(f(a)). neg(f(c)). neg(f(d)).", test=True)
    result = session.learn()
    (row,) = session.comparison().rows()
    assert row["status"] == "optimal"
    assert row["size"] == result.size == 3
    assert (row["train_accuracy"], row["test_accuracy"]) == (1.0, 1.0)
    assert row["tested"] == result.counts["tested"]
    made = ("tested", "duplicate", "repeats itself")
    assert row["generated"] == sum(result.counts.get(count, 0) for count in made)
    assert row["body_predicates"] == 3
    assert row["seconds"] == result.seconds


def test_without_a_solution_and_without_held_out_examples(session: Session) -> None:
    session.learn("body_pred(red,1).")
    (row,) = session.comparison().rows()
    assert (row["status"], row["test_accuracy"], row["first_solution_seconds"]) == ("none", None, None)
    assert "–" in str(session.comparison())


def test_the_table_is_aligned_and_bounded(session: Session) -> None:
    session.learn("body_pred(red,1).")
    long = "x" * 300
    session.bk(f"{long}(a).")
    session.learn(f"body_pred(red,1). body_pred(big,1). body_pred({long},1).")
    head, first, change, second = str(session.comparison()).splitlines()
    assert len(head) == len(first) == len(second)
    assert len(change) == WIDTH
    assert change.endswith("…")


def test_the_frame_has_a_row_for_each_run(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    assert session.comparison().to_frame().empty
    session.learn()
    session.learn("max_vars(2). max_body(1).")
    frame = session.comparison().to_frame()
    assert list(frame.index) == [1, 2]
    assert list(frame["max_vars"]) == [6, 2]
    assert list(frame["size"].dropna()) == [
        run.result.size for run in session.runs if run.result and run.result.size
    ]
    assert frame["size"].dtype == "Int64"
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPart):
        session.comparison().to_frame()


def test_the_picture_has_a_bar_and_a_dot_for_each_run(session: Session) -> None:
    session.learn()
    session.learn("body_pred(red,1).")  # without a solution, and without a hypothesis
    svg = ElementTree.fromstring(session.comparison().to_svg())
    names = [element.tag.rpartition("}")[2] for element in svg.iter()]
    assert names.count("rect") == 2
    assert names.count("circle") == 1
    assert "run 2" in "".join(svg.itertext())


def test_fates_have_reasons_and_add_up() -> None:
    session = Session()
    session.bk(
        "has(1,a). has(2,b). has(3,a). has(3,b). red(a). blue(b). has(4,c). red(c). green(z). next(a,b)."
    )
    session.examples("pos(f(1)). pos(f(3)). pos(f(4)). neg(f(2)).")
    result = session.learn(source="asp")
    fates = Fates.of(session.runs[-1])
    assert {fate.kind: fate.programs for fate in fates.fates} == {
        kind: number
        for kind, number in result.counts.items()
        if number and kind not in ("tested", "fragments", "parts", "unfinished")
    }
    for fate in fates.fates:
        assert fate.reason.endswith(".")
        assert sum(fate.by_size.values()) == fate.programs
        assert fate.reason.split()[-1] in str(fates)
    assert fates.fates
    assert f"{fates.tested} programs tested" in str(fates)


def test_the_lattice_says_what_each_literal_is_for(engine_name: str) -> None:
    session = Session()
    session.bk("has(1,a). has(2,b). has(3,a). has(3,b). red(a). blue(b). has(4,c). red(c).")
    session.examples("pos(f(1)). pos(f(3)). pos(f(4)). neg(f(2)).")
    session.learn(engine=engine_name)
    lattice = Lattice.of(session.runs[-1])
    (found,) = lattice.surroundings.rules
    assert (found.pos, found.neg) == (3, 0)
    assert {above.without: (above.pos, above.neg) for above in found.above} == {
        "has(A, B)": (3, 1),
        "red(B)": (3, 1),
    }
    assert "without red(B): +3 −1" in str(lattice)


@pytest.mark.prolog
def test_a_generalisation_that_cannot_run_is_left_out() -> None:
    session = Session()
    session.bk("num(2). num(3). num(5). num(1). bigger(X,Y) :- Y is X + 1. odd(X) :- 1 is X mod 2.")
    session.examples("pos(f(2)). neg(f(3)). neg(f(5)).")
    session.bias("body_pred(bigger,2). body_pred(odd,1). direction(bigger,(in,out)). direction(odd,(in,)).")
    result = session.learn("max_vars(3).", engine="prolog")
    assert result.rules == ["f(A) :- bigger(A, B), odd(B)."]
    (found,) = Lattice.of(session.runs[-1]).surroundings.rules
    assert [above.without for above in found.above] == ["odd(B)"]  # odd(B) alone has nothing to compute with


def test_what_was_reused_is_said(session: Session) -> None:
    session.learn()
    session.examples("neg(f(e)).")
    session.learn()
    second = session.comparison().runs[1]
    assert second.reused == session.runs[1].reused != ""
    assert f"neg +1; {second.reused}"[:60] in str(session.comparison())


def test_the_lattice_takes_joined_rules_apart(session: Session) -> None:
    result = session.learn()
    lattice = Lattice.of(session.runs[-1])
    assert {found.text for found in lattice.surroundings.rules} == {"f(A) :- red(A).", "f(A) :- big(A)."}
    assert len(result.rules) == 1
    assert [size.size for size in lattice.surroundings.sizes] == [
        done.size for done in session.runs[-1].progress.sizes
    ]


def noisy_session() -> Session:
    session = Session()
    session.bk(noisy_task.BACKGROUND)
    session.examples(noisy_task.EXAMPLES)
    return session


def test_runs_at_different_prices_are_compared_by_their_errors() -> None:
    session = noisy_session()
    session.learn(advise=False)
    session.learn(noise=True, advise=False)
    session.bias("noisy(3,1).")
    session.learn(advise=False)
    exact, cheap, dear = session.comparison().rows()
    assert (exact["prices"], exact["cost"], exact["missed"], exact["wrong"]) == ("", None, 8, 0)
    assert (cheap["prices"], cheap["cost"], cheap["missed"], cheap["wrong"]) == ("missed 1, wrong 1", 5, 1, 1)
    assert (dear["prices"], dear["cost"], dear["missed"], dear["wrong"]) == ("missed 3, wrong 1", 7, 1, 1)
    assert [cheap["bound"], dear["bound"]] == [5, 7]
    assert changes(session)[1:] == [
        "errors: not allowed → missed 1, wrong 1",
        "errors: missed 1, wrong 1 → missed 3, wrong 1",
    ]
    assert "cost  missed  wrong" in str(session.comparison())
    assert list(session.comparison().to_frame()["cost"][1:]) == [5, 7]
    assert ">literals<" in session.comparison().to_svg()


def test_where_prices_are_the_same_the_plot_is_of_costs() -> None:
    session = noisy_session()
    session.learn(noise=True)
    assert ">cost<" in session.comparison().to_svg()
    assert ">5<" in session.comparison().to_svg()


def test_another_weight_of_an_example_is_a_change() -> None:
    session = noisy_session()
    session.learn(noise=True)
    session.say("examples", noisy_task.EXAMPLES.replace("neg(grows(d8))", "neg(grows(d8),3)"), replace=True)
    session.learn(noise=True)
    assert changes(session)[1:] == ["another weight for 1 example"]
