"""What a conjunction owes, and which pieces give it: the table that both join stages search.

A conjunction has *obligations*: for each negative example, a piece that misses it; for each required head
variable, a piece that mentions it; and one piece of those it must have one of. Each is met by a set of
pieces, here a bitset. A demand of the directions (see `joiner_magic.logic.dominance`) is an obligation too,
but one that only some pieces bring with them: those that are stuck under it owe one that makes progress.

So a set of pieces is a legal conjunction without negatives if and only if every obligation that it has is met
by one of its pieces; this is the paper's encoding with bitsets for the clauses. The union of two legal
conjunctions is legal: it meets what either meets and owes what either owes. So among any pieces there is
one largest legal conjunction, or none at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from joiner_magic.logic.dominance import Piece, bits, ones
from joiner_magic.solvers.interrupt import Interrupted, Stop, never

_ROWS_PER_POLL = 2048


@dataclass(frozen=True, slots=True)
class Law:
    """What conjunctions owe, numbered: a piece, that each negative is missed, head variables, demands."""

    positives: int
    negatives: int
    required: int = 0  # the head variables that a conjunction must mention
    demands: int = 0

    @property
    def first_demand(self) -> int:
        """Where the demands begin."""
        return 1 + self.negatives + self.required.bit_length()

    @property
    def count(self) -> int:
        return self.first_demand + self.demands

    @property
    def always(self) -> int:
        """What every conjunction owes."""
        # Head variables that are not required have a number too, but are owed by no one.
        return 1 | ones(self.negatives) << 1 | self.required << 1 + self.negatives

    def meets(self, piece: Piece) -> int:
        return (
            1
            | (ones(self.negatives) & ~piece.neg) << 1
            | (piece.head & self.required) << 1 + self.negatives
            | piece.progress << self.first_demand
        )

    def brings(self, piece: Piece) -> int:
        return piece.stuck << self.first_demand


@dataclass(frozen=True, slots=True)
class Obligations:
    """Pieces are numbered from the dearest, obligations from the one that the fewest pieces meet."""

    numbers: tuple[int, ...]  # which of the given pieces each of them is
    costs: tuple[int, ...]
    within: tuple[int, ...]  # by budget, up to the cost of the dearest: the pieces that cost no more
    coverages: tuple[int, ...]  # by piece: the positives it covers
    covering: tuple[int, ...]  # by positive: the pieces that cover it
    meets: tuple[int, ...]  # by piece: the obligations it meets
    meeting: tuple[int, ...]  # by obligation: the pieces that meet it
    brings: tuple[int, ...]  # by piece: the demands under which it is stuck
    owed: int  # the obligations that every conjunction has
    demands: tuple[tuple[int, int], ...]  # the others: the pieces that bring it, those that meet it

    @classmethod
    def of(cls, pieces: Sequence[Piece], law: Law, stop: Stop = never) -> Obligations:
        """The table of these pieces."""
        numbers = sorted(range(len(pieces)), key=lambda number: (-pieces[number].cost, number))
        rows = [pieces[number] for number in numbers]
        costs = tuple(row.cost for row in rows)
        meeting = transposed([law.meets(row) for row in rows], law.count, stop)
        bringing = transposed([law.brings(row) for row in rows], law.count, stop)
        demands = range(law.first_demand, law.count)
        ranked = sorted(
            [*bits(law.always), *demands], key=lambda number: (meeting[number].bit_count(), number)
        )
        coverages = tuple(row.pos for row in rows)
        return cls(
            numbers=tuple(numbers),
            costs=costs,
            within=tuple(
                sum(1 << piece for piece, cost in enumerate(costs) if cost <= budget)
                for budget in range(max(costs, default=0) + 1)
            ),
            coverages=coverages,
            covering=transposed(coverages, law.positives, stop),
            meets=transposed([meeting[number] for number in ranked], len(rows), stop),
            meeting=tuple(meeting[number] for number in ranked),
            brings=transposed([bringing[number] for number in ranked], len(rows), stop),
            owed=sum(1 << rank for rank, number in enumerate(ranked) if number < law.first_demand),
            demands=tuple((bringing[number], meeting[number]) for number in demands),
        )

    @property
    def all(self) -> int:
        return ones(len(self.numbers))

    def covering_all(self, positives: int) -> int:
        """The pieces that cover all of these positives."""
        among = self.all
        for example in bits(positives):
            among &= self.covering[example]
        return among

    def largest(self, among: int) -> int:
        """The largest legal conjunction of some of these pieces; 0 if there is none."""
        stuck = bool(self.demands)
        while stuck:
            stuck = False
            for bringing, meeting in self.demands:
                if among & bringing and not among & meeting:
                    among &= ~bringing
                    stuck = True
        for rank in bits(self.owed):
            if not among & self.meeting[rank]:
                return 0
        return among


def transposed(rows: Sequence[int], width: int, stop: Stop = never) -> tuple[int, ...]:
    """By bit: which of the rows have it."""
    columns = [0] * width
    for begin in range(0, len(rows) if width else 0, _ROWS_PER_POLL):
        if stop():
            raise Interrupted
        # Through text, because the loops over bits are then not in Python.
        written = [format(row, f"0{width}b") for row in reversed(rows[begin : begin + _ROWS_PER_POLL])]
        for bit, column in enumerate(zip(*written, strict=True), 1):
            columns[-bit] |= int("".join(column), 2) << begin
    return tuple(columns)
