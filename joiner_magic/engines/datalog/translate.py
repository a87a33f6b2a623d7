"""Normal clauses as an ASP program over interned terms.

Terms cross to clingo as numbers (whole numbers of 32 bits) or as opaque `t(ID)`. A pattern
`[H|T]` becomes a variable V with a structure literal `s0(V,H,T)`, and the structure facts list all
compound terms of the task: taking a term apart is a join, and no term is ever built.

Arithmetic is translated in two ways. *Natively* it is clingo's own, which is fast, and knows whole numbers of 32 bits.
Each goal gets guards: atoms `bad(N)` that hold when the goal meets a value on which clingo and Prolog may differ. Then
the clauses are translated again, *exactly*: the goals call functions that calculate as Prolog does.

Where Prolog raises an error (something that is not a number, a division by zero, an overflow), the goal does not hold here.
That is right if a hypothesis gives a predicate such a value: Prolog finds no proof there either. But where clauses of the
background knowledge give such a value to each other, the error is theirs, and the task is refused. To notice that, each
predicate `p` that calculates with values from its caller, and that clauses call, has two further relations: the demands
`d_p`, which are the values that clauses give it, and the errors `e_p`, which are the demands that end in an error. A clause
with such an error refuses the task; so does a negation, which the error would make true. Nothing else depends on these
relations.
"""

from __future__ import annotations

from collections.abc import Iterable

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
from joiner_magic.engines.datalog.required_inputs import (
    Inputs,
    fallible_predicates,
    goal_terms,
    input_variables,
    is_pattern,
    local_variables,
    plain_inputs,
)
from joiner_magic.engines.datalog.translation import Guard, NotNative, Translation, evaluable_terms
from joiner_magic.errors import NeedsProlog
from joiner_magic.logic.arithmetic import expression
from joiner_magic.logic.calculations import NoValue, OnlyProlog
from joiner_magic.logic.terms import (
    Compound,
    Integer,
    List,
    Predicate,
    Term,
    Variable,
    is_ground,
    variables,
)
from joiner_magic.solvers.clingo_arithmetic import LARGEST

SUM_SAFE = 10**9  # two such numbers add up within 32 bits
PRODUCT_SAFE = 46_340  # and two such multiply within 32 bits
LIST = ("[|]", 2)  # the functor of a list cell, as the core names it
PROLOGS = {"<": "<", ">": ">", "<=": "=<", ">=": ">=", "=": "=:=", "!=": "=\\="}  # comparisons, by clingo's


def translate(clauses: tuple[NormalClause, ...], inputs: Inputs, store: Store, *, exact: bool) -> Translation:
    """Translate the clauses. Raises NotNative if they have to be translated exactly."""
    called = {goal.predicate for clause in clauses for goal in clause.goals if isinstance(goal, CallGoal)}
    error_predicates = fallible_predicates(clauses, inputs) & called
    translation = Translation(store, inputs, exact, error_predicates)
    for clause in clauses:
        _ClauseWriter(translation, clause).write()
    if translation.counts_inputs and not exact and evaluable_terms(store):
        raise NotNative
    return translation


class _ClauseWriter:
    """Writes the ASP rules for one clause: its body literal by literal, with guards in between."""

    def __init__(self, translation: Translation, clause: NormalClause) -> None:
        self.out = translation
        self.clause = clause
        # Those whose values the caller gives.
        self.caller_variables = input_variables(clause, translation.inputs)
        self.body: list[str] = []
        # The body that begins with `d_p`, if there is that relation.
        self.demanded_body: list[str] | None = None
        self.variables: dict[str, str] = {}
        self.fresh = 0

    def write(self) -> None:
        """Write the clause, and all rules that watch over its arithmetic."""
        head_args = [self.term(arg) for arg in self.clause.args]
        self.given = [head_args[i] for i in self.places(self.clause.predicate)]
        if self.clause.predicate in self.out.error_predicates:
            self.demanded_body = [*self.body, self.relation("d", self.clause.predicate, self.given)]
        self.range_over_terms()
        for goal in self.clause.goals:
            self.goal(goal)
        self.add_rule(self.atom(self.clause.predicate, head_args), self.body)

    def places(self, predicate: Predicate) -> list[int]:
        """The arguments of a predicate that must be given, by their places."""
        return sorted(self.out.inputs.get(predicate, frozenset()))

    def add_rule(self, head: str, body: list[str], *extra: str) -> None:
        """Add an ASP rule to the text."""
        literals = ", ".join([*body, *extra])
        if literals:
            self.out.lines.append(f"{head} :- {literals}.")
        else:
            self.out.lines.append(f"{head}.")

    def add_literal(self, text: str) -> None:
        """Add a literal to the body of the clause."""
        self.body.append(text)
        if self.demanded_body is not None:
            self.demanded_body.append(text)

    def range_over_terms(self) -> None:
        """Let arguments that must be given, and that no goal binds first, range over all terms or all numbers."""
        numbers = self.calculated_variables()
        taken_apart = {name for arg in self.clause.args if is_pattern(arg) for name in variables(arg)}
        for name in plain_inputs(self.clause, self.out.inputs):
            if name in taken_apart or self.is_called_first(name):
                continue
            kind = "u"
            if name in numbers:
                kind = "ui"
            self.out.ranges.add(kind)
            self.body.append(f"{kind}({self.variable(name)})")

    def calculated_variables(self) -> set[str]:
        """The variables of the clause that stand in arithmetic."""
        found: set[str] = set()
        for goal in self.clause.goals:
            if isinstance(goal, (ComparisonGoal, AssignmentGoal)):
                for term in goal_terms(goal):
                    found.update(variables(term))
        return found

    def is_called_first(self, name: str) -> bool:
        """Whether the first goal with this variable is a call, which binds it."""
        for goal in self.clause.goals:
            if any(name in variables(term) for term in goal_terms(goal)):
                return isinstance(goal, CallGoal) and not goal.negated
        return False

    def goal(self, goal: Goal) -> None:
        """Add the literals of a goal."""
        match goal:
            case CallGoal(negated=True):
                self.negated_call(goal)
            case CallGoal(predicate=predicate, args=args):
                terms = [self.term(arg) for arg in args]
                self.track_errors(goal, terms)
                self.add_literal(self.atom(predicate, terms))
            case EqualityGoal(left=left, right=right, negated=negated):
                first, second = self.side_of_comparison(left), self.side_of_comparison(right)
                if negated:
                    self.add_literal(f"{first} != {second}")
                else:
                    self.add_literal(f"{first} = {second}")
            case ComparisonGoal() | AssignmentGoal() if self.out.exact:
                self.exact_goal(goal)
            case ComparisonGoal(operator=operator, left=left, right=right):
                first, second = self.expression(left), self.expression(right)
                self.add_literal(f"{first} {operator} {second}")
            case AssignmentGoal(target=target, value=value):
                self.assign(target, self.expression(value))

    def negated_call(self, goal: CallGoal) -> None:
        """Add a negated call: it must hold of no values of the variables that stand in it alone."""
        local = local_variables(goal, self.clause)
        terms = []
        for arg in goal.args:
            if isinstance(arg, Variable) and arg.name in local:
                terms.append("_")
            else:
                terms.append(self.term(arg))
        self.track_errors(goal, terms)
        self.add_literal(f"not {self.atom(goal.predicate, terms)}")

    def assign(self, target: Term, value: str) -> None:
        """Add the literal `target = value`, and a rule that makes the calculated number one of all terms."""
        text = self.side_of_comparison(target)
        self.add_literal(f"{text} = {value}")
        if isinstance(target, Variable):
            self.out.number_rules.append(f"u({text}) :- {', '.join(self.body)}.")

    def track_errors(self, goal: CallGoal, terms: list[str]) -> None:
        """Add the rules for an error in the predicate that is called: it refuses the task, or becomes the caller's."""
        if goal.predicate not in self.out.error_predicates:
            return
        places = self.places(goal.predicate)
        args = [terms[i] for i in places]
        demand, error = self.relation("d", goal.predicate, args), self.relation("e", goal.predicate, args)
        if goal.negated or not self.is_from_caller(goal.args[i] for i in places):
            self.add_rule(demand, self.body)
            self.add_guard(error, "gives a value to arithmetic that Prolog cannot calculate with")
        elif self.demanded_body is not None:
            self.add_rule(demand, self.demanded_body)
            self.add_rule(self.relation("e", self.clause.predicate, self.given), self.demanded_body, error)

    def is_from_caller(self, terms: Iterable[Term]) -> bool:
        """Whether one of the terms has a variable whose value comes from the caller."""
        return any(not self.caller_variables.isdisjoint(variables(term)) for term in terms)

    def atom(self, predicate: Predicate, args: list[str]) -> str:
        """An atom of a predicate of the clauses."""
        name = self.out.name(predicate)
        if not args:
            return name
        return f"{name}({','.join(args)})"

    def relation(self, kind: str, predicate: Predicate, args: list[str]) -> str:
        """An atom of a predicate's relation of demands or of errors."""
        return f"{kind}_{self.out.name(predicate)}({','.join(args)})"

    def variable(self, name: str) -> str:
        """The name of a variable of the clause in the text."""
        return self.variables.setdefault(name, f"V{len(self.variables)}")

    def term(self, term: Term) -> str:
        """The term's ASP text; patterns are taken apart by structure literals."""
        if isinstance(term, Variable):
            return self.variable(term.name)
        if is_ground(term):
            return self.out.constant(term)
        if isinstance(term, List):
            tail = self.term(term.tail)
            for item in reversed(term.items):
                tail = self.pattern(LIST[0], [self.term(item), tail])
            return tail
        assert isinstance(term, Compound)
        return self.pattern(term.functor, [self.term(arg) for arg in term.args])

    def side_of_comparison(self, term: Term) -> str:
        """The text of a term on one side of a comparison."""
        if isinstance(term, Integer) and abs(term.value) <= LARGEST:
            return self.number(term.value)
        return self.term(term)

    def number(self, value: int) -> str:
        """A variable with this value.

        From numbers in comparisons clingo infers between which bounds a variable lies, and enumerates what lies between them
        where that is little. It never ends if the upper one is 2147483647, or comes to that by its calculations.
        """
        self.fresh += 1
        self.add_literal(f"{self.out.number(value)}(K{self.fresh})")
        return f"K{self.fresh}"

    def pattern(self, functor: str, args: list[str]) -> str:
        """A variable for a compound term, with the literal that takes it apart."""
        self.fresh += 1
        whole = f"S{self.fresh}"
        self.add_literal(f"{self.out.structure(functor, len(args))}({','.join([whole, *args])})")
        return whole

    # --- arithmetic, exactly

    def exact_goal(self, goal: ComparisonGoal | AssignmentGoal) -> None:
        """Write an arithmetic goal as a call of a Python function that calculates as Prolog does."""
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
        if not self.is_from_caller(sides):
            why = "calculates with something that is not a number, divides by zero or runs over"
            self.add_guard(f"1 = @fails({values})", why)
        elif self.demanded_body is not None:
            error = self.relation("e", self.clause.predicate, self.given)
            self.add_rule(error, self.demanded_body, f"1 = @fails({values})")
        if isinstance(goal, ComparisonGoal):
            self.add_literal(f"1 = @holds({values})")
        else:
            self.assign(goal.target, f"@value({values})")

    # --- arithmetic as clingo's

    def expression(self, term: Term) -> str:
        """An arithmetic expression in ASP, with a guard for each value that clingo would treat unlike Prolog."""
        match term:
            case Variable(name=name):
                return self.arithmetic_variable(name)
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

    def arithmetic_variable(self, name: str) -> str:
        """A variable in an arithmetic expression; what is no number is above `a` in clingo's order of terms."""
        text = self.variable(name)
        if name not in self.caller_variables:
            self.add_exact_guard(f"{text} > a")
            return text
        self.out.counts_inputs = True
        if self.demanded_body is not None:
            error = self.relation("e", self.clause.predicate, self.given)
            self.add_rule(error, self.demanded_body, f"{text} > a")
        self.add_literal(f"{text} < a")
        return text

    def operation(self, operator: str, left: str, right: str) -> str:
        """An operation in ASP, with guards for operands on which clingo and Prolog differ."""
        if operator in "+-*":
            most = SUM_SAFE
            if operator == "*":
                most = PRODUCT_SAFE
            for side in (left, right):
                self.add_exact_guard(f"|{side}| > {most}")
            return f"({left}{operator}{right})"
        self.add_exact_guard(f"{right} = 0")
        if operator == "//":
            return f"({left}/{right})"
        # clingo's remainder has the sign of the dividend, Prolog's mod that of the divisor, which is added for that
        self.add_exact_guard(f"|{right}| > {SUM_SAFE}")
        return f"(((({left})\\({right}))+({right}))\\({right}))"

    def add_exact_guard(self, condition: str) -> None:
        """Add a guard: if its condition holds, the clauses have to be translated exactly."""
        self.add_guard(condition, "calculates with what clingo cannot", exactly=True)

    def add_guard(self, condition: str, why: str, *, exactly: bool = False) -> None:
        """Add a rule for `bad(N)`, which holds if the body so far and the condition do."""
        self.add_rule(f"bad({len(self.out.guards)})", self.body, condition)
        self.out.guards.append(Guard(self.refusal(why), exactly))

    def refusal(self, why: str) -> NeedsProlog:
        """The error that says why only Prolog can do with this clause."""
        return NeedsProlog(f"this clause {why}", place=self.clause.place, remedy=GET_PROLOG)
