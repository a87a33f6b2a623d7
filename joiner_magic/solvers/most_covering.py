"""The incomplete join stage: a conjunction without negatives that covers the most of some positives.

For each positive e a variable says that some chosen piece misses it, and those for the positives in question
cost one each; the obligations of a conjunction are clauses. The cheapest model is the paper's MaxSAT problem,
solved as there by a search guided by unsatisfiable cores (RC2). With the same limit on conflicts it took 0.02
to 1.2 s on fragments of real tasks, and clingo (`optimum`) 0.01 to 2.1 s. Each gave up on some: RC2 on 8 of
23, clingo on 6 of them.

Whether *some* conjunction covers a set of positives is easy to see: let all pieces that cover the set join
(see `obligations`). If one does, then also for each subset. So growing a set one by one, as long as some
conjunction covers it, ends in one that cannot grow, and this is tried from many positives. The greedy answer
is often the optimum already (13 of 14 sets of fragments of real tasks, in 0.01 to 0.5 s), needs no
proof if it covers all that is asked for, and is what remains if the solver gives up. That there is no
conjunction at all is always certain.

Of the conjunctions that cover what was found, a smallest is taken: the same kind of problem again, with
prices (`optimum`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from joiner_magic.logic.dominance import bits
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.obligations import Obligations
from joiner_magic.solvers.optimum import Undecided, cheapest_model

if TYPE_CHECKING:
    from pysat.examples.rc2 import RC2  # type: ignore[import-untyped]

# Beyond these the greedy answer will do: this stage is for a first solution, not for proofs.
_CONFLICTS = 5_000
_CLAUSES = 500_000
_CLAUSES_PER_POLL = 10_000
_POLL = 0.05  # seconds between two questions to `stop`
_GREEDY_WORK = 1_000_000  # examples times obligations looked at: about a tenth of a second


def most_covering(table: Obligations, uncovered: int, stop: Stop, *, exact: bool) -> list[int] | None:
    """Pieces of a smallest conjunction that covers the most of `uncovered`; None if none covers any of it.

    If that need not be exact, the greedy answer will do.
    """
    covered = _grown(table, uncovered, stop)
    if not covered:
        return None
    if exact and covered != uncovered:
        covered = _most(table, uncovered, stop) or covered
    return _smallest(table, table.largest(table.covering_all(covered)), stop)


def _grown(table: Obligations, uncovered: int, stop: Stop) -> int:
    """A set of positives that a conjunction covers and that cannot grow: the largest of some."""
    examples = sorted(bits(uncovered), key=lambda example: -table.covering[example].bit_count())
    starts = 1 + _GREEDY_WORK // (1 + len(examples) * len(table.meeting))
    best = 0
    for start in examples:
        among = table.largest(table.covering[start])
        if not among:
            continue
        grown = 0
        # Those first that share the most pieces with the start: they leave the most to choose from.
        for example in sorted(examples, key=lambda other: -(among & table.covering[other]).bit_count()):
            if stop():
                raise Interrupted
            joined = table.largest(among & table.covering[example])
            if joined:
                among, grown = joined, grown | 1 << example
        best = max(best, grown, key=int.bit_count)
        starts -= 1
        if not starts or best == uncovered:
            break
    return best


def _most(table: Obligations, uncovered: int, stop: Stop) -> int | None:
    """The positives that a conjunction which covers the most covers; None if that is too hard to find."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF  # type: ignore[import-untyped]

    pieces = {piece: piece + 1 for piece in range(len(table.numbers))}
    first = 1 + len(pieces) + len(table.demands)
    missed = {example: first + place for place, example in enumerate(bits(uncovered))}
    missing = {example: table.all & ~table.covering[example] for example in missed}
    if sum(among.bit_count() for among in missing.values()) > _CLAUSES:
        return None

    def clauses() -> Iterator[list[int]]:
        yield from _legal(table, pieces)
        for example, among in missing.items():
            for piece in bits(among):
                yield [-pieces[piece], missed[example]]

    formula = WCNF()
    for number, clause in enumerate(clauses()):
        if not number % _CLAUSES_PER_POLL and stop():
            raise Interrupted
        formula.append(clause)
    for variable in missed.values():
        formula.append([-variable], weight=1)
    with RC2(formula) as solver:
        solver.oracle.conf_budget(_CONFLICTS)
        model = _computed(solver, stop)
    if model is None:  # it gave up: that there is a conjunction is certain
        return None
    return sum(1 << example for example, variable in missed.items() if variable not in model)


def _computed(solver: RC2, stop: Stop) -> frozenset[int] | None:
    """The literals of the model that the solver finds; None if it gives up."""
    # In a thread of its own it can be interrupted, and so can we while it runs.
    with ThreadPoolExecutor(1) as thread:
        computing = thread.submit(solver.compute, expect_interrupt=True)
        try:
            while not wait([computing], timeout=_POLL).done:
                if stop():
                    raise Interrupted
        finally:
            solver.interrupt()
        model: list[int] | None = computing.result()
    return None if model is None else frozenset(model)


def _smallest(table: Obligations, among: int, stop: Stop) -> list[int]:
    """A smallest legal conjunction of these pieces, or at least one that has no piece too many."""
    pieces = {piece: number for number, piece in enumerate(bits(among), 1)}
    prices = {number: table.costs[piece] for piece, number in pieces.items()}
    variables = len(pieces) + len(table.demands)
    try:
        model = cheapest_model(variables, _legal(table, pieces), [prices], stop, conflicts=_CONFLICTS)
    except Undecided:
        return list(bits(_irredundant(table, among, stop)))
    assert model is not None
    return [piece for piece, number in pieces.items() if number in model]


def _irredundant(table: Obligations, among: int, stop: Stop) -> int:
    before = 0
    while among != before:  # again, as a piece may have been kept for the demands of a later one
        before = among
        for piece in bits(before):  # the dearest first
            if stop():
                raise Interrupted
            without = among & ~(1 << piece)
            if without and table.largest(without) == without:
                among = without
    return among


def _legal(table: Obligations, pieces: Mapping[int, int]) -> Iterator[list[int]]:
    """A legal conjunction, given each piece's variable; those after them say which demands are to be met."""
    among = sum(1 << piece for piece in pieces)
    for rank in bits(table.owed):
        yield [pieces[piece] for piece in bits(among & table.meeting[rank])]
    for demand, (bringing, meeting) in enumerate(table.demands, len(pieces) + 1):
        yield [-demand, *(pieces[piece] for piece in bits(among & meeting))]
        for piece in bits(among & bringing):
            yield [-pieces[piece], demand]
