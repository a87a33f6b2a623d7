"""Rules and programs of the hypothesis space, and what they cover.

Literals and rules are named tuples, not dataclasses: the native core reads them by the
hundred thousand, and a tuple is what both sides handle fastest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from joiner_magic.logic.terms import Predicate, Term

Argument: TypeAlias = int | Term  # a variable's number within its rule, or a ground term


class Literal(NamedTuple):
    """A predicate and its arguments."""

    name: str  # the name of the predicate
    args: tuple[Argument, ...]  # each a variable's number within its rule, or a ground term

    @property
    def predicate(self) -> Predicate:
        """Name and arity."""
        return Predicate(self.name, len(self.args))


class Rule(NamedTuple):
    """`head :- body`: variables are numbered from 0 within the rule."""

    head: Literal  # a literal of the predicate that is learnt, or of an invented one
    body: tuple[Literal, ...]  # the literals that must all hold for the head to hold

    @property
    def size(self) -> int:
        """The number of its literals, the head included."""
        return 1 + len(self.body)


@dataclass(frozen=True, slots=True)
class Program:
    """A set of definite rules. Predicates that occur in heads are defined by the program alone."""

    rules: tuple[Rule, ...]  # its rules, in the order in which they are written

    @property
    def size(self) -> int:
        """The number of literals of all rules, heads included."""
        return sum(rule.size for rule in self.rules)

    @property
    def defined(self) -> frozenset[Predicate]:
        """The predicates that it has rules for."""
        return frozenset(rule.head.predicate for rule in self.rules)

    @property
    def calls_itself(self) -> bool:
        """Whether a rule calls a predicate that the program defines."""
        defined = self.defined
        return any(literal.predicate in defined for rule in self.rules for literal in rule.body)


class Evaluation(NamedTuple):
    """What a program covers: bit i of `pos` stands for positive example i, likewise `neg`.

    `complete` is False when the evaluation did not finish, most often because a limit was hit: bits that are set
    stand for examples that are covered for sure, and of the others nothing is known. `neg` is None when
    it was not asked for (no positive example is known to be covered).
    """

    pos: int  # positive examples, as bits
    neg: int | None  # negative examples, as bits
    complete: bool = True  # whether examples whose bit is not set are known not to be covered
