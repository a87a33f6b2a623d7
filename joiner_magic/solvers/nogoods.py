"""Programs that an enumeration leaves out, as text for clingo.

A nogood forbids every body that holds an instance of a rule's body, where the variables of the head stay as they are
and all other variables are mapped to different ones. Such a body is a specialisation of the rule: it covers at most
what the rule covers. The paper's Propositions 2 and 3 say when specialisations need not be searched. A program of
several rules is a specialisation of another if each of its rules is a specialisation of a rule there: its least
model is no larger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.solvers.asp_text import asp_name, asp_tuple


@dataclass(frozen=True, slots=True)
class Nogood:
    """Forbids the specialisations of a program, except a rule that mentions one of the variables `unless`.

    The exception is for programs of one rule only.
    """

    program: Program
    unless: tuple[int, ...] = ()


def nogood_text(nogood: Nogood) -> str:
    """The ASP statements that forbid the specialisations of one program."""
    if len(nogood.program.rules) > 1:
        return "\n".join(program_nogoods([nogood], 1, {}))
    (rule,) = nogood.program.rules
    exceptions = "".join(f", not body_var(0,{variable})" for variable in nogood.unless)
    return f":- {_holds_instance(rule, '0')}{exceptions}."


def program_nogoods(nogoods: Sequence[Nogood], step: int, known: dict[Rule, int]) -> Iterator[str]:
    """ASP statements that forbid the specialisations of programs of several rules, by what nogoods.lp derives.

    `step` is the number of this group of nogoods. `known` has the rules of earlier groups by number, and is extended:
    what a rule is contained in needs to be said only once.
    """
    for number, nogood in enumerate(nogoods):
        for rule in nogood.program.rules:
            if rule not in known:
                known[rule] = len(known)
                yield f"_contains({known[rule]},C) :- {_has_same_head(rule)}, {_holds_instance(rule, 'C')}."
            yield f"_of({step},{number},{known[rule]})."


def rule_nogood(rule: Rule) -> str:
    """An ASP constraint: no clause of a program has the literals of this rule and no others."""
    return f":- {_has_same_head(rule)}, body_size(C,{len(rule.body)}), {_holds_instance(rule, 'C')}."


def _has_same_head(rule: Rule) -> str:
    """An ASP condition: clause C has a head of the same predicate."""
    name, args = rule.head
    return f"head_literal(C,{asp_name(name)},{len(args)},_)"


def _holds_instance(rule: Rule, clause: str) -> str:
    """An ASP condition: the clause holds the rule's body, with its body-only variables mapped to different ones."""
    head = rule.head.args
    names: dict[Argument, str] = {}
    for _, args in rule.body:
        for variable in args:
            names[variable] = str(variable) if variable in head else f"V{variable}"
    literals = [_body_literal(literal, clause, names) for literal in rule.body]
    # Variables of one literal are different anyway, and so are those of the head.
    known_different = {
        frozenset(pair) for args in (head, *(args for _, args in rule.body)) for pair in combinations(args, 2)
    }
    different = [
        f"{names[one]} != {names[other]}"
        for one, other in combinations(names, 2)
        if frozenset((one, other)) not in known_different
    ]
    return ", ".join([*literals, *different])


def _body_literal(literal: Literal, clause: str, names: dict[Argument, str]) -> str:
    """The ASP atom that says that the clause has this literal in its body."""
    name, args = literal
    variables = asp_tuple(names[variable] for variable in args)
    return f"body_literal({clause},{asp_name(name)},{len(args)},{variables})"
