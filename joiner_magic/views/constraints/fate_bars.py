"""The static picture of the constraints: a bar for each size of what became of its programs, and some causes.

In each bar the fates that let other programs be left out come first. The list of causes below says for some of them which
program it was, and what need not be tested because of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from joiner_magic.questions.constraints.fates import SizeFates
from joiner_magic.questions.constraints.prunings import Pruning
from joiner_magic.search.fate import Fate
from joiner_magic.views.drawing import FAINT, LINE, SMALL, Svg, cut, mark, named, page, piece, words
from joiner_magic.views.palette import BY_WORD

_WIDTH, _EDGE = 760, 16
_LEFT, _RIGHT = 70, 580  # of the bars
_TESTED, _UNTESTED = 646, _WIDTH - _EDGE  # where numbers end
_ROW, _BAR = 24, 16  # their distance and height
_MOST_SIZES = 20
_KEPT = 0.35  # opacity of fates that prune nothing, so that those that prune stand out
_COLUMN = 180  # of the legend
_PLACES = {fate: place for place, fate in enumerate(Fate)}
_MONO = "ui-monospace, monospace"


def words_in_order(sizes: Sequence[SizeFates]) -> list[Fate]:
    """The fates that occur, in the order of the palette, but those first that let programs be left out."""
    found: set[Fate] = set()
    for size in sizes:
        found.update(size.tested)
    return sorted(found, key=lambda fate: (not fate.prunes, _PLACES[fate]))


def picture(
    title: str, heading: str, sizes: Sequence[SizeFates], causes: Sequence[Pruning], note: str = ""
) -> str:
    """The whole picture as SVG; the `note` stands between the bars and the legend."""
    shown = sizes[-_MOST_SIZES:]
    inside = [words(_EDGE, 28, heading, font_weight=600)]
    y = 50.0
    if shown:
        inside += [_small(_TESTED, y - 8, "tested"), _small(_UNTESTED, y - 8, "left out before")]
    for size in shown:
        inside += _bar(size, y)
        y += _ROW
    if note:
        inside.append(words(_EDGE, y + 8, cut(note, _WIDTH - 2 * _EDGE, SMALL), fill=FAINT))
        y += _ROW
    legend, y = _legend(sizes, y + 12)
    inside += legend
    y += 14
    inside += _causes(causes, y)
    if causes:
        y += 20 * len(causes) + 24
    return page(title, _WIDTH, y, inside)


def _bar(size: SizeFates, y: float) -> Iterator[Svg]:
    """The bar of one size, and how many of its programs were tested and not tested."""
    yield words(_EDGE, y + 12, f"size {size.size}", fill=FAINT)
    x = float(_LEFT)
    for word in words_in_order([size]):
        number = size.tested.get(word, 0)
        width = (_RIGHT - _LEFT) * number / max(size.total, 1)
        if number:
            segment = _segment(word, x, y, max(width - 1, 0.5))
            yield named(f"size {size.size}: {number:,} {word}", segment)
        x += width
    yield words(_TESTED, y + 12, f"{size.total:,}", text_anchor="end")
    yield words(_UNTESTED, y + 12, f"{sum(size.untested.values()):,}", fill=FAINT, text_anchor="end")


def _segment(word: Fate, x: float, y: float, width: float) -> Svg:
    """The part of a bar for one fate; those that prune stand out.

    Fates that say something about the program alone are paler.
    """
    opacity = None
    if not word.prunes:
        opacity = _KEPT
    colour = BY_WORD[word].light
    return piece("rect", x=x, y=y, width=width, height=_BAR, fill=colour, opacity=opacity)


def _small(x: float, y: float, title: str) -> Svg:
    """A title in small letters that ends at this place."""
    return words(x, y, title, fill=FAINT, font_size=SMALL, text_anchor="end")


def _legend(sizes: Sequence[SizeFates], y: float) -> tuple[list[Svg], float]:
    """The signs and numbers of all fates, and the place where the legend ends."""
    inside: list[Svg] = []
    found = words_in_order(sizes)
    per_row = (_WIDTH - 2 * _EDGE) // _COLUMN
    for place, word in enumerate(found):
        row, column = divmod(place, per_row)
        x, at = _EDGE + column * _COLUMN, y + 20 * row
        number = sum(size.tested.get(word, 0) for size in sizes)
        inside += [mark(word, x + 6, at + 6, 5), words(x + 18, at + 10, f"{word}  {number:,}")]
    return inside, y + 20 * -(-len(found) // per_row)


def _causes(causes: Sequence[Pruning], y: float) -> Iterator[Svg]:
    """A list of causes, each with what need not be tested because of it."""
    if not causes:
        return
    yield piece("path", d=f"M{_EDGE} {y:.0f}H{_WIDTH - _EDGE}", stroke=LINE)
    yield _small(_WIDTH - _EDGE, y + 16, "never made just below")
    yield words(
        _EDGE, y + 16, "the first of each kind: no need to test it with more", fill=FAINT, font_size=SMALL
    )
    for number, cause in enumerate(causes, 1):
        at = y + 16 + 20 * number
        text = cut(cause.needless, _WIDTH - 2 * _EDGE - 90, 11)
        sign: str = cause.kind
        if sign not in BY_WORD:
            sign = "partial"
        yield named(
            f"{cause.kind}: {cut(cause.needless, 2000, 11)}",
            mark(sign, _EDGE + 6, at - 4, 5),
            words(_EDGE + 18, at, text, font_family=_MONO, font_size=11),
        )
        if cause.removed is not None:
            yield words(_WIDTH - _EDGE, at, f"{cause.removed:,}", text_anchor="end")
