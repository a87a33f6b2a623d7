"""The cheapest models of clauses: MaxSAT, by clingo's optimisation guided by unsatisfiable cores.

The cheapest union of parts is such a problem (`covering`). On real tasks clingo's strategy `usc` did best of
what was tried, and it can be interrupted at any time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.solver_thread import SolverThread

if TYPE_CHECKING:
    import clingo

_POLL = 0.05  # seconds between two looks at whether to close
_CLAUSES_PER_POLL = 10_000


def cheapest_model(
    variables: int,
    clauses: Iterable[Sequence[int]],
    costs: Sequence[Mapping[int, int]],
    stop: Stop,
    *,
    below: int | None = None,
) -> frozenset[int] | None:
    """The true variables of a model of the clauses with the least cost; None if there is no model.

    Literals are numbers from 1 to `variables`, or their negatives. Each of `costs` gives prices to literals: the
    first is minimised, and each further one decides between models that are equal so far. With `below`, only
    models whose first cost is less are considered. Raises Interrupted when `stop` returns True.
    """
    import clingo  # most runs need no solver for this

    options = ["--opt-strategy=usc"]
    if below is not None:
        options.append(f"--opt-mode=opt,{below - 1}")
    control = clingo.Control(options, logger=lambda _, __: None)
    with control.backend() as backend:
        atoms = [backend.add_atom() for _ in range(variables)]
        backend.add_rule(atoms, choice=True)
        for number, clause in enumerate(clauses):
            if not number % _CLAUSES_PER_POLL and stop():
                raise Interrupted
            backend.add_rule([], [-_literal(atoms, literal) for literal in clause])
        for priority, prices in enumerate(reversed(costs)):
            backend.add_minimize(priority, [(_literal(atoms, lit), price) for lit, price in prices.items()])
    solving = SolverThread(lambda solving: _cheapest(control, atoms, solving))
    try:
        solving.start()
        return solving.result(stop)
    finally:
        solving.close()


def _literal(atoms: Sequence[int], literal: int) -> int:
    """The literal of clingo's backend for a literal of the clauses."""
    if literal > 0:
        return atoms[literal - 1]
    return -atoms[-literal - 1]


def _cheapest(
    control: clingo.Control, atoms: Sequence[int], solving: SolverThread[frozenset[int] | None]
) -> frozenset[int] | None:
    best: frozenset[int] | None = None
    while True:
        found, finished = _search(control, atoms, solving)
        best = best if found is None else found
        if finished:
            return best
        while not solving.waited_for:
            if solving.closing:
                raise Interrupted
            time.sleep(_POLL)


def _search(
    control: clingo.Control, atoms: Sequence[int], solving: SolverThread[frozenset[int] | None]
) -> tuple[frozenset[int] | None, bool]:
    """The best model found, and whether it is the cheapest.

    The search ends early when nobody waits for its result, since the run that asked for it is paused.
    """
    best: frozenset[int] | None = None
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            while not handle.wait(_POLL):
                if solving.closing:
                    handle.cancel()
                    raise Interrupted
                if not solving.waited_for:
                    handle.cancel()
                    return best, False
            model = handle.model()
            if model is None:
                break
            best = frozenset(number for number, atom in enumerate(atoms, 1) if model.is_true(atom))
        assert handle.get().exhausted, "nothing limits the search"
    return best, True
