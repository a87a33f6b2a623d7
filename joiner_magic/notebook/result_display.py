"""Shows the result of a run, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from joiner_magic.logic.rule_layout import laid_out
from joiner_magic.task.notes import counted
from joiner_magic.views.markup import (
    Html,
    badge,
    block,
    box,
    code,
    details,
    line,
    more,
    quiet,
    table,
    text,
)
from joiner_magic.views.output import ROWS, Output

if TYPE_CHECKING:
    from joiner_magic.logic.programs import Rule
    from joiner_magic.search.outcome.result import Result

_STATUS = {"optimal": "optimal", "best": "best so far", "unverified": "unverified", "none": "no solution"}
# White letters can be read on each of these, and each stands out from light and dark pages.
_COLOURS = {"optimal": "#1a7f5a", "best": "#9a6700", "unverified": "#a04a00", "none": "#b3403a"}


def status_word(result: Result) -> str:
    """The status of a result in a word or two."""
    if result.nothing_pays:
        return "nothing learnt"
    return _STATUS[result.status]


def result_view(result: Result, rows: int = ROWS) -> Output:
    """A result with at most so many rules."""
    return Output(_text(result, rows), box(*_parts(result, rows)))


def _text(result: Result, rows: int) -> str:
    """The text of the result, without the rules that are too many."""
    first, *others = str(result).split("\n")
    rules = len(result.rules)
    shown = [first, *others[: min(rows, rules)]]
    if left := more(rows, rules, "rules"):
        shown.append(f"  {left}")
    return "\n".join([*shown, *others[rules:]])


def _parts(result: Result, rows: int) -> Iterator[Html]:
    """The pieces of the HTML: status, rules, scores, and numbers that are folded away."""
    rules: Sequence[Rule] = ()
    if result.hypothesis:
        rules = result.hypothesis.rules
    told = ": ".join(filter(None, [result.measure, result.why]))
    yield line(badge(status_word(result), _COLOURS[result.status]), text(told))
    if rules:
        yield block("\n".join(map(laid_out, rules[:rows])))
    if left := more(rows, len(rules), "rules"):
        yield quiet(text(left))
    tested = counted(result.counts["tested"], "program")
    yield quiet(text(f"training: {result.confusion.scored}; {tested} tested in {result.seconds:.2f} s"))
    if result.test is not None:
        yield line(text(f"held out: {result.test.scored}"))
    if result.unmeasured:
        yield quiet(text(f"held out: not measured: {result.unmeasured}"))
    if result.shortfall:
        yield block(result.shortfall)
    if result.noise_advice:
        yield line(text("try "), code(result.noise_advice))
    yield details("counts and times", *_counts(result))


def _counts(result: Result) -> Iterator[Html]:
    """Tables of how many programs there were, and how long each stage took."""
    counts = [(text(name), text(f"{number:,}")) for name, number in result.counts.items() if number]
    stages = [(text(stage), text(f"{seconds:.2f}")) for stage, seconds in result.timings.items()]
    yield table(("programs", "number"), counts)
    yield table(("stage", "seconds"), stages)
    solution = ""
    if result.first_solution_seconds is not None:
        solution = f"; first solution after {result.first_solution_seconds:.2f} s"
    yield quiet(text("engine "), code(result.engine), text(", source "), code(result.source), text(solution))
