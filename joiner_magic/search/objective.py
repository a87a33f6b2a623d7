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

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Objective:
    """The prices of errors, in literals; None where they are not allowed."""

    missed: int | None = None  # for each positive example that is not covered
    wrong: int | None = None  # for each negative example that is covered

    def __post_init__(self) -> None:
        for price in (self.missed, self.wrong):
            assert price is None or price > 0, "an error that costs nothing is no error"

    def cost(self, size: int, missed: int, wrong: int) -> int | None:
        """What a hypothesis of this size costs with so many errors of each kind; None if they are not allowed."""
        for_missed = _charge(self.missed, missed)
        for_wrong = _charge(self.wrong, wrong)
        if for_missed is None or for_wrong is None:
            return None
        return size + for_missed + for_wrong

    def cost_of_union(self, size: int, everything: int, covered: Iterable[tuple[int, int]]) -> int | None:
        """What parts cost together, by the positive and negative examples that each covers, given as bitsets."""
        positives = negatives = 0
        for pos, neg in covered:
            positives |= pos
            negatives |= neg
        missed = (everything & ~positives).bit_count()
        return self.cost(size, missed, negatives.bit_count())

    def cost_without_rules(self, positives: int) -> int | None:
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
    def better(self) -> str:
        """What a better solution is called: where no error is allowed, it differs by its size alone."""
        return "smaller" if self == EXACT else "cheaper"

    def at_least(self, cost: int) -> str:
        """That a better solution costs at least so much, as the end of a sentence."""
        return f"has at least {cost} literals" if self == EXACT else f"costs at least {cost}"

    def gain(self, pos: int) -> int | None:
        """The most that covering these positive examples can save; None if there is no limit to that."""
        return None if self.missed is None else self.missed * pos.bit_count()


def _charge(price: int | None, errors: int) -> int | None:
    """What the errors of one kind cost together; None if there are some and they are not allowed."""
    if not errors:
        return 0
    return None if price is None else price * errors


EXACT = Objective()
