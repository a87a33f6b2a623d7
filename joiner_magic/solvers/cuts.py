"""Rows of the linear program of `cheapest_rules`: what they say, and which of them a solution violates.

`cheapest_rules` says why they hold. There are too many links and cuts to begin with all of them, so each is added when a
solution violates it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import highspy
import numpy as np

from joiner_magic.solvers.dual_bounds import WHOLE
from joiner_magic.solvers.interrupt import Stop, go_on
from joiner_magic.solvers.linear_program import LINK, SLICE, Row, new_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from joiner_magic.solvers.rule_groups import ExampleGroup, KnownCut, RuleGroups

SEEN = 1e-6  # a share of a rule that counts
_VIOLATED = 1e-4  # by so much a cut is violated that is added
_MOST_LINKS = 2_000  # rows that one round adds at the most
_CUTS_PER_EXAMPLE = 2


class Cuts:
    """The rows that hold for some rules, and which were added."""

    def __init__(self, groups: RuleGroups, stop: Stop) -> None:
        self._groups = groups
        self._linked: set[tuple[int, int]] = set()
        self.prepare(stop)

    def prepare(self, stop: Stop) -> None:
        """Note what the rules cover, as matrices; again when rules have been added."""
        groups = self._groups
        self._covers_positives = _matrix(groups.positives, len(groups.rules), stop)
        self._covers_negatives = _matrix(groups.negatives, len(groups.rules), stop)
        self._rules_of = [np.array(group.rules, dtype=np.int64) for group in groups.positives]

    def cover(self, example: int) -> Row:
        """The row that says that a group of positive examples is covered or missed."""
        rules = [self._groups.first_rule + rule for rule in self._groups.positives[example].rules]
        columns = np.array([*rules, example], dtype=np.int32)
        return Row(example, {}, columns, np.ones(len(columns), dtype=np.int64), 1)

    def taken_over(self, cuts: Sequence[KnownCut]) -> Iterator[Row]:
        """Cuts that another program had. Where a group of its has been split since, each part has the cut."""
        positives, negatives = self._groups.by_positive(), self._groups.by_negative()
        for cut in cuts:
            weights = {negatives[n]: weight for n, weight in cut.weights if n in negatives}
            for group in sorted({positives[e] for e in cut.positives if e in positives}):
                yield self._cut(group, weights)

    def of_new_rules(self, row: Row, first: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The variables of the rules from number `first` on that belong in a row, and their coefficients."""
        covering = self._rules_of[row.example]
        return self._entries(covering[covering >= first], row)

    def violated_links(self, values: NDArray[np.float64]) -> list[Row]:
        """Links that a solution violates, the most violated ones if there are many."""
        groups = self._groups
        violated: list[tuple[float, int, int]] = []
        for rule, share in enumerate(values[groups.first_rule :].tolist()):
            if share <= SEEN:
                continue
            for negative in groups.negatives_of[rule]:
                excess = share - values[groups.first_wrong + negative]
                if excess > SEEN and (rule, negative) not in self._linked:
                    violated.append((-excess, rule, negative))
        violated.sort()
        return [self._link(rule, negative) for _, rule, negative in violated[:_MOST_LINKS]]

    def _link(self, rule: int, negative: int) -> Row:
        """The row that says that a chosen rule covers a group of negative examples."""
        self._linked.add((rule, negative))
        columns = [self._groups.first_wrong + negative, self._groups.first_rule + rule]
        return Row(LINK, {}, np.array(columns, dtype=np.int32), np.array([1, -1], dtype=np.int64), 0)

    def violated_pairs(self, values: NDArray[np.float64], stop: Stop) -> Iterator[Row]:
        """Cuts with one negative example: for each positive one those that are violated the most."""
        groups = self._groups
        if not groups.negatives:
            return
        shares = values[groups.first_rule :]
        support = np.flatnonzero(shares > SEEN)
        missed = values[: groups.first_wrong]
        wrong = values[groups.first_wrong : groups.first_rule]
        outside = 1.0 - self._covers_negatives[:, support]
        chosen = self._covers_positives[:, support] * shares[support]
        held = chosen @ outside.T + wrong[None, :] + missed[:, None]
        for example in np.flatnonzero(held.min(axis=1) < 1 - _VIOLATED):
            go_on(stop)
            for negative in np.argsort(held[example])[:_CUTS_PER_EXAMPLE]:
                if held[example, negative] < 1 - _VIOLATED:
                    yield self._cut(int(example), {int(negative): WHOLE})

    def violated_cuts(self, values: NDArray[np.float64], stop: Stop) -> Iterator[Row]:
        """The cut of each positive example that is violated the most, if one is."""
        first_rule = self._groups.first_rule
        for example, group in enumerate(self._groups.positives):
            go_on(stop)
            needed = 1 - values[example]
            support = [rule for rule in group.rules if values[first_rule + rule] > SEEN]
            if needed <= _VIOLATED or not support:
                continue
            weights = self._separate(values, support, needed)
            if weights:
                yield self._cut(example, weights)

    def _cut(self, example: int, weights: dict[int, int]) -> Row:
        """The cut of a positive example with these weights of negative ones, in whole numbers."""
        row = Row(example, weights, np.array([], dtype=np.int32), np.array([], dtype=np.int64), WHOLE)
        row.extend(*self._entries(self._rules_of[example], row))
        wrong = [self._groups.first_wrong + negative for negative in weights]
        others = np.array([*wrong, example], dtype=np.int32)
        row.extend(others, np.array([*weights.values(), WHOLE], dtype=np.int64))
        return row

    def _entries(self, rules: NDArray[np.int64], row: Row) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Which of these rules, all of which cover the example of the row, have an entry in it: their variables, and it."""
        excluded = np.zeros(len(rules), dtype=np.int64)
        for negative, weight in row.weights.items():
            excluded += weight * self._covers_negatives[negative, rules].astype(np.int64)
        left = np.maximum(0, row.scale - excluded)
        columns = (self._groups.first_rule + rules[left > 0]).astype(np.int32)
        return columns, left[left > 0]

    def _separate(
        self, values: NDArray[np.float64], support: Sequence[int], needed: float
    ) -> dict[int, int] | None:
        """Weights of the cut that is violated the most: how much of the example's rules the negatives leave room for."""
        groups = self._groups
        negatives = sorted({negative for rule in support for negative in groups.negatives_of[rule]})
        place = {negative: number for number, negative in enumerate(negatives)}
        model = new_model()
        room = np.array([*(values[groups.first_wrong + negative] for negative in negatives), needed])
        count = len(negatives) + 1
        no_ints, no_floats = np.array([], dtype=np.int32), np.array([], dtype=np.float64)
        model.addRows(count, np.full(count, -np.inf), room, 0, no_ints, no_ints, no_floats)
        for rule in support:
            rows = np.array([*(place[n] for n in groups.negatives_of[rule]), count - 1], dtype=np.int32)
            share = float(values[groups.first_rule + rule])
            model.addCol(-1.0, 0.0, share, len(rows), rows, np.ones(len(rows)))
        model.setOptionValue("time_limit", SLICE)
        model.run()
        if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        if -model.getObjectiveValue() > needed - _VIOLATED:
            return None
        duals = model.getSolution().row_dual
        weights = {negative: min(WHOLE, round(-duals[place[negative]] * WHOLE)) for negative in negatives}
        return {negative: weight for negative, weight in weights.items() if weight > 0}


def _matrix(groups: Sequence[ExampleGroup], rules: int, stop: Stop) -> NDArray[np.float64]:
    """Which rules cover which groups of examples: a row for each group, and 1 where the rule covers it."""
    table = np.zeros((len(groups), rules))
    for number, group in enumerate(groups):
        go_on(stop)
        table[number, group.rules] = 1.0
    return table
