"""The fragments that a run knows, with what they cover: those its rules are joined of, and others beside them.

A conjunction covers what all its fragments cover. So once the fragments are evaluated, any conjunction of them is
an intersection of bitsets, and a person can try one without asking an engine.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
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
    def cost(self) -> int:
        """The literals that it adds to a conjunction of several."""
        return added_size(self.program)


@dataclass(frozen=True, slots=True)
class FragmentChoice:
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
class KnownFragments:
    """What a run knows now."""

    problem: Problem
    hypothesis: Program | None
    parts: tuple[Part, ...]  # of the hypothesis
    covered: int  # positive examples, by the hypothesis
    coverage: Mapping[Program, Evaluation]  # of fragments
    run: Run

    @classmethod
    def of(cls, run: Run, seconds: float) -> KnownFragments:
        """Fragments are evaluated anew, because the search keeps of them only what it needs: those of the
        hypothesis in any case, others as long as there is time.
        """
        parts, hypothesis = _found(run)
        with engine_of(run) as engine:
            problem = Problem.of(run.task, engine.name)
            covered = engine.evaluate([hypothesis])[0].pos if hypothesis else 0
            needed = dict.fromkeys(program for part in parts for program in part.conjunction.programs)
            coverage = _evaluated(list(needed), engine, problem.modes)
            others = [program for program in _others(run) if program not in needed]
            until = time.monotonic() + seconds  # not before: an engine may take a moment to start
            for start in range(0, len(others), _BATCH):
                if time.monotonic() > until:
                    break
                coverage |= _evaluated(others[start : start + _BATCH], engine, problem.modes, EFFORT)
        return cls(problem, hypothesis, parts, covered, coverage, run)

    def engine(self) -> AbstractContextManager[Engine]:
        """One like that of the run, for a while."""
        return engine_of(self.run)

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

    def choice(self, number: int) -> FragmentChoice:
        title = self.titles[number]
        if number == len(self.parts):
            return FragmentChoice(title, (), (), self._helpful((), self.uncovered), self.uncovered)
        part = self.parts[number]
        chosen = self.named(part.conjunction.programs)
        rules = self.problem.writer.program([part]).rules
        return FragmentChoice(
            title, tuple(map(render_rule, rules)), chosen, self._helpful(chosen, part.pos), part.pos
        )

    def named(self, programs: Iterable[Program]) -> tuple[Fragment, ...]:
        """As fragments that can be shown: each once, however it is written here."""
        naming = Naming(self.problem.task.bias)
        found: dict[str, Fragment] = {}
        for program in programs:
            pos, neg, _ = self.coverage[program]
            text = naming(program)
            found.setdefault(text, Fragment(naming.display_form(program), text, pos, neg or 0))
        return tuple(found.values())

    def _helpful(self, without: Sequence[Fragment], wanted: int) -> tuple[Fragment, ...]:
        """Others that keep most of the wanted examples and fewest negatives."""
        most = max(wanted.bit_count(), 1), max(self.problem.negatives, 1)

        def help_of(program: Program) -> float:
            pos, neg, _ = self.coverage[program]
            return (pos & wanted).bit_count() / most[0] - (neg or 0).bit_count() / most[1]

        helpful = [program for program, evaluation in self.coverage.items() if evaluation.pos & wanted]
        helpful.sort(key=lambda program: (-help_of(program), program.size, rank(program)))
        known = {fragment.text for fragment in without}
        others = [each for each in self.named(helpful[: _OTHERS + len(known)]) if each.text not in known]
        return tuple(_within(others[:_OTHERS], _LETTERS))


def _found(run: Run) -> tuple[tuple[Part, ...], Program | None]:
    """The hypothesis of a run, and its parts; of one that is going on, the best so far."""
    best = run.progress.best
    if run.result is not None:
        return run.result.parts, run.result.hypothesis
    return (best.hypothesis.parts, best.hypothesis.program) if best else ((), None)


def _others(run: Run) -> dict[Program, None]:
    """Also what the run left behind that was taken over: it is evaluated anew, on the examples of this one."""
    findings = [finding for finding in (run.finding, run.shown.finding) if finding is not None]
    fragments = (program for finding in findings for program in finding.fragments)
    conjunctions = (conjunction for finding in findings for conjunction in finding.parts)
    joined = (program for conjunction in conjunctions for program in conjunction.programs)
    return dict.fromkeys([*fragments, *joined])


def _evaluated(
    programs: Sequence[Program], engine: Engine, modes: Modes, limit: int | None = None
) -> dict[Program, Evaluation]:
    """Without those whose evaluation runs into the limit: it is not known what they cover."""
    evaluations = engine.evaluate([modes.program_in_order(each) for each in programs], limit=limit)
    return {
        program: evaluation
        for program, evaluation in zip(programs, evaluations, strict=True)
        if evaluation.complete or limit is None
    }


def _within(fragments: Iterable[Fragment], letters: int) -> Iterator[Fragment]:
    for fragment in fragments:
        letters -= len(fragment.text)
        if letters < 0:
            return
        yield fragment


def conjunction_rules(known: KnownFragments, fragments: Sequence[Fragment]) -> list[str]:
    """Some fragments joined, as rules: what a hypothesis would have if they were a part of it."""
    if not fragments:
        return []
    conjunction = Conjunction(tuple(fragment.program for fragment in fragments))
    part = Part(conjunction, conjunction.size, 0)
    return [render_rule(rule) for rule in known.problem.writer.program([part]).rules]
