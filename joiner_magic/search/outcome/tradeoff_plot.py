"""A small picture of a trade-off: the errors of the best known hypothesis by its number of literals, as SVG.

It is shown as an image, which inherits no colours from its page: its colours are readable on white and on black alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from joiner_magic.search.outcome.tradeoff import TradeoffPoint

_TEXT, _LINE, _RESULT = "#808080", "#3987c9", "#d9822b"
_WIDTH, _HEIGHT = 360, 150  # of what lies between the axes
_LEFT, _TOP, _RIGHT, _BOTTOM = 56, 26, 24, 38
_APART = 26  # pixels between two numbers that are written


def plot_tradeoff(points: Sequence[TradeoffPoint]) -> str:
    """Errors by size, as steps with a dot for each point: a full one for the result."""
    width, height = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _BOTTOM
    widest = max((point.size for point in points), default=0) or 1
    most = max((_errors(point) for point in points), default=0) or 1
    places = [
        (_LEFT + point.size / widest * _WIDTH, _TOP + _HEIGHT - _errors(point) / most * _HEIGHT)
        for point in points
    ]
    shapes = [*_frame(), _steps(places), *_dots(points, places)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' font-family="sans-serif" font-size="11" fill="{_TEXT}" text-anchor="middle">'
        f"<title>errors by number of literals</title>{''.join(shapes)}</svg>"
    )


def _errors(point: TradeoffPoint) -> int:
    return point.missed + point.wrong


def _frame() -> Iterator[str]:
    """The axes and their names."""
    bottom = _TOP + _HEIGHT
    yield f'<path d="M{_LEFT}.5 {_TOP}V{bottom}.5H{_LEFT + _WIDTH}" stroke="{_TEXT}" fill="none"/>'
    yield _text(_LEFT + _WIDTH / 2, bottom + 32, "literals")
    yield f'<text x="4" y="{_TOP - 12}" text-anchor="start">wrong examples</text>'


def _steps(places: Sequence[tuple[float, float]]) -> str:
    """A line that stays at the errors of a point until the next one begins."""
    path = "".join(
        f"M{x:.1f} {y:.1f}" if not number else f"H{x:.1f}V{y:.1f}" for number, (x, y) in enumerate(places)
    )
    return f'<path d="{path}" stroke="{_LINE}" stroke-width="1.5" fill="none"/>'


def _dots(points: Sequence[TradeoffPoint], places: Sequence[tuple[float, float]]) -> Iterator[str]:
    """A dot for each point. Numbers that would run into each other are left out, except those of the result."""
    until = float("-inf")
    for point, (x, y) in zip(points, places, strict=True):
        colour = _RESULT if point.is_result else _LINE
        fill = "none"
        if point.is_result:
            fill = colour
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{colour}" stroke-width="2">'
            f"<title>{point.size} literals, {_errors(point)} wrong</title></circle>"
        )
        if x >= until:
            yield _text(x, y - 9, str(_errors(point)))
            yield _text(x, _TOP + _HEIGHT + 15, str(point.size))
            until = x + _APART


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
