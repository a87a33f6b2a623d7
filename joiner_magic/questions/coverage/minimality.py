"""Why a conjunction is not smaller: what each of its fragments keeps out, and whether a smaller one would do.

A smaller one would be a conjunction of fragments that the run knows, with fewer literals, that covers at least the same
positive examples and no further negative one. The solver of the join stage decides exactly whether there is one. Where
errors have a price, the conjunction itself may cover some negative examples.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from joiner_magic.logic.conjunctions import Conjunction, added_size
from joiner_magic.logic.dominance import Piece, ones
from joiner_magic.logic.programs import Evaluation, Program, Rule
from joiner_magic.logic.render import render_literal, variable_name
from joiner_magic.questions.coverage.fragments import EFFORT, Fragment, FragmentChoice, KnownFragments
from joiner_magic.search.problem import Problem
from joiner_magic.solvers.interrupt import Interrupted
from joiner_magic.solvers.join_solver import JoinSolver
from joiner_magic.task.notes import counted


@dataclass(frozen=True, slots=True)
class Omission:
    """The conjunction without one of its fragments, or a rule that was not joined without one of its literals."""

    text: str  # what is left out
    pos: int  # the examples that the rest covers, as bitsets
    neg: int
    flaw: str = ""  # why the rest is no rule of the space, whatever it covers


@dataclass(frozen=True, slots=True)
class Minimality:
    """Why a conjunction is not smaller. As a text, a sentence about smaller conjunctions."""

    size: int
    positives: int  # how many positive examples it covers
    negatives: int  # how many negative examples it covers
    without: tuple[Omission, ...]  # one for each of its fragments or literals
    searched: int  # how many fragments there were to make conjunctions of
    smaller: tuple[Fragment, ...]  # a conjunction that does the same with fewer literals, if one is known
    smaller_size: int
    finished: bool  # whether there was time to search all conjunctions

    def __str__(self) -> str:
        """Whether there is a smaller conjunction, in a sentence."""
        over = f"{counted(self.searched, 'fragment')} that the search knows"
        if self.smaller:
            return f"There is one with {self.smaller_size} literals among the conjunctions of {over}."
        if not self.finished:
            return f"No smaller one was found in the time for looking through the conjunctions of {over}."
        negatives = "no negative"
        if self.negatives:
            negatives = "no further negative"
        return (
            f"No conjunction of the {over} keeps the same {counted(self.positives, 'positive')} and {negatives}"
            f" with fewer than {self.size} literals."
        )


def minimality(known: KnownFragments, choice: FragmentChoice, seconds: float) -> Minimality:
    """Why the conjunction of a rule is not smaller; a smaller one is searched for so many seconds."""
    until = time.monotonic() + seconds
    chosen = choice.chosen
    size = size_of([fragment.program for fragment in chosen])
    if len(chosen) == 1:
        without = _without_each_literal(known, chosen[0])
    else:
        without = _without_each_fragment(known, chosen)
    _, let_in = intersection(chosen, known.problem.positives, known.problem.negatives)
    smaller, finished = _find_smaller(known, choice.wanted, let_in, size, until)
    found = known.fragments_of(smaller)
    smaller_size = 0
    if smaller:
        smaller_size = size_of(smaller)
    return Minimality(
        size,
        choice.wanted.bit_count(),
        let_in.bit_count(),
        tuple(without),
        len(known.coverage),
        found,
        smaller_size,
        finished,
    )


def size_of(programs: Iterable[Program]) -> int:
    """How many literals the conjunction of these programs has."""
    return Conjunction(tuple(programs)).size


def intersection(fragments: Sequence[Fragment], positives: int, negatives: int) -> tuple[int, int]:
    """The positive and negative examples that all these fragments cover, as bitsets."""
    pos, neg = ones(positives), ones(negatives)
    for fragment in fragments:
        pos &= fragment.pos
        neg &= fragment.neg
    return pos, neg


def piece_of(program: Program, evaluation: Evaluation, problem: Problem) -> Piece:
    """A program in the form that the solver of the join stage takes."""
    progress, stuck = problem.modes.profile(program)
    mentioned = problem.mentioned(program) & problem.required
    return Piece(added_size(program), evaluation.pos, evaluation.neg or 0, mentioned, progress, stuck)


def flaw_of(pieces: Sequence[Piece], problem: Problem) -> str:
    """Why the conjunction of these pieces is no rule of the hypothesis space; empty if it is one."""
    missing, progress, stuck = problem.required, 0, 0
    for piece in pieces:
        missing &= ~piece.head
        progress |= piece.progress
        stuck |= piece.stuck
    if missing:
        names = [variable_name(number) for number in range(missing.bit_length()) if missing >> number & 1]
        return f"{' and '.join(names)} of the head would not occur in the body"
    if stuck & ~progress:
        return "no order of its literals could be run"
    return ""


def _without_each_fragment(known: KnownFragments, chosen: Sequence[Fragment]) -> Iterator[Omission]:
    """The conjunction without each of its fragments."""
    problem = known.problem
    pieces = [piece_of(each.program, Evaluation(each.pos, each.neg), problem) for each in chosen]
    for number, fragment in enumerate(chosen):
        rest = [*chosen[:number], *chosen[number + 1 :]]
        pos, neg = intersection(rest, problem.positives, problem.negatives)
        flaw = flaw_of([*pieces[:number], *pieces[number + 1 :]], problem)
        yield Omission(fragment.text, pos, neg, flaw)


def _without_each_literal(known: KnownFragments, fragment: Fragment) -> Iterator[Omission]:
    """The rule without each of its literals, unless it has a single one.

    A program of several rules calls itself, and would mean something else.
    """
    if len(fragment.program.rules) > 1:
        return
    problem = known.problem
    ((head, body),) = fragment.program.rules
    if len(body) < 2:
        return
    in_order = []
    for place in range(len(body)):
        rest = Program((Rule(head, (*body[:place], *body[place + 1 :])),))
        in_order.append(problem.modes.program_in_order(rest))
    with known.engine() as engine:
        evaluations = engine.evaluate(in_order, limit=EFFORT)
    for literal, program, evaluation in zip(body, in_order, evaluations, strict=True):
        if evaluation.complete:
            flaw = flaw_of([piece_of(program, evaluation, problem)], problem)
            yield Omission(render_literal(literal), evaluation.pos, evaluation.neg or 0, flaw)


def _find_smaller(
    known: KnownFragments, wanted: int, let_in: int, size: int, until: float
) -> tuple[tuple[Program, ...], bool]:
    """A smallest conjunction below this size that covers all wanted examples and no negative one besides those that are
    let in, empty if there is none; and whether the search for it came to its end.
    """
    problem = known.problem
    useful: dict[Program, Evaluation] = {}
    for program, (pos, neg, complete) in known.coverage.items():
        if not wanted & ~pos:
            useful[program] = Evaluation(pos, (neg or 0) & ~let_in, complete)
    # A program of several rules that stands alone needs no rule that calls it, and has two literals less for that.
    alone = [(p,) for p, found in useful.items() if len(p.rules) > 1 and not found.neg and p.size < size]
    best = min(alone, key=size_of, default=())
    if best:
        size = size_of(best)
    solver = JoinSolver(
        problem.positives, problem.negatives, required=problem.required, demands=problem.modes.demands
    )
    solver.add([piece_of(program, evaluation, problem) for program, evaluation in useful.items()])
    programs = list(useful)
    try:
        for bound in range(2, size):
            for found in solver.maximal(bound, lambda: time.monotonic() > until, including=wanted):
                return tuple(programs[number] for number in found.pieces), True
    except Interrupted:
        return best, False
    return best, True
