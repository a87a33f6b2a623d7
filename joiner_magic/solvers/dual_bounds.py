"""Bounds of the linear program of `cheapest_rules`, computed in whole numbers from the duals that the solver gives as floats.

The duals are a hint and no more. Any duals that are not negative give a valid bound: each row, times its dual, may be taken off
the costs, and what then remains of each variable's cost counts where it is negative, as the variable may be 1. Duals that
are not those of an optimum give a weak bound, never a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from joiner_magic.solvers.rule_groups import Prices, RuleGroups

if TYPE_CHECKING:
    from joiner_magic.solvers.linear_program import Row

WHOLE = 1 << 20  # what stands for 1 in the coefficients of cuts, which are whole numbers
_DUAL = 1 << 24  # what stands for 1 in duals
_BITS = 38  # of 64, less those of weights, of prices of a unit of size up to 8, and of the sign


@dataclass(frozen=True, slots=True)
class DualBound:
    """What duals prove about all sets of rules, if no rule earns more than a price by them (`_core.PricedPieces.underpriced`).

    `total` is what the duals prove about rules whose price for each unit of size is `unit`. If it has to be a larger one, the
    duals are divided, and so is what they prove.
    """

    unit: int  # what stands for 1 in what rules earn
    total: int
    worth: list[int]  # by positive example, what covering it earns at most
    cuts: list[tuple[int, int, list[tuple[int, int]]]]  # positive example, dual, weights of negative examples

    def at(self, price: int) -> Fraction:
        """What they prove, if no rule earns more than `price` for each unit of its size."""
        return Fraction(self.total, max(price, self.unit))


def exact_bound(
    groups: RuleGroups,
    rows: Sequence[Row],
    row_duals: Sequence[float],
    fixed: Mapping[int, int],
) -> tuple[Fraction, dict[int, int]]:
    """The bound that follows from duals where some variables are fixed, and the duals by group of positive examples."""
    unit = _DUAL * WHOLE
    reduced = [cost * unit for cost in groups.costs]
    total = groups.always_missed * unit
    by_group: dict[int, int] = {}
    for row, told in zip(rows, row_duals, strict=True):
        dual = int(told * _DUAL)
        if dual <= 0:
            continue
        scale = WHOLE // row.scale
        total += dual * scale * row.least
        for column, entry in zip(row.columns.tolist(), row.entries.tolist(), strict=True):
            reduced[column] -= dual * scale * entry
        if row.example >= 0:
            by_group[row.example] = by_group.get(row.example, 0) + dual
    total += sum(min(0, cost) for column, cost in enumerate(reduced) if column not in fixed)
    total += sum(value * reduced[column] for column, value in fixed.items())
    return Fraction(total, unit), by_group


def are_fine_enough(prices: Prices) -> bool:
    """Whether prices are small enough for the duals of a `DualBound`."""
    return prices.total.bit_length() <= _BITS


def dual_bound(groups: RuleGroups, rows: Sequence[Row], row_duals: Sequence[float]) -> DualBound:
    """What duals say about rules that the program does not have; they are rounded so that every rule earns rather too much."""
    total, by_group = exact_bound(groups, rows, row_duals, {})
    dual_unit = _dual_unit(groups.prices)
    cuts = []
    for row, told in zip(rows, row_duals, strict=True):
        dual = int(told * _DUAL)
        if dual <= 0 or row.example < 0:
            continue
        weights = [(groups.negatives[negative].first, weight) for negative, weight in row.weights.items()]
        rounded_up = -(-dual * dual_unit // _DUAL)
        cuts.append((groups.positives[row.example].first, rounded_up, weights))
    unit = dual_unit * WHOLE
    return DualBound(unit, floor(total * unit), worth_of(groups, by_group, unit), cuts)


def worth_of(groups: RuleGroups, duals: Mapping[int, int], unit: int) -> list[int]:
    """By positive example, what covering it is worth by duals of groups, rounded up to whole `1 / unit`."""
    prices = groups.prices.missed
    worth = [0] * len(prices)
    for number, dual in duals.items():
        group = groups.positives[number]
        for example in group.examples:
            share = dual * prices[example] * unit
            worth[example] = -(-share // (group.price * _DUAL))
    for example in groups.uncovered():
        worth[example] = prices[example] * unit
    return worth


def _dual_unit(prices: Prices) -> int:
    """What stands for 1 in the duals of a `DualBound`: so much that the core can add up in 64 bits what rules earn."""
    bits_left = _BITS - prices.total.bit_length()
    return min(_DUAL, 1 << max(0, bits_left))
