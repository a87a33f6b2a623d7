"""Conjunctions of programs, and the programs they are written as.

The consequences of a conjunction are what all its programs entail (the paper's Section "Join"). The
operator sigma of the appendix writes it as a program of its own. Ours unfolds: the bodies of single
rules stand side by side in one rule, because their conjunction is that rule (Lemma 1 there); only a
program of several rules is called, under a new name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from joiner_magic.logic.programs import Argument, Evaluation, Literal, Program, Rule
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
    """How many literals a program adds to a conjunction of several: its body, or a call and its rules."""
    if len(program.rules) == 1:
        return program.size - 1
    return program.size + 1


def sigma(
    conjunctions: Iterable[Conjunction],
    head: Predicate,
    taken: Collection[str] = (),
    *,
    apart: bool = False,
) -> Program:
    """The union of the conjunctions as one program for the predicate `head`.

    Names of new predicates differ from those in `taken`. A conjunction of a single program with several rules keeps the
    name of the head, so that its recursion reaches the other rules as well; with `apart` it gets a new name instead.
    """
    names = _fresh_names(head.name, taken)
    rules: list[Rule] = []
    for conjunction in conjunctions:
        rules += _rules_of(conjunction, head, names, apart=apart)
    return Program(tuple(dict.fromkeys(rules)))


def _fresh_names(stem: str, taken: Collection[str]) -> Iterator[str]:
    """Names such as f_1, f_2, … that are not taken."""
    for number in count(1):
        name = f"{stem}_{number}"
        if name not in taken:
            yield name


def _rules_of(
    conjunction: Conjunction, head: Predicate, names: Iterator[str], *, apart: bool
) -> Iterator[Rule]:
    """The rules that a conjunction is written as: one for its body, and those of the programs that it calls."""
    variables = tuple(range(head.arity))
    alone = len(conjunction.programs) == 1 and not apart
    body: list[Literal] = []
    called: list[Rule] = []
    next_variable = head.arity
    for program in conjunction.programs:
        if len(program.rules) == 1:
            literals, next_variable = _with_fresh_variables(program.rules[0], head.arity, next_variable)
            body += literals
            continue
        mapping = {
            predicate: next(names)
            for predicate in dict.fromkeys(rule.head.predicate for rule in program.rules)
            if not (alone and predicate == head)
        }
        called += [_with_new_names(rule, mapping) for rule in program.rules]
        if not alone:
            body.append(Literal(mapping[head], variables))
    if body:
        yield Rule(Literal(head.name, variables), tuple(dict.fromkeys(body)))
    yield from called


def _with_fresh_variables(rule: Rule, arity: int, first: int) -> tuple[list[Literal], int]:
    """The rule's body with its body-only variables numbered from `first`, and the next free number."""
    numbers: dict[int, int] = {}

    def argument(arg: Argument) -> Argument:
        if not isinstance(arg, int) or arg < arity:
            return arg
        return numbers.setdefault(arg, first + len(numbers))

    literals = [Literal(name, tuple(map(argument, args))) for name, args in rule.body]
    return literals, first + len(numbers)


def _with_new_names(rule: Rule, mapping: Mapping[Predicate, str]) -> Rule:
    """The rule with other names for some predicates."""

    def literal(old: Literal) -> Literal:
        return Literal(mapping.get(old.predicate, old.name), old.args)

    return Rule(literal(rule.head), tuple(map(literal, rule.body)))


def intersection(evaluations: Sequence[Evaluation]) -> Evaluation:
    """What programs cover that all must hold; nothing if one of them covers no positive example."""
    pos = neg = -1
    for evaluation in evaluations:
        pos &= evaluation.pos
        neg &= 0 if evaluation.neg is None else evaluation.neg
    return Evaluation(pos, neg, all(evaluation.complete for evaluation in evaluations))
