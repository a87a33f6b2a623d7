"""Scenes of Zendo as pictures: pyramids side by side on a table.

A colour is also a letter, so that it is read by everyone. Pieces that touch stand close together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from joiner_magic.generators.zendo import Piece, Scene
from joiner_magic.views.drawing import FAINT, LINE, Svg, named, page, piece, words

_COLOURS = {"red": "#d55e00", "green": "#009e73", "blue": "#0072b2"}
_SCALE = {"small": 0.55, "medium": 0.78, "large": 1.0}
_WIDE, _TALL, _GAP = 22.0, 34.0, 7.0
_MARGIN, _HEADING, _COLUMNS = 10.0, 20.0, 4


def drawn(scenes: Mapping[str, Scene], columns: int = _COLUMNS) -> str:
    """All of them in rows, each under its name."""
    widths = [_width(scene) for scene in scenes.values()]
    column = max([*widths, 80.0]) + 2 * _MARGIN
    row = _TALL + _HEADING + 2 * _MARGIN
    shapes: list[Svg] = []
    for number, (name, scene) in enumerate(scenes.items()):
        x, y = (number % columns) * column, (number // columns) * row
        shapes.append(_scene(name, scene, x + _MARGIN, y + _MARGIN, column - 2 * _MARGIN))
    rows = -(-len(scenes) // columns)
    return page("scenes", column * min(columns, len(scenes)), row * rows, shapes)


def _scene(name: str, scene: Scene, x: float, y: float, width: float) -> Svg:
    floor = y + _HEADING + _TALL
    at = x + (width - _width(scene)) / 2
    starts = accumulate((_room(scene, number) for number in range(len(scene.pieces) - 1)), initial=at)
    shapes = [_pyramid(each, start + _WIDE / 2, floor) for each, start in zip(scene.pieces, starts, strict=True)]
    table = piece("path", d=f"M{x:.0f} {floor + 1:.0f}h{width:.0f}", stroke=LINE)
    return named(f"scene {name}", words(x, y + 12, name, fill=FAINT), table, *shapes)


def _room(scene: Scene, number: int) -> float:
    """From the left of a piece to the left of the next."""
    return _WIDE + (0.0 if number in scene.touching else _GAP)


def _width(scene: Scene) -> float:
    return sum(_room(scene, number) for number in range(len(scene.pieces) - 1)) + _WIDE


def _pyramid(each: Piece, middle: float, floor: float) -> Svg:
    """Upright on its base, on one of its sides, or upside down: flat on its tip would fall, so it lies."""
    scale = _SCALE[each.size]
    wide, tall = _WIDE * scale, _TALL * scale
    corners: Sequence[tuple[float, float]]
    if each.lean == "upright":
        corners = ((-wide / 2, 0), (wide / 2, 0), (0, -tall))
    elif each.lean == "flat":
        corners = ((-wide / 2, -wide / 2.4), (wide / 2, -wide / 2.4), (wide / 3, 0), (-wide / 3, 0))
    else:
        side = -1 if each.lean == "left" else 1
        corners = ((-side * wide / 2, 0), (-side * wide / 2, -wide * 0.9), (side * wide / 2, -wide * 0.1), (side * wide / 2, 0))
    outline = "M" + "L".join(f"{middle + dx:.1f} {floor + dy:.1f}" for dx, dy in corners) + "Z"
    told = f"{each.size} {each.colour} piece, {each.lean}"
    letter_y = floor - 2.5
    return named(
        told,
        piece("path", d=outline, fill=_COLOURS[each.colour], stroke="#00000055"),
        words(middle, letter_y, each.colour[0], fill="#ffffff", font_size=7, text_anchor="middle"),
    )
