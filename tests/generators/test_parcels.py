"""Parcels: the rule in mind holds of the late ones, and order is all that tells them from their twins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generators.in_mind import covers_exactly
from joiner_magic import learn
from joiner_magic.generators.parcels import parcels


@pytest.mark.parametrize("seed", [1, 2])
def test_the_rule_in_mind_covers_every_late_parcel_and_no_other(seed: int) -> None:
    made = parcels(seed=seed)
    assert covers_exactly(made)
    assert [text.count("pos(") for text in (made.examples, made.held_out)] == [16, 4]


def test_the_same_seed_makes_the_same_parcels() -> None:
    assert parcels(seed=5) == parcels(seed=5)
    assert parcels(seed=5) != parcels(seed=6)


def test_without_the_order_of_stops_no_late_parcel_can_be_told_from_its_twin() -> None:
    task = parcels(late=10).task()
    body = tuple(predicate for predicate in task.bias.body if predicate.name != "next")
    result = learn(replace(task, bias=replace(task.bias, body=body)), advise=False)
    assert result.shortfall is not None
    assert result.shortfall.impossible == task.examples.pos
