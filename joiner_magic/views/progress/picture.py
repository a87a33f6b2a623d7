"""The static picture of a run's progress: columns by size, the best hypothesis over time, the time by stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat

from joiner_magic.search.running.progress import Progress
from joiner_magic.views.drawing import (
    FAINT,
    INK,
    LINE,
    PAGE,
    SMALL,
    Svg,
    cut,
    mark,
    named,
    page,
    piece,
    words,
)
from joiner_magic.views.palette import BY_WORD, POSITIVE
from joiner_magic.views.progress import layout

_EDGE, _BETWEEN = 16, 24
_WIDTH = 2 * _EDGE + layout.COLUMNS_WIDTH + _BETWEEN + layout.HISTORY_WIDTH
_INNER = _WIDTH - 2 * _EDGE
_CHARTS = 64  # the top of both
_LEGEND = _CHARTS + layout.HEIGHT + 20
_ENTRY = _INNER / 4  # width of a legend's entry
_LINE = 17
_LETTER = 5.2  # of small print, on average
_SHADES = (1.0, 0.7, 0.5, 0.36, 0.25, 0.16, 0.1)  # of the stages, in their order; the last for all beyond


def picture(progress: Progress, said: str, best: str, rules: Sequence[str]) -> str:
    """The whole picture as SVG.

    The line `said`, the sentence `best` and its rules may be those of another run than the one whose progress is drawn.
    """
    entries = layout.legend(progress.begun)
    stages = _LEGEND + _LINE * -(-len(entries) // 4) + 16
    last = stages + 50
    columns = piece("g", *_columns(progress), transform=f"translate({_EDGE} {_CHARTS})")
    x = _EDGE + layout.COLUMNS_WIDTH + _BETWEEN
    inside = [
        words(_EDGE, 26, cut(said, _INNER, 11), font_weight=600),
        _title(_EDGE, "What became of programs, by size", "height logarithmic, colours in proportion"),
        columns,
        _title(x, "Best hypothesis over time", layout.history(progress).remark),
        piece("g", *_history(progress), transform=f"translate({x} {_CHARTS})"),
        *_legend(entries),
        *_stages(layout.stage_times(progress), stages),
        words(_EDGE, last, best, font_weight=600),
    ]
    for row, rule in enumerate(rules, start=1):
        written = cut(rule, _INNER, 11)
        inside.append(words(_EDGE, last + _LINE * row, written, font_family="monospace", font_size=11))
    return page("Progress", _WIDTH, last + _LINE * (1 + len(rules)), inside)


def _title(x: float, title: str, remark: str) -> Svg:
    """The title of a chart, and a remark on how to read it."""
    return piece(
        "g",
        words(x, _CHARTS - 12, title, font_weight=600),
        words(x, _CHARTS + 2, remark, fill=FAINT, font_size=SMALL),
    )


def _columns(progress: Progress) -> Iterator[Svg]:
    """The chart of columns by size, with its axis."""
    left, right = layout.LEFT, layout.COLUMNS_WIDTH
    for number, y in layout.ticks(progress.begun):
        yield piece("path", d=f"M{left} {y:.1f}H{right}", stroke=LINE, stroke_dasharray="2 3")
        yield words(left - 6, y + 3, f"{number:,}", fill=FAINT, font_size=SMALL, text_anchor="end")
    yield piece("path", d=f"M{left} {layout.FLOOR}H{right}", stroke=LINE)
    for column in layout.columns(progress.begun):
        middle = column.x + column.width / 2
        size = words(
            middle, layout.FLOOR + 15, column.size, fill=FAINT, font_size=SMALL, text_anchor="middle"
        )
        yield named(f"size {column.size}: {column.tested:,} tested", *_column(column, middle), size)


def _column(column: layout.SizeColumn, middle: float) -> Iterator[Svg]:
    """The bands of one column, with signs where there is room."""
    for band in column.bands:
        look = BY_WORD[band.word]
        height = max(band.height - 0.6, 0.4)
        yield piece("rect", x=column.x, y=band.y, width=column.width, height=height, fill=look.light)
        if band.signed:
            place = f"translate({middle:.1f} {band.y + band.height / 2:.1f}) scale(4)"
            yield piece(
                "path", d=look.shape, fill=PAGE, fill_opacity=0.8, fill_rule="evenodd", transform=place
            )


def _history(progress: Progress) -> Iterator[Svg]:
    """The chart of the best hypothesis over time."""
    right, green = layout.HISTORY_WIDTH, BY_WORD["solution"].light
    found = layout.history(progress)
    yield piece("path", d=f"M8 {layout.TOP}V{layout.FLOOR}H{right}", stroke=LINE, fill="none")
    yield words(8, layout.FLOOR + 15, "0 s", fill=FAINT, font_size=SMALL)
    now = f"{progress.seconds:.1f} s"
    yield words(right, layout.FLOOR + 15, now, fill=FAINT, font_size=SMALL, text_anchor="end")
    yield piece("path", d=found.covered, stroke=POSITIVE, stroke_width=2, stroke_dasharray="4 3", fill="none")
    if found.end is not None:
        x, y = found.end
        yield piece("path", d=found.literals, stroke=green, stroke_width=2, fill="none")
        if found.bound:
            yield piece(
                "path", d=found.bound, stroke=green, stroke_width=2, stroke_dasharray="1 3", fill="none"
            )
        yield mark("solution", x, y, 5)
        beside, above, label = found.label
        anchor = "start"
        if beside < x:
            anchor = "end"
        yield words(beside, above, label, fill=green, font_size=11, font_weight=600, text_anchor=anchor)


def _legend(entries: Sequence[tuple[str, int]]) -> Iterator[Svg]:
    """The signs and numbers of all fates."""
    for number, (word, programs) in enumerate(entries):
        x, y = _EDGE + _ENTRY * (number % 4), _LEGEND + _LINE * (number // 4)
        colour = INK
        if not programs:
            colour = FAINT
        yield mark(word, x + 5, y - 4, 5)
        yield words(x + 16, y, f"{word} {programs:,}", font_size=11, fill=colour)


def _stages(spent: Sequence[layout.StageTime], y: float) -> Iterator[Svg]:
    """A bar of the time that each stage took, and its legend."""
    yield words(_EDGE, y, "Time by stage", font_weight=600)
    left = 116.0
    x, label = left, float(_EDGE)
    for stage, shade in zip(spent, chain(_SHADES, repeat(_SHADES[-1])), strict=False):
        width = stage.part * (_WIDTH - _EDGE - left)
        yield piece("rect", x=x, y=y - 9, width=max(width - 1, 0), height=9, fill=INK, fill_opacity=shade)
        x += width
        yield piece("rect", x=label, y=y + 9, width=8, height=8, fill=INK, fill_opacity=shade)
        said = f"{stage.stage} {stage.seconds:.2f} s"
        yield words(label + 12, y + 17, said, font_size=SMALL, fill=FAINT)
        label += 28 + _LETTER * len(said)
