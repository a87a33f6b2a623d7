"""The cheapest set of rules where errors have a price, with a proof: a linear program with cuts.

A set of rules costs the sizes of its rules, a price for each positive example that none of them covers, and a price for each
negative example that one of them covers. In the linear program x_r says that rule r is chosen, y_e that positive example e is
missed, z_n that negative example n is covered, each between 0 and 1. It minimises what they cost together, such that

    sum of x_r over the rules r that cover e, plus y_e   >= 1    for each positive example e          (cover)
    z_n - x_r                                            >= 0    for rules r that cover n             (link)

By itself this says little, because halves of rules pay for halves of negative examples. **Cuts** mend that. For a
positive example e and weights alpha_n >= 0 of negative examples,

    sum of alpha_n z_n + sum of max(0, 1 - alpha(N(r))) x_r over the rules r that cover e, plus y_e   >= 1

holds for every set of rules: if a rule that covers e is chosen, then z is 1 on all of N(r), the negative examples that it
covers. Cuts with one negative example each are found by one product of matrices, the others by a small linear program for each
positive example, whose duals are the weights. Links and cuts are added as they are violated.

**No float decides.** The solver (HiGHS) computes with floats. What it gives is used as a hint alone: its duals are rounded to
whole numbers, and the bound that follows from these is computed with whole numbers. Any duals that are not negative give a
valid bound, because every variable lies between 0 and 1; bad ones give a weak bound.

**Rules that are not there.** The duals speak of rules that the program does not have, too: what such a rule earns by them is
known (`DualBound`), and if it is no more than its size, then the bound holds with the rule as well. An example of several
that are alike stands for all of them; to a rule that tells them apart, the dual is divided by their prices.

Where the bound stays below the best cost, the rules that the solver cannot decide are tried both ways (branch and bound).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any, NamedTuple

from joiner_magic.logic.dominance import bits
from joiner_magic.solvers.interrupt import Interrupted, Stop, never

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SLICE = 0.25  # seconds that the solver works before it asks whether to stop
WHOLE = 1 << 20  # what stands for 1 in the coefficients of cuts, which are whole numbers
_DUAL = 1 << 24  # what stands for 1 in duals
_BITS = 38  # of 64, less those of weights, of prices of a unit of size up to 8, and of the sign
_SEEN = 1e-6  # a share of a rule that counts
_VIOLATED = 1e-4  # by so much a cut is violated that is added
_MOST_LINKS = 2_000  # rows that one round adds at the most
_CUTS_PER_EXAMPLE = 2


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


@dataclass(slots=True)
class _Row:
    """An inequality in whole numbers: the sum of the coefficients times the variables is at least `least`."""

    example: int  # the group of positive examples that it is about; -1 for a link
    weights: dict[int, int]  # of a cut, by group of negative examples
    columns: NDArray[np.int32]
    entries: NDArray[np.int64]  # by place in `columns`
    least: int

    @property
    def scale(self) -> int:
        """What stands for 1 in its entries."""
        return 1 if self.least <= 1 else WHOLE


@dataclass(slots=True)
class Proof:
    """What is known about the cheapest set of rules."""

    bound: int  # no set costs less
    cost: int  # of the best set that is known
    chosen: list[int] | None  # its rules by number; None if it is the one that was known before
    duals: dict[int, int] = field(default_factory=dict)  # by group of positives, in units of _DUAL

    @property
    def is_optimal(self) -> bool:
        """Whether no set of rules is cheaper than the best that is known."""
        return self.bound >= self.cost


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


class CheapestRules:
    """The linear program of some rules, and what follows from it."""

    def __init__(
        self,
        rules: Sequence[RuleCost],
        prices: Prices,
        stop: Stop = never,
        *,
        made_of: Sequence[RuleCost] | None = None,
    ) -> None:
        """With `made_of`, rules may be added later: each covers what some of these cover together, or one of them."""
        self._rules: list[RuleCost] = []
        self._prices = prices
        self._is_open = made_of is not None
        alike = rules if made_of is None else made_of
        self._positives = _groups([rule.pos for rule in alike], prices.missed, stop)
        self._negatives = _groups([rule.neg for rule in alike], prices.wrong, stop)
        self._first_wrong = len(
            self._positives
        )  # missed examples come first, then wrong ones, and then the rules
        self._first_rule = len(self._positives) + len(self._negatives)
        self._never = sum(prices.missed) - sum(group.price for group in self._positives)
        self._costs = [group.price for group in (*self._positives, *self._negatives)]
        self._negatives_of: list[list[int]] = []
        self._take_in(rules, stop)
        self._rows: list[_Row] = []
        self._new: list[_Row] = []  # that the solver does not have yet
        self._linked: set[tuple[int, int]] = set()
        self._model: Any = None
        self.is_tight = False  # whether the last solution violated no cut

    def solve(
        self,
        best: int,
        stop: Stop = never,
        *,
        most_rounds: int = 200,
        most_nodes: int = 200,
        on_bound: Callable[[int], None] | None = None,
    ) -> Proof:
        """The cheapest set of rules, as far as it is proven; `best` is the cost of the best set that is known before."""
        proof = Proof(0, best, None)
        self.start(stop)
        free = dict.fromkeys(range(len(self._costs)), (0, 1))
        self._improve_bound(free, proof, stop, most_rounds, on_bound)
        if not proof.is_optimal and most_nodes:
            self._branch(proof, stop, most_nodes)
        return proof

    def solve_for_duals(self, proof: Proof, stop: Stop, most_rounds: int) -> DualBound:
        """Solve the program with its rules so far, and say what follows for all rules; a cheaper set goes into the proof."""
        import numpy as np

        duals: list[float] = []
        for _ in range(most_rounds):
            if not self._run(stop):
                break
            solution = self._model.getSolution()
            duals = list(solution.row_dual)
            values = np.array(solution.col_value)
            _ask(stop)
            self._take(values, proof)
            self.is_tight = not self._add_violated(values, stop)
            if self.is_tight:
                break
        of_new_rows = [0.0] * (len(self._rows) - len(duals))
        return self._dual_bound([*duals, *of_new_rows])

    def _dual_bound(self, duals: Sequence[float]) -> DualBound:
        """The duals of cuts in the units of `DualBound`. They are rounded so that every rule earns rather too much."""
        free = dict.fromkeys(range(len(self._costs)), (0, 1))
        total, by_group = self._exact_bound(duals, free)
        cuts = []
        for row, told in zip(self._rows, duals, strict=True):
            dual = int(told * _DUAL)
            if dual <= 0 or row.example < 0:
                continue
            weights = [
                (self._negatives[negative].examples[0], weight) for negative, weight in row.weights.items()
            ]
            rounded_up = -(-dual * self._dual_unit // _DUAL)
            cuts.append((self._positives[row.example].examples[0], rounded_up, weights))
        unit = self._dual_unit * WHOLE
        return DualBound(unit, floor(total * unit), self.worth(by_group, unit), cuts)

    @property
    def _dual_unit(self) -> int:
        """What stands for 1 in the duals of a `DualBound`: so much that the core can add up in 64 bits what rules earn."""
        bits_left = _BITS - (sum(self._prices.missed) + sum(self._prices.wrong)).bit_length()
        return min(_DUAL, 1 << max(0, bits_left))

    @property
    def has_duals(self) -> bool:
        """Whether costs are small enough for `solve_for_duals`."""
        return (sum(self._prices.missed) + sum(self._prices.wrong)).bit_length() <= _BITS

    def worth(self, duals: dict[int, int], unit: int) -> list[int]:
        """By positive example, what covering it is worth by duals of groups, rounded up to whole `1 / unit`."""
        worth = [0] * len(self._prices.missed)
        for number, dual in duals.items():
            group = self._positives[number]
            for example in group.examples:
                share = dual * self._prices.missed[example] * unit
                worth[example] = -(-share // (group.price * _DUAL))
        for example in self._uncovered():
            worth[example] = self._prices.missed[example] * unit
        return worth

    def _uncovered(self) -> Iterator[int]:
        """The positive examples that no rule covers: each is paid for, unless a rule that is not here covers it."""
        grouped = {example for group in self._positives for example in group.examples}
        return (example for example in range(len(self._prices.missed)) if example not in grouped)

    # The linear program

    def start(self, stop: Stop) -> None:
        """Begin anew, without any cut."""
        import numpy as np

        self._rows.clear()
        self._linked.clear()
        self._model = _new_model()
        self._add_columns(range(len(self._costs)))
        for number, group in enumerate(self._positives):
            _ask(stop)
            columns = np.array([*self._columns_of(group.rules), number], dtype=np.int32)
            self._new.append(_Row(number, {}, columns, np.ones(len(columns), dtype=np.int64), 1))
        self._add_new()
        self._prepare_membership(stop)

    def add(self, rules: Sequence[RuleCost], stop: Stop) -> None:
        """Rules that the program did not have."""
        import numpy as np

        self._drop_idle_cuts()
        first = len(self._rules)
        self._take_in(rules, stop)
        self._prepare_membership(stop)
        self._add_columns(range(self._first_rule + first, len(self._costs)))
        for number, row in enumerate(self._rows):
            if row.example < 0:
                continue
            _ask(stop)
            covering = self._rules_of[row.example]
            new, entries = self._entries(covering[covering >= first], row)
            for rule, entry in zip(new.tolist(), entries.tolist(), strict=True):
                self._model.changeCoeff(number, self._first_rule + rule, entry / row.scale)
            row.columns = np.concatenate([row.columns, (self._first_rule + new).astype(np.int32)])
            row.entries = np.concatenate([row.entries, entries])

    def _drop_idle_cuts(self) -> None:
        """Forget the cuts without which the last solution would be the same; they are found again if they are needed."""
        import numpy as np

        duals = self._model.getSolution().row_dual
        idle = [
            number
            for number, (row, dual) in enumerate(zip(self._rows, duals, strict=False))
            if row.weights and dual <= 0
        ]
        if idle:
            self._model.deleteRows(len(idle), np.array(idle, dtype=np.int32))
            dropped = set(idle)
            self._rows = [row for number, row in enumerate(self._rows) if number not in dropped]

    def _take_in(self, rules: Sequence[RuleCost], stop: Stop) -> None:
        """Note which groups of examples the rules cover."""
        first = len(self._rules)
        self._rules += rules
        self._costs += [rule.size for rule in rules]
        self._negatives_of += [[] for _ in rules]
        positives, negatives = _by_first_example(self._positives), _by_first_example(self._negatives)
        first_positives, first_negatives = sum(1 << e for e in positives), sum(1 << e for e in negatives)
        for number, rule in enumerate(rules, first):
            _ask(stop)
            for example in bits(rule.pos & first_positives):
                self._positives[positives[example]].rules.append(number)
            for example in bits(rule.neg & first_negatives):
                self._negatives[negatives[example]].rules.append(number)
                self._negatives_of[number].append(negatives[example])

    def _prepare_membership(self, stop: Stop) -> None:
        import numpy as np

        self._membership = _membership(self._positives, self._negatives, len(self._rules), stop)
        self._rules_of = [np.array(group.rules, dtype=np.int64) for group in self._positives]

    def _add_columns(self, numbers: range) -> None:
        """Variables without a row. Where rules are still added, none has an upper limit: that would have a dual of its own."""
        import numpy as np

        costs = np.array([self._costs[number] for number in numbers], dtype=np.float64)
        count = len(costs)
        high = np.full(count, np.inf) if self._is_open else np.ones(count)
        nothing = np.array([], dtype=np.int32)
        self._model.addCols(
            count, costs, np.zeros(count), high, 0, nothing, nothing, np.array([], dtype=np.float64)
        )

    def _columns_of(self, rules: Iterable[int]) -> list[int]:
        return [self._first_rule + rule for rule in rules]

    def _add_new(self) -> int:
        """Hand the new rows over to the solver, all at once; how many they were."""
        import numpy as np

        new, self._new = self._new, []
        if not new:
            return 0
        self._rows += new
        least = np.array([row.least / row.scale for row in new])
        lengths = np.array([len(row.columns) for row in new])
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int32)
        columns = np.concatenate([row.columns for row in new])
        values = np.concatenate([row.entries / row.scale for row in new])
        self._model.addRows(len(new), least, np.full(len(new), np.inf), len(columns), starts, columns, values)
        return len(new)

    def _run(self, stop: Stop) -> bool:
        """Solve the program as it is; False if it has no solution, which is so only where rules are fixed."""
        import highspy

        status = highspy.HighsModelStatus
        while True:
            _ask(stop)
            self._model.setOptionValue("time_limit", self._model.getRunTime() + _SLICE)
            self._model.run()
            found = self._model.getModelStatus()
            if found == status.kOptimal:
                return True
            if found != status.kTimeLimit:
                return False

    def _improve_bound(
        self,
        limits: dict[int, tuple[int, int]],
        proof: Proof,
        stop: Stop,
        most_rounds: int,
        on_bound: Callable[[int], None] | None = None,
    ) -> NDArray[np.float64] | None:
        """Solve, add what is violated, and again; the last solution, or None where the bound excludes anything cheaper."""
        import numpy as np

        is_root = on_bound is not None or not proof.duals
        bound = 0
        values: NDArray[np.float64] | None = None
        for _ in range(most_rounds):
            if not self._run(stop):
                return None
            solution = self._model.getSolution()
            values = np.array(solution.col_value)
            total, duals = self._exact_bound(solution.row_dual, limits)
            better = self._prices.rounded_up(total)
            bound = max(bound, better)
            if is_root and better >= proof.bound:
                proof.bound, proof.duals = min(better, proof.cost), duals
                if on_bound:
                    on_bound(proof.bound)
            _ask(stop)
            self._take(values, proof)
            if bound >= proof.cost:
                return None
            if not self._add_violated(values, stop):
                return values
        return values

    def _exact_bound(
        self, row_duals: Sequence[float], limits: dict[int, tuple[int, int]]
    ) -> tuple[Fraction, dict[int, int]]:
        """What follows from the duals, computed in whole numbers: a bound, and the duals by group of positive examples."""
        unit = _DUAL * WHOLE
        reduced = [cost * unit for cost in self._costs]
        total = self._never * unit
        by_group: dict[int, int] = {}
        for row, told in zip(self._rows, row_duals, strict=True):
            dual = int(told * _DUAL)
            if dual <= 0:
                continue
            scale = WHOLE // row.scale
            total += dual * scale * row.least
            for column, entry in zip(row.columns.tolist(), row.entries.tolist(), strict=True):
                reduced[column] -= dual * scale * entry
            if row.example >= 0:
                by_group[row.example] = by_group.get(row.example, 0) + dual
        for column, cost in enumerate(reduced):
            low, high = limits[column]
            total += min(low * cost, high * cost)
        return Fraction(total, unit), by_group

    def _take(self, values: NDArray[np.float64], proof: Proof) -> None:
        """Where the solver chooses rules by more than a half, these are a set: keep it if it is cheaper."""
        chosen = [number for number, share in enumerate(values[self._first_rule :]) if share > 0.5]
        cost = self._prices.cost(self._rules[number] for number in chosen)
        if cost < proof.cost:
            proof.cost, proof.chosen = cost, chosen

    def _branch(self, proof: Proof, stop: Stop, most_nodes: int) -> None:
        """Try rules both ways until every way is excluded, or too many were tried."""
        import numpy as np

        root = proof.bound
        waiting: list[tuple[int, dict[int, int]]] = [(root, {})]
        nodes = 0
        while waiting and nodes < most_nodes:
            waiting.sort(key=lambda node: -node[0])
            bound, fixed = waiting.pop()
            if bound >= proof.cost:
                continue
            nodes += 1
            limits = dict.fromkeys(range(len(self._costs)), (0, 1))
            limits.update((rule, (value, value)) for rule, value in fixed.items())
            for rule in range(self._first_rule, len(self._costs)):
                low, high = limits[rule]
                self._model.changeColBounds(rule, low, high)
            values = self._improve_bound(limits, proof, stop, 20)
            if values is None:
                continue
            total, _ = self._exact_bound(self._model.getSolution().row_dual, limits)
            below = self._prices.rounded_up(total)
            if below >= proof.cost:
                continue
            undecided = np.abs(np.asarray(values[self._first_rule :]) - 0.5)
            most = int(undecided.argmin())
            rule = self._first_rule + most
            if rule in fixed or undecided[most] > 0.5 - _SEEN:
                waiting.append((below, fixed))  # nothing is left to try both ways, and yet it is not excluded
                break
            waiting += [(max(bound, below), {**fixed, rule: 1}), (max(bound, below), {**fixed, rule: 0})]
        left = min((bound for bound, _ in waiting), default=proof.cost)
        proof.bound = max(root, min(left, proof.cost))

    # What is violated

    def _add_violated(self, values: NDArray[np.float64], stop: Stop) -> int:
        """Add links and cuts that the solution violates; how many. Links say nothing about rules that are still to come."""
        if not self._is_open:
            self._find_links(values)
        self._find_pairs(values, stop)
        if not self._new:
            self._find_cuts(values, stop)
        return self._add_new()

    def _find_links(self, values: NDArray[np.float64]) -> None:
        import numpy as np

        violated: list[tuple[float, int, int]] = []
        for rule, share in enumerate(values[self._first_rule :].tolist()):
            if share <= _SEEN:
                continue
            for negative in self._negatives_of[rule]:
                excess = share - values[self._first_wrong + negative]
                if excess > _SEEN and (rule, negative) not in self._linked:
                    violated.append((-excess, rule, negative))
        violated.sort()
        for _, rule, negative in violated[:_MOST_LINKS]:
            self._linked.add((rule, negative))
            columns = np.array([self._first_wrong + negative, self._first_rule + rule], dtype=np.int32)
            self._new.append(_Row(-1, {}, columns, np.array([1, -1], dtype=np.int64), 0))

    def _find_pairs(self, values: NDArray[np.float64], stop: Stop) -> None:
        """Cuts with one negative example: for each positive one those that are violated the most."""
        import numpy as np

        if not self._negatives:
            return
        positives, negatives = self._membership
        shares = values[self._first_rule :]
        support = np.flatnonzero(shares > _SEEN)
        missed = values[: self._first_wrong]
        wrong = values[self._first_wrong : self._first_rule]
        outside = 1.0 - negatives[:, support]
        held = (positives[:, support] * shares[support]) @ outside.T + wrong[None, :] + missed[:, None]
        for example in np.flatnonzero(held.min(axis=1) < 1 - _VIOLATED):
            _ask(stop)
            for negative in np.argsort(held[example])[:_CUTS_PER_EXAMPLE]:
                if held[example, negative] < 1 - _VIOLATED:
                    self._new.append(self._cut(int(example), {int(negative): WHOLE}))

    def _cut(self, example: int, weights: dict[int, int]) -> _Row:
        """The cut of a positive example with these weights of negative ones, in whole numbers."""
        import numpy as np

        row = _Row(example, weights, np.array([], dtype=np.int32), np.array([], dtype=np.int64), WHOLE)
        rules, entries = self._entries(self._rules_of[example], row)
        wrong = [self._first_wrong + negative for negative in weights]
        others = np.array([*wrong, example], dtype=np.int32)
        row.columns = np.concatenate([(self._first_rule + rules).astype(np.int32), others])
        row.entries = np.concatenate([entries, np.array([*weights.values(), WHOLE], dtype=np.int64)])
        return row

    def _entries(self, rules: NDArray[np.int64], row: _Row) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which of these rules, all of which cover the example of the row, have an entry in it, and which."""
        import numpy as np

        _, negatives = self._membership
        excluded = np.zeros(len(rules), dtype=np.int64)
        for negative, weight in row.weights.items():
            excluded += weight * negatives[negative, rules].astype(np.int64)
        left = np.maximum(0, row.scale - excluded)
        return rules[left > 0], left[left > 0]

    def _find_cuts(self, values: NDArray[np.float64], stop: Stop) -> None:
        """The cut of each positive example that is violated the most, if one is."""
        for example, group in enumerate(self._positives):
            _ask(stop)
            needed = 1 - values[example]
            support = [rule for rule in group.rules if values[self._first_rule + rule] > _SEEN]
            if needed <= _VIOLATED or not support:
                continue
            weights = self._separate(values, support, needed)
            if weights:
                self._new.append(self._cut(example, weights))

    def _separate(
        self, values: NDArray[np.float64], support: Sequence[int], needed: float
    ) -> dict[int, int] | None:
        """Weights of the cut that is violated the most: how much of the example's rules the negatives leave room for."""
        import highspy
        import numpy as np

        negatives = sorted({negative for rule in support for negative in self._negatives_of[rule]})
        place = {negative: number for number, negative in enumerate(negatives)}
        model = _new_model()
        room = np.array([*(values[self._first_wrong + negative] for negative in negatives), needed])
        count = len(negatives) + 1
        no_ints, no_floats = np.array([], dtype=np.int32), np.array([], dtype=np.float64)
        model.addRows(count, np.full(count, -np.inf), room, 0, no_ints, no_ints, no_floats)
        for rule in support:
            rows = np.array([*(place[n] for n in self._negatives_of[rule]), count - 1], dtype=np.int32)
            share = float(values[self._first_rule + rule])
            model.addCol(-1.0, 0.0, share, len(rows), rows, np.ones(len(rows)))
        model.setOptionValue("time_limit", _SLICE)
        model.run()
        if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        if -model.getObjectiveValue() > needed - _VIOLATED:
            return None
        duals = model.getSolution().row_dual
        weights = {negative: min(WHOLE, round(-duals[place[negative]] * WHOLE)) for negative in negatives}
        return {negative: weight for negative, weight in weights.items() if weight > 0}


def _ask(stop: Stop) -> None:
    """Go on unless the work is to stop."""
    if stop():
        raise Interrupted


def _new_model() -> Any:
    """A linear program without anything, whose solver works silently in this thread."""
    import highspy

    model = highspy.Highs()  # type: ignore[no-untyped-call]
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)
    return model


@dataclass(frozen=True, slots=True)
class _Group:
    """Examples that the same rules cover: one variable for all of them."""

    examples: list[int]
    price: int  # of all of them
    rules: list[int] = field(default_factory=list)


def _by_first_example(groups: Sequence[_Group]) -> dict[int, int]:
    """The numbers of groups by the first of their examples, which stands for all."""
    return {group.examples[0]: number for number, group in enumerate(groups)}


def _groups(sets: Sequence[int], prices: Sequence[int], stop: Stop) -> list[_Group]:
    """The examples that some set has, those together that are in the same sets."""
    sets_of: dict[int, list[int]] = {}
    for number, covered in enumerate(sets):
        _ask(stop)
        for example in bits(covered):
            sets_of.setdefault(example, []).append(number)
    groups: dict[tuple[int, ...], list[int]] = {}
    for example in sorted(sets_of):
        groups.setdefault(tuple(sets_of[example]), []).append(example)
    return [_Group(examples, sum(prices[example] for example in examples)) for examples in groups.values()]


def _membership(
    positives: Sequence[_Group], negatives: Sequence[_Group], rules: int, stop: Stop
) -> tuple[Any, Any]:
    """Which rules cover which groups of examples, as matrices of floats."""
    import numpy as np

    def matrix(groups: Sequence[_Group]) -> NDArray[np.float64]:
        table = np.zeros((len(groups), rules))
        for number, group in enumerate(groups):
            _ask(stop)
            table[number, group.rules] = 1.0
        return table

    return matrix(positives), matrix(negatives)
