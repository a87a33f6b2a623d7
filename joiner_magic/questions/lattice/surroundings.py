"""The surroundings of what a run found, and what it searched size by size.

Below each rule of the hypothesis, or each fragment where rules were joined, stand its immediate generalisations:
the rule without one of its literals. What they cover shows what each literal is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from joiner_magic.logic.programs import Program, Rule
from joiner_magic.logic.render import render_literal
from joiner_magic.questions.coverage.matrix import CoverageColumn, CoverageMatrix, evaluated
from joiner_magic.questions.engine_of_run import engine_of
from joiner_magic.search.record.fates import tested_of, untested_of
from joiner_magic.search.running.progress import SizeDone
from joiner_magic.search.spaces.modes import Modes

if TYPE_CHECKING:
    from joiner_magic.engines.protocol import Engine
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.search.running.progress import SizeAtHand
    from joiner_magic.sessions.runs import Run

_MOST = 500  # generalisations that are evaluated
_EFFORT = 3_000_000  # of the engine's unit, for each: with a literal less, a body may run on and on


@dataclass(frozen=True, slots=True)
class Generalisation:
    without: str  # the literal that is left out
    pos: int  # how many examples it covers
    neg: int


@dataclass(frozen=True, slots=True)
class HypothesisRule:
    """A rule of the hypothesis or a fragment of one, and what is just above it."""

    text: str
    pos: int
    neg: int
    above: tuple[Generalisation, ...]


@dataclass(frozen=True, slots=True)
class HypothesisSurroundings:
    run: int
    positives: int
    negatives: int
    sizes: tuple[SizeDone | SizeAtHand, ...]
    found: tuple[HypothesisRule, ...]

    @classmethod
    def of(cls, run: Run) -> HypothesisSurroundings:
        examples = run.task.examples
        found: tuple[HypothesisRule, ...] = ()
        if run.result:
            with engine_of(run) as engine:
                found = tuple(_found(run.result, engine))
        return cls(run.number, len(examples.pos), len(examples.neg), run.progress.begun, found)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"run {self.run}: {self.positives:,} positive and {self.negatives:,} negative examples"
        for size in self.sizes:
            fates = ", ".join(f"{number:,} {fate}" for fate, number in tested_of(size.fates).items())
            before = ", ".join(f"{number:,} {word}" for word, number in untested_of(size.fates).items())
            left_out = f"; not tested: {before}" if before else ""
            yield f"size {size.size}: {size.tested:,} tested" + (f": {fates}" if fates else "") + left_out
            if isinstance(size, SizeDone):
                yield f"        fragments known: {size.fragments:,}, parts: {size.parts:,}"
        for found in self.found:
            yield f"{found.text}   covers +{found.pos:,} −{found.neg:,}"
            for above in found.above:
                yield f"    without {above.without}: +{above.pos:,} −{above.neg:,}"


def _found(result: Result, engine: Engine) -> Iterator[HypothesisRule]:
    matrix = CoverageMatrix.of(result, engine)
    joined = {fragment.rule for fragment in matrix.fragments}
    whole = [rule for number, rule in enumerate(matrix.rules) if number not in joined]
    above = _above(result, [*whole, *matrix.fragments], engine)
    for covering, generalisations in above:
        yield HypothesisRule(
            covering.text, covering.pos.bit_count(), covering.neg.bit_count(), generalisations
        )


def _above(
    result: Result, found: Sequence[CoverageColumn], engine: Engine
) -> Iterator[tuple[CoverageColumn, tuple[Generalisation, ...]]]:
    """Each with those of its generalisations that can be evaluated with a moderate amount of work."""
    modes = Modes(result.task.bias)
    asked = [(covering, *one) for covering in found for one in _generalisations(covering)][:_MOST]
    programs = [modes.program_in_order(program) for _, _, program in asked]
    evaluations = evaluated(programs, result, engine, limit=_EFFORT)
    above: dict[CoverageColumn, list[Generalisation]] = {covering: [] for covering in found}
    for (covering, without, _), (pos, neg, complete) in zip(asked, evaluations, strict=True):
        if complete:
            above[covering].append(Generalisation(without, pos.bit_count(), (neg or 0).bit_count()))
    return ((covering, tuple(generalisations)) for covering, generalisations in above.items())


def _generalisations(covering: CoverageColumn) -> Iterator[tuple[str, Program]]:
    """The rule without one literal; what calls itself means something else then, and has none."""
    if len(covering.program.rules) > 1:
        return
    ((head, body),) = covering.program.rules
    for number, literal in enumerate(body if len(body) > 1 else ()):
        rest = (*body[:number], *body[number + 1 :])
        yield render_literal(literal), Program((Rule(head, rest),))
