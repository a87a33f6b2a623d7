"""Scenes of Zendo as pictures: pyramids side by side on a table, with a tick if they follow the rule.

A colour is also a letter, so that it is read by everyone. Pieces that touch stand close together, on one bar.

A scene that breaks the rule stands in a row below those that follow it, under its name and a cross.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from joiner_magic.generators.zendo import Pyramid, Scene
from joiner_magic.views.drawing import FAINT, INK, LINE, SMALL, Svg, named, page, piece, words
from joiner_magic.views.palette import NEGATIVE, POSITIVE
from joiner_magic.views.picture import Picture

_COLOURS = {"red": "#d55e00", "green": "#009e73", "blue": "#0072b2"}
_SCALE = {"small": 0.55, "medium": 0.78, "large": 1.0}
_WIDE, _TALL, _GAP = 30.0, 44.0, 9.0
_MARGIN, _HEADING, _LETTERS, _NARROWEST = 10.0, 20.0, 16.0, 80.0
_ROW = _TALL + _HEADING + _LETTERS + 2 * _MARGIN
_COLUMNS = 5


@dataclass(frozen=True, slots=True)
class _PlacedScene:
    """A scene, and the row and column in which it is drawn."""

    name: str
    scene: Scene
    follows: bool
    row: int
    column: int

    @property
    def title(self) -> str:
        """The name of the scene, with a tick or a cross."""
        if self.follows:
            return f"✓ {self.name}"
        return f"✗ {self.name}"

    def __str__(self) -> str:
        """The scene in words, and whether it follows the rule."""
        if self.follows:
            return f"{self.title} follows the rule: {self.scene}"
        return f"{self.title} breaks the rule: {self.scene}"


def drawn(
    positives: Mapping[str, Scene], negatives: Mapping[str, Scene] | None = None, columns: int = _COLUMNS
) -> Picture:
    """A picture of the scenes in rows, each under its name; scenes that break the rule begin a new row."""
    placed = [*_place_scenes(positives, True, 0, columns)]
    placed += _place_scenes(negatives or {}, False, -(-len(placed) // columns), columns)
    width = max([_NARROWEST, *(_width(each.scene) for each in placed)])
    column = width + 2 * _MARGIN
    shapes = [
        _scene(each, each.column * column + _MARGIN, each.row * _ROW + _MARGIN, width) for each in placed
    ]
    across = 1 + max(each.column for each in placed)
    down = 1 + max(each.row for each in placed)
    return Picture(page("scenes", across * column, down * _ROW, shapes), "\n".join(map(str, placed)))


def _place_scenes(
    scenes: Mapping[str, Scene], follow: bool, first: int, columns: int
) -> Iterator[_PlacedScene]:
    """Scenes in rows of so many columns, from the row `first` on."""
    for number, (name, scene) in enumerate(scenes.items()):
        yield _PlacedScene(name, scene, follow, first + number // columns, number % columns)


def _scene(placed: _PlacedScene, x: float, y: float, width: float) -> Svg:
    """A scene: its pyramids in a row on the floor, with a thick line below those that touch."""
    scene, floor = placed.scene, y + _HEADING + _TALL
    at = x + (width - _width(scene)) / 2
    shapes = [piece("path", d=f"M{x:.0f} {floor + 0.5:.1f}h{width:.0f}", stroke=LINE)]
    for number, each in enumerate(scene.pieces):
        shapes.append(_pyramid(each, at + _wide(each) / 2, floor))
        if number in scene.touching:
            both = _wide(each) + _wide(scene.pieces[number + 1])
            shapes.append(
                piece("path", d=f"M{at:.1f} {floor + 1.5:.1f}h{both:.1f}", stroke=INK, stroke_width=3)
            )
        at += _wide(each) + _gap(scene, number)
    colour = NEGATIVE
    if placed.follows:
        colour = POSITIVE
    return named(str(placed), words(x, y + 12, placed.title, fill=colour, font_weight="bold"), *shapes)


def _wide(each: Pyramid) -> float:
    """The width of a pyramid."""
    return _WIDE * _SCALE[each.size]


def _gap(scene: Scene, number: int) -> float:
    """Between a piece and the next."""
    if number in scene.touching:
        return 0.0
    return _GAP


def _width(scene: Scene) -> float:
    """The width of a scene with its gaps."""
    gaps = (_gap(scene, number) for number in range(len(scene.pieces) - 1))
    return sum(map(_wide, scene.pieces)) + sum(gaps)


def _pyramid(each: Pyramid, middle: float, floor: float) -> Svg:
    """A pyramid from the side: upright, fallen to the left or to the right, or seen from its flat base."""
    half, tall = _wide(each) / 2, _TALL * _SCALE[each.size]
    corners: Sequence[tuple[float, float]]
    if each.lean == "upright":
        corners = ((-half, 0), (half, 0), (0, -tall))
    elif each.lean == "flat":
        corners = ((-half, -half), (half, -half), (half * 0.7, 0), (-half * 0.7, 0))
    else:
        base = 1  # where its base is; the tip points the other way
        if each.lean == "right":
            base = -1
        corners = ((base * half, 0), (base * half, -1.6 * half), (-base * half, 0))
    outline = "M" + "L".join(f"{middle + dx:.1f} {floor + dy:.1f}" for dx, dy in corners) + "Z"
    return named(
        str(each),
        piece("path", d=outline, fill=_COLOURS[each.colour]),
        words(middle, floor + _LETTERS, each.colour[0], fill=FAINT, font_size=SMALL, text_anchor="middle"),
    )
