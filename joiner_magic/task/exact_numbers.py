"""Exact positive numbers, as texts give them: weights of examples and prices of errors.

A decimal such as 0.1 has no exact float, and sums of floats depend on their order. What a learner proves about
costs must not hang on that, so these numbers are fractions, made of the digits that a person wrote and of nothing else.
"""

from __future__ import annotations

import re
from fractions import Fraction

ONE = Fraction(1)

# Far more than anybody writes; sums of many numbers, and what is computed of them, stay small.
MOST_DIGITS = 60  # of a numerator and of a denominator
_BEYOND = 10**MOST_DIGITS

_DECIMAL = re.compile(r"(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?", re.ASCII)
_QUOTIENT = re.compile(r"(\d+)\s*/\s*(\d+)", re.ASCII)


class NotExact(ValueError):
    """A text is no positive number, or one with more digits than there may be. The message says which."""


def read_exact(text: str) -> Fraction:
    """The number that a text is: a decimal such as 3, 0.25 or 1.5e3, or a quotient such as 1/3. NotExact if it is none.

    Nothing is rounded. A text with a large exponent is refused before its number is made, which would take long.
    """
    if len(text) > 4 * MOST_DIGITS:
        raise NotExact("has too many digits")
    return check_exact(_fraction(text.strip()))


def _fraction(text: str) -> Fraction:
    """The number, if the text has the form of one."""
    if quotient := _QUOTIENT.fullmatch(text):
        numerator, denominator = map(int, quotient.groups())
        if denominator == 0:
            raise NotExact("is no number")
        return Fraction(numerator, denominator)
    decimal = _DECIMAL.fullmatch(text)
    if decimal is None:
        raise NotExact("is no number above 0")
    whole, behind_point, exponent = decimal.groups(default="")
    digits = int(whole + behind_point)
    if digits == 0:
        raise NotExact("is not above 0")
    power = int(exponent or 0) - len(behind_point)
    if abs(power) > 4 * MOST_DIGITS:
        raise NotExact("has too many digits")
    return Fraction(digits) * Fraction(10) ** power


def check_exact(number: Fraction) -> Fraction:
    """The number itself; NotExact if it is not above 0, or has too many digits."""
    if number <= 0:
        raise NotExact("is not above 0")
    if max(number.numerator, number.denominator) >= _BEYOND:
        raise NotExact("has too many digits")
    return number


def write_exact(number: Fraction) -> str:
    """A text that `read_exact` reads as this number: a decimal where that is exact, and otherwise a quotient."""
    places = _decimal_places(number.denominator)
    if places is None:
        return f"{number.numerator}/{number.denominator}"
    if places == 0:
        return str(number.numerator)
    digits = str(number.numerator * 10**places // number.denominator).zfill(places + 1)
    return f"{digits[:-places]}.{digits[-places:]}"


def _decimal_places(denominator: int) -> int | None:
    """How many digits behind the point a fraction with this denominator, in lowest terms, has; None if no end."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator //= 2
        twos += 1
    while denominator % 5 == 0:
        denominator //= 5
        fives += 1
    if denominator != 1:
        return None
    return max(twos, fives)
