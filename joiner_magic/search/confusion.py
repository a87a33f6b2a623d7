"""How predictions compare with labels."""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.logic.programs import Evaluation


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many examples are covered, by their label."""

    tp: int  # positive examples that are covered
    fn: int  # positive examples that are not
    tn: int  # negative examples that are not covered
    fp: int  # negative examples that are

    @classmethod
    def of(cls, evaluation: Evaluation | None, positives: int, negatives: int) -> Confusion:
        """From what a program covers; None: there is no program, and nothing is covered."""
        tp = evaluation.pos.bit_count() if evaluation else 0
        fp = (evaluation.neg or 0).bit_count() if evaluation else 0
        return cls(tp, positives - tp, negatives - fp, fp)

    @property
    def accuracy(self) -> float:
        """The share of examples that are right."""
        total = self.tp + self.fn + self.tn + self.fp
        return (self.tp + self.tn) / total if total else 1.0

    @property
    def balanced_accuracy(self) -> float:
        """The mean of the shares of positives and of negatives that are right: 0.5 for a constant guess."""
        shares = [
            right / of for right, of in ((self.tp, self.tp + self.fn), (self.tn, self.tn + self.fp)) if of
        ]
        return sum(shares) / len(shares) if shares else 1.0

    def __str__(self) -> str:
        return (
            f"covers {self.tp:,} of {self.tp + self.fn:,} positive"
            f" and {self.fp:,} of {self.fp + self.tn:,} negative examples"
        )
