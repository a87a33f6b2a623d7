"""Programs that a proof does not need are put off, and come when another proof needs them: no cheapest hypothesis is lost."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from joiner_magic import Result, learn
from joiner_magic.search import prepare, priced_search
from joiner_magic.search.fate import Fate
from joiner_magic.search.spaces.mined_space import MinedSpace
from joiner_magic.search.spaces.mining_source import MiningSource
from joiner_magic.search.spaces.source import Worth
from search.brute_force import least_cost
from search.noisy_zendo import noisy_zendo
from search.priced_tasks import DEAR, PricedTask


@pytest.fixture
def put_off(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """A proof comes after every size, and whether programs of smaller sizes were needed again is written down."""
    owed: list[bool] = []
    owes = MiningSource.owes

    def noted(source: MiningSource, size: int) -> bool:
        owed.append(owes(source, size))
        return owed[-1]

    monkeypatch.setattr(priced_search, "_MANY", 0)
    monkeypatch.setattr(MiningSource, "owes", noted)
    return owed


def _without_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules are tested by plans, as where facts are too many for bits."""

    class Forced:
        @staticmethod
        def of(*args: Any, **options: Any) -> MinedSpace:
            return replace(MinedSpace.of(*args, **options), bits=False)

    monkeypatch.setattr(prepare, "MinedSpace", Forced)


@pytest.mark.parametrize("bits", [True, False])
@pytest.mark.parametrize("seed", range(150))
def test_no_hypothesis_is_cheaper(
    seed: int, bits: bool, put_off: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not bits:
        _without_bits(monkeypatch)
    priced = PricedTask.random(Random(f"put off {seed}"), DEAR, flipped=True)
    made = priced.made
    result = learn(priced.task(), **priced.prices, timeout=60)
    least = least_cost(made, priced.missed, priced.wrong, join=True, weights=priced.weights)
    told = f"{result}\n{made}\n{least}"
    if result.status == "optimal":
        assert result.cost == least, told
    elif result.hypothesis is not None:
        assert result.bound is None or (least is not None and result.bound <= least), told
    else:
        assert result.status == "none", told


def _learnt(scenes: int = 60, **options: Any) -> Result:
    task = noisy_zendo(scenes, share=0.2)
    return learn(task, noise=True, max_body=6, source="native", advise=False, timeout=300, **options)


@pytest.mark.parametrize("scenes", [60, 100])
def test_less_is_tested_and_the_same_is_proven(
    scenes: int, put_off: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = _learnt(scenes)
    monkeypatch.setattr(MiningSource, "focus", lambda *_: None)
    everything = _learnt(scenes)
    assert (some.status, some.cost) == (everything.status, everything.cost)
    assert some.optimal
    assert sum(some.counts.values()) < sum(everything.counts.values())
    assert True in put_off  # of smaller sizes, too


def test_what_was_put_off_comes_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time a proof says what is needed, the opposite is believed; only the last ones are taken as they are."""
    believed = 0
    focus = MiningSource.focus

    def contrary(source: MiningSource, size: int, worth: Worth | None) -> None:
        nonlocal believed
        believed += 1
        if worth is not None and believed <= 2:
            worth = worth._replace(positives=[0] * len(worth.positives))  # nothing is needed
        focus(source, size, worth)

    expected = _learnt(100)
    monkeypatch.setattr(priced_search, "_MANY", 0)
    monkeypatch.setattr(MiningSource, "focus", contrary)
    result = _learnt(100)
    assert believed > 2
    assert result.optimal
    assert expected.optimal
    assert result.cost == expected.cost


def test_the_answer_does_not_depend_on_the_number_of_threads(put_off: list[bool]) -> None:
    one, two = _learnt(), _learnt(jobs=2)
    assert (one.status, one.cost, one.rules, one.counts) == (two.status, two.cost, two.rules, two.counts)


def test_a_body_that_fails_like_a_part_of_it_is_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where facts are not laid out as bits; with the same answer, and nothing else that is not tested."""
    with_bits = _learnt()
    _without_bits(monkeypatch)
    without = _learnt()
    assert (with_bits.status, with_bits.cost) == (without.status, without.cost)
    assert Fate.INHERITED not in with_bits.counts or not with_bits.counts[Fate.INHERITED]
    assert without.counts[Fate.INHERITED] > 0
