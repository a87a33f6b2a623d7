"""The lattice in numbers: what was tested of each size, and what each literal of what was found is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from joiner_magic.search.record.fates import tested_of
from joiner_magic.search.running.progress import SizeDone
from joiner_magic.views.markup import Html, code, joined, line, more, quiet, table, text
from joiner_magic.views.output import brief

if TYPE_CHECKING:
    from joiner_magic.questions.lattice.surroundings import HypothesisRule, HypothesisSurroundings
    from joiner_magic.search.running.progress import SizeAtHand

_MOST_ROWS = 3  # of what was found, for each row that is asked for


def lattice_table(around: HypothesisSurroundings, rows: int) -> Html:
    """With at most so many rows of anything."""
    return joined(_tables(around, rows))


def _tables(around: HypothesisSurroundings, rows: int) -> Iterator[Html]:
    yield line(text(f"run {around.run}, size by size"))
    fates = list(dict.fromkeys(fate for size in around.sizes for fate in tested_of(size.fates)))
    yield table(
        ("size", "tested", *fates, "fragments", "parts"),
        [list(map(text, _numbers(size, fates))) for size in around.sizes],
        left=(),
    )
    shown = around.found[:rows]
    if shown:
        titles = ("what was found, and what each literal is for", "positive", "negative")
        every = (cells for found in shown for cells in _around(found, around, rows))
        yield table(titles, islice(every, _MOST_ROWS * rows))
    yield quiet(text(more(len(shown), len(around.found), "rules and fragments")))


def _numbers(size: SizeDone | SizeAtHand, fates: Sequence[str]) -> list[str]:
    numbers = [size.size, size.tested, *(size.fates.get(fate, 0) for fate in fates)]
    known = [size.fragments, size.parts] if isinstance(size, SizeDone) else []
    return [f"{number:,}" for number in (*numbers, *known)] + [""] * (2 - len(known))


def _around(found: HypothesisRule, around: HypothesisSurroundings, rows: int) -> Iterator[list[Html]]:
    """A row for what was found, and one for each of its immediate generalisations."""

    def counts(pos: int, neg: int) -> list[Html]:
        return [text(f"{pos:,} of {around.positives:,}"), text(f"{neg:,} of {around.negatives:,}")]

    yield [code(brief(found.text)), *counts(found.pos, found.neg)]
    for above in found.above[:rows]:
        without = Html(f'<span style="opacity:.75;padding-left:1.5em">{text("without ")}</span>')
        yield [joined([without, code(brief(above.without))]), *counts(above.pos, above.neg)]
    if left := more(rows, len(found.above), "generalisations"):
        yield [quiet(text(left)), text(""), text("")]
