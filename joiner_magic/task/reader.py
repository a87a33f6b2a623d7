"""Prolog texts to terms that know where they were written.

The syntax is what the field's tasks are written in: clauses, directives, lists, numbers, strings,
quoted atoms, SWI-Prolog's operators and comments. Definitions of operators in the text itself are
not followed, and neither are SWI-Prolog's dicts.

The reader is hand-written in the native core: a file of 54,000 facts (1.1 MB) reads in 20 to 40
ms, its facts interned and ready for the engine, where an LALR grammar for plain facts alone took
lark 5 s, and 7 s with positions. Python terms are only built for the clauses that are asked for.

A term may nest 200 levels deep; lists and conjunctions count as one level however long they are,
and are read, walked (`subterms`, `conjuncts`) and rendered without recursion. Comparing two
clauses does recurse, as Python compares dataclasses: with bodies beyond some 200 literals, compare
their goals (`conjuncts`) or their rendering instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from joiner_magic import _core
from joiner_magic.errors import Place, TextError
from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.terms import (
    Clause,
    Compound,
    Position,
    Predicate,
    Term,
    Variable,
    arguments_of,
    is_ground,
    predicate_of,
)
from joiner_magic.solvers.interrupt import Interrupted, Stop, never

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Definition:
    """How a text defines a predicate."""

    facts: int  # number of ground facts
    first: int  # index of its first clause
    rules: tuple[int, ...]  # clauses that are not ground facts: rules, and facts with variables


@dataclass(frozen=True, slots=True, eq=False)
class PrologText:
    """A Prolog text of the user's, which the native core has read: its clauses, and where they stand."""

    name: str
    text: str
    reading: _core.Reading
    predicates: Mapping[Predicate, Definition]  # in order of first appearance
    directives: tuple[int, ...]  # indexes of the clauses `:- goal.`

    @classmethod
    def read(cls, text: str, name: str = "bk", stop: Stop = never) -> PrologText:
        """The text, read; TextError where it is no Prolog, Interrupted when `stop` says so."""
        try:
            reading = _located(lambda text: _core.Reading(text, stop), text, name)
        except _core.Stopped:
            raise Interrupted from None
        predicates = {
            Predicate(functor, arity): Definition(facts, first, tuple(rules))
            for functor, arity, facts, first, rules in reading.predicates()
        }
        return cls(name, text, reading, predicates, tuple(reading.directives()))

    def __len__(self) -> int:
        """How many clauses there are."""
        return len(self.reading)

    def clause(self, index: int) -> Clause:
        """The clause with this number."""
        return self.reading.clause(index)

    def clauses(self) -> Iterator[Clause]:
        """All clauses, in order; each is made when it is asked for."""
        return map(self.reading.clause, range(len(self.reading)))

    def place(self, position: Position | None) -> Place:
        """Where a term is; without a position, the beginning of the text."""
        return _place(self.text, self.name, *(position or (1, 1)))

    def clause_place(self, index: int) -> Place:
        """Where the clause with this number stands."""
        return _place(self.text, self.name, *self.reading.position(index))


def read_term(text: str, name: str = "term") -> Term:
    """The one term the text consists of; its final "." may be left out."""
    return _located(_core.read_term, text, name)


def read_program(text: str, name: str = "program") -> Program:
    """Definite rules over predicates of the task: no negation, no control constructs, no built-ins.

    Variables are numbered per rule in order of appearance, the head's first; each `_` is new.
    """
    source = PrologText.read(text, name)
    return Program(tuple(_rule(clause, source) for clause in source.clauses()))


def _rule(clause: Clause, source: PrologText) -> Rule:
    """The rule of a program that a clause is; TextError if it is none."""
    if clause.head is None:
        raise TextError(
            "a program has no directives", place=source.place(clause.position), remedy="remove the line"
        )
    numbers: dict[str, int] = {}
    head = _literal(clause.head, numbers, source)
    return Rule(head, tuple(_literal(goal, numbers, source) for goal in conjuncts(clause.body)))


def conjuncts(body: Term | None) -> Iterator[Term]:
    """The goals of a conjunction, left to right; none for no body."""
    stack = [] if body is None else [body]
    while stack:
        goal = stack.pop()
        match goal:
            case Compound(functor=",", args=(left, right)):
                stack += [right, left]
            case _:
                yield goal


# What a rule of the hypothesis space cannot call.
_CONTROL = frozenset(
    Predicate(name, arity)
    for name, arity in [(";", 2), ("|", 2), ("->", 2), ("*->", 2), ("\\+", 1), ("not", 1), (":", 2)]
    + [("!", 0), ("true", 0), ("fail", 0), ("false", 0), ("{}", 1)]
    + [("call", arity) for arity in range(1, 9)]
)
_COMPARISON = frozenset(
    Predicate(name, 2) for name, priority, _, _ in _core.infix_operators() if priority == 700
)


def _literal(atom: Term, numbers: dict[str, int], source: PrologText) -> Literal:
    """The literal of a rule that an atom is; `numbers` has the variables of the rule so far."""
    predicate = predicate_of(atom)
    if predicate is None:
        raise TextError("a variable cannot be called in a program", place=source.place(atom.position))
    if predicate in _CONTROL | _COMPARISON:
        what = "a comparison" if predicate in _COMPARISON else "a control construct"
        raise TextError(
            f"{predicate} is {what}, and a program consists of definite rules over the task's predicates",
            place=source.place(atom.position),
            remedy="define a predicate for it in the background knowledge",
        )
    return Literal(predicate.name, tuple(_argument(arg, numbers, source) for arg in arguments_of(atom)))


def _argument(term: Term, numbers: dict[str, int], source: PrologText) -> Argument:
    """The argument of a literal: the number of a variable, or a term without variables."""
    if isinstance(term, Variable):
        # Each anonymous variable gets a number of its own, by a name that no variable can have.
        name = term.name if term.name != "_" else f"_ {len(numbers)}"
        return numbers.setdefault(name, len(numbers))
    if not is_ground(term):
        raise TextError(
            "an argument in a program is a variable or a term without variables",
            place=source.place(term.position),
            remedy="take the term apart with a predicate of the background knowledge",
        )
    return term


def _located(read: Callable[[str], Value], text: str, name: str) -> Value:
    """What `read` makes of the text, its complaints turned into errors for the user."""
    try:
        return read(text)
    except _core.ReadError as error:
        message, remedy, line, column = error.args
        raise TextError(message, place=_place(text, name, line, column), remedy=remedy) from None
    except UnicodeEncodeError as error:
        before = text[: error.start]
        line, column = before.count("\n") + 1, error.start - before.rfind("\n")
        raise TextError(
            "the text contains half a character (a lone surrogate)",
            place=_place(text, name, line, column),
            remedy="save the text as UTF-8",
        ) from None


def _place(text: str, name: str, line: int, column: int) -> Place:
    """A place in a text, with the line that messages show."""
    return Place(name, line, column, text.split("\n")[line - 1].rstrip("\r"))
