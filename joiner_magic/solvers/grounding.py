"""Closing a program into its ground facts with clingo.

A stratified program has one stable model, and clingo's grounder computes it without solving:
every atom it keeps is a fact. Grounding cannot be interrupted, so what may take long runs in a
process of its own, which can be ended.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TypeAlias

Atoms: TypeAlias = dict[str, str]  # for each predicate its facts, one a line, as ASP text

MEMORY = 4 << 30  # bytes a grounding process may take


class GroundingStopped(Exception):
    """The grounding took more time or memory than it may."""


def ground(program: str, wanted: dict[str, int]) -> Atoms:
    """The facts of the program for each wanted predicate (name -> arity)."""
    import clingo

    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    atoms = control.symbolic_atoms
    return {
        name: "\n".join([str(atom.symbol) for atom in atoms.by_signature(name, arity)])
        for name, arity in wanted.items()
    }


def ground_apart(program: str, wanted: dict[str, int], seconds: float) -> Atoms:
    """The same in a process of its own, ended after `seconds`, or by an interrupt."""
    command = [sys.executable, "-m", "joiner_magic.solvers.grounding"]
    request = json.dumps({"program": program, "wanted": wanted})
    try:
        done = subprocess.run(command, input=request, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        raise GroundingStopped(f"took more than {seconds:g} s") from late
    if done.returncode == -signal.SIGINT:  # Ctrl-C goes to the whole group, and may reach us later
        raise KeyboardInterrupt
    if done.returncode != 0:
        raise GroundingStopped(
            f"needed more than {MEMORY >> 30} GB or ended early: {done.stderr.strip()[-200:]}"
        )
    atoms: Atoms = json.loads(done.stdout)
    return atoms


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows; the time limit still holds there
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    signal.signal(
        signal.SIGINT, signal.SIG_DFL
    )  # Python's own handler would wait for the end of the grounding
    _bound_memory()
    task = json.load(sys.stdin)
    json.dump(ground(task["program"], task["wanted"]), sys.stdout)
