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
positive example, whose duals are the weights. Links and cuts are added as they are violated (`cuts`).

**No float decides.** The solver (HiGHS) computes with floats. What it gives is used as a hint alone: its duals are rounded to
whole numbers, and the bound that follows from these is computed with whole numbers (`dual_bounds`). Any duals that are not
negative give a valid bound, because every variable lies between 0 and 1; bad ones give a weak bound.

**Rules that are not there.** The duals speak of rules that the program does not have, too: what such a rule earns by them is
known (`DualBound`), and if it is no more than its size, then the bound holds with the rule as well. An example of several
that are alike stands for all of them; to a rule that tells them apart, the dual is divided by their prices.

Where the bound stays below the best cost, the rules that the solver cannot decide are tried both ways (branch and bound).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from joiner_magic.solvers.dual_bounds import DualBound, are_fine_enough, dual_bound, exact_bound, worth_of
from joiner_magic.solvers.interrupt import Stop, go_on, never
from joiner_magic.solvers.rule_groups import KnownCut, Prices, RuleCost, RuleGroups

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from joiner_magic.solvers.cuts import Cuts
    from joiner_magic.solvers.linear_program import LinearProgram, Row

_UNDECIDED = 0.5 - 1e-6  # a rule is decided that differs from a half by more
_ROUNDS_OF_NODE = 20  # of cuts, where rules are fixed


@dataclass(slots=True)
class CostProof:
    """What is known about the cheapest set of rules."""

    bound: int  # no set costs less
    cost: int  # of the best set that is known
    chosen: list[int] | None  # its rules by number; None if it is the one that was known before
    duals: dict[int, int] = field(default_factory=dict)  # by group of positives, in units of `dual_bounds`

    @property
    def is_optimal(self) -> bool:
        """Whether no set of rules is cheaper than the best that is known."""
        return self.bound >= self.cost


@dataclass(frozen=True, slots=True)
class _Node:
    """A way of branch and bound: rules that are fixed, by their variables, and what such sets cost at least."""

    bound: int
    fixed: dict[int, int]

    def both_ways(self, rule: int, bound: int) -> list[_Node]:
        """The same way with one more rule chosen, and with that rule left out."""
        least = max(self.bound, bound)
        return [_Node(least, {**self.fixed, rule: 1}), _Node(least, {**self.fixed, rule: 0})]


class CheapestRules:
    """The linear program of some rules, and what follows from it."""

    _program: LinearProgram  # both from `start` on
    _cuts: Cuts

    def __init__(
        self,
        rules: Sequence[RuleCost],
        prices: Prices,
        stop: Stop = never,
        *,
        made_of: Sequence[RuleCost] | None = None,
    ) -> None:
        """With `made_of`, rules may be added later: each covers what some of these cover together, or one of them."""
        self._prices = prices
        self._is_open = made_of is not None
        self._groups = RuleGroups(rules if made_of is None else made_of, prices, stop)
        self._groups.add(rules, stop)
        self.is_tight = False  # whether the last solution violated no cut

    def solve(
        self,
        best: int,
        stop: Stop = never,
        *,
        most_rounds: int = 200,
        most_nodes: int = 200,
        on_bound: Callable[[int], None] | None = None,
    ) -> CostProof:
        """The cheapest set of rules, as far as it is proven; `best` is the cost of the best set that is known before."""
        proof = CostProof(0, best, None)
        self.start(stop)
        self._improve_bound({}, proof, stop, most_rounds, on_bound)
        if not proof.is_optimal and most_nodes:
            self._branch(proof, stop, most_nodes)
        return proof

    def solve_for_duals(self, proof: CostProof, stop: Stop, most_rounds: int) -> DualBound:
        """Solve the program with its rules so far, and say what follows for all rules; a cheaper set goes into the proof."""
        duals: Sequence[float] = []
        for _ in range(most_rounds):
            if not self._program.run(stop):
                break
            values, duals = self._program.solution()
            go_on(stop)
            self._take(values, proof)
            self.is_tight = not self._add_violated(values, stop)
            if self.is_tight:
                break
        of_new_rows = [0.0] * (len(self._program.rows) - len(duals))
        return dual_bound(self._groups, self._program.rows, [*duals, *of_new_rows])

    @property
    def has_duals(self) -> bool:
        """Whether costs are small enough for `solve_for_duals`."""
        return are_fine_enough(self._prices)

    def worth(self, duals: Mapping[int, int], unit: int) -> list[int]:
        """By positive example, what covering it is worth by the duals of a proof, rounded up to whole `1 / unit`."""
        return worth_of(self._groups, duals, unit)

    def cuts_in_use(self) -> list[KnownCut]:
        """The cuts without which the last solution would be another one."""
        groups = self._groups
        cuts = []
        for row, dual in zip(self._program.rows, self._program.duals(), strict=False):
            if row.weights and dual > 0:
                weights = [(groups.negatives[group].first, weight) for group, weight in row.weights.items()]
                cuts.append(KnownCut(groups.positives[row.example].examples, weights))
        return cuts

    def start(self, stop: Stop, cuts: Sequence[KnownCut] = ()) -> None:
        """Begin anew, with no cuts but these."""
        from joiner_magic.solvers.cuts import Cuts  # they load NumPy and HiGHS, which takes a while
        from joiner_magic.solvers.linear_program import LinearProgram

        self._program = LinearProgram(is_open=self._is_open)
        self._program.add_columns(self._groups.costs)
        self._cuts = Cuts(self._groups, stop)
        rows = []
        for number in range(len(self._groups.positives)):
            go_on(stop)
            rows.append(self._cuts.cover(number))
        for row in self._cuts.taken_over(cuts):
            go_on(stop)
            rows.append(row)
        self._program.add_rows(rows)

    def add(self, rules: Sequence[RuleCost], stop: Stop) -> None:
        """Rules that the program did not have."""
        self._program.drop_idle_cuts()
        first = len(self._groups.rules)
        self._groups.add(rules, stop)
        self._cuts.prepare(stop)
        self._program.add_columns(self._groups.costs[self._groups.first_rule + first :])
        for number, row in enumerate(self._program.rows):
            if row.example < 0:
                continue
            go_on(stop)
            self._program.extend_row(number, *self._cuts.of_new_rules(row, first))

    def _improve_bound(
        self,
        fixed: Mapping[int, int],
        proof: CostProof,
        stop: Stop,
        most_rounds: int,
        on_bound: Callable[[int], None] | None = None,
    ) -> NDArray[np.float64] | None:
        """Solve, add what is violated, and again; the last solution, or None where the bound excludes anything cheaper."""
        is_root = on_bound is not None or not proof.duals
        bound = 0
        values: NDArray[np.float64] | None = None
        for _ in range(most_rounds):
            if not self._program.run(stop):
                return None
            values, row_duals = self._program.solution()
            total, duals = exact_bound(self._groups, self._program.rows, row_duals, fixed)
            better = self._prices.rounded_up(total)
            bound = max(bound, better)
            if is_root and better >= proof.bound:
                proof.bound, proof.duals = min(better, proof.cost), duals
                if on_bound:
                    on_bound(proof.bound)
            go_on(stop)
            self._take(values, proof)
            if bound >= proof.cost:
                return None
            if not self._add_violated(values, stop):
                return values
        return values

    def _take(self, values: NDArray[np.float64], proof: CostProof) -> None:
        """Where the solver chooses rules by more than a half, these are a set: keep it if it is cheaper."""
        chosen = [number for number, share in enumerate(values[self._groups.first_rule :]) if share > 0.5]
        cost = self._prices.cost(self._groups.rules[number] for number in chosen)
        if cost < proof.cost:
            proof.cost, proof.chosen = cost, chosen

    def _add_violated(self, values: NDArray[np.float64], stop: Stop) -> int:
        """Add links and cuts that the solution violates; how many. Links say nothing about rules that are still to come."""
        new: list[Row] = []
        if not self._is_open:
            new += self._cuts.violated_links(values)
        new += self._cuts.violated_pairs(values, stop)
        if not new:
            new = list(self._cuts.violated_cuts(values, stop))
        return self._program.add_rows(new)

    def _branch(self, proof: CostProof, stop: Stop, most_nodes: int) -> None:
        """Try rules both ways until every way is excluded, or too many were tried."""
        root = proof.bound
        waiting = [_Node(root, {})]
        nodes = 0
        while waiting and nodes < most_nodes:
            waiting.sort(key=lambda node: -node.bound)
            node = waiting.pop()
            if node.bound >= proof.cost:
                continue
            nodes += 1
            values = self._solve_node(node, proof, stop)
            if values is None:
                continue
            below = self._bound_of(node)
            if below >= proof.cost:
                continue
            rule = self._undecided(values)
            if rule is None or rule in node.fixed:
                waiting.append(_Node(below, node.fixed))  # nothing is left to try, and yet it is not excluded
                break
            waiting += node.both_ways(rule, below)
        left = min((node.bound for node in waiting), default=proof.cost)
        proof.bound = max(root, min(left, proof.cost))

    def _solve_node(self, node: _Node, proof: CostProof, stop: Stop) -> NDArray[np.float64] | None:
        """The last solution where these rules are fixed, and no others; None where nothing cheaper is among such sets."""
        for rule in range(self._groups.first_rule, len(self._groups.costs)):
            value = node.fixed.get(rule)
            low, high = (0, 1) if value is None else (value, value)
            self._program.limit(rule, low, high)
        return self._improve_bound(node.fixed, proof, stop, _ROUNDS_OF_NODE)

    def _bound_of(self, node: _Node) -> int:
        """What sets of this way cost at least, by the last solution."""
        total, _ = exact_bound(self._groups, self._program.rows, self._program.duals(), node.fixed)
        return self._prices.rounded_up(total)

    def _undecided(self, values: NDArray[np.float64]) -> int | None:
        """The variable of the rule about which the solver is least decided, if there is one that is not decided at all."""
        first = self._groups.first_rule
        distances = abs(values[first:] - 0.5)
        most = int(distances.argmin())
        if distances[most] <= _UNDECIDED:
            return first + most
        return None
