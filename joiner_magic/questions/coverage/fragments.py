"""The fragments that a run knows and what they cover: those that its rules were joined from, and alternatives.

A conjunction covers the examples that all its fragments cover. So once the fragments are evaluated, the coverage of any
conjunction is an intersection of bitsets, and a person can try conjunctions without any engine.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import and_
from typing import TYPE_CHECKING

from joiner_magic.engines.protocol import Engine
from joiner_magic.logic.conjunctions import Conjunction, added_size
from joiner_magic.logic.dominance import ones
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.render import render_rule
from joiner_magic.questions.engine_of_run import engine_of
from joiner_magic.questions.naming import Naming
from joiner_magic.search.problem import Problem
from joiner_magic.search.spaces.modes import Modes
from joiner_magic.search.stages.parts import Part
from joiner_magic.search.stages.preference import rank

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

EFFORT = 1_000_000  # work for evaluating a program that is not in the hypothesis, in the unit of the engine
_BATCH = 32  # fragments that are evaluated between two looks at the clock
_MOST_OTHERS = 40  # fragments that are offered as alternatives to those of a rule
_MOST_LETTERS = 60_000  # in the texts of these alternatives together


@dataclass(frozen=True, slots=True)
class Fragment:
    """A program and the examples that it covers: bit i stands for example i of its label."""

    program: Program  # as it is written
    text: str
    pos: int
    neg: int

    @property
    def cost(self) -> int:
        """The literals that it adds to a conjunction of several."""
        return added_size(self.program)


@dataclass(frozen=True, slots=True)
class FragmentChoice:
    """The fragments of one rule of the hypothesis, and others that could be in its place.

    For positive examples that no rule covers there is a choice too, which has only the others.
    """

    title: str
    rules: tuple[str, ...]  # as the hypothesis has them: several if they call each other
    chosen: tuple[Fragment, ...]
    others: tuple[Fragment, ...]  # alternatives, the most helpful first
    wanted: int  # the positive examples that the rule covers, or that no rule covers, as a bitset

    @property
    def let_in(self) -> int:
        """The negative examples that the rule covers, as a bitset: where errors have a price it may cover some."""
        if not self.chosen:
            return 0
        return reduce(and_, (fragment.neg for fragment in self.chosen))

    @property
    def fragments(self) -> tuple[Fragment, ...]:
        """All fragments of the choice; questions name them by their place in it."""
        return (*self.chosen, *self.others)


@dataclass(frozen=True, slots=True)
class KnownFragments:
    """The hypothesis of a run and the fragments that it knows, at one moment."""

    problem: Problem
    hypothesis: Program | None
    parts: tuple[Part, ...]  # of the hypothesis
    covered: int  # positive examples that the hypothesis covers, as a bitset
    wrong: int  # negative examples that it covers, as a bitset: where errors have a price it may cover some
    coverage: Mapping[Program, Evaluation]  # what each fragment covers
    run: Run

    @classmethod
    def of(cls, run: Run, seconds: float) -> KnownFragments:
        """What a run knows now.

        The fragments are evaluated again, because the search does not keep all that they cover: those of the
        hypothesis in any case, and others for as many seconds.
        """
        parts, hypothesis = _best_hypothesis(run)
        with engine_of(run) as engine:
            problem = Problem.of(run.task, engine.name, objective=run.options.objective(run.task))
            covered = wrong = 0
            if hypothesis:
                ((covered, found, _),) = engine.evaluate([hypothesis])
                wrong = found or 0
            needed = dict.fromkeys(chain.from_iterable(part.conjunction.programs for part in parts))
            coverage = _evaluate(list(needed), engine, problem.modes)
            others = [program for program in _other_fragments(run) if program not in needed]
            until = time.monotonic() + seconds  # not before: an engine may take a moment to start
            for start in range(0, len(others), _BATCH):
                if time.monotonic() > until:
                    break
                coverage |= _evaluate(others[start : start + _BATCH], engine, problem.modes, EFFORT)
        return cls(problem, hypothesis, parts, covered, wrong, coverage, run)

    def engine(self) -> AbstractContextManager[Engine]:
        """An engine like that of the run, for the length of a `with` block."""
        return engine_of(self.run)

    @property
    def uncovered(self) -> int:
        """The positive examples that the hypothesis does not cover."""
        return ones(self.problem.positives) & ~self.covered

    @property
    def errors(self) -> tuple[int, int]:
        """The positive examples that the hypothesis misses and the negative ones that it covers; none without one."""
        if self.hypothesis is None:
            return 0, 0
        return self.uncovered, self.wrong

    @property
    def titles(self) -> list[str]:
        """The titles of the choices: one for each part, and one for the positive examples that no part covers."""
        titles, first = [], 1
        for part in self.parts:
            last = first
            if len(part.conjunction.programs) == 1:
                last += len(part.conjunction.programs[0].rules) - 1
            if first == last:
                titles.append(f"Rule {first}")
            else:
                titles.append(f"Rules {first}–{last}")
            first = last + 1
        if self.uncovered:
            titles.append("Not covered")
        return titles

    def choice(self, number: int) -> FragmentChoice:
        """The choice with the title of this number."""
        title = self.titles[number]
        if number == len(self.parts):
            return FragmentChoice(title, (), (), self._most_helpful((), self.uncovered), self.uncovered)
        part = self.parts[number]
        chosen = self.fragments_of(part.conjunction.programs)
        rules = self.problem.writer.program([part]).rules
        return FragmentChoice(
            title, tuple(map(render_rule, rules)), chosen, self._most_helpful(chosen, part.pos), part.pos
        )

    def fragments_of(self, programs: Iterable[Program]) -> tuple[Fragment, ...]:
        """Programs as fragments that can be shown. Programs that are written alike are one fragment."""
        naming = Naming(self.problem.task.bias)
        found: dict[str, Fragment] = {}
        for program in programs:
            pos, neg, _ = self.coverage[program]
            text = naming(program)
            found.setdefault(text, Fragment(naming.display_form(program), text, pos, neg or 0))
        return tuple(found.values())

    def _most_helpful(self, without: Sequence[Fragment], wanted: int) -> tuple[Fragment, ...]:
        """Fragments, besides those of the rule, that keep most of the wanted examples and fewest negative ones."""
        most = max(wanted.bit_count(), 1), max(self.problem.negatives, 1)

        def helpfulness(program: Program) -> float:
            """How many of the wanted positives a program keeps, less how many negatives, each as a part of all."""
            pos, neg, _ = self.coverage[program]
            return (pos & wanted).bit_count() / most[0] - (neg or 0).bit_count() / most[1]

        helpful = [program for program, evaluation in self.coverage.items() if evaluation.pos & wanted]
        helpful.sort(key=lambda program: (-helpfulness(program), program.size, rank(program)))
        known = {fragment.text for fragment in without}
        others = [
            each for each in self.fragments_of(helpful[: _MOST_OTHERS + len(known)]) if each.text not in known
        ]
        return tuple(_first_within(others[:_MOST_OTHERS], _MOST_LETTERS))


def _best_hypothesis(run: Run) -> tuple[tuple[Part, ...], Program | None]:
    """The parts of a run's hypothesis, and the hypothesis; while the run goes on, of the best one so far."""
    if run.result is not None:
        return run.result.parts, run.result.hypothesis
    best = run.progress.best
    if best is None:
        return (), None
    return best.hypothesis.parts, best.hypothesis.program


def _other_fragments(run: Run) -> dict[Program, None]:
    """All fragments that the run knows at its end, and those of the earlier run whose search it has taken over."""
    fragments: list[Program] = []
    joined: list[Program] = []
    for finding in (run.finding, run.shown.finding):
        if finding is not None:
            fragments += finding.fragments
            for conjunction in finding.parts:
                joined += conjunction.programs
    return dict.fromkeys([*fragments, *joined])


def _evaluate(
    programs: Sequence[Program], engine: Engine, modes: Modes, limit: int | None = None
) -> dict[Program, Evaluation]:
    """What programs cover, without those whose evaluation reached the limit: what these cover is not known."""
    evaluations = engine.evaluate([modes.program_in_order(each) for each in programs], limit=limit)
    return {
        program: evaluation
        for program, evaluation in zip(programs, evaluations, strict=True)
        if evaluation.complete or limit is None
    }


def _first_within(fragments: Iterable[Fragment], letters: int) -> Iterator[Fragment]:
    """The first fragments, as many as have at most so many letters together."""
    for fragment in fragments:
        letters -= len(fragment.text)
        if letters < 0:
            return
        yield fragment


def conjunction_rules(known: KnownFragments, fragments: Sequence[Fragment]) -> list[str]:
    """The rules that a hypothesis would have if these fragments, joined, were a part of it."""
    if not fragments:
        return []
    conjunction = Conjunction(tuple(fragment.program for fragment in fragments))
    part = Part(conjunction, conjunction.size, 0)
    return [render_rule(rule) for rule in known.problem.writer.program([part]).rules]
