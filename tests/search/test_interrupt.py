"""A real interrupt, as a kernel or a terminal sends it, in every stage and on both engines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from busy import Busy
from conftest import ROOT
from joiner_magic import Result, learn, load_task

SOON = 1.0  # seconds
PROGRAM = Path(__file__).with_name("interrupted_run.py")
STAGES = ("generate", "test", "join", "combine")
RUNS = [
    *(pytest.param(stage, "datalog", "asp") for stage in STAGES),
    pytest.param("generate", "datalog", "native"),
    *(pytest.param(stage, "prolog", "asp", marks=pytest.mark.prolog) for stage in STAGES),
]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="another process cannot be sent Ctrl-C alone")


@cache
def uninterrupted(engine: str, source: str) -> Result:
    return learn(load_task(ROOT / "joiner_magic" / "examples" / "pyramids"), engine=engine, source=source)


def interrupted(*arguments: str) -> list[dict[str, Any]]:
    """What the process tells after an interrupt that comes while it dawdles."""
    command = [sys.executable, str(PROGRAM), *arguments]
    with Busy() as busy, subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "dawdling\n"
        time.sleep(0.3)
        sent = time.time()
        os.kill(process.pid, signal.SIGINT)
        results: list[dict[str, Any]] = json.loads(process.stdout.read())
    print(f"ended {results[0]['at'] - sent:.3f} s after the interrupt")
    assert results[0]["at"] - sent < busy.stretched(SOON)
    return results


@pytest.mark.parametrize(("stage", "engine", "source"), RUNS)
def test_a_run_in_the_main_thread_gives_the_best_so_far(stage: str, engine: str, source: str) -> None:
    (best,) = interrupted(stage, engine, source, "learn")
    assert (best["status"], best["size"]) == ("best", uninterrupted(engine, source).size)
    assert "the run was interrupted" in best["why"]


@pytest.mark.parametrize(("stage", "engine", "source"), RUNS)
def test_going_on_gives_the_full_result(stage: str, engine: str, source: str) -> None:
    assert_goes_on(stage, engine, source, "thread")


@pytest.mark.parametrize("stage", ["test", "join"])
def test_going_on_in_the_main_thread(stage: str) -> None:
    assert_goes_on(stage, "datalog", "asp", "resumed")


def assert_goes_on(stage: str, engine: str, source: str, way: str) -> None:
    best, full = interrupted(stage, engine, source, way)
    whole = uninterrupted(engine, source)
    assert best["status"] == "best"
    assert ("cancelled" if way == "thread" else "interrupted") in best["why"]
    assert best["tested"] <= full["tested"]
    assert (full["status"], full["rules"], full["tested"]) == (
        whole.status, whole.rules, whole.counts["tested"],
    )  # fmt: skip
