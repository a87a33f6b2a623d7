"""The native source stops when it is told to, in the middle of mining, and where its memory ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from busy import Busy
from joiner_magic import Budget, learn, read_task
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.logic.programs import Program
from joiner_magic.search.running.events import Event, SizeFinished
from joiner_magic.search.spaces.mined_space import MinedSpace
from joiner_magic.search.spaces.mining_source import MiningSource
from joiner_magic.search.spaces.source import MemoryUsedUp, SourceHints
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.task.task import Task
from search.mining_shapes import wide_texts

SOON = 1.0  # seconds; 0.2 on a machine that has nothing else to do
AWHILE = 0.7  # then the levels that take long have begun


TEXTS = wide_texts(Random(0), max_vars=7, max_body=8)


@pytest.fixture(scope="module")
def wide() -> Task:
    return read_task(*TEXTS)


@pytest.mark.parametrize("jobs", [1, 2])
def test_cancelling_from_another_thread(wide: Task, jobs: int) -> None:
    budget = Budget()
    cancelled = []

    def cancel() -> None:
        cancelled.append(time.monotonic())
        budget.cancel()

    timer = threading.Timer(AWHILE, cancel)
    timer.start()
    with Busy() as busy:
        result = learn(wide, source="native", jobs=jobs, budget=budget, advise=False)
        took = time.monotonic() - cancelled[0]
    print(f"ended {took:.3f} s after it was cancelled")
    assert took < busy.stretched(SOON)
    assert "cancelled" in result.why


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_timeout(wide: Task, jobs: int) -> None:
    with Busy() as busy:
        result = learn(wide, source="native", jobs=jobs, timeout=AWHILE, advise=False)
    print(f"ended {result.seconds - AWHILE:.3f} s after the time was up")
    assert (
        AWHILE - 0.01 < result.seconds < AWHILE + busy.stretched(SOON)
    )  # the budget is made a moment before
    assert "the time was up" in result.why


PROGRAM = """
import sys, time
from joiner_magic import learn, read_task
task = read_task(*(open(name).read() for name in sys.argv[1:4]))
result = learn(task, source="native", jobs=int(sys.argv[4]), listeners=[lambda event: print(".", flush=True)])
print(time.time(), result.why)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="another process cannot be sent Ctrl-C alone")
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_by_the_user(tmp_path: Path, jobs: int) -> None:
    files = [tmp_path / name for name in ("bk", "exs", "bias")]
    for file, text in zip(files, TEXTS, strict=True):
        file.write_text(text)
    command = [sys.executable, "-c", PROGRAM, *map(str, files), str(jobs)]
    with Busy() as busy, subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == ".\n", "the run has begun"
        time.sleep(AWHILE)
        sent = time.time()
        os.kill(process.pid, signal.SIGINT)
        *_, last = process.stdout.read().splitlines()
    ended, why = last.split(maxsplit=1)
    print(f"ended {float(ended) - sent:.3f} s after the interrupt")
    assert float(ended) - sent < busy.stretched(SOON)
    assert "the run was interrupted" in why


def mine(source: MiningSource, largest: int, stop: Stop = never) -> list[Program]:
    programs: list[Program] = []
    for size in range(2, largest + 1):
        source.inform(SourceHints((), None))
        for batch in source.generate(size, stop):
            programs += batch.programs
    return programs


@pytest.mark.parametrize("bits", [True, False])
@pytest.mark.parametrize("jobs", [1, 2])
def test_both_testers_are_stopped(wide: Task, jobs: int, bits: bool) -> None:
    deadline = time.monotonic() + AWHILE

    def stop() -> bool:
        return time.monotonic() > deadline

    with Busy() as busy, DatalogEngine(wide) as engine:
        space = MinedSpace.of(wide.bias, splittable=False, fragments=True, bits=bits)
        source = MiningSource(wide.bias, engine, space, memory=10**9, jobs=jobs)
        with pytest.raises(Interrupted):
            mine(source, 9, stop)
        took = time.monotonic() - deadline
        print(f"ended {took:.3f} s after it was told")
        assert took < busy.stretched(SOON)


@pytest.mark.parametrize("jobs", [1, 2])
def test_memory_that_is_used_up(wide: Task, jobs: int) -> None:
    finished: list[int] = []

    def listen(event: Event) -> None:
        if isinstance(event, SizeFinished):
            finished.append(event.size)

    result = learn(wide, source="native", memory=1, jobs=jobs, listeners=[listen], advise=False)
    assert result.status in ("best", "none")
    assert "memory" in result.why
    assert finished, "a few sizes fit"
    assert result.hypothesis, "the best so far is kept"
    assert result.confusion.fp == 0


def test_the_engine_goes_on_after_the_memory_was_used_up(wide: Task) -> None:
    with DatalogEngine(wide) as engine:
        space = MinedSpace.of(wide.bias, splittable=False, fragments=True)
        narrow = MiningSource(wide.bias, engine, space, memory=10**6)
        with pytest.raises(MemoryUsedUp):
            mine(narrow, 9)
        ample = MiningSource(wide.bias, engine, space, memory=10**9)
        programs = mine(ample, 2)
        assert programs
        assert all(evaluation.pos for evaluation in engine.evaluate(programs))


MEASURED = """
import resource, sys
from joiner_magic import learn, read_task
task = read_task(*(open(name).read() for name in sys.argv[1:4]))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = learn(task, source="native", memory=int(sys.argv[4]), advise=False)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, result.why)
"""


@pytest.mark.bounds_memory
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is told in other units, or not at all")
def test_tables_that_do_not_fit_are_not_made(tmp_path: Path) -> None:
    """Pairs of 1,200 values for each of 500 examples would take 90 MB, and there are several such tables."""
    rng = Random(0)
    values = [f"x{i}" for i in range(700)]
    facts = [f"t(a{i},{rng.choice(values)},{rng.choice(values)})." for i in range(500) for _ in range(9)]
    facts += [f"red({value})." for value in values[::7]]
    examples = [f"{rng.choice(['pos', 'neg'])}(f(a{i}))." for i in range(500)]
    bias = "head_pred(f,1). body_pred(t,3). body_pred(red,1). max_vars(4). max_body(4). allow_singletons."
    files = [tmp_path / name for name in ("bk", "exs", "bias")]
    for file, text in zip(files, ("\n".join(facts), "\n".join(examples), bias), strict=True):
        file.write_text(text)
    command = [sys.executable, "-c", MEASURED, *map(str, files), "20"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    megabytes, why = told.split(maxsplit=1)
    print(f"{megabytes} MB: {why}")
    assert int(megabytes) < 60
