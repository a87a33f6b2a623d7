"""Runs, as a person sees them: side by side, what became of their programs, and around what they found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from joiner_magic.sessions.comparison import TITLES, cells
from joiner_magic.views.markup import (
    Html,
    box,
    code,
    image,
    joined,
    line,
    more,
    quiet,
    table,
    text,
)
from joiner_magic.views.output import ROWS, Output, shortened

if TYPE_CHECKING:
    from joiner_magic.search.progress import SizeDone
    from joiner_magic.sessions.comparison import Compared, Comparison
    from joiner_magic.sessions.fates import Fates
    from joiner_magic.sessions.lattice import Lattice
    from joiner_magic.sessions.surroundings import Found


def comparison_view(comparison: Comparison, rows: int = ROWS) -> Output:
    if not comparison.runs:
        return Output(str(comparison), box(quiet(text(comparison))))
    last = comparison.runs[-rows:]
    table_rows = [_compared(run) for run in last]
    left = more(len(last), len(comparison.runs), "runs before")
    return Output(
        str(comparison),
        box(
            table([TITLES[0], "change", *TITLES[1:]], table_rows, left=(1, 2)),
            quiet(text(left)),
            *(quiet(text(f"run {run.run}: {run.reused}")) for run in last if run.reused),
            image(comparison.to_svg(), "seconds and size of each run"),
        ),
    )


def _compared(run: Compared) -> list[Html]:
    number, *others = map(text, cells(run))
    change = Html(f'<div style="min-width:10em">{code(run.change)}</div>')
    return [number, change, *others]


def fates_view(fates: Fates, rows: int = ROWS) -> Output:
    """The numbers as a table, and below it why each conclusion is sound."""
    sizes = fates.sizes[-rows:]
    numbers = [
        [text(fate.kind), *(text(f"{n:,}") for n in (fate.programs, *(fate.by_size[size] for size in sizes)))]
        for fate in fates.fates
    ]
    reasons = [line(Html(f"<b>{text(fate.kind)}</b>"), text(f": {fate.reason}")) for fate in fates.fates]
    return Output(
        str(fates),
        box(
            line(text(f"run {fates.run}: {fates.tested:,} programs tested")),
            table(("", "programs", *(f"size {size}" for size in sizes)), numbers),
            *reasons,
        ),
    )


def lattice_view(lattice: Lattice, rows: int = ROWS) -> Output:
    return Output(shortened(str(lattice), rows), box(*_lattice(lattice, rows)))


def _lattice(lattice: Lattice, rows: int) -> Iterator[Html]:
    around = lattice.surroundings
    yield line(text(f"run {around.run}, size by size"))
    fates = list(dict.fromkeys(fate for size in around.sizes for fate, n in size.fates.items() if n))
    yield table(
        ("size", "tested", *fates, "fragments", "parts"),
        [[text(f"{number:,}") for number in _numbers(size, fates)] for size in around.sizes],
        left=(),
    )
    shown = around.found[:rows]
    if shown:
        titles = ("what was found, and what each literal is for", "positive", "negative")
        yield table(titles, [cells for found in shown for cells in _around(found, lattice, rows)])
    yield quiet(text(more(len(shown), len(around.found), "rules and fragments")))


def _numbers(size: SizeDone, fates: Sequence[str]) -> list[int]:
    return [size.size, size.tested, *(size.fates.get(fate, 0) for fate in fates), size.fragments, size.parts]


def _around(found: Found, lattice: Lattice, rows: int) -> Iterator[list[Html]]:
    """A row for what was found, and one for each of its immediate generalisations."""

    def counts(pos: int, neg: int) -> list[Html]:
        return [text(f"{pos:,} of {lattice.positives:,}"), text(f"{neg:,} of {lattice.negatives:,}")]

    yield [code(found.text), *counts(found.pos, found.neg)]
    for above in found.above[:rows]:
        without = Html(f'<span style="opacity:.75;padding-left:1.5em">{text("without ")}</span>')
        yield [joined([without, code(above.without)]), *counts(above.pos, above.neg)]
    if left := more(rows, len(found.above), "generalisations"):
        yield [quiet(text(left)), text(""), text("")]
