"""How outcomes look: a colour for light and for dark pages, and a shape for those who cannot tell the colours apart.

The hues are those of Okabe and Ito, which colour-blind people tell apart, darker on a light page and lighter on a dark
one, so that each stands out from both. A shape is a path around the origin, of about one unit's radius.

Words, order and meaning of outcomes come from `search/fate.py`; here is only how they look. The browser gets the same colours and
shapes by way of CSS and of the panel's model, so that a legend read once holds everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin

from joiner_magic.search.fate import Fate


@dataclass(frozen=True, slots=True)
class Mark:
    """The look of one outcome, which is called by its word."""

    word: str
    light: str  # the colour on a light page
    dark: str
    shape: str

    @property
    def slug(self) -> str:
        """The word as a name of a CSS class."""
        return self.word.replace(" ", "-")


def _polygon(corners: int, turn: float = 0.0, inner: float = 1.0, radius: float = 1.1) -> str:
    """A regular one, the first corner at the top; with `inner` every other corner is drawn in: a star."""
    reaches = [radius]
    if inner != 1.0:
        reaches.append(radius * inner)
    steps = corners * len(reaches)
    points = []
    for step in range(steps):
        reach = reaches[step % len(reaches)]
        angle = 2 * pi * (step + turn) / steps - pi / 2
        points.append(f"{reach * cos(angle):.2f} {reach * sin(angle):.2f}")
    return f"M{'L'.join(points)}Z"


_CIRCLE = "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z"
_RING = f"{_CIRCLE}M-.5 0A.5 .5 0 1 0 .5 0A.5 .5 0 1 0 -.5 0Z"
_CROSS = "M-.9 -.55L-.55 -.9L0 -.35L.55 -.9L.9 -.55L.35 0L.9 .55L.55 .9L0 .35L-.55 .9L-.9 .55L-.35 0Z"
_PLUS = "M-.25 -1H.25V-.25H1V.25H.25V1H-.25V.25H-1V-.25H-.25Z"
_BAR = "M-1 -.4H1V.4H-1Z"

_SHAPES: Mapping[str, str] = {
    "star": _polygon(5, inner=0.45, radius=1.35),
    "square": _polygon(4, turn=0.5, radius=1.2),
    "circle": _CIRCLE,
    "cross": _CROSS,
    "plus": _PLUS,
    "inverted triangle": _polygon(3, turn=0.5, radius=1.2),
    "hexagon": _polygon(6),
    "diamond": _polygon(4, radius=1.2),
    "pentagon": _polygon(5),
    "bar": _BAR,
    "triangle": _polygon(3, radius=1.2),
    "octagon": _polygon(8),
    "ring": _RING,
}

# What can become of a program, as search/fate.py says it: the views list them in this order.
MARKS: tuple[Mark, ...] = tuple(
    Mark(str(fate), fate.sign.light, fate.sign.dark, _SHAPES[fate.sign.shape])
    for fate in Fate
    if fate.sign is not None
)
BY_WORD: Mapping[str, Mark] = {mark.word: mark for mark in MARKS}

# Positive and negative examples, everywhere.
POSITIVE, NEGATIVE = "#00558a", "#bf4f00"
POSITIVE_DARK, NEGATIVE_DARK = "#4c9ede", "#f0803c"


def style() -> str:
    """The colours as CSS: `--SLUG` of the mark on this page, and `--pos`, `--neg`."""
    colours = [(mark.slug, mark.light, mark.dark) for mark in MARKS]
    colours += [("pos", POSITIVE, POSITIVE_DARK), ("neg", NEGATIVE, NEGATIVE_DARK)]
    of_both = ";".join(f"--{name}:light-dark({light},{dark})" for name, light, dark in colours)
    dark_page = "{color-scheme:dark}"
    return "\n".join(
        [
            f".joiner{{color-scheme:light;{of_both}}}",
            # JupyterLab and Notebook say which theme is on; elsewhere the reader's own preference is followed.
            f'body[data-jp-theme-light="false"] .joiner,body.vscode-dark .joiner{dark_page}',
            f"@media (prefers-color-scheme:dark){{body:not([data-jp-theme-light]):not(.vscode-light) .joiner{dark_page}}}",
        ]
    )
