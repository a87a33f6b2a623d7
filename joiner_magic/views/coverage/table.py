"""The coverage matrix as a text and a table: how many examples each rule and fragment covers, and which of the first.

The table serves those who do not see the picture, and terminals. It has the same names and order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from joiner_magic.logic.render import render_term
from joiner_magic.views.markup import Html, box, code, details, joined, line, more, quiet, table, text
from joiner_magic.views.output import ROWS, Output, brief, shortened

if TYPE_CHECKING:
    from joiner_magic.questions.coverage.fragments import Fragment
    from joiner_magic.questions.coverage.matrix import CoverageColumn, CoverageMatrix


def coverage_view(matrix: CoverageMatrix, rows: int = ROWS) -> Output:
    """The coverage matrix, with at most so many rows and examples of each label."""
    return Output(shortened(str(matrix), rows), box(*_matrix(matrix, rows)))


def _matrix(matrix: CoverageMatrix, rows: int) -> Iterator[Html]:
    """The parts of the output: a table of rules and fragments, and one of examples."""
    yield line(text(f"{len(matrix.pos):,} positive and {len(matrix.neg):,} negative examples"))
    if not matrix.columns:
        yield quiet(text("no rule was found"))
        return
    shown = matrix.columns[:rows]
    titles = ("", "and which of the first examples it covers", "positive", "negative")
    yield table(titles, [_covering(number, matrix) for number in range(len(shown))], left=(0, 1))
    yield quiet(text(more(len(shown), len(matrix.columns), "rules and fragments")))
    yield from (quiet(code(brief(error, 1_000))) for error in matrix.error_lines())
    yield details("examples", *_examples(matrix, shown, rows))


def _covering(number: int, matrix: CoverageMatrix) -> list[Html]:
    """The row of one rule or fragment: its text, how many examples it covers, and which of the first."""
    column = matrix.columns[number]
    strips = column.strips(len(matrix.pos), len(matrix.neg))
    counts = (f"{column.pos.bit_count():,}", f"{column.neg.bit_count():,}")
    name = f"{column.kind}\N{NO-BREAK SPACE}{number + 1}"
    signed = " ".join(f"{sign}{strip}" for sign, strip in zip("+−", strips, strict=True) if strip)
    return [text(name), joined([code(brief(column.text, 1_000)), quiet(code(signed))]), *map(text, counts)]


def _examples(matrix: CoverageMatrix, shown: Sequence[CoverageColumn], rows: int) -> Iterator[Html]:
    """The first examples of each label, with the numbers of the rules and fragments that cover them."""
    every = list(matrix.rows())
    positives, negatives = every[: len(matrix.pos)], every[len(matrix.pos) :]
    listed = [*positives[:rows], *negatives[:rows]]
    table_rows = []
    for atom, label, covered in listed:
        numbers = [str(place + 1) for place in range(len(shown)) if covered[place]]
        table_rows.append([code(brief(render_term(atom))), text(label), text(", ".join(numbers))])
    yield table(("example", "label", "covered by"), table_rows, left=(0, 1, 2))
    yield quiet(text(more(len(listed), len(every), "examples")))


def fragments_table(fragments: Sequence[Fragment], positives: int, negatives: int, rows: int = ROWS) -> Html:
    """The fragments that could be joined, for a run that has found no rule."""
    table_rows = []
    for fragment in fragments[:rows]:
        pos = f"{fragment.pos.bit_count():,} of {positives:,}"
        neg = f"{fragment.neg.bit_count():,} of {negatives:,}"
        table_rows.append([code(brief(fragment.text, 1_000)), text(pos), text(neg)])
    return table(("fragment", "positive", "negative"), table_rows)
