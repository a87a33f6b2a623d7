"""Plots of how something grows: lines on logarithmic axes, in panels side by side.

Lines differ in the shapes of their points as well as in their colours. Where a measurement was given up, its value is
not known, only that it is greater: an empty shape with an arrow stands there, and no line leads to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from joiner_magic.views.drawing import FAINT, LINE, PAGE, SMALL, USUAL, Svg, named, page, piece, words
from joiner_magic.views.picture import Picture

WIDTH, HEIGHT = 392, 300  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 55, 28, 52, 45  # around its axes; on top are the title and the names of the lines
# Colour-blind readers can tell these apart too. Shapes are paths around the origin, of about one unit's radius.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#a34c7f")
SHAPES = (
    "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z",
    "M0 -1.2L1.1 .8H-1.1Z",
    "M-.9 -.9H.9V.9H-.9Z",
    "M0 -1.3L1.1 0L0 1.3L-1.1 0Z",
)
_RADIUS = 4.0
_ARROW = "M0 -6V-20M-4 -15L0 -20L4 -15"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a plot: points that were measured, and points at which the measurement was given up."""

    name: str
    points: Sequence[tuple[float, float]]
    given_up: Sequence[tuple[float, float]] = ()  # points whose true value is greater

    def __str__(self) -> str:
        """All points in words, those that were measured first."""
        measured = [_point_text(x, y) for x, y in self.points]
        given_up = [_point_text(x, y, "more than ") for x, y in self.given_up]
        return "; ".join([*measured, *given_up])


@dataclass(frozen=True, slots=True)
class PlotPanel:
    """One plot with its axes."""

    title: str
    x: str
    y: str
    lines: Sequence[Line]

    def __str__(self) -> str:
        """The plot in words: its title, and a line of text for each line."""
        lines = (f"  {line.name}, {self.y} by {self.x}: {line}" for line in self.lines)
        return "\n".join([self.title, *lines])


Panel = PlotPanel  # as notebooks call it


def log_plot(panels: Sequence[PlotPanel], columns: int = 2) -> Picture:
    """A picture of some plots, in so many columns."""
    columns = min(columns, len(panels))
    shapes = []
    for number, panel in enumerate(panels):
        row, column = divmod(number, columns)
        shapes.append(piece("g", *_panel(panel), transform=f"translate({column * WIDTH} {row * HEIGHT})"))
    title = "; ".join(panel.title for panel in panels)
    height = math.ceil(len(panels) / columns) * HEIGHT
    return Picture(page(title, columns * WIDTH, height, shapes), "\n".join(map(str, panels)))


def _point_text(x: float, y: float, than: str = "") -> str:
    """A point in words."""
    return f"{x:,g}: {than}{y:.2f}"


@dataclass(frozen=True, slots=True)
class _Axis:
    """From values to pixels: the logarithm of `low` is at `start`, that of `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel at which a value stands."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)


def _panel(panel: PlotPanel) -> Iterator[Svg]:
    """One plot: its title, grid, axes and lines."""
    points = [point for line in panel.lines for point in (*line.points, *line.given_up)]
    yield words(WIDTH / 2, 18, panel.title, text_anchor="middle", font_weight="bold")
    if not points:
        return
    xs, ys = sorted({x for x, _ in points}), [y for _, y in points]
    lowest = math.floor(math.log10(min(ys)))
    highest = math.floor(math.log10(max(ys))) + 1  # so there is room for an arrow
    across = _Axis(xs[0] / 1.1, xs[-1] * 1.1, LEFT, WIDTH - RIGHT)
    up = _Axis(10.0**lowest, 10.0**highest, HEIGHT - BOTTOM, TOP)
    yield from _grid(xs, range(lowest, highest + 1), across, up)
    yield words(WIDTH / 2, HEIGHT - 12, panel.x, text_anchor="middle")
    yield words(0, 0, panel.y, text_anchor="middle", transform=f"translate(14 {HEIGHT / 2:.0f}) rotate(-90)")
    for number, line in enumerate(panel.lines):
        yield _line(line, number, across, up)
    yield from _names(panel.lines)


def _names(lines: Sequence[Line]) -> Iterator[Svg]:
    """The names of the lines with their signs, above the plot."""
    x = LEFT + _RADIUS
    for number, line in enumerate(lines):
        yield _mark(number, x, TOP - 16)
        yield words(x + 9, TOP - 12, line.name)
        x += 28 + 0.55 * USUAL * len(line.name)


def _grid(xs: Sequence[float], exponents: Sequence[int], across: _Axis, up: _Axis) -> Iterator[Svg]:
    """Lines at the powers of ten, and numbers along the other axis."""
    for exponent in exponents:
        y = up.at(10.0**exponent)
        yield piece("path", d=f"M{LEFT} {y}H{WIDTH - RIGHT}", stroke=LINE)
        yield words(LEFT - 6, y + 4, f"{10.0**exponent:g}", text_anchor="end", fill=FAINT)
    until = -math.inf
    for x in xs:  # numbers that would run into each other are left out
        label, at = f"{x:,.0f}", across.at(x)
        yield piece("path", d=f"M{at} {HEIGHT - BOTTOM}v4", stroke=FAINT)
        half = len(label) * SMALL * 0.3
        if at - half > until:
            yield words(at, HEIGHT - BOTTOM + 16, label, text_anchor="middle", fill=FAINT, font_size=SMALL)
            until = at + half + 2


def _line(line: Line, number: int, across: _Axis, up: _Axis) -> Svg:
    """A line with its points, and with signs where the measurement was given up."""
    path = " ".join(f"{across.at(x)},{up.at(y)}" for x, y in line.points)
    inside = [piece("polyline", points=path, fill="none", stroke=_colour(number), stroke_width=1.5)]
    for x, y in line.points:
        sign = _mark(number, across.at(x), up.at(y))
        inside.append(named(_point_text(x, y), sign))
    for x, y in line.given_up:
        sign = _given_up_mark(number, across.at(x), up.at(y))
        inside.append(named(_point_text(x, y, "more than "), sign))
    return named(line.name, *inside)


def _mark(number: int, x: float, y: float) -> Svg:
    """The sign of a point on the line with this number."""
    return _shape(number, x, y, fill=_colour(number))


def _given_up_mark(number: int, x: float, y: float) -> Svg:
    """The sign of a measurement that was given up: empty, and with an arrow."""
    colour = _colour(number)
    arrow = piece(
        "path",
        d=_ARROW,
        fill="none",
        stroke=colour,
        stroke_width=1.5,
        transform=f"translate({x:g} {y:g})",
    )
    return piece(
        "g", arrow, _shape(number, x, y, fill=PAGE, stroke=colour, stroke_width=f"{1.5 / _RADIUS:.2f}")
    )


def _shape(number: int, x: float, y: float, **look: object) -> Svg:
    """The shape of the line with this number, at this place."""
    shape = SHAPES[number % len(SHAPES)]
    return piece("path", d=shape, transform=f"translate({x:g} {y:g}) scale({_RADIUS:g})", **look)


def _colour(number: int) -> str:
    """The colour of the line with this number."""
    return COLOURS[number % len(COLOURS)]
