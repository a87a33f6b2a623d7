"""Drawn scenes: a figure for each, what it says, and pieces that touch where they should."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

from joiner_magic.generators.scenes import drawn
from joiner_magic.generators.zendo import COLOURS, LEANS, SIZES, Pyramid, Scene, scene, zendo

SVG = "{http://www.w3.org/2000/svg}"


def figures(svg: str) -> dict[str, ElementTree.Element]:
    """By what is said of them."""
    return {
        group.findtext(f"{SVG}title", ""): group for group in ElementTree.fromstring(svg).findall(f"{SVG}g")
    }


def extents(figure: ElementTree.Element) -> list[tuple[float, float]]:
    """From where to where each piece goes."""
    found = []
    for group in figure.findall(f"{SVG}g"):
        outline = group.find(f"{SVG}path")
        assert outline is not None
        xs = [float(x) for x, _ in re.findall(r"(-?[\d.]+) (-?[\d.]+)", outline.get("d", ""))]
        found.append((min(xs), max(xs)))
    return found


def test_a_figure_for_each_scene() -> None:
    world = zendo(scenes=14)
    picture = drawn(world.positives, world.negatives)
    said = list(figures(picture.svg))
    assert said == picture.text.split("\n")
    assert [each.split()[:2] for each in said] == [
        *(["✓", name] for name in world.positives),
        *(["✗", name] for name in world.negatives),
    ]


def test_pieces_that_touch_do_and_others_do_not() -> None:
    pieces = tuple(Pyramid(colour, size, lean) for colour in COLOURS for size in SIZES for lean in LEANS)
    touching = frozenset(range(0, len(pieces) - 1, 3))
    (figure,) = figures(drawn({"a": Scene(pieces, touching)}).svg).values()
    found = extents(figure)
    assert len(found) == len(pieces)
    for number, ((_, end), (start, _)) in enumerate(pairwise(found)):
        assert (start - end < 0.2) if number in touching else (start - end > 5)


def test_scenes_lie_beside_each_other() -> None:
    world = zendo(scenes=10)
    for figure in (found := list(figures(drawn(world.positives, columns=5).svg).values())):
        assert extents(figure)[0][0] >= 0
    for one, other in pairwise(found):
        assert extents(one)[-1][1] < extents(other)[0][0]


def test_names_are_escaped() -> None:
    (said,) = figures(drawn({"<b>&": scene("small red left")}).svg)
    assert said == "✓ <b>& follows the rule: small red left"


def test_a_cell_shows_an_image_that_says_what_it_is() -> None:
    bundle = drawn({}, {"n": scene("large blue flat")})._repr_mimebundle_()
    assert bundle["text/plain"] == "✗ n breaks the rule: large blue flat"
    assert 'alt="✗ n breaks the rule: large blue flat"' in bundle["text/html"]
