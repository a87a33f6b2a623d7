"""A Prolog worker that is stopped, killed or silent, at every stage: it is replaced, and the work goes on."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from busy import within
from engines.flat_programs import atom, atoms, program
from joiner_magic import learn, read_task
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.prolog.engine import PrologEngine
from joiner_magic.engines.prolog.process import Protection, Worker
from joiner_magic.engines.protocol import Cancelled
from joiner_magic.errors import EngineError, TaskError
from joiner_magic.logic.programs import Evaluation
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
from joiner_magic.search.running.budget import Budget
from joiner_magic.search.running.events import Event, Improved
from joiner_magic.search.running.progress import Progress
from joiner_magic.sessions.session import Session

pytestmark = [
    pytest.mark.prolog,
    pytest.mark.skipif(os.name == "nt", reason="processes cannot be stopped there"),
]

BACKGROUND = "edge(a,b). slow(X) :- between(1, 3000000, N), N >= 3000000, edge(X, _)."
FINE, SLOW = program("f(A) :- edge(A,b)."), program("f(A) :- slow(A).")
NO_LIMIT = 10**12
LOST = pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["stopped", "killed"])


def engine(patience: float = 60.0) -> PrologEngine:
    return PrologEngine([("bk", BACKGROUND)], atoms("f(a)"), atoms("f(b)"), patience=patience)


def pid_of(prolog: PrologEngine) -> int:
    worker = prolog._worker
    assert worker is not None
    return worker._process.pid


def gone(pid: int, within: float = 5.0) -> bool:
    deadline = time.monotonic() + within
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return not Path(f"/proc/{pid}").exists()


def after(seconds: float, do: Callable[[], object]) -> None:
    threading.Timer(seconds, do).start()


@LOST
def test_idle(how: signal.Signals) -> None:
    with engine() as prolog:
        os.kill(pid_of(prolog), how)
        time.sleep(0.1)
        with within(10):
            assert prolog.evaluate([FINE]) == [Evaluation(1, 0)]


@LOST
def test_idle_and_then_asked_for_an_explanation(how: signal.Signals) -> None:
    with engine() as prolog:
        os.kill(pid_of(prolog), how)
        assert prolog.explain(FINE, atom("f(a)")).covered


@LOST
def test_evaluating(how: signal.Signals) -> None:
    with engine() as prolog:
        pid = pid_of(prolog)
        after(0.3, lambda: os.kill(pid, how))
        assert prolog.evaluate([SLOW, FINE], limit=NO_LIMIT) == [Evaluation(1, 0)] * 2
        assert gone(pid)


@LOST
def test_explaining(how: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker is lost as soon as it is asked."""
    with engine() as prolog:
        pid = pid_of(prolog)
        send = Worker.send

        def losing(self: Worker, *request: object) -> None:
            send(self, *request)
            if self._process.pid == pid:
                os.kill(pid, how)

        monkeypatch.setattr(Worker, "send", losing)
        assert prolog.explain(SLOW, atom("f(a)")).covered
        assert gone(pid)


@LOST
def test_loading(how: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first worker is lost as soon as it is there."""
    lost: list[int] = []
    send = Worker.send

    def losing(self: Worker, *request: object) -> None:
        send(self, *request)
        if not lost:
            lost.append(self._process.pid)
            os.kill(self._process.pid, how)

    monkeypatch.setattr(Worker, "send", losing)
    with engine() as prolog:
        assert prolog.evaluate([FINE]) == [Evaluation(1, 0)]
    assert gone(lost[0])


@LOST
def test_a_request_that_does_not_fit_into_the_pipe(how: signal.Signals) -> None:
    """Nobody reads it: before, the write waited for ever, and nothing could stop it."""
    with engine() as prolog:
        worker = prolog._worker
        assert worker is not None
        os.kill(worker._process.pid, how)
        with within(1):
            worker.send("evaluate", ["x" * 10_000_000], 1, 1, False)
        assert prolog.evaluate([FINE]) == [Evaluation(1, 0)]


def test_a_worker_that_is_stopped_can_be_cancelled() -> None:
    with engine() as prolog:
        pid = pid_of(prolog)

        def stop() -> None:
            os.kill(pid, signal.SIGSTOP)
            prolog.cancel()

        after(0.2, stop)
        with within(5), pytest.raises(Cancelled):
            prolog.evaluate([SLOW] * 50, limit=NO_LIMIT)
        assert gone(pid)
        assert prolog.evaluate([FINE]) == [Evaluation(1, 0)]


def test_a_worker_that_says_nothing_is_given_up() -> None:
    with PrologEngine(
        [("bk", "edge(a,b). waits(_) :- sleep(60).")], atoms("f(a)"), [], trusted=True, patience=2.0
    ) as prolog:
        found = prolog.evaluate([program("f(A) :- waits(A)."), FINE])
        assert (found[0].complete, found[1]) == (False, Evaluation(1, 0))
        with pytest.raises(EngineError, match="took more than 2 s for explaining"):
            prolog.explain(program("f(A) :- waits(A)."), atom("f(a)"))
        assert prolog.explain(FINE, atom("f(a)")).covered


def test_a_worker_that_talks_nonsense_is_replaced() -> None:
    """A worker that was taken over can write to the pipe what it likes."""
    nonsense = "says(_) :- janus:py_call(builtins:exec(\"import os\\nfor fd in range(3, 20):\\n try: os.write(fd, b'x' * 100)\\n except OSError: pass\"), _)."
    with PrologEngine(
        [("bk", "edge(a,b). " + nonsense)], atoms("f(a)"), [], protection=Protection(listed=False)
    ) as prolog:
        found = prolog.evaluate([program("f(A) :- says(A)."), FINE])
        assert (found[0].complete, found[1]) == (False, Evaluation(1, 0))


def test_a_session_goes_on_after_its_worker_was_stopped() -> None:
    session = Session()
    session.bk("p(X) :- atom_length(X, 1).")
    session.examples("pos(f(a)). neg(f(bb)).")
    session.bias("head_pred(f,1). body_pred(p,1). direction(f,(in,)). direction(p,(in,)).")
    before = set(_workers())
    stopped: set[int] = set()

    def stop() -> None:
        deadline = time.monotonic() + 5
        while not stopped and time.monotonic() < deadline:
            for pid in set(_workers()) - before:
                os.kill(pid, signal.SIGSTOP)
                stopped.add(pid)
            time.sleep(0.01)

    stopper = threading.Thread(target=stop)
    stopper.start()
    assert session.learn(engine="prolog").rules == ["f(A) :- p(A)."]
    stopper.join()
    assert stopped
    assert session.learn(engine="prolog", fresh=True).rules == ["f(A) :- p(A)."]


# Three rules are found at size 2, and one of three literals at size 3, unless the engine fails in between.
TWO_SOLUTIONS = (
    "p1(a). p2(b). p3(c). q(a). q(b). q(c). q(x). r(a). r(b). r(c). r(y).",
    "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(x)). neg(f(y)). neg(f(z)).",
    "head_pred(f,1). " + " ".join(f"body_pred({name},1)." for name in ("p1", "p2", "p3", "q", "r")),
)


class Failing:
    """From the first hypothesis on, or the first solution, the engine's calls fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failure: Exception, *, partial: bool = False) -> None:
        self._failure = failure
        self._broken = False
        self._partial = partial
        for engine in (PrologEngine, DatalogEngine):
            monkeypatch.setattr(engine, "evaluate", self._breaking(engine.evaluate))

    def _breaking(self, evaluate: Callable[..., list[Evaluation]]) -> Callable[..., list[Evaluation]]:
        def broken(*args: Any, **options: Any) -> list[Evaluation]:
            if self._broken:
                raise self._failure
            return evaluate(*args, **options)

        return broken

    def hear(self, event: Event) -> None:
        if isinstance(event, Improved):
            self._broken |= self._partial or event.solution


FAILURES = pytest.mark.parametrize(
    "failure",
    [EngineError("SWI-Prolog stopped"), OSError(12, "Cannot allocate memory"), MemoryError()],
    ids=["engine", "system", "memory"],
)


@pytest.mark.parametrize("engine", ["datalog", "prolog"])
@FAILURES
def test_the_best_so_far_outlives_the_engine(
    engine: str, failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = Failing(monkeypatch, failure)
    with Learner(read_task(*TWO_SOLUTIONS), Options(engine=engine, source="asp", join=False)) as learner:
        result = learner.go(Budget(60), [failing.hear])
        assert (result.status, result.size) == ("best", 6)
        assert result.why.startswith("the search could not go on (")
        assert (str(failure) or "not enough memory") in result.why
        assert not learner.can_go_on
        assert not learner.finished
        with pytest.raises(TaskError, match="the run cannot go on: the search could not go on"):
            learner.go(Budget(60))


def test_a_part_of_a_solution_outlives_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    background, examples, bias = TWO_SOLUTIONS
    failing = Failing(monkeypatch, EngineError("SWI-Prolog stopped"), partial=True)
    task = read_task(background, f"{examples} pos(f(d)).", bias)
    result = learn(task, listeners=[failing.hear], engine="prolog", timeout=60)
    assert (result.status, result.confusion.tp, result.confusion.fp) == ("none", 3, 0)
    assert "the search could not go on (SWI-Prolog stopped) before there was one" in result.why


def test_without_anything_found_the_failure_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    failing = Failing(monkeypatch, EngineError("SWI-Prolog stopped"))
    failing._broken = True
    with pytest.raises(EngineError, match="SWI-Prolog stopped"):
        learn(read_task(*TWO_SOLUTIONS), engine="prolog", timeout=60)


def test_a_worker_that_cannot_be_replaced_leaves_a_session_the_best_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker is killed as soon as there is a solution, and none can be started any more."""
    session = Session()
    background, examples, bias = TWO_SOLUTIONS
    session.bk(background)
    session.examples(examples)
    session.bias(bias)
    session.examples("pos(f(b)).", test=True)
    hear = Progress.hear

    def losing(self: Progress, event: Event) -> None:
        hear(self, event)
        if isinstance(event, Improved) and event.solution:
            monkeypatch.setattr(Worker, "__init__", no_process)
            for pid in _workers():
                os.kill(pid, signal.SIGKILL)

    def no_process(*_: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    with monkeypatch.context() as patch:
        patch.setattr(Progress, "hear", losing)
        result = session.learn(engine="prolog", join=False, timeout=60)
    assert (result.status, result.size) == ("best", 6)
    assert "Resource temporarily unavailable" in result.why
    assert "Resource temporarily unavailable" in result.unmeasured
    assert session.runs[0].state == "finished"
    monkeypatch.undo()
    again = session.learn(engine="prolog", join=False, timeout=60)
    assert (len(session.runs), again.status, again.size) == (2, "optimal", 3)
    assert again.test is not None


def _workers() -> list[int]:
    """Worker processes below this one."""
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if _is_worker(folder)]


def _is_worker(process: Path) -> bool:
    try:
        parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
        return int(parent) == os.getpid() and b"prolog.worker" in (process / "cmdline").read_bytes()
    except (OSError, IndexError):  # it has ended meanwhile
        return False
