"""Molecules whose activity rests on a pharmacophore: a few atoms of given kinds at given distances.

Tables, as such data comes: a row for each atom, for each pair of atoms that are near each other, and for each molecule.
Each inactive molecule has a pharmacophore in which one distance or one kind is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from joiner_magic.generators.made import Made, labelled

KINDS = ("donor", "acceptor", "ring", "charge", "greasy")
DISTANCES = ("near", "middle", "far")
_BIAS = f"""head_pred(active,1). body_pred(atom,2). body_pred(apart,3).
{" ".join(f"body_pred({kind},1)." for kind in KINDS)}
{" ".join(f"body_pred({distance},1)." for distance in DISTANCES)}
type(active,(molecule,)). type(atom,(molecule,atom)). type(apart,(atom,atom,distance)).
{" ".join(f"type({kind},(atom,))." for kind in KINDS)}
{" ".join(f"type({distance},(distance,))." for distance in DISTANCES)}
max_vars(4). max_body(6).
"""


@dataclass(frozen=True, slots=True)
class Side:
    """Two kinds of atoms and how far they are apart."""

    one: str
    other: str
    distance: str


PHARMACOPHORE = (Side("donor", "acceptor", "near"), Side("ring", "charge", "far"))


@dataclass(frozen=True, slots=True)
class Molecule:
    kinds: tuple[str, ...]  # of its atoms
    distances: dict[tuple[int, int], str]  # of pairs i < j

    def has(self, side: Side) -> bool:
        return any(
            distance == side.distance and {self.kinds[i], self.kinds[j]} == {side.one, side.other}
            for (i, j), distance in self.distances.items()
        )


@dataclass(frozen=True, slots=True)
class Tables:
    """Rows as dictionaries: what a DataFrame is made of."""

    molecules: list[dict[str, object]]
    atoms: list[dict[str, object]]
    distances: list[dict[str, object]]
    made: Made


def molecules(sides: Sequence[Side] = PHARMACOPHORE, count: int = 60, seed: int = 1) -> Tables:
    """As many active as inactive ones; the last fifth of both is held out."""
    rng = Random(seed)
    half = count // 2
    found = [(f"a{i + 1}", True, _molecule(rng, sides, None)) for i in range(half)]
    found += [(f"i{i + 1}", False, _molecule(rng, sides, i % len(sides))) for i in range(half)]
    atoms: list[dict[str, object]] = []
    distances: list[dict[str, object]] = []
    for name, _, molecule in found:
        names = [f"{name}_{number}" for number in range(len(molecule.kinds))]
        atoms += [
            {"molecule": name, "atom": atom, "kind": kind}
            for atom, kind in zip(names, molecule.kinds, strict=True)
        ]
        distances += [
            {"atom": names[one], "other": names[other], "distance": distance}
            for (i, j), distance in molecule.distances.items()
            for one, other in ((i, j), (j, i))
        ]
    rows: list[dict[str, object]] = [{"molecule": name, "active": active} for name, active, _ in found]
    return Tables(rows, atoms, distances, _made(found, atoms, distances, sides))


def _molecule(rng: Random, sides: Sequence[Side], missing: int | None) -> Molecule:
    while True:
        kinds = [kind for side in sides for kind in (side.one, side.other)]
        kinds += rng.choices(KINDS, k=rng.randint(1, 3))
        distances = {
            pair: rng.choice(DISTANCES) for pair in combinations(range(len(kinds)), 2) if rng.random() < 0.5
        }
        for number, side in enumerate(sides):
            distances[2 * number, 2 * number + 1] = side.distance
        if missing is not None:
            pair = (2 * missing, 2 * missing + 1)
            distances[pair] = rng.choice([each for each in DISTANCES if each != sides[missing].distance])
        molecule = Molecule(tuple(kinds), distances)
        if [molecule.has(side) for side in sides] == [number != missing for number in range(len(sides))]:
            return molecule


def _made(
    found: Sequence[tuple[str, bool, Molecule]],
    atoms: Sequence[dict[str, object]],
    distances: Sequence[dict[str, object]],
    sides: Sequence[Side],
) -> Made:
    facts = [f"{distance}({distance})." for distance in DISTANCES]
    facts += [f"atom({row['molecule']},{row['atom']}). {row['kind']}({row['atom']})." for row in atoms]
    facts += [f"apart({row['atom']},{row['other']},{row['distance']})." for row in distances]
    active = [f"active({name})" for name, is_active, _ in found if is_active]
    inactive = [f"active({name})" for name, is_active, _ in found if not is_active]
    seen = len(active) - len(active) // 5
    body = ", ".join(
        f"atom(M,A{i}), {side.one}(A{i}), apart(A{i},B{i},D{i}), {side.distance}(D{i}), {side.other}(B{i})"
        for i, side in enumerate(sides)
    )
    return Made(
        background="\n".join(facts) + "\n",
        examples=labelled(active[:seen], inactive[:seen]),
        bias=_BIAS,
        held_out=labelled(active[seen:], inactive[seen:]),
        rule=f"active(M) :- {body}.",
    )
