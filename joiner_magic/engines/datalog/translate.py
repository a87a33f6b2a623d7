"""Normal clauses as an ASP program over interned terms.

Terms cross to clingo as numbers (whole numbers of 32 bits) or as opaque `t(ID)`. A pattern
`[H|T]` becomes a variable V with a structure literal `s0(V,H,T)`, and the structure facts list the
compound terms at hand: taking apart is a join, nothing is ever built.

clingo drops an instance whose arithmetic is undefined and wraps around on overflow, where Prolog
raises an error or has big integers. Each arithmetic goal therefore gets guards: atoms `bad(N)`
that hold when the goal meets a value where the two differ. A guard that holds refuses the task.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from joiner_magic._core import Store
from joiner_magic.engines.datalog.clauses import GET_PROLOG, Assign, Call, Compare, Equal, Goal, NormalClause
from joiner_magic.engines.datalog.modes import (
    Inputs,
    goal_terms,
    is_pattern,
    local_variables,
    plain_inputs,
)
from joiner_magic.errors import NeedsProlog
from joiner_magic.logic.terms import (
    NIL,
    Compound,
    Integer,
    List,
    Predicate,
    Term,
    Variable,
    is_ground,
    variables,
)

LARGEST = 2**31 - 1
SUM_SAFE = 10**9  # two such numbers add up within 32 bits
PRODUCT_SAFE = 46_340  # and two such multiply within 32 bits
LIST = ("[|]", 2)  # the functor of a list cell, as the core names it


@dataclass(slots=True)
class Translation:
    """The text so far, and what its made-up names stand for."""

    store: Store
    names: dict[Predicate, str] = field(default_factory=dict)
    structures: dict[tuple[str, int], str] = field(default_factory=dict)
    guards: list[NeedsProlog] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    ranges: set[str] = field(default_factory=set)  # which of u/1 and ui/1 are used

    def name(self, predicate: Predicate) -> str:
        return self.names.setdefault(predicate, f"p{len(self.names)}")

    def structure(self, functor: str, arity: int) -> str:
        return self.structures.setdefault((functor, arity), f"s{len(self.structures)}")

    def constant(self, term: Term) -> str:
        if isinstance(term, Integer) and -LARGEST <= term.value <= LARGEST:
            return str(term.value)
        return f"t({self.store.intern(term)})"

    def add(self, clause: NormalClause, inputs: Inputs) -> None:
        _ClauseWriter(self, clause, inputs).write()


class _ClauseWriter:
    """Writes one clause: its body literal by literal, with guards on the way."""

    def __init__(self, translation: Translation, clause: NormalClause, inputs: Inputs) -> None:
        self.out = translation
        self.clause = clause
        self.plain_inputs = plain_inputs(clause, inputs)
        self.body: list[str] = []
        self.variables: dict[str, str] = {}
        self.fresh = 0

    def write(self) -> None:
        head_args = [self.term(arg) for arg in self.clause.args]
        self.range_over_terms()
        for goal in self.clause.goals:
            self.goal(goal)
        self.rule(self.atom(self.clause.predicate, head_args))

    def rule(self, head: str, *extra: str) -> None:
        body = [*self.body, *extra]
        self.out.lines.append(f"{head} :- {', '.join(body)}." if body else f"{head}.")

    def range_over_terms(self) -> None:
        """Inputs that nothing binds at first stand for any term, or any whole number if calculated with."""
        goals = self.clause.goals
        sums = [g for g in goals if isinstance(g, (Compare, Assign))]
        numbers = {name for goal in sums for term in goal_terms(goal) for name in variables(term)}
        taken_apart = {name for arg in self.clause.args if is_pattern(arg) for name in variables(arg)}
        for name in self.plain_inputs:
            first = next((g for g in goals if any(name in variables(t) for t in goal_terms(g))), None)
            called_first = isinstance(first, Call) and not first.negated
            if name not in taken_apart and not called_first:
                kind = "ui" if name in numbers else "u"
                self.out.ranges.add(kind)
                self.body.append(f"{kind}({self.variable(name)})")

    def goal(self, goal: Goal) -> None:
        match goal:
            case Call(predicate=predicate, args=args, negated=False):
                terms = [self.term(arg) for arg in args]
                self.body.append(self.atom(predicate, terms))
            case Call(predicate=predicate, args=args):
                local = local_variables(goal, self.clause)
                terms = ["_" if isinstance(a, Variable) and a.name in local else self.term(a) for a in args]
                self.body.append(f"not {self.atom(predicate, terms)}")
            case Equal(left=left, right=right, negated=negated):
                self.body.append(f"{self.term(left)} {'!=' if negated else '='} {self.term(right)}")
            case Compare(operator=operator, left=left, right=right):
                first, second = self.expression(left), self.expression(right)
                self.body.append(f"{first} {operator} {second}")
            case Assign(target=target, value=value):
                text = self.expression(value)
                self.body.append(f"{self.term(target)} = {text}")

    def atom(self, predicate: Predicate, args: list[str]) -> str:
        name = self.out.name(predicate)
        return f"{name}({','.join(args)})" if args else name

    def variable(self, name: str) -> str:
        return self.variables.setdefault(name, f"V{len(self.variables)}")

    def term(self, term: Term) -> str:
        """The term's ASP text; patterns are taken apart by structure literals."""
        if isinstance(term, Variable):
            return self.variable(term.name)
        if is_ground(term):
            return self.out.constant(term)
        if isinstance(term, List):
            tail = self.term(term.tail) if term.tail != NIL else self.out.constant(NIL)
            for item in reversed(term.items):
                tail = self.pattern(LIST[0], [self.term(item), tail])
            return tail
        assert isinstance(term, Compound)
        return self.pattern(term.functor, [self.term(arg) for arg in term.args])

    def pattern(self, functor: str, args: list[str]) -> str:
        self.fresh += 1
        whole = f"S{self.fresh}"
        self.body.append(f"{self.out.structure(functor, len(args))}({','.join([whole, *args])})")
        return whole

    def expression(self, term: Term) -> str:
        """Arithmetic text, with a guard for each value that clingo would treat unlike Prolog."""
        match term:
            case Variable(name=name):
                text = self.variable(name)
                self.guard(f"{text} > a", "calculates with something that is not a whole number of 32 bits")
                return text
            case Integer(value=value) if abs(value) <= LARGEST:
                return str(value) if value >= 0 else f"({value})"
            case Compound(functor="-", args=(inner,)):
                return f"(-{self.expression(inner)})"
            case Compound(functor="abs", args=(inner,)):
                return f"|{self.expression(inner)}|"
            case Compound(functor="+" | "-" | "*" | "//" | "mod" as operator, args=(left, right)):
                return self.operation(operator, self.expression(left), self.expression(right))
            case _:
                raise self.refusal("calculates in a way that only Prolog can")

    def operation(self, operator: str, left: str, right: str) -> str:
        if operator in "+-*":
            most = PRODUCT_SAFE if operator == "*" else SUM_SAFE
            for side in (left, right):
                self.guard(f"|{side}| > {most}", "calculates with numbers too large for the embedded engine")
            return f"({left}{operator}{right})"
        self.guard(f"{right} = 0", "divides by zero")
        if operator == "//":
            return f"({left}/{right})"
        # clingo's remainder has the sign of the dividend, Prolog's mod that of the divisor
        return f"(((({left})\\({right}))+({right}))\\({right}))"

    def guard(self, condition: str, why: str) -> None:
        self.rule(f"bad({len(self.out.guards)})", condition)
        self.out.guards.append(self.refusal(why))

    def refusal(self, why: str) -> NeedsProlog:
        return NeedsProlog(f"this clause {why}", place=self.clause.place, remedy=GET_PROLOG)
