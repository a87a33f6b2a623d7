"""A small picture of runs: a bar for the seconds and a dot for the size of each, as SVG.

Where errors have the same price in all runs, the dot is for the cost instead, which is what was made small.

It is shown as an image, which inherits no colours from its page: its colours are readable on white and on black alike.
Bars and dots differ in shape, and in two colours that colour-blind people can tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from joiner_magic.search.objective import price_text

if TYPE_CHECKING:
    from joiner_magic.sessions.comparison import ComparedRun

_MOST = 20  # runs, the last ones
_TEXT, _BAR, _DOT = "#808080", "#3987c9", "#d9822b"
_TOP, _HEIGHT, _BOTTOM = 24, 64, 20
_LEFT, _RIGHT, _STEP = 64, 12, 44


def plot_runs(runs: Sequence[ComparedRun]) -> str:
    """The last runs as a picture in SVG: seconds as bars above, sizes as dots below."""
    shown = runs[-_MOST:]
    width = _LEFT + _STEP * max(len(shown), 4) + _RIGHT
    height = 2 * (_TOP + _HEIGHT) + _BOTTOM
    body = [*_bars(shown, _TOP), *_dots(shown, 2 * _TOP + _HEIGHT)]
    body += [_text(_x(i), height - 6, f"run {run.run}") for i, run in enumerate(shown)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' font-family="sans-serif" font-size="11" fill="{_TEXT}" text-anchor="middle">'
        f"<title>seconds and size of each run</title>{''.join(body)}</svg>"
    )


def _bars(runs: Sequence[ComparedRun], top: int) -> list[str]:
    """A bar for the seconds of each run, with the number above."""
    most = max((run.seconds for run in runs), default=0) or 1
    shapes = _frame("seconds", top, len(runs))
    for number, run in enumerate(runs):
        tall = max(run.seconds / most * _HEIGHT, 1)
        y = top + _HEIGHT - tall
        shapes.append(
            f'<rect x="{_x(number) - 11}" y="{y:.1f}" width="22" height="{tall:.1f}" fill="{_BAR}"/>'
        )
        shapes.append(_text(_x(number), y - 4, _seconds(run.seconds)))
    return shapes


def _dots(runs: Sequence[ComparedRun], top: int) -> list[str]:
    """A full dot for a solution, an empty one for the best partial hypothesis."""
    by_cost = _share_prices(runs)
    values = [run.cost if by_cost else run.size for run in runs]
    most = max((value for value in values if value is not None), default=0) or 1
    shapes = _frame("cost" if by_cost else "literals", top, len(runs))
    for number, (run, value) in enumerate(zip(runs, values, strict=True)):
        if value is None:
            continue
        y = top + _HEIGHT - 5 - float(value / most) * (_HEIGHT - 10)
        fill = "none"
        if run.status in ("optimal", "best"):
            fill = _DOT
        shapes.append(
            f'<circle cx="{_x(number)}" cy="{y:.1f}" r="4.5" fill="{fill}" stroke="{_DOT}" stroke-width="2"/>'
        )
        shapes.append(_text(_x(number), y - 9, price_text(value)))
    return shapes


def _share_prices(runs: Sequence[ComparedRun]) -> bool:
    """Whether errors have a price in all runs, and the same one."""
    prices = {run.prices for run in runs}
    return len(prices) == 1 and "" not in prices


def _frame(title: str, top: int, runs: int) -> list[str]:
    """The name of a panel, and the line that its shapes stand on."""
    end = _LEFT + _STEP * max(runs, 4)
    y = top + _HEIGHT
    return [
        f'<text x="4" y="{top + _HEIGHT // 2}" text-anchor="start">{escape(title)}</text>',
        f'<path d="M{_LEFT} {y}.5H{end}" stroke="{_TEXT}" fill="none"/>',
    ]


def _x(number: int) -> int:
    return _LEFT + _STEP * number + _STEP // 2


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x}" y="{y:.1f}">{escape(text)}</text>'


def _seconds(seconds: float) -> str:
    """A number of seconds in few letters."""
    if seconds >= 100:
        return f"{seconds:.0f}"
    return f"{seconds:.2g}"
