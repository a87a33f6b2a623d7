"""All facts that follow from a program, computed by clingo's grounder.

A stratified program has one stable model, and clingo's grounder computes it without solving: every atom that it keeps
is a fact. Of a program that is not stratified it also keeps atoms that may hold or not; their predicates are reported
(`UNDECIDED`). Grounding cannot be interrupted, so a program that may take long is ground in a child process, which
can be ended.
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


# Two entries of `Atoms` that are no predicates:
REFUSED = "refused"  # the numbers of the arithmetic goals that only Prolog can calculate
UNDECIDED = "undecided"  # the predicates with an atom that may hold or not


def ground(program: str, wanted: dict[str, int], calculation: ArithmeticGoals | None = None) -> Atoms:
    """The facts that follow from the program, for each wanted predicate (name -> arity).

    With `calculation` the program may call the functions of `ArithmeticFunctions` on its goals.
    """
    import clingo

    functions = None
    if calculation:
        functions = ArithmeticFunctions(calculation)
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])], context=functions)
    found: Atoms = {}
    undecided = []
    for name, arity in wanted.items():
        atoms = list(control.symbolic_atoms.by_signature(name, arity))
        found[name] = "\n".join([str(atom.symbol) for atom in atoms])
        if not all(atom.is_fact for atom in atoms):
            undecided.append(name)
    if undecided:
        found[UNDECIDED] = " ".join(undecided)
    if functions:
        found[REFUSED] = " ".join(map(str, sorted(functions.refused)))
    return found


def ground_in_child(
    program: str,
    wanted: dict[str, int],
    seconds: float,
    stop: Stop = never,
    memory: int = MEMORY,
    calculation: ArithmeticGoals | None = None,
) -> Atoms:
    """The facts that follow from the program, computed in a child process; otherwise as `ground`.

    The process may take so many `seconds`, and so many bytes of `memory`. Raises GroundingStopped if one of them was
    not enough, and Interrupted when `stop` returns True or the user interrupts the call.
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
    """What the child process calls for each request."""
    program, wanted, plain = request
    return ground(program, wanted, ArithmeticGoals(*plain) if plain else None)
