"""Terms of Prolog texts, as immutable values.

Positions are ignored by equality: a fact that is written twice is the same fact. A list is one flat value and not nested
cells, so that long lists do not hit the recursion limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, cast


class Position(NamedTuple):
    """Line and column in the text a term was read from, counted from 1."""

    line: int
    column: int


class _RenderedAsProlog:
    """A base class whose `str` is the term as Prolog writes it."""

    __slots__ = ()

    def __str__(self) -> str:
        from joiner_magic.logic.render import render_term  # which knows terms

        return render_term(cast("Term", self))


@dataclass(frozen=True, slots=True)
class Variable(_RenderedAsProlog):
    """A variable such as `X`; `_` is a new variable wherever it stands."""

    name: str
    position: Position | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Symbol(_RenderedAsProlog):
    """A constant such as `blue`, `'New York'` or `[]` (Prolog calls it an atom)."""

    name: str
    position: Position | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Integer(_RenderedAsProlog):
    """A whole number of any size."""

    value: int
    position: Position | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Float(_RenderedAsProlog):
    """A float. Two are equal if Prolog writes them alike: 0.0 is not -0.0, and a NaN is equal to itself."""

    value: float
    position: Position | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Float) and self.value.hex() == other.value.hex()

    def __hash__(self) -> int:
        return hash(self.value.hex())


@dataclass(frozen=True, slots=True)
class String(_RenderedAsProlog):
    """A double-quoted text."""

    value: str
    position: Position | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Compound(_RenderedAsProlog):
    """`functor(args…)`; operators are compounds too: `X + 1` is `+(X, 1)`. Never a list cell."""

    functor: str
    args: tuple[Term, ...]
    position: Position | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class List(_RenderedAsProlog):
    """`[items… | tail]` with at least one item; the tail is `[]` or a term that is not a list."""

    items: tuple[Term, ...]
    tail: Term
    position: Position | None = field(default=None, compare=False, repr=False)


Term: TypeAlias = Variable | Symbol | Integer | Float | String | Compound | List

NIL = Symbol("[]")


class Predicate(NamedTuple):
    """A predicate: its name, and its number of arguments."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"


@dataclass(frozen=True, slots=True)
class Clause:
    """`head :- body.`; a fact has no body. A directive (`:- goal.`) has no head."""

    head: Term | None
    body: Term | None
    position: Position | None = field(default=None, compare=False, repr=False)


def subterms(term: Term) -> Iterator[Term]:
    """The term and everything inside it, left to right."""
    stack = [term]
    while stack:
        term = stack.pop()
        yield term
        match term:
            case Compound(args=args):
                stack.extend(reversed(args))
            case List(items=items, tail=tail):
                stack.append(tail)
                stack.extend(reversed(items))
            case _:
                pass


def variables(term: Term) -> list[str]:
    """Names of the term's variables, each once, in order of appearance."""
    return list(dict.fromkeys(t.name for t in subterms(term) if isinstance(t, Variable)))


def is_ground(term: Term) -> bool:
    """Whether the term has no variables."""
    return not any(isinstance(t, Variable) for t in subterms(term))


def predicate_of(term: Term) -> Predicate | None:
    """The predicate an atom belongs to, or None when the term cannot be an atom."""
    match term:
        case Symbol(name=name):
            return Predicate(name, 0)
        case Compound(functor=functor, args=args):
            return Predicate(functor, len(args))
        case _:
            return None


def arguments_of(atom: Term) -> tuple[Term, ...]:
    """The arguments of an atom; a plain symbol has none."""
    return atom.args if isinstance(atom, Compound) else ()
