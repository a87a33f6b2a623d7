"""What cells say adds up to a task, and whatever goes wrong leaves the session as it was."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pandas
import pytest

from joiner_magic.engines.narrate import narrate
from joiner_magic.errors import JoinerError, TaskError, TextError
from joiner_magic.logic.terms import Predicate
from joiner_magic.sessions import current
from joiner_magic.sessions.run_history import KEPT
from joiner_magic.sessions.session import Session
from search import noisy_task

BK = "parent(ann,bob). parent(bob,cay). parent(bob,dan).\nfemale(ann). female(cay)."
EXAMPLES = """pos(granddaughter(cay,ann)).
neg(granddaughter(dan,ann)). neg(granddaughter(bob,ann)).
neg(granddaughter(cay,bob)). neg(granddaughter(cay,cay))."""


@pytest.fixture
def session() -> Session:
    session = Session()
    session.bk(BK)
    session.examples(EXAMPLES)
    return session


def test_each_text_is_answered_by_one_line() -> None:
    session = Session()
    assert str(session.bk(BK)) == "bk: added 5 facts, 2 predicates; in all 5 facts, 2 predicates"
    assert str(session.say("bk", "male(bob). old(X) :- parent(X,Y), parent(Y,_).", key="x")) == (
        "bk: added 1 fact, 1 rule, 2 predicates; in all 6 facts, 1 rule, 4 predicates"
    )
    assert str(session.examples(EXAMPLES)) == (
        "examples: added 1 positive, 4 negative; in all 1 positive, 4 negative"
    )
    assert str(session.bias("max_vars(3). max_body(4).")) == "bias: added 2 directives; in all 2 directives"
    assert str(session.examples("pos(granddaughter(dan,bob)).", test=True)).startswith("test: added 1 pos")


def test_texts_of_several_cells_make_one_task(session: Session) -> None:
    session.bk("male(bob). male(dan).")
    session.examples("neg(granddaughter(ann,ann)).")
    session.bias("max_vars(3).")
    session.bias("max_body(3).")
    task = session.task()
    assert task.background.facts == 7
    assert (len(task.examples.pos), len(task.examples.neg)) == (1, 5)
    assert (task.bias.max_vars, task.bias.max_body) == (3, 3)


def test_a_cell_that_is_run_again_replaces_what_it_said() -> None:
    session = Session()
    session.say("bk", "p(1). p(2).", key="cell")
    said = session.say("bk", "p(3).", key="cell")
    assert said.replaced
    assert said.totals == "1 fact, 1 predicate"
    assert len(session.cells) == 1


def test_a_cell_may_change_what_it_is_about() -> None:
    session = Session()
    session.say("bk", "p(1).", key="cell")
    session.say("examples", "pos(f(1)).", key="cell")
    assert [cell.kind for cell in session.cells] == ["examples"]


def test_the_same_text_without_a_key_is_never_doubled(session: Session) -> None:
    session.bk(BK)
    assert session.task().background.facts == 5


def test_replace_forgets_what_other_cells_said_of_this_kind(session: Session) -> None:
    session.say("bk", "parent(x,y). female(y).", replace=True)
    assert session.task().background.facts == 2
    assert len(session.task().examples.neg) == 4


WRONG: list[tuple[Callable[[Session], object], str, str]] = [
    (lambda s: s.say("bk", "p(1", name="In [3]", line=2), "In [3]:2:", "p(1"),
    (lambda s: s.say("bk", "p(1).\nq(", name="In [3]", line=2), "In [3]:3:", "q("),
    (lambda s: s.say("examples", "pos(son(cay,ann)).", name="In [4]"), "examples of two predicates", ""),
    (lambda s: s.say("examples", "good(son(cay,ann))."), "good/1 is neither pos/1 nor neg/1", ""),
    (lambda s: s.say("bias", "max_vars(3)"), "the text ends in the middle of a statement", ""),
    (lambda s: (s.bias("max_vars(3)."), s.say("bias", "\nmax_vars(4).", name="In [5]", line=2)),
     "In [5]:3:1: max_vars is given twice: 3 in line 1 of bias, here 4", "max_vars(4)."),
    (lambda s: s.say_file("bk", "no/such/file.pl"), "cannot read", ""),
    (lambda s: s.import_task("no/such/folder"), "cannot read", ""),
    (lambda s: s.load("no/such/file.json"), "cannot read", ""),
    (lambda s: s.load("."), ". is a folder; import takes the task of a folder", ""),
    (lambda s: s.reset("example"), "did you mean examples?", ""),
    (lambda s: s.say("facts", "p(1)."), "take one of bk, examples", ""),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("mistake", "message", "excerpt"), WRONG)
def test_a_mistake_is_one_line_with_its_place_and_costs_nothing(
    session: Session, mistake: Callable[[Session], object], message: str, excerpt: str
) -> None:
    before = session.cells
    with pytest.raises(JoinerError) as caught:
        mistake(session)
    assert message in caught.value.headline
    assert "\n" not in caught.value.headline
    if excerpt and caught.value.place:
        assert caught.value.place.excerpt == excerpt
    kept = [cell for cell in session.cells if cell.text != "max_vars(3)."]
    assert kept == list(before)


def test_what_is_missing_is_said_when_the_task_is_needed() -> None:
    session = Session()
    with pytest.raises(TaskError, match="no examples yet"):
        session.learn()
    session.examples("neg(f(1)).")
    session.bk("p(1).")
    with pytest.raises(TaskError, match="no positive example"):
        session.learn()
    assert not session.runs


def test_the_bias_of_a_run_goes_before_that_of_cells(session: Session) -> None:
    session.bias("max_vars(4). max_body(2). type(parent,(person,person)).")
    task = session.task("max_vars(3). type(parent,(a,b)). allow_singletons.", name="In [7]", line=2)
    assert (task.bias.max_vars, task.bias.max_body, task.bias.allow_singletons) == (3, 2, True)
    assert task.bias.types[Predicate("parent", 2)] == ("a", "b")
    assert session.task().bias.max_vars == 4
    with pytest.raises(TextError, match=r"In \[7\]:2:14"):
        session.task("max_vars(3).(", name="In [7]", line=2)


def test_learning_keeps_the_runs_and_the_result(session: Session) -> None:
    result = session.learn()
    assert result.optimal
    assert session.result is result
    assert session.runs[0].state == "finished"
    assert str(session.explain("granddaughter(cay,ann)").proof).count("parent") >= 2
    with pytest.raises(TaskError, match="no atom to ask about"):
        session.explain("parent(ann,bob)")


def test_held_out_examples_are_measured(session: Session) -> None:
    session.examples("pos(granddaughter(cay,ann)). neg(granddaughter(ann,ann)).", test=True)
    session.learn()
    assert session.runs[0].test is not None
    assert session.runs[0].test.accuracy == 1


def test_held_out_examples_may_have_a_background_of_their_own(session: Session) -> None:
    session.say("test bk", "parent(x,y). parent(y,z). female(z).")
    session.examples("pos(granddaughter(z,x)). neg(granddaughter(y,x)).", test=True)
    session.learn()
    assert session.runs[0].test is not None
    assert session.runs[0].test.accuracy == 1


def test_an_unchanged_task_without_a_solution_is_not_searched_again(session: Session) -> None:
    session.examples("pos(granddaughter(dan,dan)). neg(granddaughter(dan,bob)).")
    first = session.learn(max_body=2)
    assert not first.solved
    again = session.learn(max_body=2)
    assert again.reused == "nothing has changed since run 1: this is what it found"
    assert again.shortfall == first.shortfall
    assert not session.learn(max_body=2, fresh=True).reused


def test_what_was_not_searched_to_the_end_is_searched_again(session: Session) -> None:
    session.learn(timeout=0)
    session.learn(max_body=2, timeout=0)
    assert session.learn().optimal


def test_advice_that_was_not_asked_for_before_is_given(session: Session) -> None:
    first = session.learn(max_body=1, advise=False).shortfall
    again = session.learn(max_body=1).shortfall
    assert first is not None
    assert again is not None
    assert not first.advice
    assert again.advice


def test_without_a_solution_too_it_is_measured_on_what_is_held_out_now(session: Session) -> None:
    session.learn(max_body=1)
    session.examples("pos(granddaughter(cay,ann)).", test=True)
    session.learn(max_body=1)
    assert session.runs[0].test is None
    assert session.runs[1].test is not None


def test_what_runs_of_long_ago_have_found_is_let_go(session: Session) -> None:
    for number in range(10):
        session.learn(max_vars=3, max_body=2 + number % 2, source="asp", fresh=True)
    assert [run.finding is None for run in session.runs] == [True] * 2 + [False] * 8


def test_runs_of_long_ago_are_forgotten_and_the_others_keep_their_numbers(session: Session) -> None:
    for _ in range(KEPT + 3):
        session.learn(max_vars=2, max_body=1, advise=False)
    assert [run.number for run in session.runs] == list(range(4, KEPT + 4))
    assert session.runs[-1].shown.record is not None  # also where that is one of the forgotten
    session.reset("runs")
    session.learn()
    assert session.runs[0].number == 1


def test_reset_forgets_one_kind_or_all(session: Session) -> None:
    session.learn()
    session.reset("examples")
    assert [cell.kind for cell in session.cells] == ["bk"]
    assert session.runs
    session.reset()
    assert not session.runs
    assert not len(session.cells)


def test_save_and_load(session: Session, tmp_path: Path) -> None:
    session.say("bias", "max_vars(3).", key="k", name="In [2]", line=2)
    session.learn()
    session.save(tmp_path / "s.json")
    other = Session()
    other.bk("nothing(here).")
    other.load(tmp_path / "s.json")
    assert list(other.cells) == list(session.cells)
    assert other.task() == session.task()
    assert json.loads((tmp_path / "s.json").read_text())["result"]["status"] == "optimal"


@pytest.mark.parametrize("text", ["", "[1]", "{}", '{"format": "joiner-magic session", "version": 1}'])
def test_a_file_that_is_no_session_changes_nothing(session: Session, tmp_path: Path, text: str) -> None:
    before = session.cells
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(TaskError):
        session.load(tmp_path / "s.json")
    assert session.cells is before


def test_export_and_import(session: Session, tmp_path: Path) -> None:
    session.examples("pos(granddaughter(z,x)).", test=True)
    session.say("test bk", "parent(x,y). parent(y,z). female(z).")
    session.export_task(tmp_path / "task")
    other = Session()
    said = other.import_task(tmp_path / "task")
    assert [one.kind for one in said] == ["bk", "examples", "bias", "test", "test bk"]
    assert other.task().examples == session.task().examples
    assert other.task().bias.body == session.task().bias.body
    held_out = other.held_out(other.task())
    assert held_out is not None
    assert held_out.background.facts == 3


def test_weights_and_contradictions_are_kept_in_files(session: Session, tmp_path: Path) -> None:
    session.examples("pos(granddaughter(cay,ann), 3). neg(granddaughter(cay,ann), 1/3).")
    examples = session.task(noise=True).examples
    assert (examples.pos_weights, examples.neg_weights[-1]) == ((Fraction(4),), Fraction(1, 3))
    session.save(tmp_path / "session.json")
    session.export_task(tmp_path / "task")
    loaded, imported = Session(), Session()
    loaded.load(tmp_path / "session.json")
    imported.import_task(tmp_path / "task")
    assert loaded.task(noise=True).examples == imported.task(noise=True).examples == examples


def test_a_column_of_weights_counts() -> None:
    session = Session()
    session.bk("red(a). red(b). blue(c).")
    frame = pandas.DataFrame({"x": ["a", "b", "b"], "w": [4, 0.5, 1.5], "good": [True, True, False]})
    session.add_examples(frame, "f", label="good", weight="w")
    result = session.learn(noise=True)
    assert (result.rules, result.cost) == (["f(A) :- red(A)."], Fraction(7, 2))


def test_what_is_known_of_predicates_before_there_is_a_task() -> None:
    session = Session()
    assert session.predicates() == {}
    session.say("bk", "p(1,a).\np(2,b).", name="In [1]", line=2)
    session.say("bk", "p(3,c).\nq(X) :- p(X,_).", name="In [2]", line=2)
    info = session.predicates()[Predicate("p", 2)]
    assert (info.facts, info.rules) == (3, 0)
    assert [str(place) for place in info.places] == ["In [1]:2:1", "In [2]:2:1"]
    assert info.sample == ("p(1, a)", "p(2, b)", "p(3, c)")
    assert session.predicates()[Predicate("q", 1)].rules == 1


def test_sessions_under_different_names_never_meet() -> None:
    current.forget_all()
    try:
        current.current().bk("p(1).")
        other = current.switch("other")
        assert other is current.current()
        assert not len(other.cells)
        assert set(current.sessions()) == {"main", "other"}
        assert len(current.switch("main").cells) == 1
    finally:
        current.forget_all()


def test_why_not_says_how_far_rules_get_and_what_is_impossible(session: Session) -> None:
    session.learn()
    assert "fails: female(dan)" in session.why_not("granddaughter(dan,ann)")
    assert "is covered" in session.why_not("granddaughter(cay,ann)")
    session.examples("pos(granddaughter(dan,dan)). neg(granddaughter(dan,bob)). neg(granddaughter(bob,bob)).")
    session.learn(max_body=2, advise=False)
    assert "no rule of the space covers it" in session.why_not("granddaughter(dan,dan)")
    session.reset("examples")
    session.examples("pos(f(ann)). neg(f(cay)). neg(f(bob)).")
    session.learn(max_body=1)
    assert "impossible" in session.why_not("f(ann)")


def test_examples_that_the_hypothesis_gets_wrong_are_explained() -> None:
    session = Session()
    session.bk(noisy_task.BACKGROUND)
    session.examples(noisy_task.EXAMPLES)
    assert session.learn(noise=True).rules == [noisy_task.RULE]
    covered, missed = (narrate(session.explain(atom)) for atom in ("grows(d8)", "grows(d16)"))
    assert covered.startswith("grows(d8) is covered, although it is a negative example")
    assert missed.startswith("grows(d16) is not covered, although it is a positive example")
    assert "is covered" in session.why_not("grows(d8)")
    assert "fails: wet(d16)" in session.why_not("grows(d16)")


def test_the_coverage_of_rules_is_a_frame(session: Session) -> None:
    with pytest.raises(TaskError, match="nothing has been learnt"):
        session.coverage()
    session.learn()
    frame = session.coverage().to_frame()
    assert list(frame["label"]) == ["pos", "neg", "neg", "neg", "neg"]
    assert list(frame.iloc[:, 1]) == [True, False, False, False, False]


def test_threads_that_speak_at_once_are_all_heard() -> None:
    session = Session()
    barrier = threading.Barrier(20)

    def speak(number: int) -> None:
        barrier.wait()
        for second in range(20):
            session.examples(f"pos(f({number},{second})).")

    threads = [threading.Thread(target=speak, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(session.cells) == 400


def test_held_out_examples_may_all_be_negative(session: Session) -> None:
    session.examples("neg(granddaughter(ann,ann)).", test=True)
    session.learn()
    assert session.runs[0].test is not None
    assert session.runs[0].test.tn == 1
