"""What a learnt hypothesis says about atoms it was not learnt from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.protocol import Explanation
from joiner_magic.errors import TaskError
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Term, is_ground, predicate_of
from joiner_magic.search.confusion import Confusion
from joiner_magic.task.examples import read_examples
from joiner_magic.task.reader import read_term
from joiner_magic.task.task import Task

if TYPE_CHECKING:
    from joiner_magic.search.result import Result


def predict(result: Result, atoms: Iterable[Term | str]) -> list[bool]:
    if isinstance(atoms, str):
        raise TaskError("predict takes a list of atoms", remedy=f"write predict([{atoms!r}])")
    terms = [_checked(atom, result) for atom in atoms]
    unique = tuple(dict.fromkeys(terms))
    if result.hypothesis is None or not unique:
        return [False] * len(terms)
    covered = _evaluate(result, result.hypothesis, result.task.about(*unique)).pos
    number = {term: index for index, term in enumerate(unique)}
    return [bool(covered >> number[term] & 1) for term in terms]


def explain(result: Result, atom: Term | str) -> Explanation:
    """Why the hypothesis covers an atom, or how far each of its rules gets."""
    term = _checked(atom, result)
    if result.hypothesis is None:
        raise TaskError("there is no hypothesis to ask: nothing was learnt")
    with choose_engine(result.task.about(term), result.engine, trusted=result.trusted).engine as engine:
        return engine.explain(result.hypothesis, term)


def score(result: Result, examples: str | Task) -> Confusion:
    if isinstance(examples, Task):
        task = examples
    else:
        task = replace(result.task, examples=read_examples(examples)[0])
    if task.examples.predicate != result.task.bias.head:
        raise TaskError(
            f"these are examples of {task.examples.predicate}, and rules for {result.task.bias.head} were learnt"
        )
    evaluation = None
    if result.hypothesis is not None:
        program = _without_unknown_predicates(result.hypothesis, task)
        evaluation = _evaluate(result, program, task) if program.rules else None
    return Confusion.of(evaluation, len(task.examples.pos), len(task.examples.neg))


def _evaluate(result: Result, program: Program, task: Task) -> Evaluation:
    with choose_engine(task, result.engine, trusted=result.trusted).engine as engine:
        (evaluation,) = engine.evaluate([program])
    return evaluation


def _without_unknown_predicates(program: Program, task: Task) -> Program:
    """The rules that can hold: held-out background knowledge may say nothing about a predicate."""
    known = set(task.background.predicates) | task.builtins
    rules = program.rules
    while True:
        callable_ = known | {rule.head.predicate for rule in rules}
        kept = tuple(rule for rule in rules if all(literal.predicate in callable_ for literal in rule.body))
        if len(kept) == len(rules):
            return Program(kept)
        rules = kept


def _checked(atom: Term | str, result: Result) -> Term:
    term = read_term(atom) if isinstance(atom, str) else atom
    if predicate_of(term) != result.task.bias.head or not is_ground(term):
        raise TaskError(
            f"{render_term(term)} is no atom to ask about",
            remedy=f"give atoms of {result.task.bias.head} without variables",
        )
    return term
