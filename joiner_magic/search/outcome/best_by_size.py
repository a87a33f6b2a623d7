"""The best unions of rules by their size, as far as a short search finds them.

What it finds is the best that is known, and not proven to be the best. It begins with no rule at all, with the rules of
a hypothesis, and with what is left of that when its rules are dropped one by one. For each size it keeps a few unions, and
puts each rule next to each of them. At the end it tries to exchange single rules. The work is bounded by a number of
unions and not by time, so that the same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from joiner_magic.search.stages.known_rules import ErrorPrices
from joiner_magic.search.stages.parts import Part
from joiner_magic.solvers.interrupt import Interrupted, Stop

_WIDTH = 6  # unions of one size that are kept
_MOST_WORK = 150_000  # unions that are looked at: some tenths of a second
_EXAMPLES = 2_000  # with more examples than this a union takes longer to look at, and fewer are


@dataclass(frozen=True, slots=True)
class RuleUnion:
    """Rules that are one hypothesis together, with what they cover if none reaches into another."""

    parts: tuple[Part, ...]
    size: int  # the sum of their sizes
    pos: int
    neg: int
    errors: int  # what the errors cost, as `ErrorPrices` counts

    def without(self, number: int, prices: ErrorPrices) -> RuleUnion:
        """The union without one of its rules."""
        return union_of([*self.parts[:number], *self.parts[number + 1 :]], prices)


def union_of(parts: Sequence[Part], prices: ErrorPrices) -> RuleUnion:
    """The union of these rules."""
    pos = neg = 0
    for part in parts:
        pos |= part.pos
        neg |= part.neg
    return RuleUnion(tuple(parts), sum(part.size for part in parts), pos, neg, prices.of(pos, neg))


def best_by_size(
    known: Sequence[Part], hypothesis: Sequence[Part], prices: ErrorPrices, stop: Stop
) -> list[RuleUnion]:
    """Good unions of the known rules, for each size the best first; raises Interrupted when `stop` says so."""
    search = _Search(known, prices, stop)
    search.begin(hypothesis)
    search.extend()
    search.exchange()
    return list(search.found())


class _Search:
    """The best few unions of each size so far, and how many more may be looked at."""

    def __init__(self, known: Sequence[Part], prices: ErrorPrices, stop: Stop) -> None:
        """The work is bounded by a count, so that the same run always finds the same unions."""
        self._known = known
        self._prices = prices
        self._stop = stop
        self._of_size: dict[int, list[RuleUnion]] = {}
        slower = prices.everything.bit_length() // _EXAMPLES + prices.kinds // 8
        self._most_work = _MOST_WORK // (1 + slower)

    def found(self) -> Iterator[RuleUnion]:
        """All unions that were kept, by size, for each size the best first."""
        for size in sorted(self._of_size):
            yield from self._of_size[size]

    def begin(self, hypothesis: Sequence[Part]) -> None:
        """With nothing, with the hypothesis, and with what is left of it as its rules are dropped one by one."""
        self._add(union_of((), self._prices))
        left = union_of(hypothesis, self._prices)
        while left.parts:
            self._add(left)
            smaller = (left.without(number, self._prices) for number in range(len(left.parts)))
            left = min(smaller, key=lambda union: (union.errors, union.size))

    def extend(self) -> None:
        """Put each rule next to each union that is kept, by increasing size."""
        work = self._most_work
        size: int | None = 0
        while size is not None and work > 0:
            for union in tuple(self._of_size[size]):
                work -= len(self._known)
                self._add_one_rule(union, self._known)
            size = self._next_size(size)

    def exchange(self) -> None:
        """Take a rule out of the best union of each size, and try all others of at most its size in its place."""
        work = self._most_work
        for size in sorted(self._of_size):
            best = self._of_size[size][0]
            for number, part in enumerate(best.parts):
                if work <= 0:
                    return
                work -= len(self._known)
                smaller = [rule for rule in self._known if rule.size <= part.size]
                self._add_one_rule(best.without(number, self._prices), smaller)

    def _add_one_rule(self, union: RuleUnion, rules: Sequence[Part]) -> None:
        """Keep what a union becomes with one rule more, if the rule lowers the price of the errors."""
        if self._stop():
            raise Interrupted
        for rule in rules:
            if not rule.pos & ~union.pos:
                continue
            pos, neg = union.pos | rule.pos, union.neg | rule.neg
            errors = self._prices.of(pos, neg)
            size = union.size + rule.size
            if errors < union.errors and self._has_room(size, errors):
                self._add(RuleUnion((*union.parts, rule), size, pos, neg, errors))

    def _next_size(self, size: int) -> int | None:
        """The next larger size of which there are unions."""
        return min((each for each in self._of_size if each > size), default=None)

    def _has_room(self, size: int, errors: int) -> bool:
        """Whether a union with such errors is among the best few of its size."""
        kept = self._of_size.get(size, [])
        return len(kept) < _WIDTH or errors < kept[-1].errors

    def _add(self, union: RuleUnion) -> None:
        """Keep the union, unless another one of its size covers the same."""
        kept = self._of_size.setdefault(union.size, [])
        if any((other.pos, other.neg) == (union.pos, union.neg) for other in kept):
            return
        kept.append(union)
        kept.sort(key=lambda each: each.errors)  # of equals the one that came first
        del kept[_WIDTH:]
