"""A run with prices that reuses what earlier runs found makes the same claims as one from scratch.

Between the runs of a session the facts, examples, weights, bias and prices change, and some runs are exact.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from joiner_magic.search.outcome.result import Result
from joiner_magic.sessions.session import Session
from sessions.edits import Edited

PRICES: list[dict[str, Any]] = [
    {"noise": True},
    {"noise": "balanced"},
    {"missed": 3, "wrong": 2},
    {"missed": 4, "wrong": Fraction(1, 2)},
    {"missed": 3},
    {"wrong": 2},
    {},
]
WEIGHTS = ("2", "3", "0.5", "1/3")


class PricedEdits(Edited):
    """An edited task whose examples have weights, and whose prices change too."""

    def begin(self) -> None:
        """Choose the first prices and no weights."""
        self.weights: dict[str, str] = {}
        self.prices = self.rng.choice(PRICES)

    def edit(self) -> str:
        """One edit, and its name: in half of the cases of the weights or prices."""
        if self.rng.random() < 0.5:
            return super().edit()
        chosen = self.rng.choice([self.change_prices, self.change_weight])
        chosen()
        return chosen.__name__

    def change_prices(self) -> None:
        """Other prices, or none."""
        self.prices = self.rng.choice(PRICES)

    def change_weight(self) -> None:
        """Another weight of an example."""
        self.weights[self.rng.choice(list(self.labels))] = self.rng.choice(WEIGHTS)

    def tell(self, session: Session) -> None:
        """What the cells now say."""
        super().tell(session)
        session.say("examples", "\n".join(map(self._example, self.labels)), key="examples")

    def _example(self, atom: str) -> str:
        weight = f",{self.weights[atom]}" if atom in self.weights else ""
        return f"{self.labels[atom]}({atom}{weight})."


def check_claims(one: Result, other: Result, told: str) -> None:
    """Neither claims what the other refutes: an optimum, a bound, or that there is nothing."""
    for claiming, witness in ((one, other), (other, one)):
        if claiming.optimal and witness.cost is not None:
            assert claiming.cost is not None, told
            assert claiming.cost <= witness.cost, told
        if claiming.bound is not None and witness.cost is not None:
            assert claiming.bound <= witness.cost, told
    if one.optimal and other.optimal:
        assert one.cost == other.cost, told
    # Small spaces are searched to their ends, so the answer is known either way.
    assert one.solved == other.solved, told


def check(seed: int, steps: int, *, recursion: bool = False, **options: Any) -> tuple[int, int]:
    """Edit and learn again; how often something was reused, and how often a proof was given twice."""
    edited = PricedEdits.random(Random(f"priced edits {seed}"), recursion=recursion)
    assert isinstance(edited, PricedEdits)
    edited.begin()
    session = Session()
    reused = proven = 0
    trail: list[str] = []
    for _ in range(steps):
        edited.tell(session)
        again = session.learn(advise=False, timeout=20, **edited.prices, **options)
        fresh = Session()
        edited.tell(fresh)
        scratch = fresh.learn(advise=False, timeout=20, **edited.prices, **options)
        told = f"{trail} {edited.prices} {again.reused}\n{again}\n{scratch}\n{edited}"
        check_claims(again, scratch, told)
        assert again.objective == scratch.objective, told
        reused += bool(again.reused)
        proven += again.optimal and scratch.optimal
        trail.append(edited.edit())
    return reused, proven


@pytest.mark.parametrize("seed", range(16))
def test_random_edits_with_prices(seed: int) -> None:
    check(seed, steps=6)


@pytest.mark.parametrize("seed", range(100, 104))
def test_random_edits_with_prices_and_the_other_source(seed: int) -> None:
    check(seed, steps=5, source="asp")


@pytest.mark.parametrize("seed", range(200, 206))
def test_random_edits_with_prices_and_recursion(seed: int) -> None:
    check(seed, steps=4, recursion=True)


def test_something_is_reused_and_proven_with_prices() -> None:
    counts = [check(seed, steps=4) for seed in range(300, 305)]
    assert sum(reused for reused, _ in counts) >= 3
    assert sum(proven for _, proven in counts) >= 5


def test_a_fresh_run_in_the_same_session_agrees() -> None:
    edited = PricedEdits.random(Random("fresh"))
    assert isinstance(edited, PricedEdits)
    edited.begin()
    session = Session()
    for _ in range(5):
        edited.tell(session)
        again = session.learn(advise=False, noise=True)
        scratch = session.learn(advise=False, noise=True, fresh=True)
        check_claims(again, scratch, f"{again}\n{scratch}\n{edited}")
        edited.edit()


def test_exact_and_priced_runs_take_turns() -> None:
    """A bound of one kind of run is none for the other."""
    session = Session()
    session.bk("p(a). p(b). p(c). q(a). q(d). r(a). r(b). r(c). r(d).")
    session.examples("pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). neg(f(e)).")
    session.bias("body_pred(p,1). body_pred(q,1). max_vars(1). max_body(2).")
    costs = []
    for missed, wrong in ((None, None), (1, 1), (None, None), (3, 1), (1, 1)):
        result = session.learn(advise=False, missed=missed, wrong=wrong)
        assert result.optimal
        costs.append(result.cost)
    assert costs == [4, 3, 4, 4, 3]
