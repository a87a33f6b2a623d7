"""Recognise the common forms of user constraints on rules, so that they can be checked without a solver.

Most constraints of users forbid a few literals side by side, or bound how many variables or literals of one
kind a rule has. Here the text of such a constraint is parsed into a shape. Names stay as ASP writes them; what they
mean for a bias is decided elsewhere (search/spaces/restrictions.py).

A constraint is true of a rule or not, whatever the numbers of its variables, as long as it only
matches them. So every ASP variable must stand for one sort of thing (the clause, an arity, a tuple, a
variable of the rule), and numbers are read only where they are arities or bounds of a count. All clauses are
the same one, as there is one rule at a time. A constraint in any other form has no shape: nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import count

import clingo
from clingo.ast import AST, AggregateFunction, ASTType, ComparisonOperator, Sign

from joiner_magic.solvers.asp import parse
from joiner_magic.solvers.asp_statements import slice_of
from joiner_magic.solvers.asp_text import AspText

_LONGEST = 60  # characters of a constraint in a message
_AGGREGATES = (ASTType.BodyAggregate, ASTType.Aggregate)


class Shapeless(Exception):
    """A statement has none of the shapes; the message is a clause that can follow "because"."""


@dataclass(frozen=True, slots=True)
class LiteralShape:
    """`body_literal(C,p,A,(X,Y))`, or a head literal; each anonymous variable has a name of its own."""

    in_head: bool
    predicate: str
    arity: int | str  # or the name of a variable
    args: tuple[str, ...] | str  # or the name of a variable for the whole tuple


@dataclass(frozen=True, slots=True)
class CountShape:
    """The number of a rule's variables of a type, or of its literals of one kind, is within bounds."""

    of: LiteralShape | str  # a literal whose tuples are counted, or a type
    least: int
    most: int | None
    text: str  # of the constraint, shortened


@dataclass(frozen=True, slots=True)
class Shapes:
    """What all constraints of a bias forbid, by their shapes."""

    conjunctions: tuple[tuple[LiteralShape, ...], ...]  # no rule holds all literals of one of these
    counts: tuple[CountShape, ...]


def shapes(constraints: str) -> Shapes:
    """The shapes of all constraints; Shapeless if one has none, TextError if the text is not ASP."""
    found = _shapes_or_reason(constraints)
    if isinstance(found, str):
        raise Shapeless(found)
    return found


@lru_cache(maxsize=16)  # asked by every run, and for every change of the bias that is tried
def _shapes_or_reason(constraints: str) -> Shapes | str:
    """The shapes of all constraints, or why one has none."""
    try:
        return _shapes(constraints)
    except Shapeless as reason:
        return str(reason)


def _shapes(constraints: str) -> Shapes:
    text = AspText(constraints, "constraints")
    conjunctions: list[tuple[LiteralShape, ...]] = []
    counts: list[CountShape] = []
    for node in parse(text):
        constraint = _Constraint(node, _shorten(slice_of(text, node.location)))
        aggregates = constraint.aggregates()
        literals = constraint.literals()
        if not aggregates:
            conjunctions.append(literals)
        elif len(aggregates) == 1 and not literals:
            counts.append(constraint.count_shape(aggregates[0]))
        else:
            raise constraint.shapeless("holds a count and more")
    return Shapes(tuple(conjunctions), tuple(counts))


class _Constraint:
    """One constraint while it is parsed, and what sort of thing each of its variables stands for."""

    def __init__(self, node: AST, text: str) -> None:
        self._node = node
        self._text = text
        self._sorts: dict[str, str] = {}
        self._anonymous = count()
        if node.ast_type != ASTType.Rule or str(node.head) != "#false":
            raise self.shapeless("is more than a constraint", what="statement")
        for literal in node.body:
            if literal.ast_type != ASTType.Literal or literal.sign != Sign.NoSign:
                raise self.shapeless("holds a negation or a condition")

    def shapeless(self, why: str, what: str = "constraint") -> Shapeless:
        """The exception that says why this constraint has no shape."""
        return Shapeless(f"the {what} '{self._text}' {why}")

    def aggregates(self) -> list[AST]:
        """The aggregates of the body, such as counts."""
        atoms = [literal.atom for literal in self._node.body]
        return [atom for atom in atoms if atom.ast_type in _AGGREGATES]

    def literals(self) -> tuple[LiteralShape, ...]:
        """The literals of the body that are not in an aggregate."""
        found = []
        for literal in self._node.body:
            if literal.atom.ast_type in _AGGREGATES:
                continue
            name, args = self._application(literal)
            if (name, len(args)) == ("clause", 1):
                self._variable(args[0], "clause")
            else:
                found.append(self._literal(name, args))
        return tuple(found)

    def count_shape(self, aggregate: AST) -> CountShape:
        """The shape of a constraint whose body is this aggregate."""
        if (
            aggregate.ast_type != ASTType.BodyAggregate
            or aggregate.function != AggregateFunction.Count
            or aggregate.right_guard is not None
            or len(aggregate.elements) != 1
        ):
            raise self.shapeless("counts in an unusual way")
        least, most = self._bounds(aggregate.left_guard)
        (element,) = aggregate.elements
        if len(element.terms) != 1 or any(x.sign != Sign.NoSign for x in element.condition):
            raise self.shapeless("counts in an unusual way")
        conditions = sorted(map(self._application, element.condition), key=lambda condition: condition[0])
        if [name for name, _ in conditions] == ["body_literal"]:
            of: LiteralShape | str = self._counted_literal(element.terms[0], conditions[0][1])
        else:
            of = self._counted_type(element.terms[0], conditions)
        return CountShape(of, least, most, self._text)

    def _bounds(self, guard: AST) -> tuple[int, int | None]:
        """The counts that the constraint leaves: it forbids those for which `number guard count` holds."""
        number = _number(guard.term)
        if number is not None:
            match guard.comparison:
                case ComparisonOperator.LessThan:
                    return 0, number
                case ComparisonOperator.LessEqual:
                    return 0, number - 1
                case ComparisonOperator.GreaterThan:
                    return number, None
                case ComparisonOperator.GreaterEqual:
                    return number + 1, None
                case ComparisonOperator.NotEqual:
                    return number, number
        raise self.shapeless("compares a count in an unusual way")

    def _counted_literal(self, term: AST, args: list[AST]) -> LiteralShape:
        """What `Vs : body_literal(C,p,A,Vs)` counts: literals of a predicate."""
        literal = self._literal("body_literal", args)
        if literal.args != self._variable(term, "tuple"):
            raise self.shapeless("counts something other than literals")
        return literal

    def _counted_type(self, term: AST, conditions: list[tuple[str, list[AST]]]) -> str:
        """What `V : clause_var(C,V), var_type(C,V,t)` counts: variables of a type, whose name is returned.

        The first condition may be missing, since it follows from the second.
        """
        signatures = [(name, len(args)) for name, args in conditions]
        if signatures not in ([("clause_var", 2), ("var_type", 3)], [("var_type", 3)]):
            raise self.shapeless(
                "counts something other than variables of a type, or literals of a predicate"
            )
        variable = self._variable(term, "variable")
        for _, args in conditions:
            self._variable(args[0], "clause")
            if self._variable(args[1], "variable") != variable:
                raise self.shapeless("counts something other than variables")
        return self._name(conditions[-1][1][2])

    def _application(self, literal: AST) -> tuple[str, list[AST]]:
        """The name and the arguments of an atom."""
        atom = literal.atom
        if atom.ast_type != ASTType.SymbolicAtom or atom.symbol.ast_type != ASTType.Function:
            raise self.shapeless("holds something other than plain atoms")
        return atom.symbol.name, list(atom.symbol.arguments)

    def _literal(self, name: str, args: list[AST]) -> LiteralShape:
        """A condition on the head or the body of the rule, as a shape."""
        if name not in ("body_literal", "head_literal") or len(args) != 4:
            raise self.shapeless(f"speaks of {name}")
        clause, predicate, arity, variables = args
        self._variable(clause, "clause")
        return LiteralShape(
            name == "head_literal", self._name(predicate), self._arity(arity), self._tuple(variables)
        )

    def _arity(self, term: AST) -> int | str:
        """An arity: a number, or the name of a variable for any."""
        number = _number(term)
        if number is not None:
            return number
        return self._variable(term, "arity")

    def _tuple(self, term: AST) -> tuple[str, ...] | str:
        """The arguments of a literal: variables one by one, or one variable for all of them."""
        if term.ast_type == ASTType.Function and not term.name:
            return tuple(self._variable(argument, "variable") for argument in term.arguments)
        return self._variable(term, "tuple")

    def _name(self, term: AST) -> str:
        if term.ast_type != ASTType.SymbolicTerm:
            raise self.shapeless(f"has '{term}' in the place of a name")
        return str(term.symbol)

    def _variable(self, term: AST, sort: str) -> str:
        """The name of a variable, which must stand for the same sort of thing everywhere in the constraint."""
        if term.ast_type != ASTType.Variable:
            raise self.shapeless(f"has '{term}' in the place of a variable")
        if term.name == "_":
            return f"_{next(self._anonymous)}"  # no name that ASP has
        if self._sorts.setdefault(term.name, sort) != sort:
            raise self.shapeless(f"uses {term.name} in two ways")
        return str(term.name)


def _number(term: AST) -> int | None:
    """The number that a term is; None if it is something else."""
    if term.ast_type == ASTType.SymbolicTerm and term.symbol.type == clingo.SymbolType.Number:
        return int(term.symbol.number)
    return None


def _shorten(text: str) -> str:
    plain = " ".join(text.split())
    if len(plain) <= _LONGEST:
        return plain
    return f"{plain[: _LONGEST - 1]}…"
