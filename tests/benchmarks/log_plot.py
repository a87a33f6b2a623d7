"""Panels of lines on logarithmic axes, as one SVG text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT, MARGIN = 380, 280, 55
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # told apart by colour-blind readers too


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    x: str
    y: str
    lines: Sequence[Line]


def svg(panels: Sequence[Panel], columns: int = 2) -> str:
    rows = math.ceil(len(panels) / columns)
    width, height = columns * WIDTH, rows * HEIGHT
    drawn = [
        f'<g transform="translate({i % columns * WIDTH},{i // columns * HEIGHT})">{"".join(_panel(panel))}</g>'
        for i, panel in enumerate(panels)
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="sans-serif" font-size="11">'
    )
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="white"/>', *drawn, "</svg>", ""])


@dataclass(frozen=True, slots=True)
class _Axis:
    """From values to pixels: the logarithm of `low` is at `start`, that of `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)


def _panel(panel: Panel) -> Iterator[str]:
    xs = sorted({x for line in panel.lines for x, _ in line.points})
    ys = [y for line in panel.lines for _, y in line.points]
    yield _text(WIDTH / 2, 18, panel.title, anchor="middle", weight="bold")
    if not ys:
        return
    low, high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    across = _Axis(xs[0] / 1.1, xs[-1] * 1.1, MARGIN, WIDTH - 15)
    up = _Axis(10**low, 10 ** max(high, low + 1), HEIGHT - 45, 30)
    for exponent in range(low, max(high, low + 1) + 1):
        y = up.at(10**exponent)
        yield f'<path d="M{MARGIN} {y}H{WIDTH - 15}" stroke="#ddd"/>'
        yield _text(MARGIN - 6, y + 4, f"{10.0**exponent:g}", anchor="end")
    for x in xs:
        yield f'<path d="M{across.at(x)} 30V{HEIGHT - 45}" stroke="#eee"/>'
        yield _text(across.at(x), HEIGHT - 30, f"{x:,.0f}", anchor="middle")
    yield _text(WIDTH / 2, HEIGHT - 12, panel.x, anchor="middle")
    yield f'<text transform="translate(14,{HEIGHT / 2}) rotate(-90)" text-anchor="middle">{escape(panel.y)}</text>'
    for number, line in enumerate(panel.lines):
        yield from _line(line, COLOURS[number % len(COLOURS)], across, up)
        yield _text(MARGIN + 8, 44 + 14 * number, line.name, fill=COLOURS[number % len(COLOURS)])


def _line(line: Line, colour: str, across: _Axis, up: _Axis) -> Iterator[str]:
    places = [(across.at(x), up.at(y)) for x, y in line.points]
    path = " ".join(f"{x},{y}" for x, y in places)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    yield from (f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>' for x, y in places)


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal", fill: str = "black"
) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}" fill="{fill}">{escape(text)}</text>'
