"""What a parsed ASP statement defines, what it depends on, and how its grounding may grow, as plain values.

Grounding ends unless a recursive rule makes new terms from old ones, and it ends soon unless an
interval is very wide. Both can be seen in the text: a rule `builds` when a term of its head, of
an equation or of an aggregate's result may be larger than the values it is made from (clingo
also solves `n(X-1)` in a body for X), and the width of an interval follows from its bounds.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import clingo
from clingo.ast import AST, ASTSequence, ASTType, BinaryOperator, ComparisonOperator, Location, Sign

from joiner_magic.errors import Place
from joiner_magic.logic.terms import Predicate
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.solvers.interrupt import Stop, never, stoppable

Kind: TypeAlias = Literal["rule", "constraint", "choice", "const", "defined", "show", "other"]

_KINDS: Mapping[ASTType, Kind] = {
    ASTType.Definition: "const",
    ASTType.Defined: "defined",
    ASTType.ShowSignature: "show",
    ASTType.ShowTerm: "show",
}
_ARITHMETIC = {
    BinaryOperator.Plus: operator.add,
    BinaryOperator.Minus: operator.sub,
    BinaryOperator.Multiplication: operator.mul,
}
_OPERATIONS = (ASTType.BinaryOperation, ASTType.UnaryOperation, ASTType.Interval)
_AGGREGATES = (ASTType.Aggregate, ASTType.BodyAggregate)


@dataclass(frozen=True, slots=True)
class FreeVariable:
    """A variable in a fact, where nothing can bind it: most often a name that was written with a capital letter."""

    argument: int
    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of an ASP text, described so that others need not know clingo."""

    kind: Kind
    text: str  # in the user's words
    place: Place
    heads: tuple[Predicate, ...] = ()  # what it defines
    needs: tuple[Predicate, ...] = ()  # what it depends on
    free: tuple[FreeVariable, ...] = ()
    builds: Place | None = None  # a term made from smaller ones: endless if the rule is recursive
    external: Place | None = None  # a call of a function outside the program
    width: float = 1  # how many values its intervals stand for; infinite when the text does not tell
    choices: float = 1  # the same, and the alternatives of its pools such as (1;2) besides
    # What the variables get their values from: for each positive condition its predicate, several if it is a pool.
    sources: tuple[tuple[Predicate, ...], ...] = ()


def describe(nodes: Iterable[AST], text: AspText, stop: Stop = never) -> tuple[Statement, ...]:
    """Describe the parsed statements of a text, in order. Raises Interrupted when `stop` returns True."""
    nodes = list(nodes)
    constants = _constants(nodes)
    return tuple(_describe(node, text, constants) for node in stoppable(nodes, stop))


def slice_of(text: AspText, where: Location) -> str:
    """The part of the text that a node of clingo's syntax tree was read from."""
    begin = text.offset(where.begin.line, where.begin.column)
    return text.text[begin : text.offset(where.end.line, where.end.column)]


def walk(node: AST) -> Iterator[AST]:
    """The node and all nodes below it in the syntax tree."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(_children(node))


def _children(node: AST) -> Iterator[AST]:
    for key in node.child_keys:
        child = getattr(node, key)
        if isinstance(child, AST):
            yield child
        elif isinstance(child, ASTSequence):
            yield from child


def _describe(node: AST, text: AspText, constants: Mapping[str, int]) -> Statement:
    words = slice_of(text, node.location)
    place = _place(node, text)
    if node.ast_type != ASTType.Rule:
        kind = _KINDS.get(node.ast_type, "other")
        return Statement(kind, words, place, _declared_predicate(node) if kind == "defined" else ())
    # Attributes of clingo's nodes are slow: each question is asked only where it can matter.
    below = {n.ast_type for n in walk(node)}
    kind = "other"
    if ASTType.TheoryAtom not in below:
        kind = _rule_kind(node)
    atoms, conditions = _parts(node)
    heads, needs = _predicates(atoms), _predicates(conditions)
    if kind == "constraint":
        heads, needs = (), heads + needs
    variables = ASTType.Variable in below
    width = _width(node, constants) if ASTType.Interval in below else 1
    return Statement(
        kind,
        words,
        place,
        heads,
        needs,
        free=_free_variables(atoms, text) if variables and kind == "rule" and not conditions else (),
        builds=_first_place(_building_terms(atoms, conditions), text) if variables else None,
        external=_first_place(_external_calls(node), text) if "@" in words else None,
        width=width,
        choices=width * _alternatives(node) if ASTType.Pool in below else width,
        sources=_sources(conditions) if conditions else (),
    )


def _declared_predicate(node: AST) -> tuple[Predicate]:
    """The predicate that a `#defined` statement names."""
    return (Predicate(node.name if node.positive else f"-{node.name}", node.arity),)


def _rule_kind(rule: AST) -> Kind:
    """Whether a rule defines an atom, offers a choice, or only forbids."""
    if rule.head.ast_type != ASTType.Literal:
        return "choice"
    # A head that is false, negated or a comparison defines nothing: it only forbids.
    defines = rule.head.atom.ast_type == ASTType.SymbolicAtom and rule.head.sign == Sign.NoSign
    return "rule" if defines else "constraint"


def _external_calls(rule: AST) -> Iterator[AST]:
    """Calls such as `@f(X)`, of functions outside the program."""
    return (node for node in walk(rule) if node.ast_type == ASTType.Function and node.external)


def _place(node: AST, text: AspText) -> Place:
    begin = node.location.begin
    return text.place(begin.line, begin.column)


def _first_place(nodes: Iterable[AST], text: AspText) -> Place | None:
    return next((_place(node, text) for node in nodes), None)


def _parts(rule: AST) -> tuple[list[AST], list[AST]]:
    """The atoms of the head, and what they depend on: the body and the conditions in the head."""
    atoms: list[AST] = []
    conditions = list(rule.body)
    stack = [rule.head]
    while stack:
        node = stack.pop()
        if node.ast_type == ASTType.SymbolicAtom:
            atoms.append(node)
        elif node.ast_type == ASTType.ConditionalLiteral:
            stack.append(node.literal)
            conditions.extend(node.condition)
        else:
            stack.extend(_children(node))
    return atoms, conditions


def _predicates(nodes: Iterable[AST]) -> tuple[Predicate, ...]:
    """The predicates of all atoms below these nodes, each once."""
    atoms = (n for node in nodes for n in walk(node) if n.ast_type == ASTType.SymbolicAtom)
    applications = (application for atom in atoms for application in _applications(atom))
    return tuple(dict.fromkeys(Predicate(name, len(args)) for name, args in applications))


def _applications(atom: AST) -> Iterator[tuple[str, list[AST]]]:
    """Name and arguments of an atom: several when it is a pool such as `p(1;2)`; `-p` is a name."""
    sign, symbol = "", atom.symbol
    while symbol.ast_type == ASTType.UnaryOperation:
        sign, symbol = sign + "-", symbol.argument
    for term in symbol.arguments if symbol.ast_type == ASTType.Pool else [symbol]:
        yield sign + term.name, list(term.arguments)


def _free_variables(atoms: Iterable[AST], text: AspText) -> tuple[FreeVariable, ...]:
    """The variables in the arguments of these atoms, anonymous ones left out."""
    return tuple(
        FreeVariable(position, node.name, _place(node, text))
        for atom in atoms
        for _, args in _applications(atom)
        for position, argument in enumerate(args)
        for node in walk(argument)
        if node.ast_type == ASTType.Variable and node.name != "_"
    )


def _building_terms(heads: Iterable[AST], conditions: Iterable[AST]) -> Iterator[AST]:
    """Terms and aggregates by which a rule can make new values from old ones."""
    for head in heads:
        for _, args in _applications(head):
            yield from (node for term in args for node in walk(term) if _composes(node, functions=True))
    for node in (node for condition in conditions for node in walk(condition)):
        if node.ast_type == ASTType.SymbolicAtom:
            yield from (n for n in walk(node) if _composes(n, functions=False))
        elif node.ast_type == ASTType.Comparison and _equates(node.guards):
            yield from (n for n in walk(node) if _composes(n, functions=True))
        elif node.ast_type in _AGGREGATES and _equates([node.left_guard, node.right_guard]):
            yield node


def _composes(node: AST, *, functions: bool) -> bool:
    """Whether the node makes a term from the values of variables; in a body, functions only match."""
    function = functions and node.ast_type == ASTType.Function
    return (function or node.ast_type in _OPERATIONS) and any(
        n.ast_type == ASTType.Variable for n in walk(node)
    )


def _equates(guards: Iterable[AST | None]) -> bool:
    """Whether one of the guards is an equation, which gives a variable a value."""
    return any(guard is not None and guard.comparison == ComparisonOperator.Equal for guard in guards)


def _width(rule: AST, constants: Mapping[str, int]) -> float:
    """How many combinations of values the intervals of a rule stand for; infinite if the text does not say."""
    width: float = 1
    for node in walk(rule):
        if node.ast_type == ASTType.Interval:
            left, right = _number(node.left, constants), _number(node.right, constants)
            width *= math.inf if left is None or right is None else max(1, right - left + 1)
    return width


def _alternatives(rule: AST) -> float:
    """How many ways there are to choose from all pools."""
    alternatives: float = 1
    for node in walk(rule):
        if node.ast_type == ASTType.Pool:
            alternatives *= max(1, len(node.arguments))
    return alternatives


def _sources(conditions: Iterable[AST]) -> tuple[tuple[Predicate, ...], ...]:
    """The predicates of the atoms in conditions, aggregates included, that are not negated."""
    found: list[tuple[Predicate, ...]] = []
    stack = list(conditions)
    while stack:
        node = stack.pop()
        if node.ast_type == ASTType.SymbolicAtom:
            found.append(tuple(Predicate(name, len(args)) for name, args in _applications(node)))
        elif node.ast_type != ASTType.Literal or node.sign == Sign.NoSign:
            stack.extend(_children(node))
    return tuple(found)


def _constants(nodes: Iterable[AST]) -> dict[str, int]:
    """The numbers that `#const` gives names to."""
    constants: dict[str, int] = {}
    for node in nodes:
        if node.ast_type == ASTType.Definition:
            value = _number(node.value, constants)
            if value is not None:
                constants[node.name] = value
    return constants


def _number(term: AST, constants: Mapping[str, int]) -> int | None:
    """The number a term stands for, if it is plain arithmetic; otherwise None."""
    if term.ast_type == ASTType.SymbolicTerm:
        if term.symbol.type == clingo.SymbolType.Number:
            return int(term.symbol.number)
        if term.symbol.type == clingo.SymbolType.Function:
            return constants.get(term.symbol.name)
    if term.ast_type == ASTType.BinaryOperation and term.operator_type in _ARITHMETIC:
        left, right = _number(term.left, constants), _number(term.right, constants)
        if left is not None and right is not None:
            return int(_ARITHMETIC[term.operator_type](left, right))
    return None
