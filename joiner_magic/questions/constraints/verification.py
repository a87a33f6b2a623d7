"""Verifies a pruning: a sample of the programs that it removed is tested after all.

The run never made these programs. Each kind of pruning constraint rests on a proposition, from which follows a claim
about what every removed program covers. The claim can be checked program by program, without trusting the proposition.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import NamedTuple, TypeAlias

from joiner_magic.logic.programs import Argument, Evaluation, Literal, Program, Rule
from joiner_magic.search.objective import PriceList
from joiner_magic.solvers.covering import cheapest_cover
from joiner_magic.solvers.interrupt import Interrupted
from joiner_magic.task.notes import counted

SAMPLE = 200  # programs
_CHUNK = 20  # programs between two looks at the clock
_SECONDS = 2.0  # for one verification
_MOST_SHOWN = 10  # counterexamples

Evaluate: TypeAlias = Callable[[Sequence[Program]], list[Evaluation]]


class Claim(NamedTuple):
    """What is claimed of every removed program, in words and as a test. The test gives None if it cannot decide."""

    said: str
    holds: Callable[[Program, Evaluation], bool | None]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A removed program for which the claim does not hold."""

    program: Program
    pos: int  # examples that it covers
    neg: int


@dataclass(frozen=True, slots=True)
class Verification:
    """How many programs of a sample confirm a claim, and how many refute it. As a text, one sentence.

    A program is undecided if testing it takes too much work, or if not enough is known about the run.
    """

    claim: str
    tested: int
    confirmed: int
    counterexamples: tuple[Counterexample, ...]  # the first of those that refute it
    refuted: int
    seconds: float

    @property
    def undecided(self) -> int:
        """How many programs of the sample could be neither confirmed nor refuted."""
        return self.tested - self.confirmed - self.refuted

    def __str__(self) -> str:
        """What came out, in a sentence."""
        if not self.tested:
            return "There is nothing to verify: below it, no whole rule was found that was never made."
        sign = "✓"
        if self.refuted:
            sign = f"✗ This pruning is wrong, counterexamples: {self.refuted:,};"
        sample = f"of a sample of {counted(self.tested, 'rule')} below it, of any size, that were never made"
        if self.undecided:
            sample += f", {self.undecided:,} undecided"
        return f"{sign} {self.confirmed:,} confirmed {sample}, {self.seconds:.2f} s: each {self.claim}."


@dataclass(frozen=True, slots=True)
class KnownParts:
    """Size and coverage of the parts that a run has kept; not of `all` parts if there were too many to keep."""

    parts: Sequence[tuple[int, int]]
    all: bool = True


def covers_nothing() -> Claim:
    """The claim about specialisations of a program that covers no positive example."""
    return Claim("covers no positive example", lambda _, evaluation: not evaluation.pos)


def is_within(cause: Evaluation) -> Claim:
    """The claim about specialisations of a consistent program, the cause."""
    return Claim(
        "covers no negative example, and no positive one that the cause does not cover",
        lambda _, evaluation: not evaluation.neg and not evaluation.pos & ~cause.pos,
    )


def does_not_pay(prices: PriceList) -> Claim:
    """The claim about specialisations of a program that cannot pay."""
    return Claim(
        "covers positive examples that are worth no more than its literals",
        lambda program, evaluation: prices.gain(evaluation.pos) <= program.size * prices.literal,
    )


def is_covered(known: KnownParts) -> Claim:
    """The claim about specialisations of a program that is subsumed by one part or by several."""

    def holds(program: Program, evaluation: Evaluation) -> bool | None:
        affordable = [part for part in known.parts if part[0] <= program.size]
        if cheapest_cover(evaluation.pos, affordable, below=program.size + 1, stop=_time_limit()) is not None:
            return True
        if not known.all:
            return None  # a part that is not known may cover it
        return False

    return Claim("covers nothing that consistent parts no larger together do not cover", holds)


def is_of_no_use(known: KnownParts, everything: int, best: int) -> Claim:
    """The claim about specialisations of a program with which no solution is smaller than the best one known."""

    def holds(program: Program, evaluation: Evaluation) -> bool:
        rest = everything & ~evaluation.pos
        return cheapest_cover(rest, known.parts, below=best - program.size, stop=_time_limit()) is None

    return Claim(f"makes no solution with the known parts that has fewer than {best:,} literals", holds)


def has_a_smaller_equal(evaluate: Evaluate) -> Claim:
    """The claim about bodies in which one literal or variable adds nothing."""

    def holds(program: Program, evaluation: Evaluation) -> bool | None:
        found = evaluate(list(_reduced(program.rules[0])))
        if any(smaller == evaluation for smaller in found):
            return True
        if not all(smaller.complete for smaller in found):
            return None
        return False

    return Claim("covers exactly what a smaller body covers", holds)


def verified(
    claim: Claim, sample: Sequence[Program], evaluate: Evaluate, seconds: float = _SECONDS
) -> Verification:
    """Test a claim on a sample of removed programs, or on as many of them as there is time for."""
    began = time.monotonic()
    answers: list[bool | None] = []
    against: list[Counterexample] = []
    while len(answers) < len(sample) and time.monotonic() - began < seconds:
        chunk = sample[len(answers) : len(answers) + _CHUNK]
        for program, evaluation in zip(chunk, evaluate(chunk), strict=True):
            answers.append(_test_claim(claim, program, evaluation))
            if answers[-1] is False:
                covered = evaluation.pos.bit_count(), (evaluation.neg or 0).bit_count()
                against.append(Counterexample(program, *covered))
    return Verification(
        claim.said,
        len(answers),
        answers.count(True),
        tuple(against[:_MOST_SHOWN]),
        len(against),
        time.monotonic() - began,
    )


def _test_claim(claim: Claim, program: Program, evaluation: Evaluation) -> bool | None:
    """Whether a claim holds of a program; None if that took too much work to find out."""
    if not evaluation.complete:
        return None
    try:
        return claim.holds(program, evaluation)
    except Interrupted:  # finding a cover took too long
        return None


def _time_limit() -> Callable[[], bool]:
    """A function that says when finding one cover has taken too long."""
    until = time.monotonic() + _SECONDS / 4
    return lambda: time.monotonic() > until


def _reduced(rule: Rule) -> Iterator[Program]:
    """The rule without one literal, or with one variable in place of two. Variables of the head stay apart."""
    head, body = rule
    for place in range(len(body)):
        if len(body) > 1:
            yield Program((Rule(head, (*body[:place], *body[place + 1 :])),))
    arguments = chain.from_iterable(literal.args for literal in body)
    variables = sorted({argument for argument in arguments if isinstance(argument, int)})
    for kept, given_up in combinations(variables, 2):
        if given_up not in head.args:
            renamed = (_renamed(literal, given_up, kept) for literal in body)
            yield Program((Rule(head, tuple(dict.fromkeys(renamed))),))


def _renamed(literal: Literal, old: Argument, new: Argument) -> Literal:
    """A literal with one argument in place of another."""
    put_in = {old: new}
    return Literal(literal.name, tuple(put_in.get(argument, argument) for argument in literal.args))
