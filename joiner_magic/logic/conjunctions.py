"""Conjunctions of programs, and the programs they are written as.

The consequences of a conjunction are what all its programs entail (the paper's Section "Join"). The
operator sigma of the appendix writes it as a program of its own. Ours unfolds: the bodies of single
rules stand side by side in one rule, because their conjunction is that rule (Lemma 1 there); only a
program of several rules is called, under a new name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.terms import Predicate


@dataclass(frozen=True, slots=True)
class Conjunction:
    """Programs for the same predicate, all of which must hold. The heads' variables are 0, 1, …"""

    programs: tuple[Program, ...]

    @property
    def size(self) -> int:
        """The number of literals it is written with."""
        if len(self.programs) == 1:
            return self.programs[0].size
        return 1 + sum(map(added_size, self.programs))


def added_size(program: Program) -> int:
    """What a program adds to the size of a conjunction of several: its body, or a call and its rules."""
    return program.size - 1 if len(program.rules) == 1 else program.size + 1


def sigma(
    conjunctions: Iterable[Conjunction],
    head: Predicate,
    taken: Collection[str] = (),
    *,
    apart: bool = False,
) -> Program:
    """The union of the conjunctions as one program for `head`.

    New names are none of `taken`. A conjunction that is one program of several rules keeps the
    head's name, so that recursion reaches the other rules as well; `apart` calls it under a new name instead.
    """
    names = _fresh_names(head.name, taken)
    rules = [rule for conjunction in conjunctions for rule in _written(conjunction, head, names, apart=apart)]
    return Program(tuple(dict.fromkeys(rules)))


def _fresh_names(stem: str, taken: Collection[str]) -> Iterator[str]:
    return (name for number in count(1) if (name := f"{stem}_{number}") not in taken)


def _written(
    conjunction: Conjunction, head: Predicate, names: Iterator[str], *, apart: bool
) -> Iterator[Rule]:
    variables = tuple(range(head.arity))
    alone = len(conjunction.programs) == 1 and not apart
    body: list[Literal] = []
    called: list[Rule] = []
    next_variable = head.arity
    for program in conjunction.programs:
        if len(program.rules) == 1:
            literals, next_variable = _renamed_apart(program.rules[0], head.arity, next_variable)
            body += literals
            continue
        mapping = {
            predicate: next(names)
            for predicate in dict.fromkeys(rule.head.predicate for rule in program.rules)
            if not (alone and predicate == head)
        }
        called += [_renamed(rule, mapping) for rule in program.rules]
        if not alone:
            body.append(Literal(mapping[head], variables))
    if body:
        yield Rule(Literal(head.name, variables), tuple(dict.fromkeys(body)))
    yield from called


def _renamed_apart(rule: Rule, arity: int, first: int) -> tuple[list[Literal], int]:
    """The rule's body with its body-only variables numbered from `first`, and the next free number."""
    numbers: dict[int, int] = {}

    def argument(arg: Argument) -> Argument:
        if not isinstance(arg, int) or arg < arity:
            return arg
        return numbers.setdefault(arg, first + len(numbers))

    literals = [Literal(name, tuple(map(argument, args))) for name, args in rule.body]
    return literals, first + len(numbers)


def _renamed(rule: Rule, mapping: Mapping[Predicate, str]) -> Rule:
    def literal(old: Literal) -> Literal:
        return Literal(mapping.get(old.predicate, old.name), old.args)

    return Rule(literal(rule.head), tuple(map(literal, rule.body)))
