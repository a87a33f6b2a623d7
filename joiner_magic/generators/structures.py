"""Molecules as pictures: atoms where they are, lines where the sides of a pharmacophore are.

A kind of atom is a colour and a letter, so that it is read by everyone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from joiner_magic.generators.molecules import KINDS, PHARMACOPHORE, WIDE, Molecule, Side
from joiner_magic.views.drawing import FAINT, LINE, PAGE, Svg, named, page, piece, words
from joiner_magic.views.picture import Picture

_COLOURS = dict(zip(KINDS, ("#0072b2", "#d55e00", "#007a59", "#a34c7f", "#767676"), strict=True))
_ANGSTROM = 15.0  # in units of the picture
_RADIUS, _MARGIN, _GAP, _HEADING, _COLUMNS = 9.0, 16.0, 4.0, 18.0, 4
_DASHES = {"near": None, "middle": "6 3", "far": "2 3"}


def drawn(
    structures: Mapping[str, Molecule], sides: Sequence[Side] = PHARMACOPHORE, columns: int = _COLUMNS
) -> Picture:
    """A picture of the molecules in rows, each under its name."""
    across = WIDE * _ANGSTROM + 2 * _MARGIN
    down = across + _HEADING
    shapes = [
        _structure(name, molecule, sides, (number % columns) * across, (number // columns) * down)
        for number, (name, molecule) in enumerate(structures.items())
    ]
    rows = -(-len(structures) // columns)
    svg = page("molecules", across * min(columns, len(structures)), down * rows, shapes)
    return Picture(
        svg, "\n".join(_molecule_text(name, molecule, sides) for name, molecule in structures.items())
    )


def _molecule_text(name: str, molecule: Molecule, sides: Sequence[Side]) -> str:
    """A molecule in one line."""
    there = [f"{side.one} {side.distance} {side.other}" for side in sides if molecule.having(side)]
    return f"{name}: {', '.join(molecule.kinds)}" + "".join(f"; {side}" for side in there)


def _structure(name: str, molecule: Molecule, sides: Sequence[Side], x: float, y: float) -> Svg:
    """A molecule as a structure: lines where sides of the pattern are, and an atom at each place."""
    at = [
        (x + _MARGIN + right * _ANGSTROM, y + _HEADING + _MARGIN + down * _ANGSTROM)
        for right, down in molecule.places
    ]
    lines = [
        piece(
            "path",
            d="M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*at[i], *at[j]),
            stroke=FAINT,
            stroke_width=2,
            stroke_dasharray=_DASHES[side.distance],
        )
        for side in sides
        for i, j in molecule.having(side)
    ]
    atoms = [_atom(kind, *place) for kind, place in zip(molecule.kinds, at, strict=True)]
    wide = WIDE * _ANGSTROM + 2 * (_MARGIN - _GAP)
    frame = piece(
        "rect", x=x + _GAP, y=y + _HEADING + _GAP, width=wide, height=wide, rx=4, fill="none", stroke=LINE
    )
    title = words(x + _GAP, y + _HEADING - 2, name, fill=FAINT)
    return named(f"molecule {name}", title, frame, *lines, *atoms)


def _atom(kind: str, x: float, y: float) -> Svg:
    """An atom: a circle in the colour of its kind, with a letter."""
    return named(
        kind,
        piece("circle", cx=x, cy=y, r=_RADIUS, fill=_COLOURS[kind]),
        words(x, y + 4, kind[0], fill=PAGE, text_anchor="middle"),
    )
