"""Interrupts at random moments in every stage, on both engines: none is lost, and each call returns within a second."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil
import pytest

import joiner_magic
from busy import Busy
from faults.interrupted import CALLS, PROLOG_CALLS
from faults.interrupted_cells import CELLS, Kernel, interrupt_cells
from faults.interrupting import interrupt, moments
from faults.outcomes import Outcome, report
from own_group import printed_by
from seeds import NEW, SEEDS

SOON = 1.0  # second
BEST = ("asp, no join", "session", "resume")  # have a solution at once, and go on for minutes
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="another process cannot be sent Ctrl-C alone")


def checked(interrupts: Iterable[Outcome]) -> list[Outcome]:
    """What came of the interrupts, each of which is measured by how busy the machine is meanwhile."""
    outcomes, late = [], []
    remaining = iter(interrupts)
    while True:
        with Busy() as busy:
            one = next(remaining, None)
        if one is None:
            break
        outcomes.append(one)
        if one.seconds is not None and one.seconds > busy.stretched(SOON):
            late.append(f"{one} (a second took {busy.stretched(1):.2f} s)")
    print(report(outcomes))
    assert not [str(one) for one in outcomes if one.fault]
    assert not late
    return outcomes


@pytest.mark.parametrize("seed", SEEDS)
def test_every_call_returns_and_the_next_one_works(seed: int) -> None:
    checked(interrupt(moments(len(CALLS), seed, prolog=False)))


@pytest.mark.prolog
def test_with_prolog() -> None:
    calls = list(moments(len(CALLS) + len(PROLOG_CALLS), NEW, prolog=True))
    checked(interrupt(call for call in calls if call[0] in PROLOG_CALLS))


def test_the_best_so_far_is_kept() -> None:
    assert {one.status for one in checked(interrupt((call, 1.9) for call in BEST))} == {"best"}


def test_cells_of_a_kernel() -> None:
    checked(interrupt_cells(len(CELLS), NEW))


# A callback of clingo's logger is a place that no exception may leave: clingo ends the process then.
IN_A_CALLBACK = """
import os, signal, time
import clingo
from joiner_magic import read_task
whole = clingo.Control

def interrupted(arguments, logger=None):
    def interrupt(code, text):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        logger(code, text)

    return whole(arguments, logger=interrupt)

clingo.Control = interrupted
try:
    read_task("p(a).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1). body_pred(q,1) :- r(1).")
    print("nothing was raised")
except KeyboardInterrupt:
    print("interrupted")
"""

IN_A_DESTRUCTOR = """
import os, signal, time
import clingo
from joiner_magic import read_task
free = clingo.Control.__del__

def interrupted(control):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)
    free(control)

clingo.Control.__del__ = interrupted
try:
    read_task("p(a).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1). body_pred(q,1) :- r(1).")
    print("nothing was raised")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("code", [IN_A_CALLBACK, IN_A_DESTRUCTOR], ids=["callback", "destructor"])
def test_an_interrupt_inside_clingo_is_neither_lost_nor_deadly(code: str) -> None:
    assert printed_by(code) == "interrupted"


# Hundreds of times at any moment of twenty milliseconds, with destructors, weak references and clingo's callbacks in them.
# Of so many, the code before signals were handled in one place lost one in ten, and then clingo ended the process.
WHILE_READING = """
import os, random, signal, threading, time
from joiner_magic import load_task

def read():
    load_task(EXAMPLE)

def interrupt(seconds):
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGINT)

read()
begun = time.monotonic()
read()
whole = time.monotonic() - begun
rng, interrupted = random.Random(SEED), 0
for _ in range(200):
    interrupter = threading.Thread(target=interrupt, args=(rng.uniform(0, whole),))
    try:
        interrupter.start()
        read()
        interrupter.join()
        time.sleep(0.02)  # for one that comes after the end
    except KeyboardInterrupt:
        interrupted += 1
    while interrupter.is_alive():
        try:
            interrupter.join()
        except KeyboardInterrupt:
            pass
print(interrupted)
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_no_interrupt_is_lost_while_a_task_is_read(seed: int) -> None:
    example = Path(joiner_magic.__file__).parent / "examples" / "strings"
    code = WHILE_READING.replace("EXAMPLE", repr(str(example))).replace("SEED", str(seed))
    assert printed_by(code) == "200"


# What is interrupted is left in the middle: it must not keep a lock that the next call needs.
LEFT_IN_THE_MIDDLE = """
import signal, threading, time
from joiner_magic import Session
from joiner_magic.search.spaces.mining_source import MiningSource

generate, begun, slow, sent = MiningSource.generate, threading.Event(), 6.0, []

def deaf(self, size, stop):
    for batch in generate(self, size, stop):
        yield batch
        if size == 4:
            begun.set()
            time.sleep(slow)  # never asks

session = Session()
session.import_task(EXAMPLE)
MiningSource.generate = deaf

def interrupt():
    begun.wait()
    time.sleep(0.2)
    sent.append(time.monotonic())
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

threading.Thread(target=interrupt).start()
result = session.learn(fresh=True)
print(result.status, result.hypothesis is not None, time.monotonic() - sent[0], session.running is not None)
""".replace("EXAMPLE", repr(str(Path(__file__).parents[2] / "joiner_magic" / "examples" / "pyramids")))


def test_a_stage_that_does_not_ask_keeps_nobody_waiting_and_the_best_is_there() -> None:
    with Busy() as busy:
        status, found, seconds, at_work = printed_by(LEFT_IN_THE_MIDDLE).split()
    assert (found, at_work) == ("True", "True")
    assert float(seconds) < busy.stretched(SOON)
    assert status in ("best", "none")


# Processes that work for one that is killed.
CLOSING = """
from faults.interrupted import rules_to_close
from joiner_magic import choose_engine
task = rules_to_close()
print("closing", flush=True)
choose_engine(task, "datalog")
"""
BIAS = """
from joiner_magic import read_task
print("reading", flush=True)
read_task("p(a).", "pos(f(a)).", "n(0..3000). m(X,Y) :- n(X), n(Y). head_pred(f,1). body_pred(p,1) :- m(0,0).")
"""
PROLOG = """
from faults.interrupted import pyramids
from joiner_magic import learn
task = pyramids()
print("learning", flush=True)
learn(task, engine="prolog", max_vars=6, max_body=10)
"""


@pytest.mark.parametrize(
    "code", [CLOSING, BIAS, pytest.param(PROLOG, marks=pytest.mark.prolog)], ids=["closing", "bias", "prolog"]
)
def test_no_process_outlives_the_one_it_works_for(code: str) -> None:
    tests = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {tests!r})\n{code}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline()
        workers = list(children(owner.pid))
        owner.kill()
    gone, alive = psutil.wait_procs(workers, timeout=5)
    for worker in alive:
        worker.kill()
    assert gone
    assert not alive


KILLED = """
import random, threading, time
import psutil
from faults.interrupted import pyramids, rules_to_close
from joiner_magic import JoinerError, choose_engine, learn

def kill(moments):
    for moment in moments:
        time.sleep(moment)
        for child in psutil.Process().children():
            child.kill()

def begin_to_kill(_, begun=[]):
    if PROLOG and not begun:
        begun.append(threading.Thread(target=kill, args=([random.uniform(0, 0.5), 2.5, 2.5],), daemon=True))
        begun[0].start()

closing = threading.Thread(target=kill, args=([random.uniform(0.3, 0.8)],))
closing.start()
try:
    choose_engine(rules_to_close(), "datalog")
    print("closed")
except JoinerError as error:
    print("refused")
closing.join()
result = learn(pyramids(), engine="prolog" if PROLOG else "datalog", timeout=9, listeners=[begin_to_kill])
print(result.solved, result.confusion.fp)
"""


@pytest.mark.parametrize("prolog", [False, pytest.param(True, marks=pytest.mark.prolog)])
def test_a_worker_that_is_killed_costs_neither_the_best_so_far_nor_the_process(prolog: bool) -> None:
    tests = str(Path(__file__).parents[1])
    closed, learnt = printed_by(
        f"import sys; sys.path.insert(0, {tests!r})\nPROLOG = {prolog}\n{KILLED}"
    ).splitlines()
    assert closed == "refused"
    assert learnt == "True 0"


def test_nothing_outlives_a_kernel_that_is_killed() -> None:
    kernel = Kernel()
    try:
        kernel.client.execute(
            f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r})\n{CLOSING}"
        )
        workers = list(children(kernel.pid))
        psutil.Process(kernel.pid).kill()
        _, alive = psutil.wait_procs(workers, timeout=5)
        assert not alive
    finally:
        kernel.close()


def children(pid: int) -> Iterator[psutil.Process]:
    """Those that are there once one is."""
    owner, until = psutil.Process(pid), time.monotonic() + 20
    while not (found := owner.children(recursive=True)) and time.monotonic() < until:
        time.sleep(0.02)
    assert found, "it works alone"
    time.sleep(0.3)  # until it is at work
    yield from found
