"""How predictions compare with labels."""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.logic.programs import Evaluation


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many examples are covered, by their label. Of some it may be unknown: their evaluation did not finish."""

    tp: int  # positive examples that are covered
    fn: int  # positive examples that are not
    tn: int  # negative examples that are not covered
    fp: int  # negative examples that are
    unknown_pos: int = 0  # positive examples of which it is not known
    unknown_neg: int = 0  # negative examples of which it is not known

    @classmethod
    def of(cls, evaluation: Evaluation | None, positives: int, negatives: int) -> Confusion:
        """From what a program covers; None: there is no program, and nothing is covered."""
        if evaluation is None:
            return cls(0, positives, negatives, 0)
        tp, fp = evaluation.pos.bit_count(), (evaluation.neg or 0).bit_count()
        if not evaluation.complete:
            return cls(tp, 0, 0, fp, positives - tp, negatives - fp)
        return cls(tp, positives - tp, negatives - fp, fp)

    @property
    def unknown(self) -> int:
        """Examples of which it is not known whether they are covered."""
        return self.unknown_pos + self.unknown_neg

    @property
    def positives(self) -> int:
        """Positive examples in all."""
        return self.tp + self.fn + self.unknown_pos

    @property
    def negatives(self) -> int:
        """Negative examples in all."""
        return self.tn + self.fp + self.unknown_neg

    @property
    def accuracy(self) -> float:
        """The share of examples that are right, as far as is known."""
        total = self.positives + self.negatives
        if not total:
            return 1.0
        return (self.tp + self.tn) / total

    @property
    def balanced_accuracy(self) -> float:
        """The mean of the shares of positives and of negatives that are right: 0.5 for a constant guess."""
        shares = [right / of for right, of in ((self.tp, self.positives), (self.tn, self.negatives)) if of]
        if not shares:
            return 1.0
        return sum(shares) / len(shares)

    @property
    def scored(self) -> str:
        """How many examples are covered, and how good that is, in one line."""
        least = "at least " if self.unknown else ""
        accuracy = f"accuracy {least}{self.accuracy:.1%}, balanced {least}{self.balanced_accuracy:.1%}"
        return f"{self}; {accuracy}"

    def __str__(self) -> str:
        positive = _share(self.tp, self.positives, self.unknown_pos)
        negative = _share(self.fp, self.negatives, self.unknown_neg)
        return f"covers {positive} positive and {negative} negative examples"


def _share(covered: int, of: int, unknown: int) -> str:
    share = f"{covered:,} of {of:,}"
    if not unknown:
        return share
    return f"{share} (and perhaps {unknown:,} more)"
