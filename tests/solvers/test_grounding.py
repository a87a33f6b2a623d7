"""Programs closed in a process of their own, which ends when it takes too long and when it is interrupted."""

from __future__ import annotations

import sys
import time

import pytest

from joiner_magic.solvers.grounding import GroundingStopped, ground_apart
from own_group import printed_by

_LONG = "p(1..100000). q(X+Y) :- p(X), p(Y)."
# Ctrl-C goes to all processes of a group: here to one of its own, where Python would not end for it.
_INTERRUPTED = f"""
import os, signal, threading
from joiner_magic.solvers.grounding import ground_apart

signal.signal(signal.SIGINT, lambda *_: None)
threading.Timer(1.5, lambda: os.killpg(0, signal.SIGINT)).start()
try:
    ground_apart({_LONG!r}, {{"q": 1}}, 60)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_what_is_wanted_is_closed() -> None:
    assert ground_apart("p(1..3). q(X+1) :- p(X). r(1).", {"q": 1}, 20) == {"q": "q(2)\nq(3)\nq(4)"}


def test_it_ends_in_time() -> None:
    with pytest.raises(GroundingStopped, match=r"took more than 0\.5 s"):
        ground_apart(_LONG, {"q": 1}, 0.5)


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes are another matter there")
def test_an_interrupt_ends_it_and_is_no_error_of_the_task() -> None:
    began = time.monotonic()
    assert printed_by(_INTERRUPTED) == "interrupted"
    assert time.monotonic() - began < 20
