"""Python may end while a search is inside native code that does not ask whether to stop: the process is not aborted."""

from __future__ import annotations

import subprocess
import sys

import pytest

from busy import within

# A linear program that is solved again and again: between two times the thread has to come back to Python.
BUSY_SEARCH = """
import time
from joiner_magic import learn, read_task
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
from joiner_magic.search.running.budget import Budget
from joiner_magic.search.stages.priced_rules import PricedRules
from joiner_magic.sessions.session import Session
from joiner_magic.solvers import linear_program

def prove(*args, **options):
    model = linear_program.new_model()
    model.addVar(0, 1)
    late = time.monotonic() + 2.5
    while time.monotonic() < late:
        model.clearSolver()
        model.run()

PricedRules.prove = prove
facts = "".join(f"red(a{i}). blue(b{i}). " for i in range(20))
labels = "".join(f"pos(f(a{i})). neg(f(b{i})). " for i in range(20))
task = read_task(facts, labels)
"""
ENDS = {
    "a run that is over": "learn(task, noise=True, timeout=0.5)",
    "a learner that was not closed": "learner = Learner(task, Options(noise=True)); learner.go(Budget(0.5))",
    "a learner that was forgotten": "Learner(task, Options(noise=True)).go(Budget(0.5))",
    "a run in the background": "s = Session(); s.bk(facts); s.examples(labels); s.start(noise=True); time.sleep(1)",
}


@pytest.mark.parametrize("end", ENDS)
def test_the_process_is_not_aborted(end: str) -> None:
    with within(10):
        done = subprocess.run(
            [sys.executable, "-c", BUSY_SEARCH + ENDS[end]], capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, "")
