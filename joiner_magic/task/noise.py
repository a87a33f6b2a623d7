"""What errors in the examples cost, where a bias allows them with `noisy.`"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from joiner_magic.task.exact_numbers import ONE, check_exact, write_exact
from joiner_magic.task.examples import Examples


@dataclass(frozen=True, slots=True)
class Noise:
    """The price of each unit of weight that a hypothesis gets wrong; a literal costs 1.

    `balanced` prices make the positive examples together as dear as the negative ones; `prices` has the numbers.
    """

    missed: Fraction = ONE  # of positive examples that are not covered
    wrong: Fraction = ONE  # of negative examples that are covered
    balanced: bool = False  # instead of these two

    def __post_init__(self) -> None:
        """Refuse prices that are not above 0 with a ValueError."""
        check_exact(self.missed)
        check_exact(self.wrong)

    def prices(self, examples: Examples) -> tuple[Fraction, Fraction]:
        """The price of a missed positive and of a wrong negative unit of weight, for these examples.

        If balanced, all examples together cost as much as at prices of 1, half of it for each label. Where one label has
        no examples, both prices are 1.
        """
        if not self.balanced:
            return self.missed, self.wrong
        positive = sum(examples.pos_weights, Fraction(0))
        negative = sum(examples.neg_weights, Fraction(0))
        if not positive or not negative:
            return ONE, ONE
        half = (positive + negative) / 2
        return half / positive, half / negative

    def to_text(self) -> str:
        """The directive that says this."""
        if self.balanced:
            return "noisy(balanced)."
        if self.missed == self.wrong == 1:
            return "noisy."
        missed, wrong = map(_argument, (self.missed, self.wrong))
        if missed == wrong:
            return f"noisy({missed})."
        return f"noisy({missed},{wrong})."


BALANCED = Noise(balanced=True)


def _argument(price: Fraction) -> str:
    """A price as an argument; a quotient stands in quotes, since in a bias 1/3 is a division without remainder."""
    text = write_exact(price)
    is_plain = text.isdigit() and price < 2**31  # clingo's numbers end there
    return text if is_plain or "." in text else f'"{text}"'
