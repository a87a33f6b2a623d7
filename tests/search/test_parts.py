"""Parts against a list of all that were ever added."""

from __future__ import annotations

from random import Random

import pytest

from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.search.stages.parts import Part, Parts

POSITIVES = 70


def part(size: int, pos: int, variables: int = 1) -> Part:
    body = tuple(Literal("p", (variable,)) for variable in range(variables))
    return Part(Conjunction((Program((Rule(Literal("f", (0,)), body),)),)), size, pos)


@pytest.mark.parametrize("seed", range(40))
def test_what_no_other_subsumes_is_kept(seed: int) -> None:
    rng = Random(seed)
    width = rng.choice([3, 6, POSITIVES])
    parts, added = Parts(POSITIVES), list[Part]()
    for _ in range(60):
        new = part(rng.randint(2, 6), rng.randrange(1, 1 << width), rng.randint(1, 3))
        known = [old for old in added if old.size <= new.size and not new.pos & ~old.pos]
        if parts.add(new) and known:  # only an equal one is replaced
            assert min(old.rank for old in known if (old.pos, old.size) == (new.pos, new.size)) > new.rank
        added.append(new)
        kept = list(parts)
        assert len(kept) == len(parts)
        minimal = {
            (one.pos, one.size)
            for one in added
            if not any(
                other.size <= one.size
                and not one.pos & ~other.pos
                and (other.pos, other.size) != (one.pos, one.size)
                for other in added
            )
        }
        assert {(one.pos, one.size) for one in kept} == minimal
        assert parts.covered == parts.covered_within(6)
    for one in parts:  # of equals the preferred one
        equal = [other for other in added if (other.pos, other.size) == (one.pos, one.size)]
        assert one.rank == min(other.rank for other in equal)
    for _ in range(60):
        pos, size = rng.randrange(1, 1 << width), rng.randint(2, 6)
        by = parts.subsuming(pos, size)
        assert (by is not None) == any(old.size <= size and not pos & ~old.pos for old in added)
        assert by is None or (by in added and by.size <= size and not pos & ~by.pos)
        assert parts.covered_within(size).bit_count() <= parts.covered.bit_count()
