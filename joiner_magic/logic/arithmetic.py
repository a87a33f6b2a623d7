"""Arithmetic exactly as SWI-Prolog calculates it, or not at all.

Whole numbers have any size, floats are those of IEEE 754, and both are mixed as SWI-Prolog mixes them by default: `6/2`
is a whole number and `7/2` a float, `//` cuts off, `mod` has the sign of the divisor, `1 =:= 1.0` holds and `1 == 1.0`
does not. Atoms, strings, lists and other compound terms are calculated with as well: `e` and `pi` are numbers, a string of
one character and a list of one are its code, and `1+2` is 3 wherever it stands.

Two exceptions say that there is no number. `NoValue`: Prolog raises an error (not a number, a division by zero, an
overflow). `OnlyProlog`: Prolog has an answer, but it depends on Prolog's version or on its C library, on the time, or
on chance, or is too large to be calculated here. A caller must not guess what it is.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import TypeAlias

from joiner_magic.logic.terms import NIL, Compound, Float, Integer, List, String, Symbol, Term, Variable

Number: TypeAlias = int | float

_EXACT = 2**53  # whole numbers up to this one are floats too
_SURELY_ROUNDED = 2.0**62  # SWI-Prolog 9.2 rounds 2.0**63 to 2**63 - 1
_MOST_BITS = 1 << 14  # of a whole number that is calculated here
_DEEPEST = 100  # of an expression


class NoValue(Exception):
    """Prolog raises an error instead of calculating this."""


class OnlyProlog(Exception):
    """Prolog has an answer here, but only Prolog knows it."""


# --- comparing


def compares(comparison: str, left: Number, right: Number) -> bool:
    """Whether `left comparison right` holds in Prolog."""
    if isinstance(left, int) != isinstance(right, int):
        _refuse_close(left, right)
    return _COMPARISONS[comparison](left, right)


_COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "=<": operator.le,
    ">=": operator.ge,
    "=:=": operator.eq,
    "=\\=": operator.ne,
}


def _refuse_close(left: Number, right: Number) -> None:
    """Raise OnlyProlog if versions of Prolog may compare a large whole number and a float differently.

    Some compare exactly, others round the whole number to a float first. Rounding keeps the order, but it can make the
    two equal, if the float is next to the whole number.
    """
    whole, real = (left, right) if isinstance(left, int) else (right, left)
    assert isinstance(whole, int)
    if abs(whole) <= _EXACT or math.isnan(real) or whole == real:
        return
    try:
        rounded = float(whole)
    except OverflowError:
        rounded = math.inf if whole > 0 else -math.inf
    if real in (rounded, math.nextafter(rounded, math.inf), math.nextafter(rounded, -math.inf)):
        raise OnlyProlog


# --- calculating


def _add(left: Number, right: Number) -> Number:
    return _calculate_mixed(operator.add, left, right)


def _subtract(left: Number, right: Number) -> Number:
    return _calculate_mixed(operator.sub, left, right)


def _multiply(left: Number, right: Number) -> Number:
    return _calculate_mixed(operator.mul, left, right)


def _calculate_mixed(calculate: Callable[[Number, Number], Number], left: Number, right: Number) -> Number:
    """Calculate with whole numbers if both are, otherwise with floats."""
    if isinstance(left, int) and isinstance(right, int):
        return _whole(calculate(left, right))
    return _real(calculate(_as_float(left), _as_float(right)))


def _divide(left: Number, right: Number) -> Number:
    """Divide as `/`: a whole number if that is exact, otherwise a float."""
    if right == 0:
        raise NoValue
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    return _real(_as_float(left) / _as_float(right))


def _cut_quotient(left: int, right: int) -> int:
    """Divide as `//`, which cuts off towards zero."""
    quotient = abs(left) // abs(_divisor(right))
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: int, right: int) -> int:
    """The remainder `rem`, which has the sign of the dividend."""
    remainder = abs(left) % abs(_divisor(right))
    return -remainder if left < 0 else remainder


def _divisor(right: int) -> int:
    """The divisor; NoValue if it is 0."""
    if right == 0:
        raise NoValue
    return right


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(base, int) and isinstance(exponent, int):
        return _whole_power(base, exponent)
    if base in (0, 1, -1) or exponent == 0:  # versions differ in whether these are whole numbers
        raise OnlyProlog
    if base < 0 and not float(exponent).is_integer():
        raise NoValue
    try:
        return _real(math.pow(_as_float(base), _as_float(exponent)))
    except OverflowError:
        raise NoValue from None


def _whole_power(base: int, exponent: int) -> int:
    if base in (1, -1):
        return base if exponent % 2 else 1
    if exponent < 0:  # an error, a fraction or a float, as flags say
        raise OnlyProlog
    if base and base.bit_length() * exponent > _MOST_BITS:
        raise OnlyProlog
    return int(base**exponent)


def _shift_left(value: int, by: int) -> int:
    if by > _MOST_BITS or -by > _MOST_BITS:
        raise OnlyProlog
    return int(_whole(value << by)) if by >= 0 else value >> -by


def _maximum(left: Number, right: Number) -> Number:
    return _extreme(left, right, largest=True)


def _minimum(left: Number, right: Number) -> Number:
    return _extreme(left, right, largest=False)


def _extreme(left: Number, right: Number, *, largest: bool) -> Number:
    """The larger or the smaller number; OnlyProlog for equal ones of different kinds."""
    _refuse_special(left, right)
    if compares("=:=", left, right) and not _is_same(left, right):  # 1 and 1.0, 0.0 and -0.0
        raise OnlyProlog
    return left if compares(">=" if largest else "=<", left, right) else right


def _is_same(left: Number, right: Number) -> bool:
    return type(left) is type(right) and math.copysign(1, left) == math.copysign(1, right)


def _absolute(value: Number) -> Number:
    _refuse_special(value)
    return abs(value)


def _sign(value: Number) -> Number:
    _refuse_special(value)
    if isinstance(value, int):
        return (value > 0) - (value < 0)
    if value == 0:
        raise OnlyProlog
    return math.copysign(1.0, value)


def _negative(value: Number) -> Number:
    _refuse_special(value)
    return -value


def _positive(value: Number) -> Number:
    return value


def _round(value: Number) -> int:
    """To the nearest whole number, halves away from zero."""
    _refuse_special(value)
    if isinstance(value, int):
        return value
    if abs(value) > _SURELY_ROUNDED:
        raise OnlyProlog
    below = math.floor(abs(value))
    nearest = below + (abs(value) - below >= 0.5)
    return nearest if value >= 0 else -nearest


def _integral(calculate: Callable[[Number], int]) -> Callable[[Number], Number]:
    def checked(value: Number) -> Number:
        _refuse_special(value)
        return calculate(value)

    return checked


def _float(value: Number) -> float:
    return _as_float(value)


def _square_root(value: Number) -> float:
    if value < 0:
        raise NoValue
    return math.sqrt(_as_float(value))


def _as_float(value: Number) -> float:
    """The number as a float; NoValue if it is too large."""
    _refuse_special(value)
    try:
        return float(value)
    except OverflowError:
        raise NoValue from None


def _real(value: Number) -> Number:
    """The value, unless it has become infinite."""
    if math.isinf(value):  # an overflow: what went in is finite
        raise NoValue
    return value


def _whole(value: Number) -> Number:
    """The whole number, unless it is too large to be calculated here."""
    assert isinstance(value, int)
    if value.bit_length() > _MOST_BITS:
        raise OnlyProlog
    return value


def _refuse_special(*values: Number) -> None:
    """Raise OnlyProlog for infinities and NaN: what Prolog makes of them depends on its flags."""
    if any(isinstance(value, float) and not math.isfinite(value) for value in values):
        raise OnlyProlog


def _on_integers(calculate: Callable[..., int]) -> Callable[..., Number]:
    """A function that raises NoValue unless all its arguments are whole numbers, as in Prolog."""

    def checked(*values: Number) -> Number:
        if not all(isinstance(value, int) for value in values):
            raise NoValue
        return calculate(*values)

    return checked


_FUNCTIONS: dict[tuple[str, int], Callable[..., Number]] = {
    ("+", 2): _add,
    ("-", 2): _subtract,
    ("*", 2): _multiply,
    ("/", 2): _divide,
    ("//", 2): _on_integers(_cut_quotient),
    ("rem", 2): _on_integers(_remainder),
    ("mod", 2): _on_integers(lambda left, right: left % _divisor(right)),
    ("div", 2): _on_integers(lambda left, right: left // _divisor(right)),
    ("**", 2): _power,
    ("^", 2): _power,
    ("<<", 2): _on_integers(_shift_left),
    (">>", 2): _on_integers(lambda value, by: _shift_left(value, -by)),
    ("/\\", 2): _on_integers(operator.and_),
    ("\\/", 2): _on_integers(operator.or_),
    ("xor", 2): _on_integers(operator.xor),
    ("\\", 1): _on_integers(operator.invert),
    ("gcd", 2): _on_integers(math.gcd),
    ("max", 2): _maximum,
    ("min", 2): _minimum,
    ("abs", 1): _absolute,
    ("sign", 1): _sign,
    ("-", 1): _negative,
    ("+", 1): _positive,
    ("integer", 1): _round,
    ("round", 1): _round,
    ("truncate", 1): _integral(math.trunc),
    ("floor", 1): _integral(math.floor),
    ("ceiling", 1): _integral(math.ceil),
    ("float", 1): _float,
    ("sqrt", 1): _square_root,
}

_CONSTANTS: dict[str, float] = {
    "e": math.e,
    "pi": math.pi,
    "inf": math.inf,
    "nan": math.nan,
    "epsilon": 2.220446049250313e-16,
}

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
EVALUABLE_SYMBOLS = sorted(_CONSTANTS.keys() | _OTHER_CONSTANTS)
EVALUABLE_FUNCTORS = sorted(_FUNCTIONS.keys() | _OTHER_FUNCTIONS)


# --- terms

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
            if (functor, len(args)) in _FUNCTIONS:
                return (functor, tuple(expression(arg, places, depth + 1) for arg in args))
            raise OnlyProlog if (functor, len(args)) in _OTHER_FUNCTIONS else NoValue


def _constant(name: str) -> float:
    """The value of a constant such as `pi`."""
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    raise OnlyProlog if name in _OTHER_CONSTANTS else NoValue


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
    return _FUNCTIONS[name, len(arguments)](*arguments)
