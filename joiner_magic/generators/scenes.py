"""Scenes of Zendo as pictures: pyramids side by side on a table.

A colour is also a letter, so that it is read by everyone. Pieces that touch stand close together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from joiner_magic.generators.zendo import Piece, Scene
from joiner_magic.views.drawing import FAINT, LINE, Svg, named, page, piece, words

_COLOURS = {"red": "#d55e00", "green": "#009e73", "blue": "#0072b2"}
_SCALE = {"small": 0.55, "medium": 0.78, "large": 1.0}
_WIDE, _TALL, _GAP = 26.0, 40.0, 9.0
_MARGIN, _HEADING, _LETTERS, _COLUMNS = 10.0, 20.0, 12.0, 4


def drawn(scenes: Mapping[str, Scene], columns: int = _COLUMNS) -> str:
    """All of them in rows, each under its name."""
    widths = [_width(scene) for scene in scenes.values()]
    column = max([*widths, 80.0]) + 2 * _MARGIN
    row = _TALL + _HEADING + _LETTERS + 2 * _MARGIN
    shapes: list[Svg] = []
    for number, (name, scene) in enumerate(scenes.items()):
        x, y = (number % columns) * column, (number // columns) * row
        shapes.append(_scene(name, scene, x + _MARGIN, y + _MARGIN, column - 2 * _MARGIN))
    rows = -(-len(scenes) // columns)
    return page("scenes", column * min(columns, len(scenes)), row * rows, shapes)


def _scene(name: str, scene: Scene, x: float, y: float, width: float) -> Svg:
    floor = y + _HEADING + _TALL
    at = x + (width - _width(scene)) / 2
    shapes = []
    for number, each in enumerate(scene.pieces):
        shapes.append(_pyramid(each, at + _wide(each) / 2, floor))
        at += _wide(each) + _gap(scene, number)
    table = piece("path", d=f"M{x:.0f} {floor + 0.5:.1f}h{width:.0f}", stroke=LINE)
    return named(f"scene {name}", words(x, y + 12, name, fill=FAINT), table, *shapes)


def _wide(each: Piece) -> float:
    return _WIDE * _SCALE[each.size]


def _gap(scene: Scene, number: int) -> float:
    """Between a piece and the next."""
    return 0.0 if number in scene.touching else _GAP


def _width(scene: Scene) -> float:
    gaps = (_gap(scene, number) for number in range(len(scene.pieces) - 1))
    return sum(map(_wide, scene.pieces)) + sum(gaps)


def _pyramid(each: Piece, middle: float, floor: float) -> Svg:
    """A pyramid from the side: upright, fallen to the left or to the right, or seen from its flat base."""
    half, tall = _wide(each) / 2, _TALL * _SCALE[each.size]
    corners: Sequence[tuple[float, float]]
    if each.lean == "upright":
        corners = ((-half, 0), (half, 0), (0, -tall))
    elif each.lean == "flat":
        corners = ((-half, -half), (half, -half), (half * 0.7, 0), (-half * 0.7, 0))
    else:
        base = -1 if each.lean == "right" else 1  # where its base is; the tip points the other way
        corners = ((base * half, 0), (base * half, -1.6 * half), (-base * half, 0))
    outline = "M" + "L".join(f"{middle + dx:.1f} {floor + dy:.1f}" for dx, dy in corners) + "Z"
    return named(
        f"{each.size} {each.colour} piece, {each.lean}",
        piece("path", d=outline, fill=_COLOURS[each.colour]),
        words(middle, floor + _LETTERS, each.colour[0], fill=FAINT, font_size=9, text_anchor="middle"),
    )
