"""The numbers that Prolog terms are worth, calculated as SWI-Prolog does it.

Numbers are worth themselves, and calculating with them is in `calculations.py`. Atoms, strings, lists and other compound
terms are calculated with as well: `e` and `pi` are numbers, a string of one character and a list of one are its code, and
`1+2` is 3 wherever it stands. The exceptions `NoValue` and `OnlyProlog` of `calculations.py` say that a term has no number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from joiner_magic.logic.calculations import CONSTANTS, FUNCTIONS, NoValue, Number, OnlyProlog
from joiner_magic.logic.terms import NIL, Compound, Float, Integer, List, String, Symbol, Term, Variable

_DEEPEST = 100  # of an expression

# Names of numbers and functions that Prolog has too, in one version or another.
_OTHER_CONSTANTS = frozenset(
    {
        "infinite", "max_tagged_integer", "min_tagged_integer", "max_integer", "min_integer", "max_small_integer",
        "min_small_integer", "random", "random_float", "cputime", "realtime",
    }
)  # fmt: skip
_OTHER_FUNCTIONS = frozenset(
    [(name, 1) for name in (
        "acos", "acosh", "acot", "acoth", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "cot", "coth",
        "denominator", "erf", "erfc", "eval", "exp", "float_fractional_part", "float_integer_part", "lgamma",
        "log", "log10", "log2", "lsb", "msb", "numerator", "popcount", "random", "rational", "rationalize", "sin",
        "sinh", "succ", "tan", "tanh", "trig", "trunc",
    )]
    + [(name, 2) for name in (
        "atan", "atan2", "cmpflags", "cmpr", "copysign", "divmod", "getbit", "lcm", "log", "maxr", "minr",
        "nexttoward", "plus", "random", "rdiv", "roundtoward", "tdiv", "trig", "truncate",
    )]
    + [("powm", 3), ("cot", 2), ("random", 3), ("[|]", 2)]
)  # fmt: skip

# The symbols and functors of terms that may have a value though they are no numbers.
EVALUABLE_SYMBOLS = sorted(CONSTANTS.keys() | _OTHER_CONSTANTS)
EVALUABLE_FUNCTORS = sorted(FUNCTIONS.keys() | _OTHER_FUNCTIONS)


# What a compiled expression is made of: a number, the place of a variable's value, or a function and its arguments.
# Plain values, which can be sent to another process.
Expression: TypeAlias = "int | float | tuple[str, int] | tuple[str, tuple[Expression, ...]]"


def expression(term: Term, places: Mapping[str, int], depth: int = 0) -> Expression:
    """The term as an expression; the variables' values stand at these places.

    Raises NoValue where Prolog knows no such function or constant, and OnlyProlog where only Prolog knows it.
    """
    if depth > _DEEPEST:
        raise OnlyProlog
    match term:
        case Variable(name=name):
            return ("variable", places[name])
        case Integer(value=value) | Float(value=value):
            return value
        case Symbol(name=name):
            return _constant(name)
        case String(value=text):
            return _character(text)
        case List(items=(item,), tail=tail) if tail == NIL:
            return _only_item(item)
        case List():
            raise NoValue
        case Compound(functor=functor, args=args):
            if (functor, len(args)) in FUNCTIONS:
                return (functor, tuple(expression(arg, places, depth + 1) for arg in args))
            if (functor, len(args)) in _OTHER_FUNCTIONS:
                raise OnlyProlog
            raise NoValue


def _constant(name: str) -> float:
    """The value of a constant such as `pi`."""
    if name in CONSTANTS:
        return CONSTANTS[name]
    if name in _OTHER_CONSTANTS:
        raise OnlyProlog
    raise NoValue


def _character(text: str) -> int:
    """The code of a text of one character."""
    if len(text) != 1:
        raise NoValue
    return ord(text)


def _only_item(item: Term) -> int:
    """The value of a list with one item: the whole number in it, or the code of the character."""
    match item:
        case Integer(value=value):
            return value
        case Symbol(name=name):
            return _character(name)
        case Variable():
            raise OnlyProlog
        case _:
            raise NoValue


def number_of(term: Term) -> Number:
    """The number that a ground term is worth; raises NoValue or OnlyProlog if there is none."""
    return evaluate_expression(expression(term, {}), ())


def evaluate_expression(expression: Expression, values: tuple[Number, ...]) -> Number:
    """The value of an expression, given the values of its variables by their places."""
    if not isinstance(expression, tuple):
        return expression
    name, content = expression
    if isinstance(content, int):
        return values[content]
    arguments = [evaluate_expression(argument, values) for argument in content]
    return FUNCTIONS[name, len(arguments)](*arguments)
