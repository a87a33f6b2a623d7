"""The canonical form of a program: two programs have the same one if and only if they are isomorphic.

Isomorphic means equal up to the numbers of body-only variables, the order of literals and of rules,
and which invented predicate has which name (those that the program defines besides the head predicate).

Body-only variables are distinguished by colour refinement. A variable's colour comes from the literals it occurs in
and its positions there, then from the colours of the other variables in these literals, until no more variables get
different colours. Colours do not depend on the numbering, so ordering the variables by colour is canonical as soon as
all colours differ, which is nearly always. Otherwise every order of the variables of one colour is tried, and the least
body is taken. Where there are too many such orders, one variable after the other gets a colour of its own, which refines
the colours of the others; of variables that can be exchanged, because they lead to the same body, only one is tried.

Arguments are variables: the hypothesis space has no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, permutations, product
from math import factorial, prod
from typing import TypeAlias, cast

from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.terms import Predicate

# Where a variable occurs: predicate, position, and the literal's arguments as colours. In one text, because
# texts compare fastest, and any order will do.
_Occurrence: TypeAlias = str
_Body: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
_Classes: TypeAlias = list[list[int]]  # variables of the same colour, by colour

_MOST_ORDERS = 120  # orders of variables that are tried one by one
_MOST_KNOWN = 1 << 13  # canonical rules that are kept: programs of several rules share most of theirs


def canonical(program: Program, head: Predicate | None = None) -> Program:
    """The canonical form of a program. `head` is its head predicate, by default that of the first rule."""
    rules = program.rules
    if len(rules) == 1:
        return Program((canonical_rule(rules[0]),))
    invented = sorted(program.defined - {head or rules[0].head.predicate})
    if not invented:
        return Program(_in_order(rules))
    return Program(min(map(_in_order, _renamings(rules, invented)), key=_calls_forward))


def canonical_rule(rule: Rule) -> Rule:
    """The rule with the head's variables numbered first, then the body's, and its literals in order."""
    head = rule.head
    arity = len(head.args)
    if head.args == tuple(range(arity)):
        body = cast("_Body", rule.body)
    else:
        body = _head_first(rule)
        head = Literal(head.name, tuple(range(arity)))
    classes = _colour(body, arity)
    if classes and max(map(len, classes)) > 1:
        if prod(factorial(len(same)) for same in classes) > _MOST_ORDERS:
            return Rule(head, _least_body(body, arity, classes))
        return Rule(head, min(_number_body(body, arity, order) for order in _orders(classes)))
    return Rule(head, _number_body(body, arity, [variable for (variable,) in classes]))


_known_canonical_rule = lru_cache(maxsize=_MOST_KNOWN)(canonical_rule)


def generalisations(program: Program, head: Predicate | None = None) -> Iterator[Program]:
    """The program without one of its literals, each time in canonical form; a body keeps at least one."""
    for number, (of, body) in enumerate(program.rules):
        for place in range(len(body) if len(body) > 1 else 0):
            shorter = Rule(of, (*body[:place], *body[place + 1 :]))
            rules = (*program.rules[:number], shorter, *program.rules[number + 1 :])
            yield canonical(Program(rules), head)


def _calls_forward(rules: tuple[Rule, ...]) -> tuple[int, tuple[Rule, ...]]:
    """A sorting key that is least where invented predicates call those with later names, as a reader expects."""
    defined = {rule.head.name for rule in rules}
    backward = sum(
        literal.name in defined and literal.name < head.name for head, body in rules for literal in body
    )
    return backward, rules


def _in_order(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules in canonical form, sorted."""
    return tuple(sorted(map(_known_canonical_rule, rules)))


def _renamings(rules: Sequence[Rule], invented: Sequence[Predicate]) -> Iterator[list[Rule]]:
    """The rules with the names of invented predicates exchanged, in every way."""
    for names in permutations([predicate.name for predicate in invented]):
        naming = dict(zip(invented, names, strict=True))

        def renamed(literal: Literal, naming: dict[Predicate, str] = naming) -> Literal:
            return Literal(naming.get(literal.predicate, literal.name), literal.args)

        yield [Rule(renamed(head), tuple(map(renamed, body))) for head, body in rules]


def _head_first(rule: Rule) -> _Body:
    """The body with the variables of the head numbered from 0 in their order, and all others after them."""
    numbers = {variable: number for number, variable in enumerate(rule.head.args)}
    for _, args in rule.body:
        for variable in args:
            numbers.setdefault(variable, len(numbers))
    return tuple((name, tuple([numbers[variable] for variable in args])) for name, args in rule.body)


def _colour(body: _Body, arity: int) -> _Classes:
    """The body-only variables, those of the same colour together."""
    met: dict[int, list[_Occurrence]] = {}
    for literal in body:
        for variable, occurrence in _occurrences(literal, arity):
            if variable in met:
                met[variable].append(occurrence)
            else:
                met[variable] = [occurrence]
    return _refine(body, arity, _split(met))


def _refine(body: _Body, arity: int, classes: _Classes) -> _Classes:
    """Split the classes by the colours of the variables in the same literals, until no class is split any more."""
    variables = sum(map(len, classes))
    while 1 < len(classes) < variables:
        finer = _split(_seen_in_colour(body, arity, classes))
        if len(finer) == len(classes):
            break
        classes = finer
    return classes


@lru_cache(maxsize=1 << 16)
def _occurrences(literal: tuple[str, tuple[int, ...]], arity: int) -> tuple[tuple[int, _Occurrence], ...]:
    """Where each body-only variable occurs in the literal, while all of them still have the same colour."""
    name, args = literal
    seen = tuple([arg if arg < arity else arity for arg in args])
    return tuple((arg, f"{name} {position} {seen}") for position, arg in enumerate(args) if arg >= arity)


def _seen_in_colour(body: _Body, arity: int, classes: _Classes) -> dict[int, list[_Occurrence]]:
    """For each body-only variable the literals that it occurs in, with colours in place of variables."""
    colours = {variable: arity + i for i, same in enumerate(classes) for variable in same}
    met: dict[int, list[_Occurrence]] = {variable: [] for variable in colours}
    for name, args in body:
        seen = tuple([colours.get(arg, arg) for arg in args])
        for position, arg in enumerate(args):
            if arg in met:
                met[arg].append(f"{name} {position} {seen}")
    return met


def _split(met: dict[int, list[_Occurrence]]) -> _Classes:
    """Variables with the same occurrences together; the occurrences order the classes."""
    for occurrences in met.values():
        occurrences.sort()
    order = sorted(met, key=met.__getitem__)
    classes: _Classes = []
    last: list[_Occurrence] | None = None
    for variable in order:
        if met[variable] == last:
            classes[-1].append(variable)
        else:
            classes.append([variable])
            last = met[variable]
    return classes


def _least_body(body: _Body, arity: int, classes: _Classes) -> tuple[Literal, ...]:
    """The least body over all ways to distinguish the variables of each colour, one after the other."""
    if all(len(same) == 1 for same in classes):
        return _number_body(body, arity, [variable for (variable,) in classes])
    choices: dict[tuple[Literal, ...], _Classes] = {}
    for finer in _with_one_distinguished(body, arity, classes):
        choices.setdefault(_first_numbering(body, arity, finer), finer)
    return min(_least_body(body, arity, finer) for finer in choices.values())


def _first_numbering(body: _Body, arity: int, classes: _Classes) -> tuple[Literal, ...]:
    """The body when the first variable is distinguished each time.

    If two choices of a variable lead to the same body, these variables can be exchanged.
    """
    while any(len(same) > 1 for same in classes):
        classes = next(_with_one_distinguished(body, arity, classes))
    return _number_body(body, arity, [variable for (variable,) in classes])


def _with_one_distinguished(body: _Body, arity: int, classes: _Classes) -> Iterator[_Classes]:
    """The refined classes for each choice of a variable from the first class of several."""
    place = next(number for number, same in enumerate(classes) if len(same) > 1)
    for variable in classes[place]:
        others = [other for other in classes[place] if other != variable]
        yield _refine(body, arity, [*classes[:place], [variable], others, *classes[place + 1 :]])


def _orders(classes: _Classes) -> Iterator[list[int]]:
    """All orders of the variables in which those of one class stand together."""
    for order in product(*map(permutations, classes)):
        yield list(chain.from_iterable(order))


def _number_body(body: _Body, arity: int, order: Sequence[int]) -> tuple[Literal, ...]:
    """The body with its body-only variables numbered in the given order, and its literals sorted."""
    numbers = {variable: number for number, variable in enumerate((*range(arity), *order))}
    return tuple(sorted([Literal(name, tuple([numbers[arg] for arg in args])) for name, args in body]))
