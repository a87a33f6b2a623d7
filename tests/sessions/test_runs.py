"""Runs in threads of their own: waiting, stopping, going on, one at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from busy import within
from conftest import field_task
from joiner_magic import Result
from joiner_magic.errors import TaskError
from joiner_magic.sessions.cells import Cells
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.solvers.interrupt import Stop
from joiner_magic.task.task import Task


@pytest.fixture
def long() -> Iterator[Session]:
    """A task whose proof takes minutes; the first solution is there in a moment."""
    session = Session()
    session.import_task(field_task("onedarc_1d_flip"))
    yield session
    session.reset()


def small() -> Session:
    session = Session()
    session.bk("p(1). p(2). q(2). q(3).")
    session.examples("pos(f(2)). neg(f(1)). neg(f(3)).")
    return session


def until(run: Run, holds: object, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds(run):  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_run_in_the_background_is_followed_and_stopped(long: Session) -> None:
    run = long.start()
    assert run.state == "running"
    assert long.running is run
    until(run, lambda run: run.progress.best and run.progress.best.solution)
    assert "best solution has" in str(run.progress)
    with within(1):
        long.stop()
        result = run.wait()
    assert result.status == "best"
    assert "cancelled" in result.why
    assert long.running is None


def test_a_second_run_is_refused_while_one_is_going_on(long: Session) -> None:
    run = long.start()
    with pytest.raises(TaskError, match="run 1 is still running; %joiner stop"):
        long.start()
    with pytest.raises(TaskError, match="run 1 is still running"):
        long.resume()
    run.stop()
    run.wait()
    assert len(long.runs) == 1


def test_texts_can_be_added_while_a_run_is_going_on(long: Session) -> None:
    run = long.start()
    long.say("bk", "something(new).", key="new")
    assert "something" not in str(run.task.background.predicates)
    run.stop()
    run.wait()


def test_waiting_hears_the_keyboard_and_keeps_the_best(long: Session) -> None:
    run = long.start()
    until(run, lambda run: run.progress.best and run.progress.best.solution)

    def press(run: Run) -> None:
        if run.state == "running":
            raise KeyboardInterrupt

    with within(1):
        result = run.wait(press)
    assert result.status == "best"
    assert run.can_go_on


def test_the_same_task_is_gone_on_with(long: Session) -> None:
    first = long.learn(timeout=3)  # in which the task is made too
    assert first.status == "best"
    tested = first.counts["tested"]
    again = long.learn(timeout=3)
    assert len(long.runs) == 1
    assert again.counts["tested"] > tested
    assert again.seconds > first.seconds
    resumed = long.resume(timeout=3).wait()
    assert resumed.counts["tested"] > again.counts["tested"]


def test_a_run_that_goes_on_is_measured_on_what_is_held_out_now(long: Session) -> None:
    long.learn(timeout=2)
    long.reset("test")
    long.learn(timeout=2)
    assert len(long.runs) == 1
    assert long.runs[0].test is None


def test_what_is_held_out_is_read_once(monkeypatch: pytest.MonkeyPatch, long: Session) -> None:
    read = []
    held_out = Cells.held_out

    def counted(cells: Cells, task: Task, stop: Stop, *, noise: bool) -> Task | None:
        read.append(task)
        return held_out(cells, task, stop, noise=noise)

    monkeypatch.setattr(Cells, "held_out", counted)
    long.learn(timeout=2, max_body=7)
    long.resume(timeout=0.1).wait()
    long.resume(timeout=0.1).wait()
    assert len(read) == 1


def begun(session: Session) -> Result:
    """In the shortest of some times in which the task can be read, as a busy machine needs longer for that."""
    for seconds in (0.05, 0.1, 0.2, 0.4, 0.8, 1.6):
        with suppress(TaskError):
            return session.learn(timeout=seconds)
    return session.learn(timeout=10)


def test_many_short_goes_are_one_long_run() -> None:
    session = Session()
    session.import_task(field_task("zendo3"))
    whole = session.learn(fresh=True)
    parts = Session()
    parts.import_task(field_task("zendo3"))
    result = begun(parts)
    for _ in range(200):
        if result.optimal:
            break
        result = parts.resume(timeout=0.05).wait()
    assert (result.status, result.size) == (whole.status, whole.size)
    assert result.counts["tested"] == whole.counts["tested"]
    with pytest.raises(TaskError, match="run 1 is finished"):
        parts.resume()


def test_there_must_be_something_to_go_on_with() -> None:
    with pytest.raises(TaskError, match="no run to go on with"):
        Session().resume()


def test_a_truth_value_is_no_number() -> None:
    with pytest.raises(TaskError, match="max_vars is True"):
        small().start(max_vars=True)


def test_a_run_that_fails_says_so_where_it_is_waited_for() -> None:
    session = small()
    session.bk("r(X) :- q(X), assertz(q(4)).")
    run = session.start(engine="datalog")
    with pytest.raises(Exception, match="assertz"):
        run.wait()
    assert run.state == "failed"
    session.reset("bk")
    session.bk("p(1). p(2). q(2). q(3).")
    assert session.learn().optimal


def test_watching_ends_with_the_end() -> None:
    states: list[str] = []
    result = small().start().wait(lambda run: states.append(run.state))
    assert result.optimal
    assert states[-1] == "finished"


def test_a_new_run_lets_go_of_the_one_before(long: Session) -> None:
    others = set(threading.enumerate())
    long.learn(timeout=2)
    long.learn("max_body(2).", timeout=2)
    first, second = long.runs
    assert not first.can_go_on
    assert second.result is not None
    long.reset()
    deadline = time.monotonic() + 5
    while left := set(threading.enumerate()) - others:
        assert time.monotonic() < deadline, [thread.name for thread in left]
        time.sleep(0.05)


def test_a_run_that_was_cut_short_is_never_repeated() -> None:
    session = small()
    assert session.learn(timeout=0).status == "none"
    assert session.learn("max_vars(2).").optimal
    assert session.learn().optimal


def test_more_memory_is_a_new_run() -> None:
    session = Session()
    session.import_task(field_task("onedarc_1d_flip"))
    assert "memory" in session.learn(memory=1, timeout=20).why
    with pytest.raises(TaskError, match="run 1 cannot go on: the memory"):
        session.resume()
    assert "memory" not in session.learn(timeout=3).why
    assert len(session.runs) == 2
    session.reset()


def test_held_out_examples_that_come_later_measure_too() -> None:
    session = small()
    session.learn(timeout=0)
    session.examples("pos(f(2)). neg(f(3)).", test=True)
    session.learn()
    assert len(session.runs) == 1
    assert session.runs[0].test is not None
    assert session.runs[0].test.accuracy == 1


def test_what_is_told_again_is_measured_on_the_held_out_examples_of_now() -> None:
    session = small()
    session.examples("pos(f(7)).")  # no rule can
    assert not session.learn().solved
    session.examples("pos(f(2)). neg(f(3)).", test=True)
    assert not session.learn().solved
    first, second = session.runs
    assert second.reused.startswith("nothing has changed")
    assert first.test is None
    assert second.test is not None


def test_advice_that_was_not_asked_for_before_is_given() -> None:
    session = Session()
    session.bk("p(1,2). q(2). p(3,4). r(4).")
    session.examples("pos(f(1)). neg(f(3)).")
    assert not getattr(session.learn("max_vars(1).", advise=False).shortfall, "advice", None)
    assert getattr(session.learn("max_vars(1).").shortfall, "advice", None)


@pytest.mark.parametrize("timeout", [-1.0, float("nan")])
def test_a_run_goes_on_for_a_time_that_there_is(timeout: float) -> None:
    session = small()
    session.learn(timeout=0)
    with pytest.raises(TaskError, match="timeout is"):
        session.resume(timeout=timeout)
    assert session.resume().wait().optimal
