"""Terms and programs as flat lists of tokens, the form in which they are sent to Prolog and back.

A term is written in prefix order: a tag, what the tag needs, then the arguments. The list is flat, so that neither side
runs out of stack on a deep term. It has tags, because Prolog distinguishes symbols and strings where janus knows one
kind of text. tokens.pl is the other end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, cast

from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.terms import Compound, Float, Integer, List, String, Symbol, Term, Variable

Token: TypeAlias = str | int | float

UNBOUND = Variable("_")


def program_tokens(program: Program) -> list[Token]:
    """The tokens of a program: for each rule its numbers of variables and literals, then the literals."""
    defined = program.defined
    tokens: list[Token] = [len(program.rules)]
    for rule in program.rules:
        tokens += (width(rule), len(rule.body))
        tokens += _literal_tokens(rule.head)
        for literal in rule.body:
            tokens.append("own" if literal.predicate in defined else "background")
            tokens += _literal_tokens(literal)
    return tokens


def width(rule: Rule) -> int:
    """How many variables the rule has."""
    numbers = (arg for literal in (rule.head, *rule.body) for arg in literal.args if isinstance(arg, int))
    return 1 + max(numbers, default=-1)


def _literal_tokens(literal: Literal) -> list[Token]:
    return [literal.name, len(literal.args), *_tokens(literal.args)]


def terms_tokens(terms: Sequence[Term]) -> list[Token]:
    """The tokens of ground terms: how many there are, then one after the other."""
    return [len(terms), *_tokens(terms)]


def _tokens(arguments: Iterable[Argument]) -> Iterator[Token]:
    stack = list(arguments)[::-1]
    while stack:
        match stack.pop():
            case int(number):
                yield from ("variable", number + 1)
            case Symbol(name=text):
                yield from ("symbol", text)
            case Integer(value=value) | Float(value=value):
                yield from ("number", value)
            case String(value=text):
                yield from ("string", text)
            case Compound(functor=functor, args=args):
                yield from ("compound", functor, len(args))
                stack.extend(reversed(args))
            case List(items=items, tail=tail):
                yield from ("list", len(items))
                stack.append(tail)
                stack.extend(reversed(items))
            case Variable(name=name):
                raise ValueError(f"the variable {name} inside a term that must be ground")


def term_of(tokens: Sequence[Token]) -> Term:
    """The term that the tokens stand for; all its variables are `_`."""
    source = iter(tokens)
    pending: list[tuple[str, str, int, list[Term]]] = []  # tag, functor, terms wanted, terms found
    for tag in source:
        term = _begin(cast(str, tag), source, pending)
        while term is not None:
            if not pending:
                return term
            *_, wanted, found = pending[-1]
            found.append(term)
            term = None
            if len(found) == wanted:
                term = _finish(*pending.pop())
    raise ValueError("tokens of an unfinished term")


def _begin(tag: str, source: Iterator[Token], pending: list[tuple[str, str, int, list[Term]]]) -> Term | None:
    """The term that begins here, if it has no arguments; otherwise it is put on `pending` until they are read."""
    if tag == "variable":
        return UNBOUND
    content = next(source)
    if tag == "compound":
        pending.append((tag, str(content), cast(int, next(source)), []))
        return None
    if tag == "list":
        pending.append((tag, "", cast(int, content) + 1, []))
        return None
    if tag == "number":
        if isinstance(content, float):
            return Float(content)
        return Integer(cast(int, content))
    if tag == "string":
        return String(str(content))
    return Symbol(str(content))


def _finish(tag: str, functor: str, _: int, found: list[Term]) -> Term:
    if tag == "list":
        return List(tuple(found[:-1]), found[-1])
    return Compound(functor, tuple(found))
