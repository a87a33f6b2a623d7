"""Arithmetic in clingo's rules, calculated in Python exactly as Prolog would.

clingo knows whole numbers of 32 bits only. Where a rule may meet other numbers, its arithmetic goals become calls of the
Python functions here, which clingo calls while it grounds. Terms are written as everywhere between the native store of
facts and clingo: a number that clingo knows is itself, another term of the store is `t(ID)`, and a number that neither
of them has is `n("…")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from joiner_magic.logic.arithmetic import Expression, evaluate_expression
from joiner_magic.logic.calculations import NoValue, Number, OnlyProlog, compares

if TYPE_CHECKING:
    from clingo import Symbol

LARGEST = 2**31 - 1  # whole number that clingo knows, as it is used here

# A comparison of two expressions; without an operator the first one is calculated.
ArithmeticGoal: TypeAlias = "tuple[str, Expression, Expression]"


@dataclass(frozen=True, slots=True)
class ArithmeticGoals:
    """The arithmetic goals of a program, and the terms of the store that have a value.

    All fields are plain values, which can be sent to another process.
    """

    goals: Sequence[ArithmeticGoal]
    values: Sequence[tuple[int, Number]] = ()  # by the numbers of terms
    numbers: Sequence[tuple[int, Number]] = ()  # those of them that are numbers themselves
    unclear: Sequence[int] = ()  # terms of which only Prolog knows the value

    def plain(self) -> tuple[Any, ...]:
        """The fields as lists: the arguments of this class in another process."""
        return (list(self.goals), list(self.values), list(self.numbers), list(self.unclear))


def number_text(value: Number) -> str:
    """A number as the text in `n("…")`; `read_number` is the inverse."""
    if isinstance(value, float):
        return value.hex()
    return str(value)


def read_number(text: str) -> Number:
    """The number of a text that `number_text` has written."""
    if text.lstrip("-").isdigit():
        return int(text)
    return float.fromhex(text)


@dataclass(slots=True)
class ArithmeticFunctions:
    """The functions that clingo calls while it grounds, as `@holds`, `@value`, `@fails` and `@counts`.

    The first three get the number of a goal and the values of its variables, the last a term. A goal that only
    Prolog can calculate has no value, and its number is added to `refused`.
    """

    goals: ArithmeticGoals
    refused: set[int] = field(default_factory=set)
    _values: dict[int, Number] = field(default_factory=dict)
    _terms: dict[str, int] = field(default_factory=dict)
    _unclear: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self._values = dict(self.goals.values)
        self._terms = {number_text(value): term for term, value in self.goals.numbers}
        self._unclear = frozenset(self.goals.unclear)

    def counts(self, term: Symbol) -> Symbol:
        """1 if a term has a value as a number, or may have one; otherwise 0."""
        import clingo

        try:
            self._number(term)
        except NoValue:
            return clingo.Number(0)
        except OnlyProlog:
            pass
        return clingo.Number(1)

    def holds(self, goal: Symbol, *terms: Symbol) -> Symbol:
        """1 if a comparison holds, otherwise 0."""
        import clingo

        return clingo.Number(1 if self._outcome(goal.number, terms) is True else 0)

    def fails(self, goal: Symbol, *terms: Symbol) -> Symbol:
        """1 if Prolog raises an error for this goal, otherwise 0."""
        import clingo

        return clingo.Number(1 if isinstance(self._outcome(goal.number, terms), NoValue) else 0)

    def value(self, goal: Symbol, *terms: Symbol) -> list[Symbol]:
        """The number that a goal calculates, in a list; the list is empty where there is none."""
        outcome = self._outcome(goal.number, terms)
        if outcome is None or isinstance(outcome, NoValue):
            return []
        return [self._symbol(outcome)]

    def _outcome(self, goal: int, terms: tuple[Symbol, ...]) -> Number | bool | NoValue | None:
        """The number, whether the comparison holds, or the error; None where only Prolog knows."""
        comparison, left, right = self.goals.goals[goal]
        try:
            values = tuple([self._number(term) for term in terms])
            if not comparison:
                return evaluate_expression(left, values)
            return compares(comparison, evaluate_expression(left, values), evaluate_expression(right, values))
        except NoValue as error:
            return error
        except OnlyProlog:
            self.refused.add(goal)
            return None

    def _number(self, term: Symbol) -> Number:
        """The number that a term is worth. Raises NoValue or OnlyProlog if it has none."""
        import clingo

        if term.type == clingo.SymbolType.Number:
            return term.number
        (content,) = term.arguments
        if term.name == "n":
            return read_number(content.string)
        if content.number in self._values:
            return self._values[content.number]
        raise OnlyProlog if content.number in self._unclear else NoValue

    def _symbol(self, value: Number) -> Symbol:
        """The term that a number is written as."""
        import clingo

        if isinstance(value, int) and -LARGEST <= value <= LARGEST:
            return clingo.Number(value)
        text = number_text(value)
        if text in self._terms:
            return clingo.Function("t", [clingo.Number(self._terms[text])])
        return clingo.Function("n", [clingo.String(text)])
