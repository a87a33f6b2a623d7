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
    name: str
    args: tuple[Argument, ...]

    @property
    def predicate(self) -> Predicate:
        return Predicate(self.name, len(self.args))


class Rule(NamedTuple):
    """`head :- body`: variables are numbered from 0 within the rule."""

    head: Literal
    body: tuple[Literal, ...]

    @property
    def size(self) -> int:
        return 1 + len(self.body)


@dataclass(frozen=True, slots=True)
class Program:
    """A set of definite rules. Predicates that occur in heads are defined by the program alone."""

    rules: tuple[Rule, ...]

    @property
    def size(self) -> int:
        return sum(rule.size for rule in self.rules)

    @property
    def defined(self) -> frozenset[Predicate]:
        return frozenset(rule.head.predicate for rule in self.rules)


class Evaluation(NamedTuple):
    """What a program covers: bit i of `pos` stands for positive example i, likewise `neg`.

    `complete` is False when a limit was hit: examples that were not finished count as not
    covered. `neg` is None when it was not asked for (no positive example is covered).
    """

    pos: int
    neg: int | None
    complete: bool = True
