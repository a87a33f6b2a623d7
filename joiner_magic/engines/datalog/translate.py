"""Normal clauses as an ASP program over interned terms.

Terms cross to clingo as numbers (whole numbers of 32 bits) or as opaque `t(ID)`. A pattern
`[H|T]` becomes a variable V with a structure literal `s0(V,H,T)`, and the structure facts list the
compound terms at hand: taking apart is a join, nothing is ever built.

Arithmetic is translated in two ways. *Natively* it is clingo's own, which is fast, and knows whole numbers of 32 bits.
Each goal gets guards: atoms `bad(N)` that hold when the goal meets a value on which clingo and Prolog may differ. Then
the clauses are translated again, *exactly*: the goals call functions that calculate as Prolog does.

Where Prolog raises an error (something that is not a number, a division by zero, an overflow), the goal does not hold. That
is the meaning of a predicate only as long as it is a hypothesis that gives it such a value: Prolog finds no proof there either.
Where clauses give the value to one another, the error belongs to the background knowledge. So each predicate `p` in which
arithmetic meets what its caller gives has, if clauses call it, two relations of its own: `d_p` for what they give
it, and `e_p` for what of that ends in an error. A clause that runs into one refuses the task, and so does a negation, which would
make a truth of it. Nothing else depends on these relations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from joiner_magic._core import Store
from joiner_magic.engines.datalog.clauses import (
    GET_PROLOG,
    AssignmentGoal,
    CallGoal,
    ComparisonGoal,
    EqualityGoal,
    Goal,
    NormalClause,
)
from joiner_magic.engines.datalog.modes import (
    Inputs,
    fallible_predicates,
    goal_terms,
    input_variables,
    is_pattern,
    local_variables,
    plain_inputs,
)
from joiner_magic.errors import NeedsProlog
from joiner_magic.logic.arithmetic import (
    EVALUABLE_FUNCTORS,
    EVALUABLE_SYMBOLS,
    NoValue,
    Number,
    OnlyProlog,
    expression,
    number_of,
)
from joiner_magic.logic.terms import (
    NIL,
    Compound,
    Float,
    Integer,
    List,
    Predicate,
    Term,
    Variable,
    is_ground,
    variables,
)
from joiner_magic.solvers.clingo_arithmetic import LARGEST, ArithmeticGoal, ArithmeticGoals

SUM_SAFE = 10**9  # two such numbers add up within 32 bits
PRODUCT_SAFE = 46_340  # and two such multiply within 32 bits
LIST = ("[|]", 2)  # the functor of a list cell, as the core names it
PROLOGS = {"<": "<", ">": ">", "<=": "=<", ">=": ">=", "=": "=:=", "!=": "=\\="}  # comparisons, by clingo's


class NotNative(Exception):
    """A clause calculates with what clingo does not know: it is to be translated exactly."""


@dataclass(frozen=True, slots=True)
class Guard:
    """What it means that `bad(N)` holds."""

    refusal: NeedsProlog
    exactly: bool  # that translating the clauses exactly may help


@dataclass(slots=True)
class Translation:
    """The text so far, and what its made-up names stand for."""

    store: Store
    inputs: Inputs
    exact: bool = False
    watched: frozenset[Predicate] = frozenset()  # with relations for errors
    names: dict[Predicate, str] = field(default_factory=dict)
    structures: dict[tuple[str, int], str] = field(default_factory=dict)
    numbers: dict[int, str] = field(default_factory=dict)  # for each one a predicate that holds of it alone
    guards: list[Guard] = field(default_factory=list)
    goals: list[ArithmeticGoal] = field(default_factory=list)  # that are calculated exactly
    refusals: list[NeedsProlog] = field(default_factory=list)  # for each of them
    lines: list[str] = field(default_factory=list)
    made: list[str] = field(
        default_factory=list
    )  # rules for numbers that clauses calculate: they are terms too
    ranges: set[str] = field(default_factory=set)  # which of u/1 and ui/1 are used
    counts_inputs: bool = False  # whether arithmetic meets values that are given

    @classmethod
    def of(
        cls, clauses: tuple[NormalClause, ...], inputs: Inputs, store: Store, *, exact: bool
    ) -> Translation:
        """Raises NotNative if the clauses have to be translated exactly."""
        called = {goal.predicate for clause in clauses for goal in clause.goals if isinstance(goal, CallGoal)}
        watched = fallible_predicates(clauses, inputs) & called
        translation = cls(store, inputs, exact, watched)
        for clause in clauses:
            _ClauseWriter(translation, clause).write()
        if translation.counts_inputs and not exact and evaluable_terms(store):
            raise NotNative
        return translation

    def name(self, predicate: Predicate) -> str:
        return self.names.setdefault(predicate, f"p{len(self.names)}")

    def structure(self, functor: str, arity: int) -> str:
        return self.structures.setdefault((functor, arity), f"s{len(self.structures)}")

    def number(self, value: int) -> str:
        if value not in self.numbers:
            self.numbers[value] = f"c{len(self.numbers)}"
            self.lines.append(f"c{len(self.numbers) - 1}({value}).")
        return self.numbers[value]

    def constant(self, term: Term) -> str:
        if isinstance(term, Integer) and -LARGEST <= term.value <= LARGEST:
            return str(term.value)
        return f"t({self.store.intern(term)})"

    def universe(self) -> list[str]:
        """All terms, and those that can be calculated with."""
        counted = "1 = @counts(X)" if self.exact else "X < a"
        if not self.ranges:
            return []
        return [self.store.asp_universe("u"), f"ui(X) :- u(X), {counted}.", *self.made]

    def calculation(self) -> ArithmeticGoals | None:
        """What the exact translation's functions need to know."""
        if not self.exact:
            return None
        values: list[tuple[int, Number]] = []
        numbers: list[tuple[int, Number]] = []
        unclear: list[int] = []
        for number in evaluable_terms(self.store):
            term = self.store.term(number)
            try:
                values.append((number, number_of(term)))
                if isinstance(term, (Integer, Float)):
                    numbers.append(values[-1])
            except NoValue:
                pass
            except OnlyProlog:
                unclear.append(number)
        return ArithmeticGoals(self.goals, values, numbers, unclear)


def evaluable_terms(store: Store) -> list[int]:
    """The terms, by number, that may have a value in Prolog and are no numbers for clingo."""
    return store.evaluable(set(EVALUABLE_SYMBOLS), EVALUABLE_FUNCTORS)


class _ClauseWriter:
    """Writes one clause: its body literal by literal, with guards on the way."""

    def __init__(self, translation: Translation, clause: NormalClause) -> None:
        self.out = translation
        self.clause = clause
        self.mine = input_variables(clause, translation.inputs)  # whose values the caller gives
        self.body: list[str] = []
        self.asked: list[str] | None = None  # the body behind `d_p`, where there is one
        self.variables: dict[str, str] = {}
        self.fresh = 0

    def write(self) -> None:
        head_args = [self.term(arg) for arg in self.clause.args]
        self.given = [head_args[i] for i in self.places(self.clause.predicate)]
        if self.clause.predicate in self.out.watched:
            self.asked = [*self.body, self.relation("d", self.clause.predicate, self.given)]
        self.range_over_terms()
        for goal in self.clause.goals:
            self.goal(goal)
        self.rule(self.atom(self.clause.predicate, head_args), self.body)

    def places(self, predicate: Predicate) -> list[int]:
        return sorted(self.out.inputs.get(predicate, frozenset()))

    def rule(self, head: str, body: list[str], *extra: str) -> None:
        whole = [*body, *extra]
        self.out.lines.append(f"{head} :- {', '.join(whole)}." if whole else f"{head}.")

    def literal(self, text: str) -> None:
        self.body.append(text)
        if self.asked is not None:
            self.asked.append(text)

    def range_over_terms(self) -> None:
        """Inputs that nothing binds at first stand for any term, or for any that can be calculated with."""
        goals = self.clause.goals
        sums = [g for g in goals if isinstance(g, (ComparisonGoal, AssignmentGoal))]
        numbers = {name for goal in sums for term in goal_terms(goal) for name in variables(term)}
        taken_apart = {name for arg in self.clause.args if is_pattern(arg) for name in variables(arg)}
        for name in plain_inputs(self.clause, self.out.inputs):
            first = next((g for g in goals if any(name in variables(t) for t in goal_terms(g))), None)
            called_first = isinstance(first, CallGoal) and not first.negated
            if name not in taken_apart and not called_first:
                kind = "ui" if name in numbers else "u"
                self.out.ranges.add(kind)
                self.body.append(f"{kind}({self.variable(name)})")

    def goal(self, goal: Goal) -> None:
        match goal:
            case CallGoal(predicate=predicate, args=args, negated=False):
                terms = [self.term(arg) for arg in args]
                self.watch(goal, terms)
                self.literal(self.atom(predicate, terms))
            case CallGoal(predicate=predicate, args=args):
                local = local_variables(goal, self.clause)
                terms = ["_" if isinstance(a, Variable) and a.name in local else self.term(a) for a in args]
                self.watch(goal, terms)
                self.literal(f"not {self.atom(predicate, terms)}")
            case EqualityGoal(left=left, right=right, negated=negated):
                self.literal(f"{self.compared(left)} {'!=' if negated else '='} {self.compared(right)}")
            case ComparisonGoal() | AssignmentGoal() if self.out.exact:
                self.exactly(goal)
            case ComparisonGoal(operator=operator, left=left, right=right):
                first, second = self.expression(left), self.expression(right)
                self.literal(f"{first} {operator} {second}")
            case AssignmentGoal(target=target, value=value):
                self.assign(target, self.expression(value))

    def assign(self, target: Term, value: str) -> None:
        """What ranges over all terms must see the numbers that are calculated, also those that stay in a body."""
        text = self.compared(target)
        self.literal(f"{text} = {value}")
        if isinstance(target, Variable):
            self.out.made.append(f"u({text}) :- {', '.join(self.body)}.")

    def watch(self, goal: CallGoal, terms: list[str]) -> None:
        """What becomes of an error in the predicate that is called."""
        if goal.predicate not in self.out.watched:
            return
        places = self.places(goal.predicate)
        args = [terms[i] for i in places]
        demand, error = self.relation("d", goal.predicate, args), self.relation("e", goal.predicate, args)
        if goal.negated or not self.is_mine(goal.args[i] for i in places):
            self.rule(demand, self.body)
            self.guard(error, "gives a value to arithmetic that Prolog cannot calculate with")
        elif self.asked is not None:
            self.rule(demand, self.asked)
            self.rule(self.relation("e", self.clause.predicate, self.given), self.asked, error)

    def is_mine(self, terms: Iterable[Term]) -> bool:
        """Whether a value comes from the caller."""
        return any(not self.mine.isdisjoint(variables(term)) for term in terms)

    def atom(self, predicate: Predicate, args: list[str]) -> str:
        name = self.out.name(predicate)
        return f"{name}({','.join(args)})" if args else name

    def relation(self, kind: str, predicate: Predicate, args: list[str]) -> str:
        """An atom of a predicate's relation of demands or of errors."""
        return f"{kind}_{self.out.name(predicate)}({','.join(args)})"

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

    def compared(self, term: Term) -> str:
        """The text of a term on one side of a comparison."""
        return (
            self.number(term.value)
            if isinstance(term, Integer) and abs(term.value) <= LARGEST
            else self.term(term)
        )

    def number(self, value: int) -> str:
        """A variable with this value.

        From numbers in comparisons clingo infers between which bounds a variable lies, and enumerates what lies between them
        where that is little. It never ends if the upper one is 2147483647, or comes to that by its calculations.
        """
        self.fresh += 1
        self.literal(f"{self.out.number(value)}(K{self.fresh})")
        return f"K{self.fresh}"

    def pattern(self, functor: str, args: list[str]) -> str:
        self.fresh += 1
        whole = f"S{self.fresh}"
        self.literal(f"{self.out.structure(functor, len(args))}({','.join([whole, *args])})")
        return whole

    # --- arithmetic, exactly

    def exactly(self, goal: ComparisonGoal | AssignmentGoal) -> None:
        """The goal as a call of a function that calculates as Prolog does."""
        if isinstance(goal, ComparisonGoal):
            operator, sides = PROLOGS[goal.operator], (goal.left, goal.right)
        else:
            operator, sides = "", (goal.value, Integer(0))
        names = list(dict.fromkeys(name for side in sides for name in variables(side)))
        places = {name: i for i, name in enumerate(names)}
        try:
            left, right = (expression(side, places) for side in sides)
        except (NoValue, OnlyProlog):
            raise self.refusal("calculates in a way that only Prolog can") from None
        values = ",".join([str(len(self.out.goals)), *map(self.variable, names)])
        self.out.goals.append((operator, left, right))
        self.out.refusals.append(self.refusal("calculates something that only Prolog can"))
        if not self.is_mine(sides):
            why = "calculates with something that is not a number, divides by zero or runs over"
            self.guard(f"1 = @fails({values})", why)
        elif self.asked is not None:
            error = self.relation("e", self.clause.predicate, self.given)
            self.rule(error, self.asked, f"1 = @fails({values})")
        if isinstance(goal, ComparisonGoal):
            self.literal(f"1 = @holds({values})")
        else:
            self.assign(goal.target, f"@value({values})")

    # --- arithmetic as clingo's

    def expression(self, term: Term) -> str:
        """Arithmetic text, with a guard for each value that clingo would treat unlike Prolog."""
        match term:
            case Variable(name=name):
                return self.counted(name)
            case Integer(value=value) if abs(value) <= LARGEST:
                return self.number(value)
            case Compound(functor="-", args=(inner,)):
                return f"(-{self.expression(inner)})"
            case Compound(functor="abs", args=(inner,)):
                return f"|{self.expression(inner)}|"
            case Compound(functor="+" | "-" | "*" | "//" | "mod" as operator, args=(left, right)):
                return self.operation(operator, self.expression(left), self.expression(right))
            case _:
                raise NotNative

    def counted(self, name: str) -> str:
        """A variable that is calculated with: what is no number is above `a` in clingo's order."""
        text = self.variable(name)
        if name not in self.mine:
            self.exact_guard(f"{text} > a")
            return text
        self.out.counts_inputs = True
        if self.asked is not None:
            error = self.relation("e", self.clause.predicate, self.given)
            self.rule(error, self.asked, f"{text} > a")
        self.literal(f"{text} < a")
        return text

    def operation(self, operator: str, left: str, right: str) -> str:
        if operator in "+-*":
            most = PRODUCT_SAFE if operator == "*" else SUM_SAFE
            for side in (left, right):
                self.exact_guard(f"|{side}| > {most}")
            return f"({left}{operator}{right})"
        self.exact_guard(f"{right} = 0")
        if operator == "//":
            return f"({left}/{right})"
        # clingo's remainder has the sign of the dividend, Prolog's mod that of the divisor, which is added for that
        self.exact_guard(f"|{right}| > {SUM_SAFE}")
        return f"(((({left})\\({right}))+({right}))\\({right}))"

    def exact_guard(self, condition: str) -> None:
        """Where it holds, the clauses have to be translated exactly."""
        self.guard(condition, "calculates with what clingo cannot", exactly=True)

    def guard(self, condition: str, why: str, *, exactly: bool = False) -> None:
        self.rule(f"bad({len(self.out.guards)})", self.body, condition)
        self.out.guards.append(Guard(self.refusal(why), exactly))

    def refusal(self, why: str) -> NeedsProlog:
        return NeedsProlog(f"this clause {why}", place=self.clause.place, remedy=GET_PROLOG)
