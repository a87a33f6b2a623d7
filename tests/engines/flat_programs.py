"""Programs and atoms from short texts: names, integers and variables, nothing nested."""

from __future__ import annotations

import re

from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.terms import Compound, Integer, Symbol, Term

ATOM = re.compile(r"(\w+)(?:\(([^()]*)\))?")


def program(text: str) -> Program:
    """`f(A) :- edge(A,B), blue(B). f(A) :- …`"""
    return Program(tuple(_rule(clause) for clause in text.split(".") if clause.strip()))


def atom(text: str) -> Term:
    """`f(a,1)`"""
    literal = _literal(text, {})
    args = tuple(arg for arg in literal.args if not isinstance(arg, int))
    return Compound(literal.name, args) if args else Symbol(literal.name)


def atoms(text: str) -> list[Term]:
    """`f(a) f(b)`"""
    return [atom(word) for word in text.split()]


def _rule(clause: str) -> Rule:
    numbers: dict[str, int] = {}
    head, _, body = clause.partition(":-")
    literals = (match.group() for match in ATOM.finditer(body))
    return Rule(_literal(head, numbers), tuple(_literal(text, numbers) for text in literals))


def _literal(text: str, numbers: dict[str, int]) -> Literal:
    match = ATOM.search(text)
    assert match is not None
    name, args = match.groups()
    return Literal(name, tuple(_argument(arg.strip(), numbers) for arg in (args or "").split(",") if arg))


def _argument(text: str, numbers: dict[str, int]) -> Argument:
    if text[0].isupper():
        return numbers.setdefault(text, len(numbers))
    return Integer(int(text)) if text.isdigit() else Symbol(text)
