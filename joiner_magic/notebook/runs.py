"""Runs, as a person sees them: side by side, what became of their programs, and around what they found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from joiner_magic.logic.render import render_term
from joiner_magic.sessions.comparison import TITLES, cells
from joiner_magic.views.markup import (
    Html,
    box,
    code,
    details,
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
    from joiner_magic.sessions.coverage import CoverageMatrix, Covering
    from joiner_magic.sessions.fates import Fates
    from joiner_magic.sessions.lattice import Found, Lattice


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


def coverage_view(matrix: CoverageMatrix, rows: int = ROWS) -> Output:
    return Output(shortened(str(matrix), rows), box(*_matrix(matrix, rows)))


def _matrix(matrix: CoverageMatrix, rows: int) -> Iterator[Html]:
    yield line(text(f"{len(matrix.pos):,} positive and {len(matrix.neg):,} negative examples"))
    if not matrix.columns:
        yield quiet(text("no rule was found"))
        return
    shown = matrix.columns[:rows]
    titles = ("", "and which of the first examples it covers", "positive", "negative")
    yield table(titles, [_covering(number, matrix) for number in range(len(shown))], left=(0, 1))
    yield quiet(text(more(len(shown), len(matrix.columns), "rules and fragments")))
    yield details("examples", *_examples(matrix, shown, rows))


def _covering(number: int, matrix: CoverageMatrix) -> list[Html]:
    column = matrix.columns[number]
    strips = column.strips(len(matrix.pos), len(matrix.neg))
    counts = (f"{column.pos.bit_count():,}", f"{column.neg.bit_count():,}")
    name = f"{column.kind}\N{NO-BREAK SPACE}{number + 1}"
    signed = " ".join(f"{sign}{strip}" for sign, strip in zip("+−", strips, strict=True) if strip)
    return [text(name), joined([code(column.text), quiet(code(signed))]), *map(text, counts)]


def _examples(matrix: CoverageMatrix, shown: Sequence[Covering], rows: int) -> Iterator[Html]:
    """The first ones, with the numbers of what covers them."""
    found = list(matrix.rows())
    listed = [*found[: len(matrix.pos)][:rows], *found[len(matrix.pos) :][:rows]]
    yield table(
        ("example", "label", "covered by"),
        [
            [
                code(render_term(atom)),
                text(label),
                text(
                    ", ".join(str(i + 1) for i, is_covered in enumerate(covered[: len(shown)]) if is_covered)
                ),
            ]
            for atom, label, covered in listed
        ],
        left=(0, 1, 2),
    )
    yield quiet(text(more(len(listed), len(found), "examples")))


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
    yield line(text(f"run {lattice.run}, size by size"))
    fates = list(dict.fromkeys(fate for size in lattice.sizes for fate, n in size.fates.items() if n))
    yield table(
        ("size", "tested", *fates, "fragments", "parts"),
        [[text(f"{number:,}") for number in _numbers(size, fates)] for size in lattice.sizes],
        left=(),
    )
    shown = lattice.found[:rows]
    if shown:
        titles = ("what was found, and what each literal is for", "positive", "negative")
        yield table(titles, [cells for found in shown for cells in _around(found, lattice, rows)])
    yield quiet(text(more(len(shown), len(lattice.found), "rules and fragments")))


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
