"""The worker process: it can be cancelled, killed and lost, and it never outlives its parent."""

from __future__ import annotations

import _thread
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import joiner_magic
from busy import within
from engines.flat_programs import atom, atoms, program
from joiner_magic.engines.prolog.engine import PrologEngine
from joiner_magic.engines.protocol import Cancelled
from joiner_magic.errors import EngineError
from joiner_magic.logic.programs import Evaluation
from joiner_magic.logic.terms import Integer

pytestmark = pytest.mark.prolog

BACKGROUND = """
edge(a,b).
forever(X) :- repeat, X == nothing.
sleeps(_) :- sleep(1000).
dies(_) :- halt.
process(P) :- current_prolog_flag(pid, P).
"""
FINE = program("f(A) :- edge(A,b).")
FOREVER = program("f(A) :- forever(A).")
SLEEPS = program("f(A) :- sleeps(A).")
DIES = program("f(A) :- dies(A).")
NO_LIMIT = 10**12


def engine(patience: float = 60.0) -> PrologEngine:
    return PrologEngine([("bk", BACKGROUND)], atoms("f(a)"), atoms("f(b)"), trusted=True, patience=patience)


def worker_of(prolog: PrologEngine) -> int:
    proof = prolog.explain(program("f(A) :- process(B)."), atom("f(a)")).proof
    assert proof is not None
    assert isinstance(proof.bindings[1], Integer)
    return proof.bindings[1].value


def gone(pid: int, within: float = 5.0) -> bool:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if not alive(pid):
            return True
        time.sleep(0.02)
    return False


def alive(pid: int) -> bool:
    if os.name == "nt":
        listed = subprocess.run(
            ["tasklist", "/FI", f"PID eq {pid}"], capture_output=True, text=True, check=True
        )
        return str(pid) in listed.stdout
    try:
        os.kill(pid, 0)
        # Where nobody waits for orphans, one that has ended stays on as a zombie.
        return not Path("/proc/self").exists() or "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]
    except (ProcessLookupError, FileNotFoundError):
        return False


# Lost workers


def test_a_worker_that_was_killed_is_replaced() -> None:
    with engine() as prolog:
        before = worker_of(prolog)
        os.kill(before, getattr(signal, "SIGKILL", signal.SIGTERM))
        assert prolog.evaluate([FINE]) == [Evaluation(1, 0)]
        assert worker_of(prolog) != before


def test_a_worker_killed_at_work_costs_nothing_but_time() -> None:
    with engine() as prolog:
        pid = worker_of(prolog)
        threading.Timer(0.05, os.kill, (pid, getattr(signal, "SIGKILL", signal.SIGTERM))).start()
        assert prolog.evaluate([FINE] * 3000) == [Evaluation(1, 0)] * 3000


def test_a_program_that_kills_the_worker_is_given_up_and_the_others_are_not() -> None:
    with engine() as prolog:
        assert prolog.evaluate([FINE, DIES, FINE, DIES, DIES, FINE]) == [
            Evaluation(1, 0),
            Evaluation(0, 0, complete=False),
            Evaluation(1, 0),
            Evaluation(0, 0, complete=False),
            Evaluation(0, 0, complete=False),
            Evaluation(1, 0),
        ]
        assert prolog.evaluate([DIES], lazy=True) == [Evaluation(0, None, complete=False)]


def test_a_program_that_hangs_is_given_up_and_the_others_are_not() -> None:
    with engine(patience=1.0) as prolog:
        before = worker_of(prolog)
        assert prolog.evaluate([FINE, SLEEPS, FINE]) == [
            Evaluation(1, 0),
            Evaluation(0, 0, complete=False),
            Evaluation(1, 0),
        ]
        assert gone(before)


def test_an_explanation_that_cannot_be_had_is_an_error() -> None:
    with engine(patience=1.0) as prolog:
        with pytest.raises(EngineError, match="more than 1 s for explaining"):
            prolog.explain(SLEEPS, atom("f(a)"))
        with pytest.raises(EngineError, match="stopped while explaining"):
            prolog.explain(DIES, atom("f(a)"))
        assert prolog.explain(FINE, atom("f(a)")).covered


def test_a_worker_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "janus_swi.py").write_text("raise RuntimeError('incompatible VM signature')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(EngineError, match=r"stopped while loading the task[\s\S]*incompatible VM signature"):
        engine()


# Stopping


def test_cancel_from_another_thread() -> None:
    with engine() as prolog:
        pid = worker_of(prolog)
        threading.Timer(0.3, prolog.cancel).start()
        with within(1.3), pytest.raises(Cancelled):
            prolog.evaluate([FINE, FOREVER], limit=NO_LIMIT)
        assert gone(pid)
        assert prolog.evaluate([FINE]) == [Evaluation(1, 0)]


def test_cancel_is_harmless_when_nothing_runs() -> None:
    with engine() as prolog:
        pid = worker_of(prolog)
        prolog.cancel()
        assert prolog.evaluate([FINE]) == [Evaluation(1, 0)]
        assert worker_of(prolog) == pid


def test_an_interrupt_stops_the_worker_and_leaves_a_usable_engine() -> None:
    with engine() as prolog:
        pid = worker_of(prolog)
        threading.Timer(0.3, _thread.interrupt_main).start()
        with within(1.3), pytest.raises(KeyboardInterrupt):
            prolog.evaluate([FINE, FOREVER], limit=NO_LIMIT)
        assert gone(pid)
        assert prolog.evaluate([FINE]) == [Evaluation(1, 0)]


@pytest.mark.skipif(os.name == "nt", reason="interrupts reach a process group otherwise on Windows")
def test_an_interrupt_meant_for_the_parent_does_not_end_the_worker() -> None:
    with engine() as prolog:
        pid = worker_of(prolog)
        os.kill(pid, signal.SIGINT)
        assert prolog.evaluate([FINE] * 100) == [Evaluation(1, 0)] * 100
        assert worker_of(prolog) == pid


def test_two_threads_take_turns() -> None:
    answers: list[list[Evaluation]] = []
    with engine() as prolog:
        threads = [
            threading.Thread(target=lambda: answers.append(prolog.evaluate([FINE] * 200))) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == [[Evaluation(1, 0)] * 200] * 3


# The end


def test_closing_ends_the_worker() -> None:
    with engine() as prolog:
        pid = worker_of(prolog)
    assert gone(pid)
    prolog.close()
    with pytest.raises(ValueError, match="closed"):
        prolog.evaluate([FINE])


def test_closing_while_another_thread_evaluates() -> None:
    prolog = engine()
    pid = worker_of(prolog)
    threading.Timer(0.3, prolog.close).start()
    with pytest.raises(Cancelled):
        prolog.evaluate([FOREVER], limit=NO_LIMIT)
    assert gone(pid)


def test_an_engine_that_is_forgotten_takes_its_worker_along() -> None:
    prolog = engine()
    pid = worker_of(prolog)
    del prolog
    gc.collect()
    assert gone(pid)


def test_a_task_that_is_refused_leaves_no_worker() -> None:
    before = set(threading.enumerate())
    with pytest.raises(EngineError):
        PrologEngine([("bk", "p(X) :- shell(X).")], [], [])
    for thread in set(threading.enumerate()) - before:  # they read from the worker until it ends
        thread.join(timeout=5)
        assert not thread.is_alive()


SCRIPT = """
    from engines.flat_programs import atom, atoms, program
    from joiner_magic.engines.prolog.engine import PrologEngine

    prolog = PrologEngine([("bk", {background!r})], atoms("f(a)"), [], trusted=True)
    print(prolog.explain(program("f(A) :- process(B)."), atom("f(a)")).proof.bindings[1].value, flush=True)
    {then}
"""


def script(then: str) -> subprocess.Popen[str]:
    paths = [str(Path(joiner_magic.__file__).parents[1]), str(Path(__file__).parents[1])]
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT).format(background=BACKGROUND, then=then)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    "then",
    [
        "import time; time.sleep(60)",  # the worker is idle
        "prolog.evaluate([program('f(A) :- forever(A).')], limit=10**12)",
        "prolog.evaluate([program('f(A) :- sleeps(A).')])",
    ],
)
def test_no_worker_outlives_a_parent_that_was_killed(then: str) -> None:
    with script(then) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(0.3)
        assert alive(pid)
        parent.kill()
    assert gone(pid)


def test_a_parent_that_forgets_to_close_ends_quietly() -> None:
    with script("") as parent:
        said, complaints = parent.communicate(timeout=30)
    assert (parent.returncode, complaints) == (0, "")
    assert gone(int(said))
