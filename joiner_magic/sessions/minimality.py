"""Why a conjunction is as small as it is: what each piece of it keeps out, and whether a smaller one is known.

The second question is the join's own, over the fragments that the run knows: is there a conjunction with fewer
literals that covers at least the same positive examples and no negative one? The join's solver answers it exactly.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from joiner_magic.logic.dominance import Piece, ones
from joiner_magic.logic.programs import Program, Rule
from joiner_magic.logic.render import render_literal, variable_name
from joiner_magic.search.problem import Problem
from joiner_magic.sessions.fragments import EFFORT, Choice, Fragment, Known, size_of
from joiner_magic.solvers.conjunctions import Conjunctions
from joiner_magic.solvers.interrupt import Interrupted
from joiner_magic.task.notes import counted


@dataclass(frozen=True, slots=True)
class Without:
    """The conjunction without one of its fragments, or a rule that was not joined without one of its literals."""

    text: str  # what is left out
    pos: int  # the examples that the rest covers, as bitsets
    neg: int
    flaw: str = ""  # why the rest is no rule of the space, whatever it covers


@dataclass(frozen=True, slots=True)
class Minimality:
    size: int
    without: tuple[Without, ...]
    searched: int  # fragments whose conjunctions were searched
    smaller: tuple[Fragment, ...]  # a conjunction that does the same with fewer literals, none if empty
    finished: bool  # whether there was time for all of them

    def __str__(self) -> str:
        over = f"{counted(self.searched, 'fragment')} that the search knows"
        if self.smaller:
            return f"There is one with {size_of(self.smaller)} literals among the conjunctions of {over}."
        if not self.finished:
            return f"No smaller one was found in the time for looking through the conjunctions of {over}."
        return (
            f"No conjunction of the {over} keeps these positives and no negative"
            f" with fewer than {self.size} literals."
        )


def minimality(known: Known, choice: Choice, seconds: float) -> Minimality:
    until = time.monotonic() + seconds
    chosen = choice.chosen
    without = _without_literals(known, chosen[0]) if len(chosen) == 1 else _without_fragments(known, chosen)
    fragments = list(known.fragments.values())
    smaller, finished = _smaller(known.problem, fragments, choice.wanted, size_of(chosen), until)
    return Minimality(size_of(chosen), tuple(without), len(fragments), smaller, finished)


def intersection(fragments: Sequence[Fragment], positives: int, negatives: int) -> tuple[int, int]:
    """The positive and negative examples that all of them cover."""
    pos, neg = ones(positives), ones(negatives)
    for fragment in fragments:
        pos &= fragment.pos
        neg &= fragment.neg
    return pos, neg


def piece_of(fragment: Fragment, problem: Problem) -> Piece:
    """The fragment as the join sees it."""
    progress, stuck = problem.modes.profile(fragment.program)
    mentioned = problem.mentioned(fragment.program) & problem.required
    return Piece(fragment.cost, fragment.pos, fragment.neg, mentioned, progress, stuck)


def flaw_of(pieces: Sequence[Piece], problem: Problem) -> str:
    """Why the conjunction of these is no rule of the space; empty if it is one."""
    missing, progress, stuck = problem.required, 0, 0
    for piece in pieces:
        missing &= ~piece.head
        progress |= piece.progress
        stuck |= piece.stuck
    if missing:
        names = [variable_name(number) for number in range(missing.bit_length()) if missing >> number & 1]
        return f"{' and '.join(names)} of the head would not occur in the body"
    return "no order of its literals could be run" if stuck & ~progress else ""


def _without_fragments(known: Known, chosen: Sequence[Fragment]) -> Iterator[Without]:
    problem = known.problem
    pieces = [piece_of(fragment, problem) for fragment in chosen]
    for number, fragment in enumerate(chosen):
        rest = [*chosen[:number], *chosen[number + 1 :]]
        pos, neg = intersection(rest, problem.positives, problem.negatives)
        flaw = flaw_of([*pieces[:number], *pieces[number + 1 :]], problem)
        yield Without(fragment.text, pos, neg, flaw)


def _without_literals(known: Known, fragment: Fragment) -> Iterator[Without]:
    """What calls itself means something else without a literal, and is left as it is."""
    if len(fragment.program.rules) > 1:
        return
    problem = known.problem
    ((head, body),) = fragment.program.rules
    rest = [
        Program((Rule(head, (*body[:n], *body[n + 1 :])),)) for n in range(len(body) if len(body) > 1 else 0)
    ]
    in_order = [problem.modes.program_in_order(program) for program in rest]
    with known.engine() as engine:
        evaluations = engine.evaluate(in_order, limit=EFFORT) if rest else []
    for literal, program, (pos, neg, complete) in zip(body, in_order, evaluations, strict=False):
        if complete:
            piece = piece_of(Fragment(program, "", pos, neg or 0), problem)
            yield Without(render_literal(literal), pos, neg or 0, flaw_of([piece], problem))


def _smaller(
    problem: Problem, fragments: Sequence[Fragment], wanted: int, size: int, until: float
) -> tuple[tuple[Fragment, ...], bool]:
    """A smallest conjunction below this size that covers what is wanted and no negative example; and whether
    the search for it came to its end.
    """
    useful = [fragment for fragment in fragments if not wanted & ~fragment.pos]
    pieces = [piece_of(fragment, problem) for fragment in useful]
    # Alone, a program of several rules is not called under another name, and has two literals less.
    alone = [
        (fragment,)
        for fragment, piece in zip(useful, pieces, strict=True)
        if len(fragment.program.rules) > 1 and not piece.neg and fragment.size < size
    ]
    best = min(alone, key=size_of, default=())
    solver = Conjunctions(
        problem.positives, problem.negatives, required=problem.required, demands=problem.modes.demands
    )
    solver.add(pieces)
    try:
        for bound in range(2, size_of(best) if best else size):
            for found in solver.maximal(bound, lambda: time.monotonic() > until, including=wanted):
                return tuple(useful[number] for number in found.pieces), True
    except Interrupted:
        return best, False
    return best, True
