"""A plot on logarithmic axes: a mark for each point where it belongs, and what was given up told from what ended."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from joiner_magic.views.log_plot import Line, PlotPanel, log_plot

FAST = Line("a < b", [(10, 0.01), (100, 0.1), (1000, 1)])
SLOW = Line("c", [(10, 0.5)], given_up=[(100, 1), (1000, 1)])
PLOT = log_plot(
    [PlotPanel("one & two", "literals", "seconds", [FAST, SLOW]), PlotPanel("none", "x", "y", [])]
)
SVG = "{http://www.w3.org/2000/svg}"


def marks(line: str) -> dict[str, ElementTree.Element]:
    """What is drawn for each point of a line, by what is said of it."""
    groups = ElementTree.fromstring(PLOT.svg).iter(f"{SVG}g")
    (found,) = (group for group in groups if group.findtext(f"{SVG}title") == line)
    return {each.findtext(f"{SVG}title", ""): each for each in found.findall(f"{SVG}g")}


def place(mark: ElementTree.Element) -> tuple[float, float]:
    *_, shape = mark.iter(f"{SVG}path")
    x, y = re.findall(r"translate\(([\d.]+) ([\d.]+)\)", shape.get("transform", ""))[0]
    return float(x), float(y)


def test_equal_factors_are_equal_ways() -> None:
    (x1, y1), (x2, y2), (x3, y3) = map(place, marks("a < b").values())
    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.2)
    assert x1 < x2
    assert y1 - y2 == pytest.approx(y2 - y3, abs=0.2)
    assert y1 > y2  # upwards on the page


def test_what_was_given_up_is_said_and_looks_different() -> None:
    ended, *given_up = marks("c").items()
    assert ended[0] == "10: 0.50"
    assert [said for said, _ in given_up] == ["100: more than 1.00", "1,000: more than 1.00"]
    assert len(list(ended[1].iter(f"{SVG}path"))) == 1
    for _, mark in given_up:
        arrow, shape = mark.iter(f"{SVG}path")
        assert (arrow.get("fill"), shape.get("fill")) == ("none", "#ffffff")


def test_no_line_leads_to_what_was_given_up() -> None:
    lines = [
        line.get("points", "").split() for line in ElementTree.fromstring(PLOT.svg).iter(f"{SVG}polyline")
    ]
    assert list(map(len, lines)) == [3, 1]


def test_lines_differ_in_shape_and_colour() -> None:
    one, other = (
        next(marks(name)[said].iter(f"{SVG}path"))
        for name, said in (("a < b", "10: 0.01"), ("c", "10: 0.50"))
    )
    assert one.get("d") != other.get("d")
    assert one.get("fill") != other.get("fill")


def test_the_text_says_the_same() -> None:
    bundle = PLOT._repr_mimebundle_()
    assert bundle["text/plain"].split("\n") == [
        "one & two",
        "  a < b, seconds by literals: 10: 0.01; 100: 0.10; 1,000: 1.00",
        "  c, seconds by literals: 10: 0.50; 100: more than 1.00; 1,000: more than 1.00",
        "none",
    ]
    assert "data:image/svg+xml" in bundle["text/html"]


def test_numbers_at_the_end_of_an_axis_are_on_the_page() -> None:
    root = ElementTree.fromstring(log_plot([PlotPanel("p", "x", "y", [Line("a", [(1, 1), (1e6, 2)])])]).svg)
    (last,) = (each for each in root.iter(f"{SVG}text") if each.text == "1,000,000")
    width = float(root.get("viewBox", "").split()[2])
    assert float(last.get("x", "")) + 0.6 * 10 * len("1,000,000") / 2 <= width
