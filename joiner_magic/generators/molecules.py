"""Molecules whose activity rests on a pharmacophore: a few atoms of given kinds at given distances.

Tables, as such data comes: a row for each molecule, for each atom, and for each pair of atoms with the distance
between them, which is measured on a flat molecule. Each inactive molecule has all of the pharmacophore but one side:
atoms of these kinds are there, at another distance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import dist, inf
from random import Random
from typing import Literal

from joiner_magic.errors import TaskError
from joiner_magic.generators.generated_task import GeneratedTask, labelled, try_until

KINDS = ("donor", "acceptor", "ring", "charge", "greasy")
DISTANCES = {"near": 3.0, "middle": 5.5, "far": inf}  # each up to so many ångströms
_BIAS = f"""head_pred(active,1). body_pred(atom,2).
{" ".join(f"body_pred({kind},1)." for kind in KINDS)}
{" ".join(f"body_pred({distance},2)." for distance in DISTANCES)}
type(active,(molecule,)). type(atom,(molecule,atom)).
{" ".join(f"type({kind},(atom,))." for kind in KINDS)}
{" ".join(f"type({distance},(atom,atom))." for distance in DISTANCES)}
max_vars(3). max_body(4).
"""
WIDE = 8.0  # ångströms that a molecule is wide at most
_APART = 1.2  # ångströms between two atoms at least

Row = dict[str, str | float | bool]


@dataclass(frozen=True, slots=True)
class Side:
    """Two kinds of atoms and how far they are apart."""

    one: str
    other: str
    distance: Literal["near", "middle", "far"]


PHARMACOPHORE = (Side("donor", "acceptor", "near"), Side("ring", "charge", "far"))
THREE_SIDED = (*PHARMACOPHORE, Side("donor", "ring", "middle"))


@dataclass(frozen=True, slots=True)
class Molecule:
    """A flat molecule: its atoms, each of a kind and in a place."""

    kinds: tuple[str, ...]  # of its atoms
    places: tuple[tuple[float, float], ...]

    def angstrom(self, one: int, other: int) -> float:
        """The distance between two atoms in ångströms."""
        return round(dist(self.places[one], self.places[other]), 1)

    def distance(self, one: int, other: int) -> str:
        """The distance between two atoms in a word: near, middle or far."""
        return next(word for word, most in DISTANCES.items() if self.angstrom(one, other) <= most)

    def having(self, side: Side) -> list[tuple[int, int]]:
        """The pairs of atoms that are this side."""
        return [
            (i, j)
            for i, j in permutations(range(len(self.kinds)), 2)
            if (self.kinds[i], self.kinds[j], self.distance(i, j)) == (side.one, side.other, side.distance)
        ]


@dataclass(frozen=True, slots=True)
class Tables:
    """Rows as dictionaries: what a DataFrame is made of.

    There is one table for each kind of thing: molecules, atoms, and pairs of atoms.
    """

    molecules: list[Row]  # a row for each molecule, with whether it is active
    atoms: list[Row]  # a row for each atom, with its molecule and kind
    distances: list[Row]  # a row for each pair of atoms of a molecule
    structures: Mapping[str, Molecule]  # the molecules as values, by their names in the tables
    made: GeneratedTask  # the task that they make


def molecules(sides: Sequence[Side] = PHARMACOPHORE, count: int = 60, seed: int = 1) -> Tables:
    """Active and inactive molecules in turns, as many of each; the last fifth of both is held out.

    Active and inactive molecules have the same kinds of atoms, so that kinds alone tell nothing: the distances do.
    """
    if not sides or any(kind not in KINDS for side in sides for kind in (side.one, side.other)):
        raise TaskError("a pharmacophore has one side at least", remedy=f"give sides of {', '.join(KINDS)}")
    rng = Random(seed)
    structures: dict[str, Molecule] = {}
    for number in range(count // 2):
        structures[f"m{2 * number + 1}"] = _molecule(rng, sides, None)
        structures[f"m{2 * number + 2}"] = _molecule(rng, sides, number % len(sides))
    atoms: list[Row] = []
    distances: list[Row] = []
    for name, molecule in structures.items():
        atoms += [
            {"molecule": name, "atom": f"{name}_{i + 1}", "kind": kind}
            for i, kind in enumerate(molecule.kinds)
        ]
        distances += [
            {"atom": f"{name}_{i + 1}", "other": f"{name}_{j + 1}", "angstrom": molecule.angstrom(i, j)}
            for i, j in permutations(range(len(molecule.kinds)), 2)
        ]
    rows: list[Row] = [
        {"molecule": name, "active": number % 2 == 0} for number, name in enumerate(structures)
    ]
    return Tables(rows, atoms, distances, structures, _task(structures, sides))


def _molecule(rng: Random, sides: Sequence[Side], missing: int | None) -> Molecule:
    """A molecule at random that has all sides, or all but the one with the number `missing`."""
    kinds = [kind for side in sides for kind in (side.one, side.other)]
    there = [i != missing for i in range(len(sides))]

    def throw() -> Molecule:
        """A molecule with the wanted kinds of atoms, and one or two more, at random places."""
        here = (*kinds, *rng.choices(KINDS, k=rng.randint(1, 2)))
        places = tuple((round(rng.uniform(0, WIDE), 1), round(rng.uniform(0, WIDE), 1)) for _ in here)
        return Molecule(here, places)

    def fits(molecule: Molecule) -> bool:
        """Whether no two atoms are too close, and just the wanted sides of the pattern are there."""
        pairs = combinations(range(len(molecule.kinds)), 2)
        if any(molecule.angstrom(i, j) < _APART for i, j in pairs):
            return False
        return [bool(molecule.having(side)) for side in sides] == there

    what = "molecule with these sides"
    if missing is not None:
        what = f"molecule that misses side {missing + 1} alone"
    return try_until(throw, fits, what=what, remedy="take fewer sides, of which no two are alike")


def _task(structures: Mapping[str, Molecule], sides: Sequence[Side]) -> GeneratedTask:
    """The task of the molecules, of which every second one is active."""
    facts = []
    for name, molecule in structures.items():
        atoms = [f"{name}_{i + 1}" for i in range(len(molecule.kinds))]
        facts += [
            f"atom({name},{atom}). {kind}({atom})." for atom, kind in zip(atoms, molecule.kinds, strict=True)
        ]
        facts += [
            f"{molecule.distance(i, j)}({atoms[i]},{atoms[j]})."
            for i, j in permutations(range(len(atoms)), 2)
        ]
    atoms = [f"active({name})" for name in structures]
    active, inactive = atoms[::2], atoms[1::2]
    seen = len(active) - len(active) // 5
    body = ", ".join(
        f"atom(M,A{i}), {side.one}(A{i}), {side.distance}(A{i},B{i}), {side.other}(B{i})"
        for i, side in enumerate(sides)
    )
    return GeneratedTask(
        background="\n".join(facts) + "\n",
        examples=labelled(active[:seen], inactive[:seen]),
        bias=_BIAS,
        held_out=labelled(active[seen:], inactive[seen:]),
        rule=f"active(M) :- {body}.",
    )
