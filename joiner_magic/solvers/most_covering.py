"""The incomplete join stage: a conjunction without negatives that covers the most of some positives.

For each positive e a variable says that some chosen piece misses it, and those for the positives in question
cost one each; the obligations of a conjunction are clauses. The cheapest model is the paper's MaxSAT problem.

Whether *some* conjunction covers a set of positives is easy to see: let all pieces that cover the set join
(see `obligations`). If one does, then also for each subset. So growing a set one by one, as long as some
conjunction covers it, ends in one that cannot grow, and this is tried from many positives. The greedy answer
is often the optimum already (13 of 14 sets of fragments of real tasks, in 0.01 to 0.5 s), needs no
proof if it covers all that is asked for, and is what remains if the solver gives up. That there is no
conjunction at all is always certain.

Of the conjunctions that cover what was found, a smallest is taken: the same kind of problem again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from joiner_magic.logic.dominance import bits
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.obligations import Obligations
from joiner_magic.solvers.optimum import Undecided, cheapest_model

_CONFLICTS = 5_000  # then the greedy answer will do: this stage is for a first solution, not for proofs
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
    pieces = {piece: piece + 1 for piece in range(len(table.numbers))}
    first = 1 + len(pieces) + len(table.demands)
    missed = {example: first + place for place, example in enumerate(bits(uncovered))}

    def clauses() -> Iterator[list[int]]:
        yield from _legal(table, pieces)
        for example, missing in missed.items():
            for piece in bits(table.all & ~table.covering[example]):
                yield [-pieces[piece], missing]

    prices = dict.fromkeys(missed.values(), 1)
    try:
        model = cheapest_model(first + len(missed) - 1, clauses(), [prices], stop, conflicts=_CONFLICTS)
    except Undecided:
        return None
    assert model is not None
    return sum(1 << example for example, missing in missed.items() if missing not in model)


def _smallest(table: Obligations, among: int, stop: Stop) -> list[int]:
    """A smallest legal conjunction of these pieces, or at least one that has no piece too many."""
    pieces = {piece: number for number, piece in enumerate(bits(among), 1)}
    prices = {number: table.costs[piece] for piece, number in pieces.items()}
    variables = len(pieces) + len(table.demands)
    try:
        model = cheapest_model(variables, _legal(table, pieces), [prices], stop, conflicts=_CONFLICTS)
    except Undecided:
        return list(bits(_irredundant(table, among)))
    assert model is not None
    return [piece for piece, number in pieces.items() if number in model]


def _irredundant(table: Obligations, among: int) -> int:
    before = 0
    while among != before:  # again, as a piece may have been kept for the demands of a later one
        before = among
        for piece in bits(before):  # the dearest first
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
