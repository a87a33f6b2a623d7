"""Interrupts at random moments in everything that takes long, and how soon each call returns.

    python tests/faults/interrupting.py --count 500

sends so many, in turn to every call of interrupted.py and, with `--kernels`, to cells of a real kernel, and prints the
median, the 99th percentile and the worst of the seconds from the signal to the call's return. It ends with status 1
if a call did not return, a process died, something was left behind, or the next call did not work.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # as a program it finds only what is beside it

from faults import interrupted
from faults.outcomes import LOST, Outcome, report

_SLOW_START = 120.0  # seconds for what a call needs to be made


class Subject:
    """A process of interrupted.py."""

    def __init__(self) -> None:
        program = Path(__file__).with_name("interrupted.py")
        self._process = subprocess.Popen(
            [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def interrupted_in(self, call: str, moment: float) -> Outcome:
        """Make the call, and interrupt it after so many seconds."""
        self._say(call)
        if self._heard(_SLOW_START) is None:
            return Outcome(call, moment, None, "died", fault="it died before the call")
        self._say("now")
        time.sleep(moment)
        sent = time.monotonic()
        os.kill(self._process.pid, signal.SIGINT)
        told = self._heard(LOST)
        if told is None:
            time.sleep(0.5)  # for a process that has just died
            died = self._process.poll()
            fault = "the interrupt was lost" if died is None else f"the process died: {died}"
            self.close()
            return Outcome(call, moment, LOST, "nothing", fault=fault)
        seconds = told["at"] - sent
        fault = "" if told["works"] else "the next call did not work"
        fault = f"left behind: {told['left']}" if told["left"] else fault
        if told["outcome"].startswith("error"):
            fault = told["outcome"]
        return Outcome(
            call, moment, None if seconds < 0 else seconds, told["outcome"], told.get("status", ""), fault
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _say(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()

    def _heard(self, seconds: float) -> dict[str, Any] | None:
        """The next line, None if there is none in time or the process is gone."""
        assert self._process.stdout is not None
        until = time.monotonic() + seconds + interrupted.PATIENCE
        while time.monotonic() < until:
            if select.select([self._process.stdout], [], [], 0.2)[0]:
                line = self._process.stdout.readline()
                return json.loads(line) if line else None
        return None


def interrupt(calls: Iterable[tuple[str, float]]) -> Iterator[Outcome]:
    """Each call, interrupted after so many seconds; in a new process when one is gone."""
    subject = Subject()
    try:
        for call, moment in calls:
            if not subject.alive:
                subject = Subject()
            yield subject.interrupted_in(call, moment)
    finally:
        subject.close()


def moments(count: int, seed: int, *, prolog: bool) -> Iterator[tuple[str, float]]:
    """Calls in turn, each with a random moment."""
    rng = random.Random(seed)
    calls = {**interrupted.CALLS, **(interrupted.PROLOG_CALLS if prolog else {})}
    names = list(calls)
    for number in range(count):
        name = names[number % len(names)]
        yield name, rng.uniform(0.0, calls[name][1])


def in_kernel(count: int, seed: int) -> Iterator[Outcome]:
    """Cells of a real kernel, interrupted as a front end does it."""
    from faults.interrupted_cells import interrupt_cells

    yield from interrupt_cells(count, seed)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100, help="how many interrupts")
    parser.add_argument("--kernels", type=int, default=0, help="how many more in cells of a real kernel")
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    parser.add_argument("--no-prolog", action="store_true")
    parser.add_argument("--call", help="only this one")
    parser.add_argument("--verbose", action="store_true", help="print every one as it comes")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    chosen = moments(arguments.count, arguments.seed, prolog=not arguments.no_prolog)
    if arguments.call:
        rng = random.Random(arguments.seed)
        _, seconds = {**interrupted.CALLS, **interrupted.PROLOG_CALLS}[arguments.call]
        chosen = iter([(arguments.call, rng.uniform(0, seconds)) for _ in range(arguments.count)])
    outcomes = []
    sources = [interrupt(chosen)]
    if arguments.kernels:
        sources.append(in_kernel(arguments.kernels, arguments.seed))
    for source in sources:
        for outcome in source:
            outcomes.append(outcome)
            if arguments.verbose or outcome.fault:
                print(outcome, flush=True)
    print(report(outcomes))
    return 1 if any(one.fault for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
