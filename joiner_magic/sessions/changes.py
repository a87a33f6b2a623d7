"""What changed from one run to the next in bias, options, examples and background knowledge, in a few words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from joiner_magic.search.options import BEARINGS, Bearing, Options
from joiner_magic.task.background import Background
from joiner_magic.task.bias import Bias
from joiner_magic.task.examples import Examples
from joiner_magic.task.notes import counted
from joiner_magic.task.vocabulary import BOUNDS

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_ABOUT_PRICES = ("noise", "missed", "wrong")  # options that together say what errors cost
_SHOWN = 3  # lines of a bias that are listed; more are only counted


def changes(before: Run, after: Run) -> list[str]:
    """One short text for each difference between two runs, those of the bias first."""
    return [
        *_bias_changes(before.task.bias, after.task.bias),
        *_price_changes(before, after),
        *_option_changes(before.options, after.options),
        *_example_changes(before.task.examples, after.task.examples),
        *_background_changes(before.task.background, after.task.background),
    ]


def _bias_changes(before: Bias, after: Bias) -> Iterator[str]:
    for bound in BOUNDS:
        old, new = getattr(before, bound), getattr(after, bound)
        if old != new:
            yield f"{bound} {old} → {new}"
    old_lines, new_lines = _lines(before), _lines(after)
    yield from _first_lines([line for line in new_lines if line not in old_lines], "+")
    yield from _first_lines([line for line in old_lines if line not in new_lines], "−")


def _price_changes(before: Run, after: Run) -> Iterator[str]:
    """What errors cost, whether options say it or the bias does."""
    old, new = (run.options.objective(run.task) for run in (before, after))
    if old != new:
        yield f"errors: {old} → {new}"


def _lines(bias: Bias) -> dict[str, None]:
    """The lines of a bias in order, without its bounds and the prices of errors, which are told apart."""
    lines = (line.strip() for line in replace(bias, noise=None).to_text().splitlines())
    return dict.fromkeys(line for line in lines if line and not line.startswith(BOUNDS))


def _first_lines(lines: Sequence[str], sign: str) -> Iterator[str]:
    """The first few lines with a sign before each, and how many more there are."""
    shown = lines if len(lines) == _SHOWN + 1 else lines[:_SHOWN]
    yield from (f"{sign} {line}" for line in shown)
    if len(lines) > len(shown):
        yield f"{sign} {len(lines) - len(shown):,} more lines"


def _option_changes(before: Options, after: Options) -> Iterator[str]:
    for name, bearing in BEARINGS.items():
        old, new = getattr(before, name), getattr(after, name)
        # What goes before the bias is in the bias in force, and is seen there.
        if old != new and bearing is not Bearing.BIAS and name not in _ABOUT_PRICES:
            yield f"{name} {_option_text(old)} → {_option_text(new)}"


def _example_changes(before: Examples, after: Examples) -> Iterator[str]:
    for label, old, new in (("pos", before.pos, after.pos), ("neg", before.neg, after.neg)):
        added, removed = len(set(new) - set(old)), len(set(old) - set(new))
        if added or removed:
            yield f"{label} {_difference_text(added, removed)}"
    if number := _reweighted(before, after):
        yield f"another weight for {counted(number, 'example')}"


def _reweighted(before: Examples, after: Examples) -> int:
    """How many examples are in both and weigh something else."""
    number = 0
    for old, new in (
        (
            dict(zip(before.pos, before.pos_weights, strict=True)),
            zip(after.pos, after.pos_weights, strict=True),
        ),
        (
            dict(zip(before.neg, before.neg_weights, strict=True)),
            zip(after.neg, after.neg_weights, strict=True),
        ),
    ):
        number += sum(1 for atom, weight in new if old.get(atom, weight) != weight)
    return number


def _background_changes(before: Background, after: Background) -> Iterator[str]:
    if [source.text for source in before.sources] == [source.text for source in after.sources]:
        return
    facts = after.facts - before.facts
    if facts:
        yield f"facts {_difference_text(max(facts, 0), max(-facts, 0))}"
    else:
        yield "background knowledge edited"


def _difference_text(added: int, removed: int) -> str:
    """Such as "+3 −1"; a number that is 0 is left out."""
    texts = []
    if added:
        texts.append(f"+{added:,}")
    if removed:
        texts.append(f"−{removed:,}")
    return " ".join(texts)


def _option_text(value: object) -> str:
    """The value of an option as a text."""
    if value is None:
        return "none"
    return str(value)
