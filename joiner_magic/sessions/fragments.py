"""The fragments that a run knows, with what they cover: those its rules are joined of, and others beside them.

A conjunction covers what all its fragments cover. So once the fragments are evaluated, any conjunction of them is
an intersection of bitsets, and a person can try one without asking an engine.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.protocol import Engine
from joiner_magic.logic.conjunctions import added_size
from joiner_magic.logic.dominance import ones
from joiner_magic.logic.programs import Program
from joiner_magic.logic.render import render_rule
from joiner_magic.search.parts import Part
from joiner_magic.search.problem import Problem
from joiner_magic.sessions.naming import Naming

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

EFFORT = 1_000_000  # of the engine's unit, for each program that the hypothesis does without
_BATCH = 32  # fragments between two looks at the clock
_OTHERS = 40  # fragments that are offered beside those of a rule
_LETTERS = 60_000  # in their texts together


@dataclass(frozen=True, slots=True)
class Fragment:
    """A program and the examples that it covers: bit i stands for example i of its label."""

    program: Program  # as it is written
    text: str
    pos: int
    neg: int

    @property
    def size(self) -> int:
        """The literals that it is alone."""
        return self.program.size

    @property
    def cost(self) -> int:
        """The literals that it adds to a conjunction of several."""
        return added_size(self.program)


def size_of(fragments: Sequence[Fragment]) -> int:
    """The literals that their conjunction is written with."""
    if len(fragments) == 1:
        return fragments[0].size
    return 1 + sum(fragment.cost for fragment in fragments)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a rule of the hypothesis is joined of, and what else could be; without a rule only the latter."""

    title: str
    rules: tuple[str, ...]  # as the hypothesis has them: several if they call each other
    chosen: tuple[Fragment, ...]
    others: tuple[Fragment, ...]  # the most helpful first
    wanted: int  # the positive examples that it is about

    @property
    def fragments(self) -> tuple[Fragment, ...]:
        return (*self.chosen, *self.others)


@dataclass(frozen=True, slots=True)
class Known:
    """What a run knows now."""

    problem: Problem
    hypothesis: Program | None
    parts: tuple[Part, ...]  # of the hypothesis
    fragments: Mapping[str, Fragment]  # by their text
    untested: int  # fragments for which there was no time
    covered: int  # positive examples, by the hypothesis
    trusted: bool  # whether background knowledge may reach the system

    @classmethod
    def of(cls, run: Run, seconds: float) -> Known:
        """Fragments are evaluated anew: the search keeps what it needs of them, and no more. Those of the
        hypothesis always are, others as long as there is time.
        """
        until = time.monotonic() + seconds
        parts, hypothesis = _found(run)
        naming = Naming(run.task.bias)
        needed = _named(chain.from_iterable(part.conjunction.programs for part in parts), naming)
        others = _named(_others(run), naming)
        with choose_engine(run.task, run.options.engine, trusted=run.options.trusted).engine as engine:
            fragments = {fragment.text: fragment for fragment in _evaluated(needed, engine)}
            rest = {text: program for text, program in others.items() if text not in fragments}
            tested, left = _evaluated_until(rest, engine, until)
            fragments |= tested
            covered = engine.evaluate([hypothesis])[0].pos if hypothesis else 0
            problem = Problem.of(run.task, engine.name)
        return cls(problem, hypothesis, parts, fragments, left, covered, run.options.trusted)

    def engine(self) -> Engine:
        """One like that of the run."""
        return choose_engine(self.problem.task, self.problem.engine, trusted=self.trusted).engine

    @property
    def uncovered(self) -> int:
        """The positive examples that the hypothesis does not cover."""
        return ones(self.problem.positives) & ~self.covered

    @property
    def titles(self) -> list[str]:
        """Of the choices: one for each part, and one for the positive examples that no part covers."""
        titles, first = [], 1
        for part in self.parts:
            programs = part.conjunction.programs
            rules = 1 if len(programs) > 1 else len(programs[0].rules)
            titles.append(f"Rule {first}" if rules == 1 else f"Rules {first}–{first + rules - 1}")
            first += rules
        return [*titles, "Not covered"] if self.uncovered else titles

    def choice(self, number: int) -> Choice:
        title = self.titles[number]
        if number == len(self.parts):
            return Choice(title, (), (), self._helpful((), self.uncovered), self.uncovered)
        part = self.parts[number]
        naming = Naming(self.problem.task.bias)
        chosen = tuple(self.fragments[naming(program)] for program in part.conjunction.programs)
        rules = self.problem.writer.program([part]).rules
        return Choice(
            title, tuple(map(render_rule, rules)), chosen, self._helpful(chosen, part.pos), part.pos
        )

    def _helpful(self, without: Sequence[Fragment], wanted: int) -> tuple[Fragment, ...]:
        """Others that keep most of the wanted examples and fewest negatives."""
        most = max(wanted.bit_count(), 1), max(self.problem.negatives, 1)

        def help_of(fragment: Fragment) -> float:
            return (fragment.pos & wanted).bit_count() / most[0] - fragment.neg.bit_count() / most[1]

        helpful = [f for f in self.fragments.values() if f not in without and f.pos & wanted]
        helpful.sort(key=lambda fragment: (-help_of(fragment), fragment.size, fragment.text))
        return tuple(_within(helpful[:_OTHERS], _LETTERS))


def _found(run: Run) -> tuple[tuple[Part, ...], Program | None]:
    """The hypothesis of a run, and its parts; of one that is going on, the best so far."""
    best = run.progress.best
    if run.result is not None:
        return run.result.parts, run.result.hypothesis
    return (best.hypothesis.parts, best.hypothesis.program) if best else ((), None)


def _others(run: Run) -> Iterator[Program]:
    if run.finding is not None:
        yield from run.finding.fragments
        for conjunction in run.finding.parts:
            yield from conjunction.programs


def _named(programs: Iterable[Program], naming: Naming) -> dict[str, Program]:
    return {naming(program): naming.written(program) for program in programs}


def _evaluated(
    programs: Mapping[str, Program], engine: Engine, limit: int | None = None
) -> Iterator[Fragment]:
    """Without those whose evaluation runs into the limit: it is not known what they cover."""
    evaluations = engine.evaluate(list(programs.values()), limit=limit) if programs else []
    for (text, program), (pos, neg, complete) in zip(programs.items(), evaluations, strict=True):
        if complete or limit is None:
            yield Fragment(program, text, pos, neg or 0)


def _evaluated_until(
    programs: Mapping[str, Program], engine: Engine, until: float
) -> tuple[dict[str, Fragment], int]:
    """As many as there is time for, and how many are left."""
    texts = list(programs)
    found: dict[str, Fragment] = {}
    for start in range(0, len(texts), _BATCH):
        if time.monotonic() > until:
            return found, len(texts) - start
        batch = {text: programs[text] for text in texts[start : start + _BATCH]}
        found |= {fragment.text: fragment for fragment in _evaluated(batch, engine, EFFORT)}
    return found, 0


def _within(fragments: Iterable[Fragment], letters: int) -> Iterator[Fragment]:
    for fragment in fragments:
        letters -= len(fragment.text)
        if letters < 0:
            return
        yield fragment
