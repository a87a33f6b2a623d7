"""Clauses translated to an ASP program: its text, and what the names and numbers in it stand for."""

from __future__ import annotations

from dataclasses import dataclass, field

from joiner_magic._core import Store
from joiner_magic.engines.datalog.required_inputs import Inputs
from joiner_magic.errors import NeedsProlog
from joiner_magic.logic.arithmetic import EVALUABLE_FUNCTORS, EVALUABLE_SYMBOLS, number_of
from joiner_magic.logic.calculations import NoValue, Number, OnlyProlog
from joiner_magic.logic.terms import Float, Integer, Predicate, Term
from joiner_magic.solvers.clingo_arithmetic import LARGEST, ArithmeticGoal, ArithmeticGoals


class NotNative(Exception):
    """A clause calculates with values that clingo does not know: the clauses have to be translated exactly."""


@dataclass(frozen=True, slots=True)
class Guard:
    """What to do if the atom `bad(N)` of a guard holds."""

    refusal: NeedsProlog
    exactly: bool  # whether translating the clauses exactly may help


@dataclass(slots=True)
class Translation:
    """The ASP text of the clauses, and what the names in it stand for."""

    store: Store
    inputs: Inputs
    exact: bool = False
    error_predicates: frozenset[Predicate] = frozenset()  # those with relations for demands and errors
    names: dict[Predicate, str] = field(default_factory=dict)
    structures: dict[tuple[str, int], str] = field(default_factory=dict)
    numbers: dict[int, str] = field(default_factory=dict)  # for each one a predicate that holds of it alone
    guards: list[Guard] = field(default_factory=list)
    goals: list[ArithmeticGoal] = field(default_factory=list)  # that are calculated exactly
    refusals: list[NeedsProlog] = field(default_factory=list)  # for each of them
    lines: list[str] = field(default_factory=list)
    # Rules that make the numbers which clauses calculate terms of `u/1`.
    number_rules: list[str] = field(default_factory=list)
    ranges: set[str] = field(default_factory=set)  # which of u/1 and ui/1 are used
    counts_inputs: bool = False  # whether arithmetic meets values that are given

    def name(self, predicate: Predicate) -> str:
        """The name of a predicate in the text."""
        return self.names.setdefault(predicate, f"p{len(self.names)}")

    def structure(self, functor: str, arity: int) -> str:
        """The name of the relation that has all compound terms with this functor."""
        return self.structures.setdefault((functor, arity), f"s{len(self.structures)}")

    def number(self, value: int) -> str:
        """The name of a predicate that holds of this number alone."""
        if value not in self.numbers:
            self.numbers[value] = f"c{len(self.numbers)}"
            self.lines.append(f"c{len(self.numbers) - 1}({value}).")
        return self.numbers[value]

    def constant(self, term: Term) -> str:
        """A ground term in the text: a number, or `t(ID)`."""
        if isinstance(term, Integer) and -LARGEST <= term.value <= LARGEST:
            return str(term.value)
        return f"t({self.store.intern(term)})"

    def universe(self) -> list[str]:
        """The rules for `u/1`, all terms, and `ui/1`, those that can be calculated with."""
        if not self.ranges:
            return []
        counted = "X < a"  # what is no number is above `a` in clingo's order of terms
        if self.exact:
            counted = "1 = @counts(X)"
        return [self.store.asp_universe("u"), f"ui(X) :- u(X), {counted}.", *self.number_rules]

    def calculation(self) -> ArithmeticGoals | None:
        """The arithmetic goals of the exact translation, and the terms with a value; None for the native one."""
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
    """The numbers of terms that may have a value in Prolog and are no numbers for clingo."""
    return store.evaluable(set(EVALUABLE_SYMBOLS), EVALUABLE_FUNCTORS)
