"""The engine for questions about a run does not outlive them."""

from __future__ import annotations

import threading
import time

import pytest

from joiner_magic import Session
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.questions import engine_of_run
from joiner_magic.questions.engine_of_run import engine_of

TEXTS = ("p(a).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1).")


@pytest.fixture
def session() -> Session:
    made = Session()
    made.bk(TEXTS[0])
    made.examples(TEXTS[1])
    made.bias(TEXTS[2])
    made.learn()
    return made


def test_it_is_kept_between_questions_and_closed_when_there_are_none(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[object] = []
    monkeypatch.setattr(engine_of_run, "IDLE", 0.3)
    monkeypatch.setattr(DatalogEngine, "close", lambda engine: closed.append(engine))
    run = session.runs[-1]
    with engine_of(run) as first:
        pass
    with engine_of(run) as second:
        time.sleep(0.5)  # a question that takes longer than anybody would wait for the next
    assert second is first
    assert first not in closed
    until = time.monotonic() + 10
    while first not in closed and time.monotonic() < until:
        time.sleep(0.05)
    assert first in closed
    with engine_of(run) as third:
        assert third is not first


def test_nobody_looks_after_an_engine_that_is_closed(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_of_run, "IDLE", 0.1)
    with engine_of(session.runs[-1]):
        pass
    until = time.monotonic() + 10
    while any(thread.name == "joiner-idle" for thread in threading.enumerate()):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_one_thread_looks_after_the_engines_of_many_runs(session: Session) -> None:
    """A thread for each, waiting until its engine is idle, was a hundred in a session that was edited quickly."""
    for number in range(12):
        session.examples(f"pos(f(a{number})).")
        session.bk(f"p(a{number}).")
        session.learn()
        with engine_of(session.runs[-1]):
            pass
    assert sum(thread.name == "joiner-idle" for thread in threading.enumerate()) == 1
