"""Shows runs side by side, what became of the programs of a run, and its lattice, as text and as HTML."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from joiner_magic.views.constraints.view import fates_table
from joiner_magic.views.lattice.table import lattice_table
from joiner_magic.views.markup import (
    Html,
    box,
    code,
    image,
    more,
    quiet,
    table,
    text,
)
from joiner_magic.views.output import ROWS, Output, shortened

if TYPE_CHECKING:
    from joiner_magic.questions.constraints.fates import Fates
    from joiner_magic.questions.lattice.lattice import Lattice
    from joiner_magic.sessions.comparison import ComparedRun, Comparison


def comparison_view(comparison: Comparison, rows: int = ROWS) -> Output:
    """The last runs side by side, with a plot of their times and sizes."""
    if not comparison.runs:
        return Output(str(comparison), box(quiet(text(comparison))))
    last = comparison.runs[-rows:]
    shown = replace(comparison, runs=last)
    number, *titles = shown.titles
    table_rows = [_comparison_row(shown, run) for run in last]
    left = more(len(last), len(comparison.runs), "runs before")
    return Output(
        "\n".join(filter(None, [str(shown), left])),
        box(
            table([number, "change", *titles], table_rows, left=(1, 2)),
            quiet(text(left)),
            *(quiet(text(f"run {run.run}: {run.reused}")) for run in last if run.reused),
            image(comparison.to_svg(), "seconds and size of each run"),
        ),
    )


def _comparison_row(comparison: Comparison, run: ComparedRun) -> list[Html]:
    number, *others = map(text, comparison.row_texts(run))
    change = Html(f'<div style="min-width:10em">{code(run.change)}</div>')
    return [number, change, *others]


def fates_view(fates: Fates, rows: int = ROWS) -> Output:
    """What became of the programs of a run."""
    return Output(str(fates), box(fates_table(fates, rows)))


def lattice_view(lattice: Lattice, rows: int = ROWS) -> Output:
    """What was searched size by size, and what each literal of the hypothesis is for."""
    return Output(shortened(str(lattice), rows), box(lattice_table(lattice.surroundings, rows)))
