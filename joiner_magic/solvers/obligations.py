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


@dataclass(frozen=True, slots=True)
class Obligations:
    """Pieces are numbered from the dearest, obligations from the one that the fewest pieces meet."""

    numbers: tuple[int, ...]  # which of the given pieces each of them is
    costs: tuple[int, ...]
    coverages: tuple[int, ...]  # by piece: the positives it covers
    covering: tuple[int, ...]  # by positive: the pieces that cover it
    meets: tuple[int, ...]  # by piece: the obligations it meets
    meeting: tuple[int, ...]  # by obligation: the pieces that meet it
    brings: tuple[int, ...]  # by piece: the demands under which it is stuck
    owed: int  # the obligations that every conjunction has
    demands: tuple[tuple[int, int], ...]  # the others: the pieces that bring it, those that meet it

    @classmethod
    def of(
        cls,
        pieces: Sequence[Piece],
        *,
        positives: int,
        negatives: int,
        required: int,
        demands: int,
        new_from: int,
    ) -> Obligations:
        """The table of these pieces; a conjunction has one of those from `new_from` on."""
        numbers = sorted(range(len(pieces)), key=lambda number: (-pieces[number].cost, number))
        rows = [pieces[number] for number in numbers]
        everything = ones(negatives)
        unmet = 1 + negatives + required.bit_length()  # where the demands begin
        meets = [
            (number >= new_from)
            | (everything & ~row.neg) << 1
            | (row.head & required) << 1 + negatives
            | row.progress << unmet
            for number, row in zip(numbers, rows, strict=True)
        ]
        brings = [row.stuck << unmet for row in rows]
        always = 1 | everything << 1 | required << 1 + negatives
        meeting = transposed(meets, unmet + demands)
        bringing = transposed(brings, unmet + demands)
        # Head variables that are not required have a number too, but are owed by no one.
        used = [number for number in range(unmet + demands) if number >= unmet or always >> number & 1]
        ranked = sorted(used, key=lambda number: (meeting[number].bit_count(), number))
        coverages = tuple(row.pos for row in rows)
        return cls(
            numbers=tuple(numbers),
            costs=tuple(row.cost for row in rows),
            coverages=coverages,
            covering=transposed(coverages, positives),
            meets=transposed([meeting[number] for number in ranked], len(rows)),
            meeting=tuple(meeting[number] for number in ranked),
            brings=transposed([bringing[number] for number in ranked], len(rows)),
            owed=sum(1 << rank for rank, number in enumerate(ranked) if number < unmet),
            demands=tuple((bringing[number], meeting[number]) for number in range(unmet, unmet + demands)),
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


def transposed(rows: Sequence[int], width: int) -> tuple[int, ...]:
    """By bit: which of the rows have it."""
    # Through text, because the loops over bits are then not in Python.
    written = [format(row, f"0{width}b") for row in reversed(rows)]
    columns = [int("".join(column), 2) for column in zip(*written, strict=True)] if rows and width else []
    return tuple(reversed(columns)) or (0,) * width
