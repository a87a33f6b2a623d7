"""Background clauses in the form that can be closed into facts.

A body becomes a flat sequence of goals. What does not fit that shape is given a predicate of its
own: a disjunction `(A ; B)` becomes a new predicate with two clauses, and so does a negated
conjunction. Cuts, if-then-else, other Prolog built-ins and anything that looks at how a goal runs
are beyond the closure, and the clause is refused with its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from joiner_magic.errors import NeedsProlog, Place
from joiner_magic.logic.terms import (
    Compound,
    Integer,
    List,
    Position,
    Predicate,
    Symbol,
    Term,
    Variable,
    arguments_of,
    predicate_of,
    subterms,
    variables,
)
from joiner_magic.task.background import ClauseRef
from joiner_magic.task.reader import PrologText, conjuncts

GET_PROLOG = "use the Prolog engine: pip install 'joiner-magic[prolog]' with SWI-Prolog 9.1.12 or newer"


@dataclass(frozen=True, slots=True)
class CallGoal:
    """A call of a predicate that the background knowledge defines; with `negated`, that it has no solution."""

    predicate: Predicate
    args: tuple[Term, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class EqualityGoal:
    """Both sides are the same term, or with `negated` they are not; `=` alone can bind a side."""

    left: Term
    right: Term
    negated: bool = False
    binds: bool = False


@dataclass(frozen=True, slots=True)
class ComparisonGoal:
    """Arithmetic comparison; the operator is clingo's."""

    operator: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class AssignmentGoal:
    """`target is value`."""

    target: Term
    value: Term


Goal: TypeAlias = CallGoal | EqualityGoal | ComparisonGoal | AssignmentGoal


@dataclass(frozen=True, slots=True)
class NormalClause:
    """A clause whose body is a flat sequence of goals; `place` is where its text starts."""

    predicate: Predicate
    args: tuple[Term, ...]
    goals: tuple[Goal, ...]
    place: Place


COMPARISONS = {"<": "<", ">": ">", "=<": "<=", ">=": ">=", "=:=": "=", "=\\=": "!="}
OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "=": "!=", "!=": "="}
EQUALITIES = {"=": False, "==": False, "\\=": True, "\\==": True, "dif": True}  # and whether negated

# Control constructs and built-ins that a closure into facts cannot express. A predicate of the same
# name that the background knowledge defines itself is an ordinary one.
CONTROL = frozenset({Predicate("!", 0), Predicate("->", 2), Predicate("*->", 2), Predicate(":", 2)})


class Normaliser:
    """Turns clauses into clauses with flat bodies, with new predicates for nested parts."""

    def __init__(self, defined: frozenset[Predicate]) -> None:
        self._defined = defined
        self._made = 0
        self._pending: list[NormalClause] = []
        self._source: PrologText
        self._place: Place

    def normalise(self, ref: ClauseRef) -> Iterator[NormalClause]:
        """The clause with a flat body, then the clauses of new predicates for its nested parts."""
        clause = ref.clause
        assert clause.head is not None
        self._source, self._place, self._pending = ref.source, ref.place, []
        head = self._name_anonymous(clause.head)
        predicate = predicate_of(head)
        assert predicate is not None, "the reader lets only atoms be heads"
        body = [self._name_anonymous(part) for part in conjuncts(clause.body)]
        shared = variables(head)
        goals = self._all_goals(body, shared)
        yield NormalClause(predicate, arguments_of(head), tuple(goals), self._place)
        yield from self._pending

    def _name_anonymous(self, term: Term) -> Term:
        """The term with a name of its own for each `_`, so that two of them are two variables."""
        match term:
            case Variable(name="_", position=position):
                self._made += 1
                return Variable(f"_{self._made} ", position)  # the blank keeps it apart from written names
            case Compound(functor=functor, args=args, position=position):
                return Compound(functor, tuple([self._name_anonymous(arg) for arg in args]), position)
            case List(items=items, tail=tail, position=position):
                named = tuple([self._name_anonymous(item) for item in items])
                return List(named, self._name_anonymous(tail), position)
            case _:
                return term

    def _all_goals(self, body: list[Term], shared: list[str]) -> list[Goal]:
        """The goals of all conjuncts; `shared` are variables known outside this body."""
        known = set(shared)
        names = [variables(term) for term in body]
        occurrences = Counter(name for of_term in names for name in of_term)  # conjuncts that have it
        goals: list[Goal] = []
        for term, of_term in zip(body, names, strict=True):
            outside = {name for name in of_term if name in known or occurrences[name] > 1}
            goals += self._goals(term, outside)
        return goals

    def _goals(self, term: Term, outside: set[str]) -> list[Goal]:
        """The goals of one conjunct; `outside` are those of its variables that are also known elsewhere."""
        match term:
            case Symbol(name="true"):
                return []
            case Symbol(name="fail" | "false"):
                return [ComparisonGoal("<", Integer(1), Integer(0))]
            case Compound(functor="\\+", args=(inner,)):
                return [self._negation(inner, outside)]
            case Compound(functor=";", args=(left, right)) if predicate_of(left) not in CONTROL:
                return [self._nested_call([left, right], outside)]
            case _:
                return [self._plain(term)]

    def _negation(self, inner: Term, outside: set[str]) -> Goal:
        """The goal for a negation: a simple goal is negated itself, anything else gets a predicate of its own."""
        parts = list(conjuncts(inner))
        if len(parts) == 1 and not _is_control(parts[0]) and not _repeats_local(parts[0], outside):
            match self._plain(parts[0]):
                case CallGoal(predicate=predicate, args=args):
                    return CallGoal(predicate, args, negated=True)
                case EqualityGoal(left=left, right=right, negated=negated):
                    return EqualityGoal(left, right, not negated)
                case ComparisonGoal(operator=operator, left=left, right=right):
                    return ComparisonGoal(OPPOSITE[operator], left, right)
                case _:
                    pass
        call = self._nested_call([inner], outside)
        return CallGoal(call.predicate, call.args, negated=True)

    def _nested_call(self, bodies: list[Term], outside: set[str]) -> CallGoal:
        """A call of a new predicate over the variables that the bodies share with the outside."""
        inside = dict.fromkeys(name for body in bodies for name in variables(body))
        shared = [name for name in inside if name in outside]
        args: tuple[Term, ...] = tuple(Variable(name) for name in shared)
        self._made += 1
        predicate = Predicate(f"nested {self._made}", len(args))
        for body in bodies:
            parts = list(conjuncts(body))
            goals = self._all_goals(parts, shared)
            self._pending.append(NormalClause(predicate, args, tuple(goals), self._place))
        return CallGoal(predicate, args)

    def _plain(self, term: Term) -> Goal:
        """The goal of a term that is neither a negation nor a disjunction. Raises NeedsProlog for a Prolog built-in."""
        predicate = predicate_of(term)
        if predicate is None:
            raise self._refusal("calls a goal that is only known when it runs", term.position)
        args = arguments_of(term)
        if predicate in self._defined:
            return CallGoal(predicate, args)
        if predicate.arity == 2:
            left, right = args
            if predicate.name in COMPARISONS:
                return ComparisonGoal(COMPARISONS[predicate.name], left, right)
            if predicate.name in EQUALITIES:
                return EqualityGoal(left, right, EQUALITIES[predicate.name], binds=predicate.name == "=")
            if predicate.name == "is":
                return AssignmentGoal(left, right)
        if predicate == Predicate("!", 0):
            raise self._refusal("uses a cut", term.position)
        raise self._refusal(f"uses {predicate}, which is not defined by facts or rules here", term.position)

    def _refusal(self, why: str, position: Position | None) -> NeedsProlog:
        """The error that says why the clause cannot be closed into facts, and where."""
        place = self._source.place(position) if position else self._place
        return NeedsProlog(f"this clause {why}", place=place, remedy=GET_PROLOG)


def _is_control(term: Term) -> bool:
    return isinstance(term, Compound) and term.functor in (";", "\\+", ",")


def _repeats_local(goal: Term, outside: set[str]) -> bool:
    """Whether a variable of this goal alone occurs in it twice: then it does not mean "any values"."""
    occurrences = Counter(term.name for term in subterms(goal) if isinstance(term, Variable))
    return any(count > 1 for name, count in occurrences.items() if name not in outside)
