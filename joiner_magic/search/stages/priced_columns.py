"""A bound where there are too many rules to list them: rules are made as the linear program asks for them.

The linear program (`solvers/cheapest_rules`) begins with a few rules. Its duals say what a rule would have to earn to make the
program cheaper, and the core looks for such rules among all that can be made (core/priced/underpriced.hpp). They are
added, and the program is solved again. In operations research this is called column generation.

A bound does not have to wait until no such rule is left. If no rule earns more than twice its size, say, then by half of
the duals none earns more than its size, and these prove half of what the program says. We say that the *price* of a unit of
size is 2 then. It is easier to find out for a higher price, as fewer rules can earn so much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TypeAlias

from joiner_magic import _core
from joiner_magic.solvers.cheapest_rules import CheapestRules, CostProof
from joiner_magic.solvers.dual_bounds import WHOLE, DualBound
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.rule_groups import KnownCut, Prices, RuleCost

# A rule as the core tells it: the numbers of its pieces, its number if it is whole, its size, and what it covers.
Rule: TypeAlias = tuple[tuple[int, ...], int | None, int, int, int]

# Prices of a unit of size, in thousandths. The first one is above 1000, as what rules earn is rounded up.
_PRICES = (1001, 1010, 1040, 1100, 1250, 1500, 2000, 4000, 8000)
_MOST_NEW = 60  # rules that are added at once
_ROUNDS = 3  # of cuts before rules are asked for again; twice as many after each question that found none
_OFTEN = 10  # after so many questions a bound is looked for, also if there are more rules to come
_WORK = 300_000_000  # words looked at for one question: about half a second
_WORK_FOR_PROOF = 2_000_000_000  # when nothing was found with that
WORTH = 1 << 12  # what stands for one unit of cost where worths are compared


@dataclass(frozen=True, slots=True)
class ColumnProof:
    """What is proven about all hypotheses of the rules that can be made: by `duals`, no rule earns more than `price` for each
    unit of its size.
    """

    duals: DualBound
    price: int
    prices: Prices

    @property
    def bound(self) -> int:
        """No hypothesis costs less."""
        return self.prices.rounded_up(self.duals.at(self.price))

    @property
    def worth(self) -> list[int]:
        """By positive example, what covering it is worth at most, in units of `WORTH`: what it earns, by the price."""
        return [-(-earned * WORTH // self.price) for earned in self.duals.worth]

    def bound_with_unknown(self, unknown: Sequence[tuple[int, Fraction]], most_rules: int) -> Fraction:
        """What a hypothesis costs at least that has rules that cannot be made yet: one at least, and so many at the most.

        `unknown` has for each kind of them what one costs at least, and the most that one is worth. So each lowers what is
        proven by at most the difference; if all are worth less than they cost, one of them raises it. Or the duals are divided
        once more, so that none is worth more than it costs, and so is what they prove.
        """
        proven = self.duals.at(self.price)
        excess = max(worth - cost for cost, worth in unknown)
        lowered = proven - excess * (most_rules if excess > 0 else 1)
        highest_ratio = max(worth / cost for cost, worth in unknown)
        divided = proven / max(highest_ratio, Fraction(1))
        return max(lowered, divided)

    def against(self, best: int) -> tuple[list[int], int, int]:
        """By what is proven: what positives earn, the price of a unit, and how much less a rule may earn that is in a
        cheaper hypothesis than `best`.

        With the duals divided by the price, each rule costs at least what it earns. So a hypothesis costs at least what is
        proven, and besides what its rules cost beyond what they earn.
        """
        slack = self.price * (best - self.prices.step) - self.duals.total
        return self.duals.worth, self.price, slack

    def slack_below(self, best: int) -> int:
        """The same in units of `WORTH`: by so much a rule that is in a cheaper hypothesis may be worth less than it costs."""
        slack = best - self.prices.step - self.duals.at(self.price)
        return max(0, floor(slack * WORTH) + 1)


class PricedColumns:
    """The rules that the linear program has been given so far, and what it proves about all."""

    def __init__(
        self,
        core: _core.PricedPieces,
        made_of: Sequence[RuleCost],
        prices: Prices,
        begin: Sequence[Rule],
        cuts: Sequence[KnownCut],
        most_rules: int,
    ) -> None:
        """`begin` and `cuts` are the rules and the cuts to begin with; all other rules are made of the core's pieces, whose
        coverage is in `made_of`. There are at most `most_rules`, if those to begin with are not more.
        """
        self._core = core
        self._prices = prices
        self._made_of = made_of
        self._most_rules = most_rules
        self._rules = list(begin)
        self.cuts = cuts  # those that the program has at last
        self._known = {(rule[0], rule[1]) for rule in begin}
        self._proof: ColumnProof | None = None
        self._found: CostProof | None = None  # with a cheaper set, if the solver came across one

    @property
    def rules(self) -> list[Rule]:
        """Those that the program has."""
        return self._rules

    def best(self, cost: int) -> list[Rule] | None:
        """The rules of the best set that is known, if it is cheaper than the one of this cost."""
        found = self._found
        if found is None or found.chosen is None or found.cost >= cost:
            return None
        return [self._rules[number] for number in found.chosen]

    def improve(self, best: int, stop: Stop, most_questions: int) -> Iterator[ColumnProof]:
        """Proofs of better and better bounds; `best` is the cost of the best set that is known."""
        self._found = found = CostProof(0, best, None)
        program = CheapestRules(list(map(_cost, self._rules)), self._prices, stop, made_of=self._made_of)
        if not program.has_duals:
            return
        program.start(stop, self.cuts)
        rounds = _ROUNDS
        for number in range(1, most_questions + 1):
            duals = program.solve_for_duals(found, stop, rounds)
            self.cuts = program.cuts_in_use()
            new, price = self._underpriced(duals, stop, _WORK)
            if not new and price is None:
                new, price = self._underpriced(duals, stop, _WORK_FOR_PROOF)
                if not new and price is None:
                    price, new = self._price_of_all(duals, _WORK_FOR_PROOF, stop)
            elif new and number % _OFTEN == 0:
                price, _ = self._price_of_all(duals, _WORK, stop)
            if price is not None:
                yield from self._prove(duals, price)
            if found.cost <= self._bound or len(self._rules) > self._most_rules:
                return
            rounds = _ROUNDS if new else 2 * rounds
            if new:
                program.add(list(map(_cost, new)), stop)
            elif program.is_tight or duals.total >= found.cost * duals.unit:
                return  # with more cuts, the program would not say more

    @property
    def _bound(self) -> int:
        return self._proof.bound if self._proof else 0

    def _prove(self, duals: DualBound, price: int) -> Iterator[ColumnProof]:
        """A proof, if it is better than those before."""
        proof = ColumnProof(duals, price, self._prices)
        if self._proof is None or proof.bound > self._bound:
            self._proof = proof
            yield proof

    def _underpriced(self, duals: DualBound, stop: Stop, work: int) -> tuple[list[Rule], int | None]:
        """Rules that the program should have and does not; if there are none, the least price, if it is that of all rules."""
        found, is_complete = self._ask(duals, _PRICES[0], work, stop)
        if is_complete and not found:
            return [], _PRICES[0] * duals.unit // 1000
        return self._new_of(found), None

    def _price_of_all(self, duals: DualBound, work: int, stop: Stop) -> tuple[int | None, list[Rule]]:
        """The least price that no rule earns more than, as far as that can be found out, and rules that earn more than the next.

        High prices are tried first.
        """
        least = None
        for price in reversed(_PRICES):
            found, is_complete = self._ask(duals, price, work, stop)
            if found or not is_complete:
                return least, self._new_of(found)
            least = price * duals.unit // 1000
        return least, []

    def _new_of(self, found: Sequence[Rule]) -> list[Rule]:
        """Those of the rules that the program does not have; it gets them."""
        new = [rule for rule in found if (rule[0], rule[1]) not in self._known]
        self._known.update((rule[0], rule[1]) for rule in new)
        self._rules += new
        return new

    def _ask(self, duals: DualBound, price: int, work: int, stop: Stop) -> tuple[list[Rule], bool]:
        """Rules that earn more than this price, in thousandths, and whether all were looked at."""
        try:
            price_of_size = price * duals.unit // 1000
            return self._core.underpriced(duals.cuts, WHOLE, price_of_size, _MOST_NEW, work, stop)
        except _core.Stopped:
            raise Interrupted from None


def _cost(rule: Rule) -> RuleCost:
    _, _, size, pos, neg = rule
    return RuleCost(size, pos, neg)
