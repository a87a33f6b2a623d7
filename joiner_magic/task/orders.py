"""The orders that fields of a bias declare: what each field must be for one space to lie within another.

Whoever compares spaces, such as earlier runs that are reused, goes through the declarations (`declarations.Order`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from joiner_magic.logic.programs import Program, Rule
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.declarations import Order, directives_of

if TYPE_CHECKING:
    from joiner_magic.task.bias import Bias


def _narrower_keeps(
    is_narrower: Callable[[str, Bias, Bias], bool],
) -> Callable[[str, Program, Bias, Bias], bool]:
    """Where nothing is asked of the program: all programs of a narrower space keep to the field."""
    return lambda name, program, before, bias: is_narrower(name, before, bias)


def _equal(name: str, bias: Bias, other: Bias) -> bool:
    """Whether a field is the same in both."""
    return bool(getattr(bias, name) == getattr(other, name))


def _at_most(name: str, bias: Bias, other: Bias) -> bool:
    """Whether a bound of the first bias is not above that of the other."""
    return bool(getattr(bias, name) <= getattr(other, name))


def _within(name: str, bias: Bias, other: Bias) -> bool:
    """Whether all that a field of the first bias lists is listed by the other too."""
    return set(getattr(bias, name)) <= set(getattr(other, name))


def _same_of_predicates(name: str, bias: Bias, other: Bias) -> bool:
    """Whether both say the same about each predicate of the first bias."""
    return _said_of((bias.head, *bias.body), name, bias) == _said_of((bias.head, *bias.body), name, other)


def _same_of_used(name: str, program: Program, before: Bias, bias: Bias) -> bool:
    """Whether both say the same about each predicate that a program uses."""
    used = tuple(sorted(_called(program) | {bias.head}))
    return _said_of(used, name, before) == _said_of(used, name, bias)


def _said_of(predicates: tuple[Predicate, ...], name: str, bias: Bias) -> list[object]:
    """What a field of the bias says about each of some predicates, None where it says nothing."""
    return [getattr(bias, name).get(predicate) for predicate in predicates]


def _calls_within(name: str, program: Program, before: Bias, bias: Bias) -> bool:
    """Whether a program defines and calls only predicates that the bias allows."""
    # Invented predicates are named anew in every space, so a program with any belongs to no other one.
    return set(program.defined) <= {bias.head} and _called(program) <= {bias.head, *getattr(bias, name)}


def _forbids_as_much(name: str, bias: Bias, other: Bias) -> bool:
    """Whether constraints forbid all that others do, which are those of another space."""
    constraints, others = getattr(bias, name), getattr(other, name)
    return not others or (constraints == others and not _names_of_the_space(other).search(others))


def _names_of_the_space(bias: Bias) -> re.Pattern[str]:
    """What a constraint can name that is there whatever the program: in another space it forbids other programs."""
    return re.compile(rf"\b(?:{'|'.join(directives_of(type(bias)))}|(?:head_)?vars?|var_pos|var_member)\b")


EQUAL = Order("equal", _equal, _narrower_keeps(_equal))
WITHIN = Order("a subset, and programs call what is in it", _within, _calls_within)
SAME_OF_PREDICATES = Order("the same of every predicate in use", _same_of_predicates, _same_of_used)
AT_MOST = Order("at most", _at_most, _narrower_keeps(_at_most))
FORBIDS = Order("forbids as much", _forbids_as_much, _narrower_keeps(_forbids_as_much))
NO_EFFECT = Order("no effect", lambda *_: True, lambda *_: True)


def at_most(needed: Callable[[Program], int]) -> Order:
    """At most; and a program keeps to the field that needs no more of it."""
    return Order(
        "at most", _at_most, lambda name, program, before, bias: needed(program) <= getattr(bias, name)
    )


# What programs need


def variables_needed(program: Program) -> int:
    """How many variables the rule with the most of them has."""
    return max(len(_variables(rule)) for rule in program.rules)


def literals_needed(program: Program) -> int:
    """How many body literals the longest rule has."""
    return max(len(rule.body) for rule in program.rules)


def clauses_needed(program: Program) -> int:
    """How many rules a program has."""
    return len(program.rules)


def several_rules(program: Program) -> bool:
    """Programs of several rules need recursion, or invented predicates, which `body` keeps out."""
    return len(program.rules) > 1


def never_needed(program: Program) -> bool:
    """Programs with invented predicates define what is no head: `body` keeps them out."""
    return False


def has_singletons(program: Program) -> bool:
    """Whether a rule of the program has a variable that stands in only one place."""
    return any(map(_has_singleton, program.rules))


def _called(program: Program) -> set[Predicate]:
    """The predicates in the bodies of a program's rules."""
    return {literal.predicate for rule in program.rules for literal in rule.body}


def _variables(rule: Rule) -> set[object]:
    """Everything that is an argument in a rule."""
    return {arg for literal in (rule.head, *rule.body) for arg in literal.args}


def _has_singleton(rule: Rule) -> bool:
    """Whether an argument that is not in the head stands in only one place of the body."""
    places = [arg for literal in rule.body for arg in literal.args if arg not in rule.head.args]
    return any(places.count(arg) == 1 for arg in places)
