"""What a hypothesis costs: the one place that knows whether errors are allowed, and at what price.

The cost of a hypothesis is its size in literals, plus a price for each positive example that it misses, plus a price for
each negative example that it covers wrongly. A price of None says that errors of that kind are not allowed: a hypothesis
with such an error has no cost, and is no solution. The search looks for a solution of least cost.

Exact learning is the objective `EXACT`, in which no error is allowed: every solution covers all positive examples and no
negative one, and its cost is its size. The rest of the search speaks of costs. It asks the objective what is allowed, and
never whether learning is exact.

What stages may rely on, whatever the prices:

- *Costs grow with size*: of two hypotheses with the same errors the smaller one is the cheaper one.
- *Costs grow with errors*: to cover one more positive example, or one negative example less, never makes a hypothesis
  dearer, nor a solution one that is none.
- So a part that covers at least the positive and at most the negative examples of another, and is no larger, can take its
  place in every hypothesis. This is Proposition 1 of the paper where no error is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from joiner_magic.logic.dominance import bits
from joiner_magic.solvers.rule_groups import Prices

Price: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Objective:
    """The prices of errors, in literals; None where they are not allowed."""

    missed: Price | None = None  # for each positive example that is not covered
    wrong: Price | None = None  # for each negative example that is covered

    def __post_init__(self) -> None:
        for price in (self.missed, self.wrong):
            assert price is None or price > 0, "an error that costs nothing is no error"

    def cost(self, size: int, missed: Price, wrong: Price) -> Price | None:
        """What a hypothesis of this size costs with errors of so much weight; None if they are not allowed."""
        for_missed = _charge(self.missed, missed)
        for_wrong = _charge(self.wrong, wrong)
        if for_missed is None or for_wrong is None:
            return None
        return plain(size + for_missed + for_wrong)

    def cost_of_union(self, size: int, everything: int, covered: Iterable[tuple[int, int]]) -> Price | None:
        """What parts cost together, by the positive and negative examples that each covers, given as bitsets."""
        positives = negatives = 0
        for pos, neg in covered:
            positives |= pos
            negatives |= neg
        missed = (everything & ~positives).bit_count()
        return self.cost(size, missed, negatives.bit_count())

    def cost_without_rules(self, positives: Price) -> Price | None:
        """What it costs to learn nothing at all."""
        return self.cost(0, positives, 0)

    def allows(self, neg: int) -> bool:
        """Whether a part of a solution may cover these negative examples."""
        return not neg or self.wrong is not None

    @property
    def allows_wrong(self) -> bool:
        """Whether a solution may cover a negative example."""
        return self.wrong is not None

    @property
    def allows_missed(self) -> bool:
        """Whether a solution may leave a positive example uncovered."""
        return self.missed is not None

    @property
    def is_exact(self) -> bool:
        """Whether no error is allowed at all, so that the cost of a solution is its size."""
        return self.missed is None and self.wrong is None

    @property
    def better(self) -> str:
        """What a better solution is called: where no error is allowed, it differs by its size alone."""
        return "smaller" if self == EXACT else "cheaper"

    def at_least(self, cost: Price) -> str:
        """That a better solution costs at least so much, as the end of a sentence."""
        if self == EXACT:
            return f"has at least {cost} literals"
        return f"costs at least {price_text(cost)}"

    def __str__(self) -> str:
        """The prices in few words."""
        if self.is_exact:
            return "not allowed"
        missed = "none missed"
        if self.missed is not None:
            missed = f"missed {price_text(self.missed)}"
        wrong = "none wrong"
        if self.wrong is not None:
            wrong = f"wrong {price_text(self.wrong)}"
        return f"{missed}, {wrong}"

    def price_list(self, positives: Sequence[Price], negatives: Sequence[Price]) -> PriceList | None:
        """What errors cost by example, by the weights of the examples; None where no error is allowed."""
        if self == EXACT:
            return None
        missed = [_NEVER if self.missed is None else Fraction(self.missed) * weight for weight in positives]
        wrong = [_NEVER if self.wrong is None else Fraction(self.wrong) * weight for weight in negatives]
        literal = lcm(*(Fraction(price).denominator for price in (*missed, *wrong)))
        return PriceList(
            self,
            literal,
            tuple(int(price * literal) for price in missed),
            tuple(int(price * literal) for price in wrong),
        )


@dataclass(frozen=True, slots=True)
class PriceList:
    """What a literal and each error cost, as whole numbers in one unit: so costs are compared without rounding."""

    objective: Objective
    literal: int
    missed: tuple[int, ...]  # by positive example
    wrong: tuple[int, ...]  # by negative example

    def cost(self, size: int, pos: int, neg: int) -> int | None:
        """What a hypothesis costs that covers these examples, given as bitsets; None if its errors are not allowed."""
        missed = ((1 << len(self.missed)) - 1) & ~pos
        if (missed and self.objective.missed is None) or not self.objective.allows(neg):
            return None
        return (
            size * self.literal
            + sum(self.missed[example] for example in bits(missed))
            + sum(self.wrong[example] for example in bits(neg))
        )

    def gain(self, pos: int) -> int:
        """The most that covering these positive examples can save."""
        return sum(self.missed[example] for example in bits(pos))

    def in_literals(self, cost: int) -> Price:
        """A cost as users read it, in which a literal costs 1."""
        return plain(Fraction(cost, self.literal))

    @property
    def of_errors(self) -> Prices:
        """The prices as the solver takes them."""
        return Prices(self.missed, self.wrong, gcd(self.literal, *self.missed, *self.wrong))


def plain(price: Price) -> Price:
    """A whole number as an int."""
    return int(price) if price == int(price) else price


def price_text(price: Price) -> str:
    """A price as users read it: as a decimal number, which is rounded if it has more than three digits after the point."""
    if price == int(price):
        return f"{int(price):,}"
    if 1000 % price.denominator == 0:
        return f"{float(price):,.3f}".rstrip("0")
    return f"≈{float(price):,.2f}"


# For errors that are not allowed next to others that are: no hypothesis has so many literals.
_NEVER = 1_000_000_000


def _charge(price: Price | None, errors: Price) -> Price | None:
    """What the errors of one kind cost together; None if there are some and they are not allowed."""
    if not errors:
        return 0
    return None if price is None else price * errors


EXACT = Objective()
