"""The lattice as tables: how many programs of each size had which fate, and what each literal of the hypothesis is for.

The first one tells how the search went from size to size; the second one tells what would be covered without a literal, which
is why the literal is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from joiner_magic.search.fate import Fate, tested_of
from joiner_magic.search.running.progress import FinishedSize
from joiner_magic.views.markup import Html, code, joined, line, more, quiet, table, text
from joiner_magic.views.output import brief

if TYPE_CHECKING:
    from joiner_magic.questions.lattice.surroundings import HypothesisRule, HypothesisSurroundings
    from joiner_magic.search.running.progress import CurrentSize

_ROWS_OF_RULES = 3  # for each row that is asked for: a rule has further rows for its literals


def lattice_table(around: HypothesisSurroundings, rows: int) -> Html:
    """The tables as HTML, with at most so many sizes, rules and literals of a rule."""
    return joined(_tables(around, rows))


def _tables(around: HypothesisSurroundings, rows: int) -> Iterator[Html]:
    """The two tables with their headings, and how many rules are left out."""
    yield line(text(f"run {around.run}, size by size"))
    fates = list(dict.fromkeys(chain.from_iterable(tested_of(size.fates) for size in around.sizes)))
    yield table(
        ("size", "tested", *fates, "fragments", "parts"),
        [list(map(text, _numbers(size, fates))) for size in around.sizes],
        left=(),
    )
    shown = around.rules[:rows]
    if shown:
        titles = ("what was found, and what each literal is for", "positive", "negative")
        every = chain.from_iterable(_rule_rows(rule, around, rows) for rule in shown)
        yield table(titles, islice(every, _ROWS_OF_RULES * rows))
    yield quiet(text(more(len(shown), len(around.rules), "rules and fragments")))


def _numbers(size: FinishedSize | CurrentSize, fates: Sequence[Fate]) -> list[str]:
    """One row of the table by size; fragments and parts are counted when a size is done."""
    counts = [size.size, size.tested, *(size.fates.get(fate, 0) for fate in fates)]
    row = [f"{count:,}" for count in counts]
    if isinstance(size, FinishedSize):
        return [*row, f"{size.fragments:,}", f"{size.parts:,}"]
    return [*row, "", ""]


def _rule_rows(rule: HypothesisRule, around: HypothesisSurroundings, rows: int) -> Iterator[list[Html]]:
    """A row for a rule of the hypothesis, and one for each of its immediate generalisations."""

    def counts(pos: int, neg: int) -> list[Html]:
        """How many examples of each label are covered, out of how many."""
        return [text(f"{pos:,} of {around.positives:,}"), text(f"{neg:,} of {around.negatives:,}")]

    yield [code(brief(rule.text)), *counts(rule.pos, rule.neg)]
    for above in rule.above[:rows]:
        without = Html(f'<span style="opacity:.75;padding-left:1.5em">{text("without ")}</span>')
        yield [joined([without, code(brief(above.without))]), *counts(above.pos, above.neg)]
    if left := more(rows, len(rule.above), "generalisations"):
        yield [quiet(text(left)), text(""), text("")]
