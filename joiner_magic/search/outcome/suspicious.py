"""Examples that may be wrong: those that the hypothesis gets wrong, ranked, each with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from joiner_magic.engines.narrate import filled_in
from joiner_magic.engines.protocol import Explanation, Failure
from joiner_magic.errors import TaskError
from joiner_magic.logic.dominance import bits
from joiner_magic.logic.programs import Evaluation, Rule
from joiner_magic.logic.render import render_literal, render_rule, render_term
from joiner_magic.logic.terms import Term
from joiner_magic.search.objective import Price
from joiner_magic.search.outcome.find_tradeoff import find_tradeoff
from joiner_magic.search.outcome.prediction import evaluated, explain_examples
from joiner_magic.solvers.signals import interruptible, stop_of_this_call
from joiner_magic.task.notes import counted
from joiner_magic.task.task import Task

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result

_WIDTH = 160  # of the table as text
_WIDEST = 100  # of a column
TITLES = ("example", "label", "error", "wrong in", "why")


@dataclass(frozen=True, slots=True)
class Suspect:
    """An example that the hypothesis gets wrong."""

    example: Term  # the atom
    label: Literal["pos", "neg"]  # as it was given
    weight: Price  # as it was given
    wrong_in: int  # so many of the good hypotheses that were compared get it wrong
    compared: (
        int  # good hypotheses that were compared: the one of the result, and others that cost little more
    )
    rule: Rule | None  # the rule that covers it, or the nearest one if none does
    why: str  # what the rule does with it, in a few words

    @property
    def error(self) -> str:
        """What the hypothesis does to it: "missed", or "wrongly covered"."""
        return "missed" if self.label == "pos" else "wrongly covered"


@dataclass(frozen=True, slots=True)
class Suspects:
    """The examples that a hypothesis gets wrong, those first that most other good hypotheses get wrong too. Their labels or their
    facts may be wrong; or the hypothesis is.
    """

    suspects: tuple[Suspect, ...]  # the first ones, by rank
    total: int  # examples that the hypothesis gets wrong, with those that are not given

    def __len__(self) -> int:
        return len(self.suspects)

    def __iter__(self) -> Iterator[Suspect]:
        return iter(self.suspects)

    def __getitem__(self, rank: int) -> Suspect:
        return self.suspects[rank]

    @property
    def remark(self) -> str:
        """How many there are besides, or that there is none."""
        if not self.total:
            return "no example is known to be wrong: the hypothesis agrees with every label"
        left = self.total - len(self.suspects)
        if not left:
            return ""
        return f"… and {counted(left, 'more example')}"

    def __str__(self) -> str:
        return self.text()

    def text(self, rows: int | None = None) -> str:
        """A table of the examples, of at most so many if a number is given."""
        if not self.suspects:
            return self.remark
        table = [TITLES, *map(row_texts, self.suspects[:rows])]
        widths = [min(_WIDEST, max(map(len, column))) for column in zip(*table, strict=True)]
        lines = [_in_columns(row, widths) for row in table]
        return "\n".join([*lines, self.remark] if self.remark else lines)


def row_texts(suspect: Suspect) -> tuple[str, ...]:
    """An example as texts, one for each of `TITLES`."""
    return (
        render_term(suspect.example),
        suspect.label,
        suspect.error,
        f"{suspect.wrong_in} of {suspect.compared}",
        suspect.why,
    )


@interruptible
def find_suspects(result: Result, n: int) -> Suspects:
    """The first `n` examples that the hypothesis gets wrong, by how many good hypotheses get them wrong."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise TaskError(f"{n!a} is no number of examples", remedy="give a whole number above 0")
    if result.hypothesis is None:
        raise TaskError("there is no hypothesis that could doubt an example: nothing was learnt")
    (evaluation,) = evaluated(result, [result.hypothesis], stop_of_this_call())
    compared = find_tradeoff(result).near or (evaluation,)
    ranked = sorted(_errors(result.task, evaluation, compared), key=lambda each: each.rank)
    first = ranked[:n]
    explanations = explain_examples(result, [each.example for each in first])
    suspects = [
        _suspect(each, len(compared), explanation)
        for each, explanation in zip(first, explanations, strict=True)
    ]
    return Suspects(tuple(suspects), len(ranked))


@dataclass(frozen=True, slots=True)
class _Error:
    """An example that is wrong, before it is explained."""

    example: Term
    label: Literal["pos", "neg"]
    weight: Price
    wrong_in: int

    @property
    def rank(self) -> tuple[int, Price]:
        """What is wrong in most hypotheses comes first, and of these what weighs most."""
        return -self.wrong_in, -self.weight


def _errors(task: Task, of: Evaluation, compared: Sequence[Evaluation]) -> Iterator[_Error]:
    """The errors of a hypothesis, in the order of the examples, positive ones first."""
    examples = task.examples
    everything = (1 << len(examples.pos)) - 1
    if of.complete:
        missed = [everything & ~each.pos for each in compared]
        for number in bits(everything & ~of.pos):
            wrong_in = _count(missed, number)
            yield _Error(examples.pos[number], "pos", examples.pos_weights[number], wrong_in)
    covered = [each.neg or 0 for each in compared]
    for number in bits(of.neg or 0):
        wrong_in = _count(covered, number)
        yield _Error(examples.neg[number], "neg", examples.neg_weights[number], wrong_in)


def _count(sets: Iterable[int], example: int) -> int:
    """How many bitsets have the example."""
    return sum(each >> example & 1 for each in sets)


def _suspect(error: _Error, compared: int, explanation: Explanation) -> Suspect:
    rule, why = _reason(explanation)
    return Suspect(error.example, error.label, error.weight, error.wrong_in, compared, rule, why)


def _reason(explanation: Explanation) -> tuple[Rule | None, str]:
    """The rule that covers an example, or the one that comes nearest, and what happens there."""
    if explanation.proof is not None:
        rule = explanation.proof.rule
        return rule, f"covered by {render_rule(rule)}" if rule else "covered"
    nearest = min(explanation.failures, key=_distance, default=None)
    if nearest is None:
        return None, "no rule is about it"
    if nearest.literal is None:
        return nearest.rule, f"the head does not match: {render_rule(nearest.rule)}"
    fails = "fails" if explanation.complete else "gets no further"
    at = render_literal(filled_in(nearest.literal, nearest))
    return nearest.rule, f"{fails} at {at}: {render_rule(nearest.rule)}"


def _distance(failure: Failure) -> tuple[int, int]:
    """How far a rule is from covering an example: the literals that are left, and those that hold."""
    return len(failure.rule.body) - failure.holds, -failure.holds


def _in_columns(row: Sequence[str], widths: Sequence[int]) -> str:
    """One line of the table, cut where it is too long."""
    line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
    if len(line) <= _WIDTH:
        return line
    return f"{line[: _WIDTH - 1]}…"
