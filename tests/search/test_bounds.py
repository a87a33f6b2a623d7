"""ExactBounds against all hypotheses of small spaces: no part of a better one may be excluded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from random import Random

import pytest

from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.dominance import Piece
from joiner_magic.search.stages.bounds import ExactBounds
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.solvers import covering
from joiner_magic.solvers.interrupt import Interrupted
from joiner_magic.solvers.join_solver import JoinSolver

POSITIVES = 7
EVERYTHING = (1 << POSITIVES) - 1


def part(size: int, pos: int) -> Part:
    return Part(Conjunction(()), size, pos)


def union(parts: tuple[Part, ...]) -> int:
    covered = 0
    for one in parts:
        covered |= one.pos
    return covered


def size(parts: tuple[Part, ...]) -> int:
    return sum(one.size for one in parts)


def choices(parts: list[Part]) -> Iterator[tuple[Part, ...]]:
    return chain.from_iterable(combinations(parts, length) for length in range(len(parts) + 1))


def solutions(parts: list[Part]) -> list[tuple[Part, ...]]:
    return [chosen for chosen in choices(parts) if union(chosen) == EVERYTHING]


class Space:
    """Parts of which some are known, so that the known ones have a solution: its best size is `best`."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        front = Parts(POSITIVES)
        for _ in range(rng.randint(5, 14)):
            examples = rng.sample(range(POSITIVES), rng.randint(1, 4))
            front.add(part(rng.randint(2, 9), sum(1 << example for example in examples)))
        self.parts = list(front)[:11]
        self.complete = rng.randint(1, 7)
        self.known = [one for one in self.parts if one.size <= self.complete or rng.random() < 0.6]
        self.best = min((size(chosen) for chosen in solutions(self.known)), default=None)

    def bounds(self, *, exhausted: bool) -> ExactBounds:
        parts = Parts(POSITIVES)
        for one in self.known:
            parts.add(one)
        join = JoinSolver(POSITIVES, negatives=0)
        join.add([Piece(one.size - 1, one.pos, neg=0) for one in self.parts])
        bounds = ExactBounds(EVERYTHING, parts, join)
        bounds.complete, bounds.exhausted = self.complete, exhausted
        return bounds

    def unknown_in_better(self) -> set[Part]:
        """The unknown parts of solutions that are better than the best known one."""
        return {
            one
            for chosen in solutions(self.parts)
            if self.best is not None and size(chosen) < self.best
            for one in chosen
            if one not in self.known
        }


SPACES = [space for seed in range(1500) if (space := Space(seed)).best is not None]


@pytest.mark.parametrize("unions", [50_000, 0], ids=["all unions", "too many unions"])
@pytest.mark.parametrize("exhausted", [False, True])
def test_a_part_of_a_better_solution_meets_a_requirement(
    exhausted: bool, unions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(covering, "_MOST_UNIONS", unions)
    met = pruned = 0
    for space in SPACES:
        assert space.best is not None
        bounds = space.bounds(exhausted=exhausted)
        # What was asked before must not matter: the order is the one that runs do not have.
        for least in range(space.best, space.complete, -1):
            required = bounds.requirements(least, space.best)
            for one in space.unknown_in_better():
                if one.size >= least:
                    assert any(not examples & ~one.pos for examples in required), (space.parts, space.known)
                    met += 1
            pruned += all(required)  # the empty set excludes nothing
    assert met > 500
    assert pruned > 500


@pytest.mark.parametrize("exhausted", [False, True])
def test_the_end_is_the_end(exhausted: bool) -> None:
    ended = went_on = 0
    for space in SPACES:
        assert space.best is not None
        bounds = space.bounds(exhausted=exhausted)
        if bounds.excludes_better(space.complete + 1, space.best):
            assert not space.unknown_in_better()
            ended += 1
        else:
            assert bounds.lower is not None
            assert all(size(chosen) >= min(bounds.lower, space.best) for chosen in solutions(space.parts)), (
                space.parts
            )
            went_on += 1
    assert ended > 50
    assert went_on > 50


def test_a_smaller_program_that_covers_as_much_as_a_part_of_the_optimum_is_kept() -> None:
    outdone = 0
    for space in SPACES:
        optimum = min(map(size, solutions(space.parts)))
        needed = {
            one for chosen in solutions(space.parts) if size(chosen) == optimum for one in chosen
        } - set(space.known)
        bounds = space.bounds(exhausted=False)
        for literals in range(max(2, space.complete), 12):
            for best in (None, space.best):
                bounds.start_size(literals, best)
                for one in needed:
                    if one.size > literals:
                        assert not bounds.has_cheaper_union(one.pos)
                        assert best == optimum or not bounds.too_large(one.pos)
                outdone += bounds.has_cheaper_union(EVERYTHING >> 1)
    assert outdone > 100


@pytest.mark.parametrize(("exhausted", "required"), [(True, ()), (False, (0,))])
def test_examples_in_conflict_need_parts_of_their_own(exhausted: bool, required: tuple[int, ...]) -> None:
    """Three examples, no two of which a conjunction covers: two unknown parts and a known one cannot either."""
    join = JoinSolver(3, 1)
    join.add([Piece(4, 1 << example, neg=0) for example in range(3)] + [Piece(2, 0b111, neg=1)])
    parts = Parts(3)
    for example in range(3):
        parts.add(part(5, 1 << example))
    bounds = ExactBounds(0b111, parts, join)
    bounds.complete, bounds.exhausted = 6, exhausted
    assert bounds.requirements(7, 15) == required
    assert bounds.excludes_better(7, 15) == exhausted


def test_bounds_stop_when_they_are_told_to() -> None:
    rng = Random(1)
    parts = Parts(200)
    for _ in range(60):
        parts.add(part(rng.randint(3, 5), rng.getrandbits(200)))
    bounds = ExactBounds((1 << 200) - 1, parts, None, stop=lambda: True)
    bounds.complete = 40
    with pytest.raises(Interrupted):
        bounds.requirements(41, 80)
