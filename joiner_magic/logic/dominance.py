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

from joiner_magic import _core

_PIECES_PER_POLL = 1024


@dataclass(frozen=True, slots=True)
class Piece:
    """A fragment, or a program of several rules, as the join sees it. All but `cost` are bitsets."""

    cost: int  # what it adds to the size of a conjunction
    pos: int
    neg: int
    head: int = 0  # the head variables it mentions
    progress: int = 0  # the demands under which it binds a variable that is asked for
    stuck: int = 0  # the demands under which one of its literals cannot run


class ParetoFront:
    """The pieces that no other piece dominated when they were added. Pieces are never removed.

    All that a piece gives to a conjunction is one bitset, its *merit*: a piece dominates another if its merit contains
    the other's and its cost is no larger. The native core keeps and compares them.
    """

    def __init__(self, positives: int, negatives: int, *, required: int = 0, demands: int = 0) -> None:
        self._required = required
        self._negatives = ones(negatives)
        self._demands = ones(demands)
        self._pos_at = negatives
        self._head_at = self._pos_at + positives
        self._progress_at = self._head_at + required.bit_length()
        self._stuck_at = self._progress_at + demands
        self._kept = _core.Front(self._stuck_at + demands)

    def add(self, piece: Piece) -> bool:
        """Add the piece unless a piece here dominates it, and return whether it was added. Of equal ones the first stays."""
        return self._kept.add(piece.cost, self._merit(piece))

    def extend(self, pieces: Sequence[Piece], poll: Callable[[], None] | None = None) -> list[int]:
        """Add pieces, and return the indices of those that no other piece dominates, here or among them.

        `poll` is called several times a second, and may raise an exception to stop.
        """
        merits = [self._merit(piece) for piece in pieces]
        # A dominator has more merit at no larger cost, so it comes first in this order.
        order = sorted(range(len(pieces)), key=lambda i: (pieces[i].cost, -merits[i].bit_count()))
        kept = []
        for number, i in enumerate(order):
            if poll and not number % _PIECES_PER_POLL:
                poll()
            if self._kept.add(pieces[i].cost, merits[i]):
                kept.append(i)
        return sorted(kept)

    def dominates(self, piece: Piece) -> bool:
        """Whether some piece here dominates the given one."""
        return self._kept.dominates(piece.cost, self._merit(piece))

    def _merit(self, piece: Piece) -> int:
        """What the piece gives to a conjunction, as one bitset in which more bits are better."""
        return (
            (self._negatives & ~piece.neg)
            | piece.pos << self._pos_at
            | (piece.head & self._required) << self._head_at
            | piece.progress << self._progress_at
            | (self._demands & ~piece.stuck) << self._stuck_at
        )


def bits(bitset: int) -> Iterator[int]:
    """The numbers of the set bits, from the lowest."""
    # Word by word: taking bits off a number of many words would take time with the square of them.
    words = bitset.to_bytes((bitset.bit_length() + 63) // 64 * 8, "little")
    for start in range(0, len(words), 8):
        word = int.from_bytes(words[start : start + 8], "little")
        while word:
            low = word & -word
            yield start * 8 + low.bit_length() - 1
            word ^= low


def ones(count: int) -> int:
    """The bitset of the numbers below `count`."""
    return (1 << count) - 1
