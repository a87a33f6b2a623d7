"""Bounds by rules that are made as the linear program asks for them, against all rules that can be made."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations
from random import Random

import pytest

from joiner_magic import _core
from joiner_magic.search.stages.priced_columns import WORTH, ColumnProof, PricedColumns, Rule
from joiner_magic.solvers.cheapest_rules import CheapestRules, CostProof
from joiner_magic.solvers.dual_bounds import WHOLE
from joiner_magic.solvers.interrupt import never
from joiner_magic.solvers.rule_groups import KnownCut, Prices, RuleCost

POSITIVES, NEGATIVES = 8, 7
DUAL = 1 << 18
UNIT = DUAL * WHOLE
SEEDS = range(150)


class Pieces:
    """A few pieces at random, some of which bring a head variable that every rule needs, and a whole rule."""

    def __init__(self, seed: int) -> None:
        rng = Random(f"columns {seed}")
        self.prices = Prices(
            [rng.randint(1, 4) for _ in range(POSITIVES)], [rng.randint(1, 4) for _ in range(NEGATIVES)]
        )
        self.required = rng.choice([0, 1])
        self.pieces = [
            (
                rng.randint(1, 3),
                rng.getrandbits(POSITIVES) | rng.getrandbits(POSITIVES),
                rng.getrandbits(NEGATIVES),
                rng.choice([0, 1, 1]) & self.required,
            )
            for _ in range(rng.randint(1, 5))
        ]
        self.whole = [(rng.randint(2, 6), rng.getrandbits(POSITIVES), rng.getrandbits(NEGATIVES))]
        self.core = _core.PricedPieces(self.required, 0, 1, list(self.prices.missed), list(self.prices.wrong))
        for size, pos, neg, head in self.pieces:
            self.core.add(size, pos, neg, head, 0, 0)
        for size, pos, neg in self.whole:
            self.core.add_whole(size, pos, neg)

    @property
    def made_of(self) -> list[RuleCost]:
        return [
            *(RuleCost(size, pos, neg) for size, pos, neg, _ in self.pieces),
            *(RuleCost(*rule) for rule in self.whole),
        ]

    def rules(self) -> list[RuleCost]:
        """All that can be made."""
        made = []
        for number in range(1, len(self.pieces) + 1):
            for chosen in combinations(self.pieces, number):
                size, pos, neg, head = 1, (1 << POSITIVES) - 1, (1 << NEGATIVES) - 1, 0
                for cost, covered, wrong, brings in chosen:
                    size, pos, neg, head = size + cost, pos & covered, neg & wrong, head | brings
                if not self.required & ~head:
                    made.append(RuleCost(size, pos, neg))
        return [*made, *(RuleCost(*rule) for rule in self.whole)]

    def least_cost(self) -> int:
        """Of all sets of at most three rules; more of them are hardly ever needed, and a bound must hold for these anyway."""
        rules = self.rules()
        sets = chain.from_iterable(combinations(rules, number) for number in range(4))
        return min(map(self.prices.cost, sets))

    def with_some_of_the_pieces(self) -> Pieces:
        """Without the second half of the pieces."""
        self.pieces = self.pieces[: len(self.pieces) // 2]
        self.core = _core.PricedPieces(self.required, 0, 1, list(self.prices.missed), list(self.prices.wrong))
        for size, pos, neg, head in self.pieces:
            self.core.add(size, pos, neg, head, 0, 0)
        for rule in self.whole:
            self.core.add_whole(*rule)
        return self

    def proofs(self, cuts: Sequence[KnownCut] = ()) -> tuple[PricedColumns, list[ColumnProof]]:
        columns = PricedColumns(self.core, self.made_of, self.prices, [], cuts, 1_000)
        return columns, list(columns.improve(self.prices.cost(()), never, 100))


@pytest.mark.parametrize("seed", SEEDS)
def test_no_bound_is_above_the_least_cost(seed: int) -> None:
    made = Pieces(seed)
    least = made.least_cost()
    columns, proofs = made.proofs()
    bounds = [proof.bound for proof in proofs]
    assert bounds == sorted(bounds)
    assert bounds[-1] <= least
    nothing = made.prices.cost(())
    rules = columns.best(nothing)
    if rules is not None:
        assert least <= made.prices.cost(_cost(rule) for rule in rules) < nothing


@pytest.mark.parametrize("seed", SEEDS)
def test_a_proof_may_begin_with_the_cuts_of_another(seed: int) -> None:
    """Of a program that had some of the pieces, so that examples were alike that are told apart now."""
    made, some = Pieces(seed), Pieces(seed).with_some_of_the_pieces()
    before, _ = some.proofs()
    _, proofs = made.proofs(before.cuts)
    assert max(proof.bound for proof in proofs) <= made.least_cost()


def test_nearly_all_of_these_are_proven() -> None:
    met = sum(made.proofs()[1][-1].bound == made.least_cost() for made in map(Pieces, SEEDS))
    assert met >= 0.9 * len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_all_rules_are_looked_at(seed: int) -> None:
    """Cuts at random: a rule is found if and only if one earns more than the price, and the best one is among them."""
    made = Pieces(seed)
    rng = Random(seed)
    cuts = [
        (
            rng.randrange(POSITIVES),
            rng.randint(1, 3 * DUAL),
            [(negative, rng.randint(1, WHOLE)) for negative in rng.sample(range(NEGATIVES), 2)],
        )
        for _ in range(rng.randint(1, 8))
    ]
    for price in (UNIT // 2, UNIT, 2 * UNIT):
        gains = [earned(rule, cuts) - price * rule.size for rule in made.rules()]
        found, is_complete = made.core.underpriced(cuts, WHOLE, price, 10, 10**9, never)
        assert is_complete
        assert [earned(_cost(rule), cuts) - price * rule[2] for rule in found[:1]] == (
            [max(gains)] if max(gains) > 0 else []
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rules_between_bound_and_best_cost_have_a_cheapest_set(seed: int) -> None:
    """What a proof leaves of the closure still has a hypothesis of least cost, if there is one below the cost that is given."""
    made = Pieces(seed)
    least = made.least_cost()
    proof = made.proofs()[1][-1]
    for best in (least + 1, made.prices.cost(())):
        closed = made.core.closure(10_000, 10**9, never, proof.against(best))
        assert closed is not None
        found = CheapestRules(list(map(_cost, closed)), made.prices).solve(made.prices.cost(()))
        assert found.cost == least or best <= least


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_that_are_not_known_yet(seed: int) -> None:
    """Some of the pieces are held back: what is proven without them holds for all sets that have one of their rules."""
    made = Pieces(seed)
    some = Pieces(seed).with_some_of_the_pieces()
    held_back = made.pieces[len(some.pieces) :]
    for proof in some.proofs()[1]:
        unknown = []
        for cost, pos, _, _ in held_back:
            worth = sum(worth for example, worth in enumerate(proof.worth) if pos >> example & 1)
            unknown.append((1 + cost, Fraction(worth, WORTH)))
        with_unknown = proof.bound_with_unknown(unknown, 3)
        assert min(proof.bound, made.prices.rounded_up(with_unknown)) <= made.least_cost()


@pytest.mark.parametrize("seed", SEEDS)
def test_what_may_be_in_a_cheaper_set(seed: int) -> None:
    """If a rule that is not known is worth less than its size by the slack, then no set with it is cheaper than the best."""
    made = Pieces(seed)
    some = Pieces(seed).with_some_of_the_pieces()
    proof = some.proofs()[1][-1]
    best = some.prices.cost(())
    slack = Fraction(proof.slack_below(best), WORTH)
    for size in (1, 2, 5):
        excluded = proof.bound_with_unknown([(size, size - slack)], 1)
        assert made.prices.rounded_up(excluded) >= best or slack == 0


def test_rows_that_are_dropped_do_not_matter() -> None:
    """A program to which rules are added bit by bit says the same as one that has them all from the beginning."""
    for seed in SEEDS:
        made = Pieces(seed)
        rules = made.rules()
        nothing = made.prices.cost(())
        at_once = CheapestRules(rules, made.prices, made_of=made.made_of)
        at_once.start(never)
        one_by_one = CheapestRules([], made.prices, made_of=made.made_of)
        one_by_one.start(never)
        for rule in rules:
            one_by_one.solve_for_duals(CostProof(0, nothing, None), never, 2)
            one_by_one.add([rule], never)
        proven = []
        for program in (at_once, one_by_one):
            duals = program.solve_for_duals(CostProof(0, nothing, None), never, 500)
            proven.append(duals.total / duals.unit)
        assert proven[0] == pytest.approx(proven[1], abs=1e-3), seed


def earned(rule: RuleCost, cuts: list[tuple[int, int, list[tuple[int, int]]]]) -> int:
    """What a rule earns by the duals of cuts."""
    total = 0
    for positive, dual, weights in cuts:
        if rule.pos >> positive & 1:
            covered = sum(weight for negative, weight in weights if rule.neg >> negative & 1)
            total += dual * max(0, WHOLE - covered)
    return total


def _cost(rule: Rule) -> RuleCost:
    _, _, size, pos, neg = rule
    return RuleCost(size, pos, neg)
