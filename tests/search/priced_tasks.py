"""Random tasks in which errors have a price, and examples weights; and costs counted without the learner."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

from joiner_magic import Result, read_task
from joiner_magic.engines.choose import choose_engine
from joiner_magic.logic.render import render_term
from joiner_magic.task.task import Task
from search.learning_tasks import HEAD, LearningTask, Row, _term, random_learning_task

Price: TypeAlias = Fraction | int | None

PRICES: list[tuple[Price, Price]] = [
    (1, 1),
    (2, 1),
    (1, 3),
    (Fraction(1, 2), Fraction(2, 3)),
    (2, None),
    (4, 4),
]
# With these, few of the small tasks are so cheap to leave unlearnt that nothing is learnt.
DEAR: list[tuple[Price, Price]] = [
    (3, 3),
    (4, 2),
    (Fraction(7, 2), Fraction(5, 3)),
    (5, None),
    (None, 2),
    (6, Fraction(1, 2)),
]
_WEIGHTS = ("2", "3", "0.5", "1/3")


@dataclass(frozen=True, slots=True)
class PricedTask:
    """A random task with the prices of errors, and the weights of those examples that have one."""

    made: LearningTask
    missed: Price
    wrong: Price
    weights: dict[Row, Fraction] = field(default_factory=dict)

    @classmethod
    def random(
        cls,
        rng: Random,
        prices: list[tuple[Price, Price]] = PRICES,
        *,
        recursion: bool = False,
        invention: bool = False,
        flipped: bool = False,
    ) -> PricedTask:
        """A task with random prices of these, in half of the cases with weights; with `flipped`, a label is wrong."""
        made = random_learning_task(rng, recursion=recursion, invention=invention)
        if flipped and len(made.neg) > 1 and len(made.pos) > 1:
            made = with_a_flipped_label(made, rng)
        missed, wrong = rng.choice(prices)
        weights = random_weights(made, rng) if rng.random() < 0.5 else {}
        return cls(made, missed, wrong, weights)

    def task(self) -> Task:
        """The task as users write it."""
        return read_task(self.made.background, self.examples, self.made.bias)

    @property
    def prices(self) -> dict[str, Any]:
        """The prices as options of a run."""
        return {"missed": self.missed, "wrong": self.wrong}

    @property
    def examples(self) -> str:
        """The examples with their weights, as users write them."""
        lines = []
        for label, rows in (("pos", self.made.pos), ("neg", self.made.neg)):
            for row in rows:
                weight = f", {self.weights[row]}" if row in self.weights else ""
                lines.append(f"{label}({render_term(_term(HEAD, row))}{weight}).\n")
        return "".join(lines)

    def cost(self, size: int, pos: int, neg: int) -> Fraction | int | None:
        """What a hypothesis of this size costs that covers these examples, as bits; None if an error is not allowed."""
        missed = [row for number, row in enumerate(self.made.pos) if not pos >> number & 1]
        wrong = [row for number, row in enumerate(self.made.neg) if neg >> number & 1]
        if (missed and self.missed is None) or (wrong and self.wrong is None):
            return None
        for_missed = sum(self._weight(row) for row in missed) * (self.missed or 0)
        for_wrong = sum(self._weight(row) for row in wrong) * (self.wrong or 0)
        return size + for_missed + for_wrong

    @property
    def cost_of_nothing(self) -> Fraction | int | None:
        """What it costs to learn nothing."""
        return self.cost(0, 0, 0)

    def _weight(self, row: Row) -> Fraction | int:
        return self.weights.get(row, 1)

    def __str__(self) -> str:
        return f"{self.made}\nmissed {self.missed}, wrong {self.wrong}\n{self.examples}"


def with_a_flipped_label(made: LearningTask, rng: Random) -> LearningTask:
    """The same task in which one example has the other label."""
    pos, neg = list(made.pos), list(made.neg)
    source, target = (pos, neg) if rng.random() < 0.5 else (neg, pos)
    target.append(source.pop(rng.randrange(len(source))))
    return replace(made, pos=tuple(pos), neg=tuple(neg))


def random_weights(made: LearningTask, rng: Random) -> dict[Row, Fraction]:
    """Weights of some of the examples."""
    rows = [row for row in (*made.pos, *made.neg) if rng.random() < 0.3]
    return {row: Fraction(rng.choice(_WEIGHTS)) for row in rows}


def recounted(priced: PricedTask, result: Result, engine: str) -> Fraction | int | None:
    """What the hypothesis of a result costs, its errors counted by this engine and its literals by its rules."""
    assert result.hypothesis is not None
    size = sum(1 + len(rule.body) for rule in result.hypothesis.rules)
    with choose_engine(priced.task(), engine).engine as counting:
        (found,) = counting.evaluate([result.hypothesis])
    assert found.complete
    assert found.neg is not None
    return priced.cost(size, found.pos, found.neg)
