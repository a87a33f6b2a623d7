"""Numbers compared and calculated with exactly as SWI-Prolog does it, or not at all.

Whole numbers have any size, floats are those of IEEE 754, and both are mixed as SWI-Prolog mixes them by default: `6/2`
is a whole number and `7/2` a float, `//` cuts off, `mod` has the sign of the divisor, `1 =:= 1.0` holds and `1 == 1.0`
does not.

Two exceptions say that there is no number. `NoValue`: Prolog raises an error (not a number, a division by zero, an
overflow). `OnlyProlog`: Prolog has an answer, but it depends on Prolog's version or on its C library, on the time, or
on chance, or is too large to be calculated here. A caller must not guess what it is.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TypeAlias

Number: TypeAlias = int | float

_EXACT = 2**53  # whole numbers up to this one are floats too
_SURELY_ROUNDED = 2.0**62  # SWI-Prolog 9.2 rounds 2.0**63 to 2**63 - 1
_MOST_BITS = 1 << 14  # of a whole number that is calculated here


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
    whole, real = left, right
    if isinstance(right, int):
        whole, real = right, left
    assert isinstance(whole, int)
    if abs(whole) <= _EXACT or math.isnan(real) or whole == real:
        return
    try:
        rounded = float(whole)
    except OverflowError:
        rounded = math.inf
        if whole < 0:
            rounded = -math.inf
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
    if (left < 0) == (right < 0):
        return quotient
    return -quotient


def _remainder(left: int, right: int) -> int:
    """The remainder `rem`, which has the sign of the dividend."""
    remainder = abs(left) % abs(_divisor(right))
    if left < 0:
        return -remainder
    return remainder


def _divisor(right: int) -> int:
    """The divisor; NoValue if it is 0."""
    if right == 0:
        raise NoValue
    return right


def _power(base: Number, exponent: Number) -> Number:
    """The power `base ** exponent`; two whole numbers have a whole one."""
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
    """The power of whole numbers, where all versions of Prolog agree on a whole number."""
    if base == 1 or (base == -1 and exponent % 2 == 0):
        return 1
    if base == -1:
        return -1
    if exponent < 0:  # an error, a fraction or a float, as flags say
        raise OnlyProlog
    if base and base.bit_length() * exponent > _MOST_BITS:
        raise OnlyProlog
    return int(base**exponent)


def _shift_left(value: int, by: int) -> int:
    """Shift bits as `<<`; a negative number of places shifts them to the right."""
    if by > _MOST_BITS or -by > _MOST_BITS:
        raise OnlyProlog
    if by < 0:
        return value >> -by
    return int(_whole(value << by))


def _maximum(left: Number, right: Number) -> Number:
    """The larger number; OnlyProlog for equal ones of different kinds."""
    return _preferred(">=", left, right)


def _minimum(left: Number, right: Number) -> Number:
    """The smaller number; OnlyProlog for equal ones of different kinds."""
    return _preferred("=<", left, right)


def _preferred(comparison: str, left: Number, right: Number) -> Number:
    """The left number if the comparison with the right one holds, otherwise the right one."""
    _refuse_special(left, right)
    if compares("=:=", left, right) and not _is_same(left, right):  # 1 and 1.0, 0.0 and -0.0
        raise OnlyProlog
    if compares(comparison, left, right):
        return left
    return right


def _is_same(left: Number, right: Number) -> bool:
    """Whether two equal numbers have the same type and, as zeros may not, the same sign."""
    return type(left) is type(right) and math.copysign(1, left) == math.copysign(1, right)


def _absolute(value: Number) -> Number:
    _refuse_special(value)
    return abs(value)


def _sign(value: Number) -> Number:
    """1, 0 or -1, of the same kind as the value; versions of Prolog differ in the sign of the zeros."""
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
    if value < 0:
        return -nearest
    return nearest


def _integral(calculate: Callable[[Number], int]) -> Callable[[Number], Number]:
    """A function that raises OnlyProlog for infinities and NaN, which are near no whole number."""

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


# What Prolog's functions calculate, by name and number of arguments.
FUNCTIONS: dict[tuple[str, int], Callable[..., Number]] = {
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

# The numbers that atoms are worth.
CONSTANTS: dict[str, float] = {
    "e": math.e,
    "pi": math.pi,
    "inf": math.inf,
    "nan": math.nan,
    "epsilon": 2.220446049250313e-16,
}
