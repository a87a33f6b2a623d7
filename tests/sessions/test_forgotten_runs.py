"""A session of many runs keeps the last ones whole, and of the others what the comparison says of them."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest

from joiner_magic.errors import JoinerError
from joiner_magic.sessions.comparison import ComparedRun
from joiner_magic.sessions.session import Session
from joiner_magic.task.reader import PrologText

KEPT = 20
RUNS = 27


def edited(session: Session, number: int) -> None:
    """One fact more, and now and then another example or bound."""
    session.say("bk", " ".join(f"p({n}). q({n})." for n in range(number + 3)), key="bk")
    session.say("examples", f"pos(f({number % 2 + 1})). neg(f(0)). neg(f(x)).", key="examples")
    session.say("bias", f"max_body({number % 3 + 1}).", key="bias")


@pytest.fixture
def session() -> Session:
    session = Session()
    for number in range(RUNS):
        edited(session, number)
        session.learn(advise=False)
    return session


def timeless(row: ComparedRun) -> ComparedRun:
    return replace(row, seconds=0.0, first_solution_seconds=None)


def test_the_last_runs_are_kept_whole(session: Session) -> None:
    assert [run.number for run in session.runs] == list(range(RUNS - KEPT + 1, RUNS + 1))
    assert f"{RUNS} runs" in repr(session)


def test_nothing_holds_the_task_of_a_run_that_is_gone() -> None:
    session = Session()
    edited(session, 0)
    session.learn(advise=False)
    gone = weakref.ref(session.runs[0])
    first_text = session.runs[0].task.background.sources[0].text
    for number in range(1, RUNS):
        edited(session, number)
        session.learn(advise=False)
    gc.collect()
    assert gone() is None
    assert first_text not in {each.text for each in gc.get_objects() if isinstance(each, PrologText)}


def test_the_comparison_has_all_of_them() -> None:
    """Row by row what it said when the run was the last."""
    session = Session()
    at_the_time = []
    for number in range(RUNS):
        edited(session, number)
        session.learn(advise=False)
        at_the_time.append(session.comparison().runs[-1])
    assert [timeless(row) for row in session.comparison().runs] == [timeless(row) for row in at_the_time]
    assert {row.change for row in at_the_time[1:]} != {""}


def test_the_last_result_outlives_any_number_of_failures() -> None:
    session = Session()
    edited(session, 0)
    learnt = session.learn(advise=False)
    session.bk("r(X) :- p(X), write(X).")
    for _ in range(RUNS):
        with pytest.raises(JoinerError):
            session.learn(engine="datalog")
    assert session.result is learnt


def test_forgetting_the_runs_begins_anew(session: Session) -> None:
    session.reset("runs")
    assert session.comparison().runs == ()
    assert session.result is None
    edited(session, 0)
    session.learn(advise=False)
    assert [row.run for row in session.comparison().runs] == [1]
