"""The incomplete join stage: a conjunction without negatives that covers the most of some positives.

The native core looks for the most that can be covered, and proves it where that takes a moment
(`core/join/most_covering.hpp`): on the fragments of all of the field's tasks it does, in 0.1 to 35 ms. What is left is
the paper's MaxSAT problem, solved as there by a search guided by unsatisfiable cores (RC2). For each positive a
variable says that some chosen piece misses it, and those for the positives in question cost one each; the
obligations of a conjunction are clauses. Positives that the same pieces cover share a variable. Where RC2
gives up too, what the core found is taken: no other conjunction covers the same positives and more.

Of the conjunctions that cover what was found a smallest is taken (`core/join/smallest.hpp`).
"""

from __future__ import annotations

from collections.abc import Iterator

from joiner_magic import _core
from joiner_magic.logic.dominance import bits
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.solver_thread import SolverThread

# Beyond these the core's answer will do: this stage is for a first solution, not for proofs.
_CONFLICTS = 5_000
_CLAUSES = 20_000
_CLAUSES_PER_POLL = 10_000


def most_covering(pieces: _core.Conjunctions, uncovered: int, stop: Stop, *, exact: bool) -> list[int] | None:
    """Numbers of the pieces of a smallest conjunction that covers the most of `uncovered`; None if none covers any.

    With `exact` false a greedy answer is enough. Raises Interrupted when `stop` returns True.
    """
    if stop():
        raise Interrupted
    try:
        covered, proven = pieces.most_covering(uncovered, exact, stop)
        if not covered:
            return None
        if exact and not proven:
            covered = _most_by_maxsat(pieces, uncovered, stop) or covered
        return pieces.smallest(covered, stop)
    except _core.Stopped:
        raise Interrupted from None


def _most_by_maxsat(pieces: _core.Conjunctions, uncovered: int, stop: Stop) -> int | None:
    """The most positives of `uncovered` that a conjunction covers, by MaxSAT; None if that is too hard to find."""
    from pysat.examples.rc2 import RC2  # type: ignore[import-untyped]
    from pysat.formula import WCNF  # type: ignore[import-untyped]

    covering = pieces.covering()
    alike: dict[int, int] = {}  # by the pieces that cover them: positives
    for example in bits(uncovered):
        alike[covering[example]] = alike.get(covering[example], 0) | 1 << example
    everyone = pieces.all()
    missing = [everyone & ~among for among in alike]
    if sum(among.bit_count() for among in missing) > _CLAUSES:
        return None
    first_missed = 1 + everyone.bit_length() + len(pieces.demands())
    formula = WCNF()
    for number, clause in enumerate(_clauses(pieces, missing, first_missed)):
        if not number % _CLAUSES_PER_POLL and stop():
            raise Interrupted
        formula.append(clause)
    for variable, examples in enumerate(alike.values(), first_missed):
        formula.append([-variable], weight=examples.bit_count())
    with RC2(formula) as solver:
        solver.oracle.conf_budget(_CONFLICTS)
        computing = SolverThread(lambda _: solver.compute(expect_interrupt=True))
        try:
            computing.start()
            model: list[int] | None = computing.result(stop)
        finally:
            solver.interrupt()
            computing.close()
    if model is None:  # it gave up: that there is a conjunction is certain
        return None
    missed = {literal for literal in model if literal >= first_missed}
    return sum(
        examples for variable, examples in enumerate(alike.values(), first_missed) if variable not in missed
    )


def _clauses(pieces: _core.Conjunctions, missing: list[int], first_missed: int) -> Iterator[list[int]]:
    """Clauses whose models are the legal conjunctions, with the positives that they miss.

    The variables are numbered from 1: first the pieces, then the demands, then the positives.
    """
    for meeting in pieces.owed():
        yield [1 + piece for piece in bits(meeting)]
    demands = pieces.demands()
    for demand, (bringing, meeting) in enumerate(demands, first_missed - len(demands)):
        yield [-demand, *(1 + piece for piece in bits(meeting))]
        for piece in bits(bringing):
            yield [-(1 + piece), demand]
    for variable, among in enumerate(missing, first_missed):
        for piece in bits(among):
            yield [-(1 + piece), variable]
