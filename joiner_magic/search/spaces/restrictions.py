"""The user's constraints on single rules, as checks that need no solver.

A bias holds its constraints as ASP. Where all of them have a common shape (solvers/asp_shapes.py), they are
turned into values that whoever enumerates rules can check literal by literal.

A rule grows one literal at a time, and what is forbidden must stay so, or rules would be lost: only
*anti-monotone* constraints are fit, those that hold of each part of a rule (with the same head) of which they
hold. Literals that may not occur together, and upper bounds on what is counted, are of this kind. A lower bound is
not, unless the head alone meets it. A constraint about what the bias does not have never matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from joiner_magic.logic.terms import Predicate
from joiner_magic.solvers.asp_text import asp_name
from joiner_magic.task.bias import Bias

if TYPE_CHECKING:
    from joiner_magic.solvers.asp_shapes import CountShape, LiteralShape


@dataclass(frozen=True, slots=True)
class Pattern:
    """A body literal over variables of a pattern."""

    predicate: Predicate
    args: tuple[int, ...]  # each anonymous variable is a number of its own


@dataclass(frozen=True, slots=True)
class ForbiddenPattern:
    """No rule holds all of these literals, whatever rule variables the pattern variables stand for.

    Two of them may stand for the same one. `fixed` gives those that are variables of the head. Without
    literals no rule is left.
    """

    literals: tuple[Pattern, ...]
    fixed: Mapping[int, int]  # from pattern variables to variables of the head


@dataclass(frozen=True, slots=True)
class MostOfType:
    """A rule has at most so many variables of this type, those of the head included."""

    type: str
    most: int


@dataclass(frozen=True, slots=True)
class MostLiterals:
    """A rule has at most so many body literals of this predicate."""

    predicate: Predicate
    most: int


Restriction: TypeAlias = ForbiddenPattern | MostOfType | MostLiterals

_NO_RULE = ForbiddenPattern((), {})


class NotMinable(Exception):
    """Some constraint is no such check; the message is a clause that can follow "because"."""


def restrictions(bias: Bias) -> tuple[Restriction, ...]:
    """All that the constraints of the bias say about single rules; NotMinable if checks cannot say it."""
    if not bias.constraints.strip():
        return ()
    # clingo takes a tenth of a second to import; a bias without constraints does not need it.
    from joiner_magic.solvers.asp_shapes import Shapeless, shapes

    try:
        found = shapes(bias.constraints)
    except Shapeless as shapeless:
        raise NotMinable(str(shapeless)) from None
    return (
        *(one for literals in found.conjunctions for one in _forbidden(bias, literals)),
        *(one for count in found.counts for one in _bounded(bias, count)),
    )


def _forbidden(bias: Bias, literals: Sequence[LiteralShape]) -> Iterator[ForbiddenPattern]:
    """The conjunction for each choice of predicates that its literals can be of."""
    for predicates in product(*(_predicates(bias, literal) for literal in literals)):
        matching = _matching(literals, predicates)
        if matching is not None:
            yield matching


def _predicates(bias: Bias, literal: LiteralShape) -> list[Predicate]:
    """The predicates of the bias that the literal of a constraint may stand for."""
    candidates = (bias.head,) if literal.in_head else bias.body
    return [
        predicate
        for predicate in candidates
        if asp_name(predicate.name) == literal.predicate
        and (isinstance(literal.arity, str) or literal.arity == predicate.arity)
        and (isinstance(literal.args, str) or len(literal.args) == predicate.arity)
    ]


def _matching(literals: Sequence[LiteralShape], predicates: Sequence[Predicate]) -> ForbiddenPattern | None:
    """The literals as patterns of these predicates; None if they can never match."""
    arities: dict[str, int] = {}
    numbers: dict[str, int] = {}
    fixed: dict[int, int] = {}
    patterns: dict[Pattern, None] = {}
    for literal, predicate in zip(literals, predicates, strict=True):
        for name in (literal.arity, literal.args):
            if isinstance(name, str) and arities.setdefault(name, predicate.arity) != predicate.arity:
                return None
        args = tuple(numbers.setdefault(name, len(numbers)) for name in _names(literal, predicate))
        if len(set(args)) < len(args):
            return None  # the variables of one literal are all different
        if not literal.in_head:
            patterns[Pattern(predicate, args)] = None
        elif any(fixed.setdefault(variable, position) != position for position, variable in enumerate(args)):
            return None
    used = {variable for pattern in patterns for variable in pattern.args}
    return ForbiddenPattern(tuple(patterns), {v: position for v, position in fixed.items() if v in used})


def _names(literal: LiteralShape, predicate: Predicate) -> Sequence[str]:
    """Names of the literal's variables; those of a tuple that has a name itself are made from it."""
    if isinstance(literal.args, str):
        return [f"{literal.args}.{position}" for position in range(predicate.arity)]
    return literal.args


def _bounded(bias: Bias, count: CountShape) -> Iterator[Restriction]:
    """A constraint on how many literals a rule may have, as a check; NotMinable where it is none of single rules."""
    counted, at_head = _counted(bias, count.of)
    if counted and count.least > at_head:
        raise NotMinable(f"the constraint '{count.text}' asks for more than the head of a rule has")
    if len(counted) > 1:
        raise NotMinable(f"the constraint '{count.text}' counts literals of several predicates")
    if count.least > at_head or (count.most is not None and count.most < at_head):
        yield _NO_RULE
    elif count.most is not None:
        for what in counted:
            yield MostOfType(what, count.most) if isinstance(what, str) else MostLiterals(what, count.most)


def _counted(bias: Bias, of: LiteralShape | str) -> tuple[Sequence[str | Predicate], int]:
    """The types or predicates meant, and how often they are in the head, and so in every rule."""
    if not isinstance(of, str):
        return _predicates(bias, of), 0
    kinds = dict.fromkeys(kind for kinds in bias.types.values() for kind in kinds)
    at_head = [asp_name(kind) for kind in bias.types.get(bias.head, ())].count(of)
    return [kind for kind in kinds if asp_name(kind) == of], at_head
