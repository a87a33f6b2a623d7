"""What the search may ask of an engine, whichever it is.

Both engines give a program its least-model meaning over the background knowledge: a rule
covers an example when some binding of its body-only variables makes the body true, and a
recursive program covers what its least fixpoint holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from joiner_magic.errors import TaskError
from joiner_magic.logic.programs import Evaluation, Literal, Program, Rule
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Predicate, Term, is_ground, predicate_of

NO_LIMIT = 10**15  # work that no evaluation does: years of it


class Cancelled(Exception):
    """Control flow, not an error: the evaluation was cancelled from another thread."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A ground atom and why it holds: a fact, or a rule with its bindings and its premises."""

    atom: Term
    rule: Rule | None = None  # None: known from the background knowledge
    bindings: tuple[Term, ...] = ()  # value of each of the rule's variables
    premises: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """Where one rule fails on an example: `body[:holds]` can be satisfied, one literal more cannot."""

    rule: Rule
    holds: int  # -1 when not even the head matches the example
    bindings: tuple[Term | None, ...]  # a witness of the prefix; None where it binds nothing

    @property
    def literal(self) -> Literal | None:
        """The literal at which the rule fails; None when its head does not match the example."""
        return None if self.holds < 0 else self.rule.body[self.holds]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a program covers an example, or how far each of its rules gets."""

    example: Term  # that was asked about
    proof: Proof | None  # set when the example is covered
    failures: tuple[Failure, ...] = ()  # otherwise one per rule of the example's predicate
    complete: bool = True  # otherwise the search for a proof did not finish: there may be one

    @property
    def covered(self) -> bool:
        """Whether the program is known to cover it."""
        return self.proof is not None


def explainable(program: Program, example: Term) -> Predicate:
    """The predicate of a ground atom that the program has rules for; TaskError for anything else."""
    predicate = predicate_of(example)
    if predicate not in program.defined:
        raise TaskError(f"the program has no rule for {predicate}", remedy="ask for an atom it defines")
    if not is_ground(example):
        raise TaskError(f"{render_term(example)} has variables", remedy="ask for an atom without variables")
    return predicate


class Engine(Protocol):
    """Tests programs. Closable, and bound to the task it was made for."""

    @property
    def name(self) -> str:
        """By which it is chosen."""

    @property
    def limit(self) -> int | None:
        """The work per program unless a call says otherwise; None for as much as it takes."""

    @property
    def independent(self) -> bool:
        """Whether what a program covers of some examples is the same whatever other examples there are.

        That is meant of programs that keep the bias's directions and those that the engine needs.
        """

    @property
    def directions(self) -> Mapping[Predicate, tuple[str, ...]]:
        """What must be given for programs to mean what Prolog makes of them; as in a bias, which may say more."""

    def is_local(self, program: Program) -> bool:
        """Whether what a program covers of an example surely depends on no other example."""

    def evaluate(
        self, programs: Sequence[Program], *, limit: int | None = None, lazy: bool = False
    ) -> list[Evaluation]:
        """Coverage of each program, in order.

        `limit` bounds the work per program (see the engine for its unit; NO_LIMIT is no bound). A program
        that ran into it is not complete: what it covers for sure is given, and of the other examples nothing is
        known. With `lazy` the negatives are left out (None) for programs that cover no positive.
        Raises Cancelled when `cancel` is called from another thread meanwhile.
        """

    def explain(self, program: Program, example: Term) -> Explanation:
        """Why the program covers the ground atom `example`, or how far each rule gets."""

    def cancel(self) -> None:
        """Stop a running `evaluate` soon; harmless when none is running."""

    def close(self) -> None:
        """Let go of what it holds; `with` does it too."""

    def __enter__(self) -> Engine: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
