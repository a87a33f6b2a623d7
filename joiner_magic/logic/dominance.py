"""Which fragments a join needs: those that no other one dominates.

The join sees a fragment (or a program of several rules) as a *piece*: what it costs and what it gives to
a conjunction. A piece dominates another if it costs no more, covers at least the same positives and at
most the same negatives, mentions at least the same head variables, and is no worse for the directions.
In the other's place it leaves a conjunction legal, no larger, without negatives, and covering at least
the same positives, also if it was in the conjunction already. So if there is a solution, one of the same
size or smaller uses only pieces that are not dominated (compare the paper's proposition on conjunctions
that are subsumed by smaller ones).

**Directions.** The literals of a conjunction must be orderable so that `in` arguments are bound, and only
head variables with direction `out` can be unbound at the start. Number the non-empty sets of those
U_0, U_1, …: the *demands*. Let a piece run as far as it can while all head variables but those of U_j are
bound. It is *stuck* under j if one of its literals cannot run, and makes *progress* under j if it binds
a variable of U_j. A set of pieces is legal if and only if under each demand with a stuck piece some piece
makes progress:

- Suppose the conjunction cannot be ordered. Run it as far as it goes, and let U_j be the head variables
  that stay unbound; not none of them, for with all of them bound each piece runs by itself. Pieces share
  head variables only, and the others are bound. So every piece has run as far as it can under j: the piece
  of a literal that did not run is stuck, and none made progress.
- Suppose some piece is stuck under j and none makes progress. However the conjunction runs, the first
  literal to bind a variable of U_j would belong to a piece that makes progress under j. So U_j stays unbound,
  and the stuck literal never runs: what is bound more does not hinder a literal, what is bound less does
  not help it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_BLOCK = 1024  # pieces per block of the index: adding one rewrites bitsets of this width
_PIECES_PER_POLL = 256
_FEW = 4  # so many possible dominators are compared one by one


@dataclass(frozen=True, slots=True)
class Piece:
    """A fragment, or a program of several rules, as the join sees it. All but `cost` are bitsets."""

    cost: int  # what it adds to the size of a conjunction
    pos: int
    neg: int
    head: int = 0  # the head variables it mentions
    progress: int = 0  # the demands under which it binds a variable that is asked for
    stuck: int = 0  # the demands under which one of its literals cannot run


class Front:
    """The pieces that were not dominated when they came; append-only.

    What a piece is good for is written as one bitset, its *merit*: a piece dominates another if its merit
    contains the other's and its cost is no larger. An index from each bit to the kept pieces that have it
    narrows the possible dominators down to a few, which are then compared as a whole: 12,600 fragments
    against a front of 650 that grows to 2,161 take a quarter of a second.
    """

    def __init__(self, positives: int, negatives: int, *, required: int = 0, demands: int = 0) -> None:
        self._required = required
        self._negatives = ones(negatives)
        self._demands = ones(demands)
        # Negatives come first, because the search for dominators starts there: what a piece
        # excludes is rarer than what it covers.
        self._pos_at = negatives
        self._head_at = self._pos_at + positives
        self._progress_at = self._head_at + required.bit_length()
        self._stuck_at = self._progress_at + demands
        self._width = self._stuck_at + demands
        self._cheapest: dict[int, int] = {}  # merit -> cost
        self._blocks: list[_Block] = []

    def add(self, piece: Piece) -> bool:
        """Keep the piece, unless a kept one dominates it; of equal ones the first stays."""
        return self._add(piece.cost, self._merit(piece))

    def extend(self, pieces: Sequence[Piece], poll: Callable[[], None] | None = None) -> list[int]:
        """Indices of those of `pieces` that neither a kept one nor another of them dominates.

        Tens of thousands take seconds: `poll` is called several times a second, and may raise to end this.
        """
        merits = [self._merit(piece) for piece in pieces]
        # A dominator has more merit at no larger cost, so it comes first in this order.
        order = sorted(range(len(pieces)), key=lambda i: (pieces[i].cost, -merits[i].bit_count()))
        kept = []
        for number, i in enumerate(order):
            if poll and not number % _PIECES_PER_POLL:
                poll()
            if self._add(pieces[i].cost, merits[i]):
                kept.append(i)
        return sorted(kept)

    def dominates(self, piece: Piece) -> bool:
        """Whether some kept piece does."""
        return self._dominates(piece.cost, self._merit(piece))

    def _add(self, cost: int, merit: int) -> bool:
        if self._dominates(cost, merit):
            return False
        if not self._blocks or self._blocks[-1].full:
            self._blocks.append(_Block(self._width))
        self._blocks[-1].add(cost, merit)
        self._cheapest[merit] = cost
        return True

    def _dominates(self, cost: int, merit: int) -> bool:
        # Most pieces share their coverage with others: no need to search for those.
        known = self._cheapest.get(merit)
        if known is not None and known <= cost:
            return True
        return any(block.dominates(cost, merit) for block in self._blocks)

    def _merit(self, piece: Piece) -> int:
        return (
            (self._negatives & ~piece.neg)
            | piece.pos << self._pos_at
            | (piece.head & self._required) << self._head_at
            | piece.progress << self._progress_at
            | (self._demands & ~piece.stuck) << self._stuck_at
        )


class _Block:
    """Some pieces, and for each merit bit which of them have it."""

    def __init__(self, width: int) -> None:
        self._costs: list[int] = []
        self._merits: list[int] = []
        self._having = [0] * width

    @property
    def full(self) -> bool:
        return len(self._merits) == _BLOCK

    def add(self, cost: int, merit: int) -> None:
        mark = 1 << len(self._merits)
        for bit in bits(merit):
            self._having[bit] |= mark
        self._costs.append(cost)
        self._merits.append(merit)

    def dominates(self, cost: int, merit: int) -> bool:
        left = ones(len(self._merits))
        for bit in bits(merit):
            left &= self._having[bit]
            if left.bit_count() <= _FEW:
                break
        return any(self._costs[i] <= cost and not merit & ~self._merits[i] for i in bits(left))


def bits(bitset: int) -> Iterator[int]:
    """The numbers of the set bits, from the lowest."""
    while bitset:
        low = bitset & -bitset
        yield low.bit_length() - 1
        bitset ^= low


def ones(count: int) -> int:
    """The bitset of the numbers below `count`."""
    return (1 << count) - 1
