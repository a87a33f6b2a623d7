"""Arithmetic in clingo's rules, done in Python: exactly as Prolog does it.

clingo knows whole numbers of 32 bits. Where a rule meets other numbers, its goals become calls of the functions here,
which clingo makes while it grounds. Terms are written as everywhere between the store and clingo: numbers that clingo
knows are themselves, other terms of the store are `t(ID)`; a number that neither has is `n("…")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from joiner_magic.logic.arithmetic import Expression, NoValue, Number, OnlyProlog, compares, evaluated

if TYPE_CHECKING:
    from clingo import Symbol

LARGEST = 2**31 - 1  # whole number that clingo knows, as it is used here

# A comparison of two expressions; without an operator the first one is calculated.
ArithmeticGoal: TypeAlias = "tuple[str, Expression, Expression]"


@dataclass(frozen=True, slots=True)
class ArithmeticGoals:
    """The goals, and the terms of the store that have a value; plain values, to be sent to another process."""

    goals: Sequence[ArithmeticGoal]
    values: Sequence[tuple[int, Number]] = ()  # by the numbers of terms
    numbers: Sequence[tuple[int, Number]] = ()  # those of them that are numbers themselves
    unclear: Sequence[int] = ()  # terms of which only Prolog knows the value

    def plain(self) -> tuple[Any, ...]:
        return (list(self.goals), list(self.values), list(self.numbers), list(self.unclear))


def number_text(value: Number) -> str:
    """By which a number is known that clingo does not know; `read_number` is the inverse."""
    return value.hex() if isinstance(value, float) else str(value)


def read_number(text: str) -> Number:
    return int(text) if text.lstrip("-").isdigit() else float.fromhex(text)


@dataclass(slots=True)
class ArithmeticFunctions:
    """What clingo calls: `@holds`, `@value`, `@fails` with a goal's number and its variables' values; `@counts`.

    A goal that only Prolog can calculate is written down in `refused`, and has no value.
    """

    calculation: ArithmeticGoals
    refused: set[int] = field(default_factory=set)
    _values: dict[int, Number] = field(default_factory=dict)
    _terms: dict[str, int] = field(default_factory=dict)
    _unclear: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self._values = dict(self.calculation.values)
        self._terms = {number_text(value): term for term, value in self.calculation.numbers}
        self._unclear = frozenset(self.calculation.unclear)

    def counts(self, term: Symbol) -> Symbol:
        """1 if a term has a value, or may have one."""
        import clingo

        try:
            self._number(term)
        except NoValue:
            return clingo.Number(0)
        except OnlyProlog:
            pass
        return clingo.Number(1)

    def holds(self, goal: Symbol, *terms: Symbol) -> Symbol:
        """1 if a comparison holds."""
        import clingo

        return clingo.Number(1 if self._outcome(goal.number, terms) is True else 0)

    def fails(self, goal: Symbol, *terms: Symbol) -> Symbol:
        """1 if Prolog raises an error there."""
        import clingo

        return clingo.Number(1 if isinstance(self._outcome(goal.number, terms), NoValue) else 0)

    def value(self, goal: Symbol, *terms: Symbol) -> list[Symbol]:
        """What is calculated; nothing where Prolog raises an error."""
        found = self._outcome(goal.number, terms)
        return [] if found is None or isinstance(found, NoValue) else [self._symbol(found)]

    def _outcome(self, goal: int, terms: tuple[Symbol, ...]) -> Number | bool | NoValue | None:
        """None where only Prolog knows."""
        comparison, left, right = self.calculation.goals[goal]
        try:
            values = tuple([self._number(term) for term in terms])
            if not comparison:
                return evaluated(left, values)
            return compares(comparison, evaluated(left, values), evaluated(right, values))
        except NoValue as error:
            return error
        except OnlyProlog:
            self.refused.add(goal)
            return None

    def _number(self, term: Symbol) -> Number:
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
        import clingo

        if isinstance(value, int) and -LARGEST <= value <= LARGEST:
            return clingo.Number(value)
        text = number_text(value)
        if text in self._terms:
            return clingo.Function("t", [clingo.Number(self._terms[text])])
        return clingo.Function("n", [clingo.String(text)])
