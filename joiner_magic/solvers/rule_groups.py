"""Rules by what they cost and cover, and their examples in groups, as the linear program of `cheapest_rules` needs them.

Examples that are covered by the same rules are one group: they are covered together or not at all, so that one variable with
the sum of their prices stands for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from joiner_magic.logic.dominance import bits
from joiner_magic.solvers.interrupt import Stop, go_on


class RuleCost(NamedTuple):
    """A rule: its size in the unit of the prices, and what it covers."""

    size: int
    pos: int
    neg: int


@dataclass(frozen=True, slots=True)
class Prices:
    """What errors cost, by example, in one unit."""

    missed: Sequence[int]
    wrong: Sequence[int]
    step: int = 1  # every cost is a multiple of this

    @property
    def total(self) -> int:
        """What errors on all examples cost together."""
        return sum(self.missed) + sum(self.wrong)

    def cost(self, rules: Iterable[RuleCost]) -> int:
        """What rules cost together."""
        covered = wrong = size = 0
        for rule in rules:
            size += rule.size
            covered |= rule.pos
            wrong |= rule.neg
        missed = ((1 << len(self.missed)) - 1) & ~covered
        return (
            size
            + sum(self.missed[example] for example in bits(missed))
            + sum(self.wrong[n] for n in bits(wrong))
        )

    def rounded_up(self, bound: Fraction) -> int:
        """The least cost that is at least this."""
        return ceil(bound / self.step) * self.step


@dataclass(frozen=True, slots=True)
class ExampleGroup:
    """Examples that the same rules cover: one variable for all of them."""

    examples: list[int]
    price: int  # of all of them
    rules: list[int] = field(default_factory=list)  # that cover them, by number

    @property
    def first(self) -> int:
        """The example that stands for all of them."""
        return self.examples[0]


class KnownCut(NamedTuple):
    """A cut (`cheapest_rules`) as one program tells it to another, whose groups may be different."""

    positives: Sequence[int]  # the examples of a group
    weights: Sequence[tuple[int, int]]  # for each group of negative examples the first one, and its weight


class RuleGroups:
    """Rules by number, and the groups of examples that they cover.

    Variables of the linear program are numbered here: first comes one for each group of positive examples (it is missed), then
    one for each group of negative examples (it is covered), then one for each rule (it is chosen).
    """

    def __init__(self, alike: Sequence[RuleCost], prices: Prices, stop: Stop) -> None:
        """Examples are in one group if none of the rules `alike` tells them apart; `add` brings the rules themselves."""
        self.prices = prices
        self.rules: list[RuleCost] = []
        self.positives = _groups([rule.pos for rule in alike], prices.missed, stop)
        self.negatives = _groups([rule.neg for rule in alike], prices.wrong, stop)
        self.negatives_of: list[list[int]] = []  # by rule, the groups of negative examples that it covers
        self.costs = [group.price for group in (*self.positives, *self.negatives)]  # by variable
        self.first_wrong = len(self.positives)  # the first variable of negative examples
        self.first_rule = len(self.positives) + len(self.negatives)  # the first variable of rules
        self.always_missed = sum(prices.missed) - sum(group.price for group in self.positives)

    def add(self, rules: Sequence[RuleCost], stop: Stop) -> None:
        """Take in rules, and note which groups of examples they cover."""
        first = len(self.rules)
        self.rules += rules
        self.costs += [rule.size for rule in rules]
        self.negatives_of += [[] for _ in rules]
        positives, negatives = _by_first_example(self.positives), _by_first_example(self.negatives)
        first_positives, first_negatives = sum(1 << e for e in positives), sum(1 << e for e in negatives)
        for number, rule in enumerate(rules, first):
            go_on(stop)
            for example in bits(rule.pos & first_positives):
                self.positives[positives[example]].rules.append(number)
            for example in bits(rule.neg & first_negatives):
                self.negatives[negatives[example]].rules.append(number)
                self.negatives_of[number].append(negatives[example])

    def by_positive(self) -> Mapping[int, int]:
        """The groups by positive example, of those that some rule covers."""
        return _by_example(self.positives)

    def by_negative(self) -> Mapping[int, int]:
        """The groups by negative example, of those that some rule covers."""
        return _by_example(self.negatives)

    def uncovered(self) -> Iterator[int]:
        """The positive examples that no rule covers: each is paid for, unless a rule that is not here covers it."""
        grouped = {example for group in self.positives for example in group.examples}
        return (example for example in range(len(self.prices.missed)) if example not in grouped)


def _by_example(groups: Sequence[ExampleGroup]) -> dict[int, int]:
    """The numbers of groups by each of their examples."""
    return {example: number for number, group in enumerate(groups) for example in group.examples}


def _by_first_example(groups: Sequence[ExampleGroup]) -> dict[int, int]:
    """The numbers of groups by the examples that stand for them."""
    return {group.first: number for number, group in enumerate(groups)}


def _groups(sets: Sequence[int], prices: Sequence[int], stop: Stop) -> list[ExampleGroup]:
    """The examples that some set has, those together that are in the same sets."""
    sets_of: dict[int, list[int]] = {}
    for number, covered in enumerate(sets):
        go_on(stop)
        for example in bits(covered):
            sets_of.setdefault(example, []).append(number)
    groups: dict[tuple[int, ...], list[int]] = {}
    for example in sorted(sets_of):
        groups.setdefault(tuple(sets_of[example]), []).append(example)
    return [
        ExampleGroup(examples, sum(prices[example] for example in examples)) for examples in groups.values()
    ]
