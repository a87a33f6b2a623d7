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

ENGINES = ("datalog", "prolog")  # their names; `choose` makes the engine of each
ENGINE_CHOICES = ("auto", *ENGINES)  # what may be asked for: one of them, or whichever the task needs
NO_LIMIT = 10**15  # work that no evaluation does: years of it


class Cancelled(Exception):
    """Control flow, not an error: the evaluation was cancelled from another thread."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A ground atom and why it holds: it is a fact, or a rule derives it from its premises."""

    atom: Term
    rule: Rule | None = None  # None: known from the background knowledge
    bindings: tuple[Term, ...] = ()  # value of each of the rule's variables
    premises: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """How far one rule gets on an example: the literals `body[:holds]` can be satisfied, one more cannot."""

    rule: Rule
    holds: int  # -1 when not even the head matches the example
    bindings: tuple[Term | None, ...]  # a witness of the prefix; None where it binds nothing

    @property
    def literal(self) -> Literal | None:
        """The literal at which the rule fails; None when its head does not match the example."""
        if self.holds < 0:
            return None
        return self.rule.body[self.holds]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a program covers an example, or how far each of its rules gets."""

    example: Term  # the example that was asked about
    proof: Proof | None  # why the example is covered; None if it is not, or if nobody knows
    failures: tuple[Failure, ...] = ()  # without a proof: how far each rule for its predicate gets
    complete: bool = True  # False if the search for a proof did not finish: there may be one
    label: str = ""  # "pos" or "neg" for an example of the task; empty for another atom, or one that is both

    @property
    def is_error(self) -> bool:
        """Whether the program is wrong about an example: it misses a positive one, or covers a negative one."""
        if self.label == "pos":
            return self.complete and not self.covered
        return self.label == "neg" and self.covered

    @property
    def covered(self) -> bool:
        """Whether the program is known to cover it."""
        return self.proof is not None


def explainable(program: Program, example: Term) -> Predicate:
    """The predicate of an example that can be explained; TaskError if it has variables, or no rule of the program."""
    predicate = predicate_of(example)
    if predicate not in program.defined:
        raise TaskError(f"the program has no rule for {predicate}", remedy="ask for an atom it defines")
    if not is_ground(example):
        raise TaskError(f"{render_term(example)} has variables", remedy="ask for an atom without variables")
    return predicate


class Engine(Protocol):
    """Tests programs on the examples of the task that it was made for. To be closed after use."""

    @property
    def name(self) -> str:
        """The name by which it is chosen, such as "datalog"."""

    @property
    def limit(self) -> int | None:
        """The work that a program may take unless a call says otherwise; None if there is no limit."""

    @property
    def first_limit(self) -> int | None:
        """The work that is enough for most programs: a search tries each with so much first. None if there is no limit."""

    @property
    def independent(self) -> bool:
        """Whether a program covers an example or not regardless of which other examples there are.

        It is about programs that keep the directions of the bias and those in `directions`.
        """

    @property
    def directions(self) -> Mapping[Predicate, tuple[str, ...]]:
        """Directions that programs must keep to mean the same as in Prolog, in the form of a bias."""

    def is_local(self, program: Program) -> bool:
        """Whether it is certain that other examples do not matter for what this program covers."""

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
        """Release memory and processes; a `with` block does it at its end."""

    def __enter__(self) -> Engine: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
