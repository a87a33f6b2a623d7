"""SVG for static pictures: pieces of escaped text, on a page of their own.

An image inherits no colours from the page on which it is shown. So each picture has a light ground of its own, and can
be read in any theme.

Everything that is written into a picture passes through `piece` or `words`, which escape it: no text of a task can become
markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NewType

from joiner_magic.views.markup import visible
from joiner_magic.views.palette import BY_WORD

Svg = NewType("Svg", str)  # escaped already

INK, FAINT, LINE, PAGE = "#24292f", "#6b7280", "#c9ced6", "#ffffff"
SMALL, USUAL = 10, 12  # sizes of letters
_WIDTH = 0.6  # of a letter of a fixed width, in its size


def piece(tag: str, *inside: Svg, **attributes: object) -> Svg:
    """An element of SVG; the attribute `stroke_width=2` is written stroke-width, and None is left out."""
    start = tag
    for name, value in attributes.items():
        if value is not None:
            start += f' {name.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
    if not inside:
        return Svg(f"<{start}/>")
    return Svg(f"<{start}>{''.join(inside)}</{tag}>")


def words(x: float, y: float, value: object, **attributes: object) -> Svg:
    """A text at a place."""
    return piece("text", Svg(escape(visible(value))), x=x, y=y, **attributes)


def named(value: str, *inside: Svg, **attributes: object) -> Svg:
    """A group with a title, which is shown when a person points at it, and read out by screen readers."""
    return piece("g", piece("title", Svg(escape(visible(value)))), *inside, **attributes)


def mark(word: str, x: float, y: float, radius: float) -> Svg:
    """The sign of an outcome at a place."""
    look = BY_WORD[word]
    return piece(
        "path",
        d=look.shape,
        fill=look.light,
        fill_rule="evenodd",
        transform=f"translate({x:.1f} {y:.1f}) scale({radius:.2f})",
    )


def page(title: str, width: float, height: float, inside: Iterable[Svg]) -> str:
    """The whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" font-family="system-ui, sans-serif" font-size="{USUAL}"'
        f' fill="{INK}" role="img"><title>{escape(visible(title))}</title>'
        f'<rect width="100%" height="100%" rx="6" fill="{PAGE}"/>{"".join(inside)}</svg>'
    )


def cut(value: str, width: float, size: float = USUAL) -> str:
    """As much of a text as there is room for, in letters of a fixed width."""
    most = max(int(width / (size * _WIDTH)), 1)
    if len(value) <= most:
        return value
    return f"{value[: most - 1]}…"


def _number(value: object) -> str:
    """The value of an attribute as a text; a number has one decimal at most."""
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return str(value)
