"""The plainest possible meaning of a Datalog program, to compare the engines with."""

from __future__ import annotations

from itertools import product

from contract.random_tasks import RandomTask
from joiner_magic.logic.programs import Argument, Evaluation, Literal, Program
from joiner_magic.logic.terms import Compound, Symbol, Term, arguments_of

Atom = tuple[str, tuple[Term, ...]]


def as_atom(term: Term) -> Atom:
    assert isinstance(term, (Compound, Symbol))
    return (term.functor if isinstance(term, Compound) else term.name, arguments_of(term))


def least_model(facts: set[Atom], program: Program, domain: tuple[Term, ...]) -> set[Atom]:
    """Apply every rule under every binding of its variables until nothing new follows.

    Facts of a predicate that the program defines do not count: the program defines it alone.
    """
    defined = program.defined
    model = {(name, args) for name, args in facts if (name, len(args)) not in defined}
    while True:
        new = {
            ground(rule.head, binding)
            for rule in program.rules
            for binding in product(domain, repeat=count_variables(rule.head, *rule.body))
            if all(ground(literal, binding) in model for literal in rule.body)
        }
        if new <= model:
            return model
        model |= new


def count_variables(*literals: Literal) -> int:
    return 1 + max((a for literal in literals for a in literal.args if isinstance(a, int)), default=-1)


def ground(literal: Literal, binding: tuple[Term, ...]) -> Atom:
    def value(arg: Argument) -> Term:
        return binding[arg] if isinstance(arg, int) else arg

    return (literal.name, tuple(value(arg) for arg in literal.args))


def evaluate(task: RandomTask, program: Program) -> Evaluation:
    facts = {as_atom(fact) for fact in task.facts}
    known = least_model(facts, Program(task.rules), task.domain)
    model = least_model(known, program, task.domain)

    def bits(examples: tuple[Term, ...]) -> int:
        return sum(1 << i for i, example in enumerate(examples) if as_atom(example) in model)

    return Evaluation(bits(task.pos), bits(task.neg))
