"""Molecules: the tables, the facts and the rule in mind say the same."""

from __future__ import annotations

from itertools import permutations

import pytest

from generators.in_mind import covers_exactly
from joiner_magic.generators.molecules import (
    DISTANCES,
    PHARMACOPHORE,
    THREE_SIDED,
    Side,
    Tables,
    molecules,
)
from joiner_magic.generators.structures import drawn

BOTH = pytest.mark.parametrize("sides", [PHARMACOPHORE, THREE_SIDED], ids=["two sides", "three sides"])


@BOTH
@pytest.mark.parametrize("seed", [1, 2])
def test_the_rule_in_mind_covers_every_active_molecule_and_no_other(
    sides: tuple[Side, ...], seed: int
) -> None:
    made = molecules(sides, count=40, seed=seed).made
    assert covers_exactly(made)
    assert [text.count("pos(") for text in (made.examples, made.held_out)] == [16, 4]


def test_the_same_seed_makes_the_same_tables() -> None:
    assert molecules(seed=5) == molecules(seed=5)
    assert molecules(seed=5) != molecules(seed=6)


@BOTH
def test_each_inactive_molecule_misses_one_side(sides: tuple[Side, ...]) -> None:
    tables = molecules(sides, count=24)
    for row in tables.molecules:
        structure = tables.structures[str(row["molecule"])]
        there = [bool(structure.having(side)) for side in sides]
        assert sum(there) == len(sides) - (not row["active"])
        assert {kind for side in sides for kind in (side.one, side.other)} <= set(structure.kinds)


def facts_of(tables: Tables) -> set[str]:
    """As a reader of the tables would write them."""
    facts = {f"atom({row['molecule']},{row['atom']})" for row in tables.atoms}
    facts |= {f"{row['kind']}({row['atom']})" for row in tables.atoms}
    for row in tables.distances:
        word = next(word for word, most in DISTANCES.items() if float(row["angstrom"]) <= most)
        facts.add(f"{word}({row['atom']},{row['other']})")
    return facts


def test_the_tables_say_what_the_facts_say() -> None:
    tables = molecules(count=10)
    told = tables.made.background.replace("\n", " ").removesuffix(". ").split(". ")
    assert set(told) == facts_of(tables)


def test_a_distance_is_the_same_both_ways_and_atoms_do_not_touch() -> None:
    for structure in molecules(count=10).structures.values():
        for i, j in permutations(range(len(structure.kinds)), 2):
            assert structure.angstrom(i, j) == structure.angstrom(j, i) > 1


def test_a_picture_has_every_atom_and_the_sides_that_are_there() -> None:
    structures = dict(list(molecules().structures.items())[:4])
    picture = drawn(structures)
    atoms = sum(len(each.kinds) for each in structures.values())
    sides = sum(len(each.having(side)) for each in structures.values() for side in PHARMACOPHORE)
    assert picture.svg.count("<circle") == atoms
    assert picture.svg.count("<path") == sides
    assert all(f"<title>molecule {name}</title>" in picture.svg for name in structures)
    active, inactive = str(picture).splitlines()[:2]
    assert active.endswith("; donor near acceptor; ring far charge")
    assert inactive.endswith("; ring far charge")
    assert "near" not in inactive
