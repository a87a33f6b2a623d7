"""Processes that interrupts of our group do not reach, not even while they are made."""

from __future__ import annotations

import sys

import pytest

from own_group import printed_by

# Interrupts come without end, to a group of its own, while processes are made.
_UNDER_FIRE = """
import os, signal, subprocess, sys, threading
from joiner_magic.solvers.uninterrupted_process import start_uninterrupted_process

signal.signal(signal.SIGINT, lambda *_: None)
done = threading.Event()


def fire():
    while not done.is_set():
        os.killpg(0, signal.SIGINT)


threading.Thread(target=fire).start()
codes = []
for _ in range(100):
    process = start_uninterrupted_process(["true"])
    process.communicate()
    codes.append(process.returncode)
done.set()
print(sorted(set(codes)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes are another matter there")
def test_an_interrupt_ends_no_process_that_is_being_made() -> None:
    assert printed_by(_UNDER_FIRE) == "[0]"
