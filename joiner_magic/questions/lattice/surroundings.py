"""What each literal of a hypothesis is for, and what the run searched size by size.

Each rule of the hypothesis, or each fragment of a rule that was joined, is compared with its immediate generalisations:
the same rule without one of its literals. The negative examples that such a generalisation covers in addition show
what the literal keeps out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from joiner_magic.logic.programs import Program, Rule
from joiner_magic.logic.render import render_literal
from joiner_magic.questions.coverage.matrix import CoverageColumn, CoverageMatrix, evaluated
from joiner_magic.questions.engine_of_run import engine_of
from joiner_magic.search.fate import Fate, tested_of, untested_of
from joiner_magic.search.running.progress import FinishedSize
from joiner_magic.search.spaces.modes import Modes

if TYPE_CHECKING:
    from joiner_magic.engines.protocol import Engine
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.search.running.progress import CurrentSize
    from joiner_magic.sessions.runs import Run

_MOST = 500  # generalisations that are evaluated
# How much work an evaluation may take, in the unit of the engine: a body without one of its literals may run very long.
_EFFORT = 3_000_000


@dataclass(frozen=True, slots=True)
class Generalisation:
    """A rule without one of its literals, and how many examples that covers."""

    without: str  # the literal that is left out
    pos: int  # how many positive examples it covers
    neg: int


@dataclass(frozen=True, slots=True)
class HypothesisRule:
    """A rule of the hypothesis or a fragment of one, how many examples it covers, and its generalisations."""

    text: str
    pos: int
    neg: int
    above: tuple[Generalisation, ...]


@dataclass(frozen=True, slots=True)
class HypothesisSurroundings:
    """What each literal of a run's hypothesis is for, and what was tested of each size. As a text, a few lines."""

    run: int  # its number
    positives: int
    negatives: int
    sizes: tuple[FinishedSize | CurrentSize, ...]
    rules: tuple[
        HypothesisRule, ...
    ]  # rules that were tested as a whole, then fragments of those that were joined

    @classmethod
    def of(cls, run: Run) -> HypothesisSurroundings:
        """Those of a run; without rules while it goes on."""
        examples = run.task.examples
        rules: tuple[HypothesisRule, ...] = ()
        if run.result:
            with engine_of(run) as engine:
                rules = tuple(_hypothesis_rules(run.result, engine))
        return cls(run.number, len(examples.pos), len(examples.neg), run.progress.begun, rules)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"run {self.run}: {self.positives:,} positive and {self.negatives:,} negative examples"
        for size in self.sizes:
            line = f"size {size.size}: {size.tested:,} tested"
            if fates := _counts(tested_of(size.fates)):
                line += f": {fates}"
            if untested := _counts(untested_of(size.fates)):
                line += f"; not tested: {untested}"
            yield line
            if isinstance(size, FinishedSize):
                yield f"        fragments known: {size.fragments:,}, parts: {size.parts:,}"
        for rule in self.rules:
            yield f"{rule.text}   covers +{rule.pos:,} −{rule.neg:,}"
            for above in rule.above:
                yield f"    without {above.without}: +{above.pos:,} −{above.neg:,}"


def _counts(numbers: Mapping[Fate, int]) -> str:
    return ", ".join(f"{number:,} {word}" for word, number in numbers.items())


def _hypothesis_rules(result: Result, engine: Engine) -> Iterator[HypothesisRule]:
    matrix = CoverageMatrix.of(result, engine)
    joined = {fragment.rule for fragment in matrix.fragments}
    whole = [rule for number, rule in enumerate(matrix.rules) if number not in joined]
    above = _evaluated_generalisations(result, [*whole, *matrix.fragments], engine)
    for rule, generalisations in above.items():
        counts = rule.pos.bit_count(), rule.neg.bit_count()
        yield HypothesisRule(rule.text, *counts, tuple(generalisations))


def _evaluated_generalisations(
    result: Result, rules: Sequence[CoverageColumn], engine: Engine
) -> dict[CoverageColumn, list[Generalisation]]:
    """The generalisations of each rule, without those whose evaluation would take too much work."""
    modes = Modes(result.task.bias)
    asked = [(rule, *without) for rule in rules for without in _generalisations(rule)][:_MOST]
    programs = [modes.program_in_order(program) for _, _, program in asked]
    evaluations = evaluated(programs, result, engine, limit=_EFFORT)
    above: dict[CoverageColumn, list[Generalisation]] = {rule: [] for rule in rules}
    for (rule, literal, _), (pos, neg, complete) in zip(asked, evaluations, strict=True):
        if complete:
            above[rule].append(Generalisation(literal, pos.bit_count(), (neg or 0).bit_count()))
    return above


def _generalisations(rule: CoverageColumn) -> Iterator[tuple[str, Program]]:
    """Each literal of a rule, with the rule without it.

    A program of several rules has none: it calls itself, and without a literal all its rules would mean something else.
    """
    if len(rule.program.rules) > 1:
        return
    ((head, body),) = rule.program.rules
    for number, literal in enumerate(body if len(body) > 1 else ()):
        rest = (*body[:number], *body[number + 1 :])
        yield render_literal(literal), Program((Rule(head, rest),))
