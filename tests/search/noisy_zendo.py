"""Larger tasks with flipped labels, and priced work that takes long: for tests of timeouts and interrupts."""

from __future__ import annotations

from random import Random

from joiner_magic import _core, read_task
from joiner_magic.generators.zendo import RULES, zendo
from joiner_magic.solvers.cheapest_rules import CheapestRules
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.rule_groups import Prices, RuleCost
from joiner_magic.task.task import Task


def flipped(examples: str, share: float, rng: Random) -> str:
    """Examples, one in each line, of which about this share has the other label."""
    other = {"pos": "neg", "neg": "pos"}
    lines = examples.splitlines()
    wrong = [rng.random() < share for _ in lines]
    return "".join(
        f"{other[line[:3]] if is_wrong else line[:3]}{line[3:]}\n"
        for line, is_wrong in zip(lines, wrong, strict=True)
    )


def noisy_zendo(scenes: int = 300, share: float = 0.1) -> Task:
    """Scenes that follow a rule of three pieces, or nearly do, some of them with the wrong label."""
    made = zendo(RULES["three ways"], scenes=scenes, seed=3).made()
    return read_task(made.background, flipped(made.examples, share, Random(1)), made.bias, noise=True)


def hard_linear_program(stop: Stop, rules: int = 8_000, examples: int = 300) -> None:
    """Look for the cheapest of very many rules at random, which takes minutes."""
    rng = Random(1)
    some = [RuleCost(rng.randint(3, 9), sparse(rng, examples), sparse(rng, examples)) for _ in range(rules)]
    prices = Prices([1] * examples, [1] * examples)
    CheapestRules(some, prices, stop).solve(examples, stop)


def sparse(rng: Random, examples: int) -> int:
    """An eighth of the examples, at random."""
    return rng.getrandbits(examples) & rng.getrandbits(examples) & rng.getrandbits(examples)


def hard_pieces(pieces: int = 60, examples: int = 200) -> _core.PricedPieces:
    """Pieces at random of which very many rules can be made."""
    rng = Random(1)
    made = _core.PricedPieces(0, 0, 1, [1] * examples, [1] * examples)
    for _ in range(pieces):
        dense = rng.getrandbits(examples) | rng.getrandbits(examples)
        made.add(rng.randint(1, 3), dense, rng.getrandbits(examples), 0, 0, 0)
    return made


def hard_closure(stop: Stop) -> None:
    """All rules of such pieces that may be needed, without a limit of work."""
    try:
        hard_pieces().closure(10**9, 10**15, stop)
    except _core.Stopped:
        raise Interrupted from None


def hard_local_search(stop: Stop) -> None:
    """Better and better rules of such pieces, without an end."""
    try:
        hard_pieces().cheaper([], 10**9, 10**15, 1, stop)
    except _core.Stopped:
        raise Interrupted from None
