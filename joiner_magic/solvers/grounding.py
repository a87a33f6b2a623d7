"""Closing a program into its ground facts with clingo.

A stratified program has one stable model, and clingo's grounder computes it without solving:
every atom it keeps is a fact. Of a program that is not stratified it keeps atoms that may hold or
not; that is said. Grounding cannot be interrupted, so what may take long runs in a process of its
own, which can be ended.
"""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any, TypeAlias

from joiner_magic.solvers.child import Child, ChildGone
from joiner_magic.solvers.clingo_arithmetic import ArithmeticFunctions, ArithmeticGoals
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.signals import interrupt_requested

Atoms: TypeAlias = dict[str, str]  # for each predicate its facts, one a line, as ASP text

MEMORY = 4_000_000_000  # bytes a grounding process may take at most


class GroundingStopped(Exception):
    """The grounding took more time or memory than it may."""


REFUSED = "refused"  # under this name: the numbers of the goals of a calculation that were refused
UNDECIDED = "undecided"  # under this name: the predicates with an atom that may hold or not


def ground(program: str, wanted: dict[str, int], calculation: ArithmeticGoals | None = None) -> Atoms:
    """The facts of the program for each wanted predicate (name -> arity).

    With a calculation the program may call the functions of a `ArithmeticFunctions`.
    """
    import clingo

    calculator = ArithmeticFunctions(calculation) if calculation else None
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])], context=calculator)
    found: Atoms = {}
    undecided = []
    for name, arity in wanted.items():
        atoms = list(control.symbolic_atoms.by_signature(name, arity))
        found[name] = "\n".join([str(atom.symbol) for atom in atoms])
        if not all(atom.is_fact for atom in atoms):
            undecided.append(name)
    if undecided:
        found[UNDECIDED] = " ".join(undecided)
    if calculator:
        found[REFUSED] = " ".join(map(str, sorted(calculator.refused)))
    return found


def ground_apart(
    program: str,
    wanted: dict[str, int],
    seconds: float,
    stop: Stop = never,
    memory: int = MEMORY,
    calculation: ArithmeticGoals | None = None,
) -> Atoms:
    """The same in a process of its own, ended after `seconds`, by an interrupt, or when `stop` says so.

    Raises GroundingStopped if the time or the memory, in bytes, was not enough, and Interrupted for `stop`.
    """
    deadline = time.monotonic() + seconds
    with closing(Child("joiner_magic.solvers.grounding:_answer", memory=memory)) as child:
        try:
            request = (program, wanted, calculation.plain() if calculation else None)
            atoms: Atoms = child.ask(request, lambda: stop() or time.monotonic() > deadline)
        except Interrupted:
            if stop() or interrupt_requested():
                raise
            raise GroundingStopped(f"took more than {seconds:g} s") from None
        except ChildGone:
            more = "; the option `memory` allows more" if memory < MEMORY else ""
            raise GroundingStopped(f"needed more than {memory / 1e6:,.0f} MB{more}") from None
    return atoms


def _answer(request: Any) -> Atoms:
    program, wanted, plain = request
    return ground(program, wanted, ArithmeticGoals(*plain) if plain else None)
