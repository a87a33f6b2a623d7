"""Shows size against errors, and the examples that a hypothesis gets wrong, as text and as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joiner_magic.search.outcome import suspicious, tradeoff
from joiner_magic.search.outcome.tradeoff import rules_shown
from joiner_magic.task.notes import counted
from joiner_magic.views.markup import (
    Html,
    block,
    box,
    code,
    image,
    joined,
    kept,
    line,
    more,
    quiet,
    table,
    text,
)
from joiner_magic.views.output import ROWS, Output, brief, shortened

if TYPE_CHECKING:
    from joiner_magic.search.outcome.suspicious import Suspect, Suspects
    from joiner_magic.search.outcome.tradeoff import Tradeoff, TradeoffPoint


def tradeoff_view(of: Tradeoff, rows: int = ROWS) -> Output:
    """A table of at most so many points, and a plot of all."""
    shown, left = of.shown(rows)
    return Output(
        of.text(rows),
        box(
            table([*tradeoff.TITLES, "rules"], map(_point_row, shown), left=(4,)),
            quiet(text(f"… and {counted(left, 'more point')}" if left else "")),
            quiet(text(of.remark)),
            image(of.to_svg(), "errors by number of literals"),
        ),
    )


def point_view(point: TradeoffPoint, rows: int = ROWS) -> Output:
    """One hypothesis of a trade-off."""
    lines = shortened(str(point), rows)
    return Output(lines, box(block(lines)))


def suspects_view(of: Suspects, rows: int = ROWS) -> Output:
    """A table of at most so many examples."""
    left = more(rows, len(of), "examples here")
    said = "\n".join(filter(None, [of.text(rows), left]))
    if not of.suspects:
        return Output(said, box(quiet(text(said))))
    return Output(
        said,
        box(
            table(suspicious.TITLES, map(_suspect_row, of.suspects[:rows]), left=(0, 1, 2, 4)),
            quiet(text(left)),
            quiet(text(of.remark)),
        ),
    )


def _point_row(point: TradeoffPoint) -> list[Html]:
    """A point as a row of the table: its numbers, and its first rules."""
    rules = joined(line(code(brief(rule))) for rule in rules_shown(point))
    return [*map(text, tradeoff.row_texts(point)), rules]


def _suspect_row(suspect: Suspect) -> list[Html]:
    """An example as a row of the table."""
    example, label, error, wrong_in, why = suspicious.row_texts(suspect)
    of_one_line = text(error.replace(" ", "\N{NO-BREAK SPACE}"))
    return [kept(brief(example)), text(label), of_one_line, text(wrong_in), code(brief(why))]
