"""Programs closed in a process of their own, which ends when it takes too long and when it is interrupted."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from busy import within
from joiner_magic.solvers.grounding import GroundingStopped, ground_in_child
from joiner_magic.solvers.interrupt import Interrupted
from own_group import printed_by

_LONG = "p(1..100000). q(X+Y) :- p(X), p(Y)."
# Ctrl-C goes to all processes of a group: here to one of its own. The child is spared, and ended by who waits for it.
_INTERRUPTED = f"""
import os, signal, threading
from joiner_magic.solvers.grounding import ground_in_child

signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(1.5, lambda: os.killpg(0, signal.SIGINT)).start()
try:
    ground_in_child({_LONG!r}, {{"q": 1}}, 60)
except KeyboardInterrupt:
    print("interrupted")
"""
# Nobody can hear kill -9: the system closes the pipe of requests, and the child ends by that.
_KILLED = f"""
import os, signal, threading, time
from joiner_magic.solvers.grounding import ground_in_child

def die():
    time.sleep(1)
    print(*os.popen(f"pgrep -P {{os.getpid()}} -f '[c]hild import'"), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

threading.Thread(target=die).start()
ground_in_child({_LONG!r}, {{"q": 1}}, 60)
"""


def test_what_is_wanted_is_closed() -> None:
    assert ground_in_child("p(1..3). q(X+1) :- p(X). r(1).", {"q": 1}, 20) == {"q": "q(2)\nq(3)\nq(4)"}


def test_memory_is_bounded() -> None:
    with pytest.raises(GroundingStopped, match=r"needed more than 50 MB"):
        ground_in_child("p(1..3000). q(X,Y) :- p(X), p(Y).", {"q": 2}, 60, memory=50_000_000)


def test_it_ends_when_it_is_told_to() -> None:
    began = time.monotonic()
    with within(4), pytest.raises(Interrupted):
        ground_in_child(_LONG, {"q": 1}, 60, stop=lambda: time.monotonic() > began + 0.5)


def test_it_ends_in_time() -> None:
    with pytest.raises(GroundingStopped, match=r"took more than 0\.5 s"):
        ground_in_child(_LONG, {"q": 1}, 0.5)


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes are another matter there")
def test_an_interrupt_ends_it_and_is_no_error_of_the_task() -> None:
    began = time.monotonic()
    assert printed_by(_INTERRUPTED) == "interrupted"
    assert time.monotonic() - began < 20


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_it_ends_with_who_asked_however_that_ends() -> None:
    killed = subprocess.run([sys.executable, "-c", _KILLED], capture_output=True, text=True, timeout=60)
    (child,) = killed.stdout.split()
    began = time.monotonic()
    while Path(f"/proc/{child}").exists() and time.monotonic() - began < 5:
        time.sleep(0.05)
    assert not Path(f"/proc/{child}").exists()
