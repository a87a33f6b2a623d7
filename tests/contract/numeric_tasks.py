"""Random background rules that calculate, and the plainest possible meaning of them.

The meaning is Prolog's way of running a clause: goals from left to right, clauses from first to last, an error ends it all.
It shares nothing with the package, arithmetic included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, isnan, trunc
from random import Random
from typing import Any

SMALL = ["0", "1", "2", "3", "-1", "-2", "7", "-7", "20"]
LARGE = [
    "2147483647", "-2147483647", "2147483648", "-2147483648", "4294967296", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "100000000000000000000000", "1000000007", "46341",
]  # fmt: skip
REALS = [
    "0.0", "-0.0", "1.0", "2.0", "-2.5", "20.5", "0.1", "1.0e308", "-1.0e308", "5.0e-324", "2147483648.0",
    "9007199254740992.0", "0.5",
]  # fmt: skip
OTHERS = ["a", "b", '"a"', '"word"', "foo(1)"]
VALUES = [*SMALL, *LARGE, *REALS, *OTHERS]

Goal = tuple[Any, ...]
Expression = Any  # a variable "X", another text for a number, or (operator, expressions…)


class PrologError(Exception):
    """Prolog raises one here."""


@dataclass(frozen=True)
class Rule:
    head: tuple[str, str]  # of one argument
    body: tuple[Goal, ...]


@dataclass(frozen=True)
class NumericTask:
    p: tuple[str, ...]
    r: tuple[tuple[str, str], ...]
    rules: tuple[Rule, ...]  # of s and q

    def text(self) -> str:
        facts = [f"p({value})." for value in self.p] + [f"r({v},{w})." for v, w in self.r]
        return "\n".join([*facts, *map(rule_text, self.rules)])


def rule_text(rule: Rule) -> str:
    name, argument = rule.head
    return f"{name}({argument}) :- {', '.join(map(goal_text, rule.body))}."


def goal_text(goal: Goal) -> str:
    match goal:
        case ("compare" | "same", operator, left, right):
            return f"{expression_text(left)} {operator} {expression_text(right)}"
        case ("is", target, value):
            return f"{target} is {expression_text(value)}"
        case ("not", goals):
            return f"\\+ ({', '.join(map(goal_text, goals))})"
        case ("or", left, right):
            return f"( {goal_text(left)} ; {goal_text(right)} )"
        case (name, *args):
            return f"{name}({','.join(args)})"
    raise AssertionError(goal)


def expression_text(found: Expression) -> str:
    if isinstance(found, str):
        return f"({found})" if found.startswith("-") else found
    operator, *args = found
    texts = [expression_text(arg) for arg in args]
    if operator in ("abs", "min", "max", "truncate"):
        return f"{operator}({','.join(texts)})"
    return f"(- {texts[0]})" if len(texts) == 1 else f"({texts[0]} {operator} {texts[1]})"


# --- made at random

COMPARISONS = ["<", ">", "=<", ">=", "=:=", "=\\="]
OPERATORS = ["+", "-", "*", "+", "-", "*", "//", "mod", "/", "min", "max", "rem", "**", "<<", "div"]


def random_task(rng: Random) -> NumericTask:
    pool = rng.choice(
        [SMALL, SMALL + LARGE, SMALL + REALS, SMALL + REALS, REALS, SMALL + LARGE + REALS, VALUES]
    )
    p = tuple(rng.choices(pool, k=rng.randint(2, 5)))
    r = tuple((rng.choice(VALUES), rng.choice(pool)) for _ in range(rng.randint(2, 6)))
    rules = [Rule(("s", "Y"), tuple(_tests(rng, "Y", rng.randint(1, 2))))]
    rules += [_rule(rng) for _ in range(rng.choice([1, 1, 2]))]
    return NumericTask(p, r, tuple(rules))


def _rule(rng: Random) -> Rule:
    kind = rng.randrange(10)
    if kind == 0:
        return Rule(("q", "X"), tuple(_tests(rng, "X", 1)))
    if kind == 1:
        return Rule(("q", "Z"), (("p", "X"), ("is", "Z", _expression(rng, "X", 2))))
    if kind == 2:
        return Rule(("q", "X"), (("r", "X", "Y"), ("not", tuple(_tests(rng, "Y", 2)))))
    if kind == 3:
        return Rule(("q", "X"), (("r", "X", "Y"), rng.choice([("s", "Y"), ("not", (("s", "Y"),))])))
    if kind == 4:
        either = ("or", *_tests(rng, "X", 2))
        return Rule(("q", "X"), (("p", "X"), either))
    if kind == 5:
        return Rule(("q", "X"), (("r", "X", "Y"), ("p", "Z"), ("compare", rng.choice(COMPARISONS), "Y", "Z")))
    if kind == 6:
        return Rule(("q", "X"), (("p", "X"), ("is", rng.choice(SMALL), _expression(rng, "X", 1))))
    if kind == 7:
        made = ("is", "Z", _expression(rng, "Y", 1))
        return Rule(("q", "X"), (("r", "X", "Y"), made, *_tests(rng, "Z", 1)))
    if kind == 8:
        made = ("is", "Z", _expression(rng, "Y", 1))
        return Rule(("q", "X"), (("r", "X", "Y"), made, rng.choice([("s", "Z"), ("not", (("s", "Z"),))])))
    return Rule(("q", "X"), (("r", "X", "Y"), *_tests(rng, "Y", rng.randint(1, 2))))


def _tests(rng: Random, variable: str, how_many: int) -> list[Goal]:
    found: list[Goal] = []
    for _ in range(how_many):
        constant = rng.choice(SMALL + LARGE + REALS)
        if rng.random() < 0.15:
            operator = rng.choice(["==", "\\==", "="])
            found.append(("same", operator, variable, constant))
        else:
            value = _expression(rng, variable, rng.choice([0, 0, 0, 1]))
            found.append(("compare", rng.choice(COMPARISONS), value, constant))
    return found


def _expression(rng: Random, variable: str, depth: int) -> Expression:
    if not depth:
        return variable
    if rng.random() < 0.15:
        return (rng.choice(["-", "abs", "truncate"]), _expression(rng, variable, depth - 1))
    operator = rng.choice(OPERATORS)
    inner = _expression(rng, variable, depth - 1)
    if operator in ("**", "<<"):  # small: Prolog would not end
        return (operator, inner, rng.choice(["0", "1", "2", "3"]))
    other = rng.choice([*SMALL, *SMALL, *LARGE, *REALS, variable])
    return (operator, inner, other) if rng.random() < 0.8 else (operator, other, inner)


# --- run


def outcome(task: NumericTask, value: str) -> bool | None:
    """Whether q holds of a value of VALUES; None if Prolog raises an error."""
    try:
        return any(_calls(task, "q", _value(value)))
    except PrologError:
        return None


def _value(text: str) -> Any:
    """A number as Python's, another term as a text that stands for itself."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and repr(left) == repr(right)


def _calls(task: NumericTask, name: str, value: Any) -> Iterator[bool]:
    for rule in task.rules:
        if rule.head[0] == name:
            for end in _run(task, rule.body, {rule.head[1]: value}):
                assert rule.head[1] in end
                yield True


def _run(task: NumericTask, goals: tuple[Goal, ...], bound: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if not goals:
        yield bound
        return
    for found in _solutions(task, goals[0], bound):
        yield from _run(task, goals[1:], found)


def _solutions(task: NumericTask, goal: Goal, bound: dict[str, Any]) -> Iterator[dict[str, Any]]:
    match goal:
        case ("p", name):
            for value in task.p:
                yield from _unified(bound, [(name, value)])
        case ("r", first, second):
            for v, w in task.r:
                yield from _unified(bound, [(first, v), (second, w)])
        case ("s", name):
            yield from (bound for _ in _calls(task, "s", bound[name]))
        case ("not", inner):
            if not any(True for _ in _run(task, inner, bound)):
                yield bound
        case ("or", left, right):
            yield from _solutions(task, left, bound)
            yield from _solutions(task, right, bound)
        case ("same", operator, name, constant):
            if _same(bound[name], _value(constant)) != (operator == "\\=="):
                yield bound
        case ("compare", operator, left, right):
            if _compared(operator, _calculated(left, bound), _calculated(right, bound)):
                yield bound
        case ("is", target, value):
            result = _calculated(value, bound)
            if target not in bound and target.isalpha():
                yield {**bound, target: result}
            elif _same(bound[target] if target in bound else _value(target), result):
                yield bound


def _unified(bound: dict[str, Any], pairs: list[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    now = dict(bound)
    for name, text in pairs:
        if not _same(now.setdefault(name, _value(text)), _value(text)):
            return
    yield now


def _calculated(found: Expression, bound: dict[str, Any]) -> Any:
    if isinstance(found, str):
        value = bound[found] if found in bound else _value(found)
        if value == '"a"':
            return 97
        if isinstance(value, str):
            raise PrologError
        return value
    operator, *args = found
    values = [_calculated(arg, bound) for arg in args]
    try:
        result = _applied(operator, values)
    except (ZeroDivisionError, OverflowError) as error:
        raise PrologError from error
    if isinstance(result, float) and (result in (float("inf"), float("-inf")) or isnan(result)):
        raise PrologError
    return result


def _applied(operator: str, values: list[Any]) -> Any:
    if operator in ("//", "mod", "rem", "<<", "div") and not all(isinstance(value, int) for value in values):
        raise PrologError
    if len(values) == 1:
        (x,) = values
        return -x if operator == "-" else abs(x) if operator == "abs" else trunc(x)
    x, y = values
    if operator in "+-*" and isinstance(x, int) != isinstance(y, int):
        x, y = float(x), float(y)
    if operator in ("min", "max"):
        smaller = _compared("=<", x, y)
        return (x if smaller else y) if operator == "min" else (y if smaller else x)
    return _BINARY[operator](x, y)


def _divided(x: Any, y: Any) -> Any:
    whole = isinstance(x, int) and isinstance(y, int) and x % y == 0
    return x // y if whole else float(x) / float(y)


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": _divided,
    "mod": lambda x, y: x % y,
    "div": lambda x, y: x // y,
    "//": lambda x, y: (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1),
    "rem": lambda x, y: (abs(x) % abs(y)) * (-1 if x < 0 else 1),
    "<<": lambda x, y: x << y,
    "**": lambda x, y: x**y,
}


def _rounded(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:  # a whole number beyond all floats
        return inf if number > 0 else -inf


def _compared(operator: str, left: Any, right: Any) -> bool:
    if isinstance(left, int) != isinstance(right, int):
        left, right = _rounded(left), _rounded(right)
    order: int = (left > right) - (left < right)
    holds = {"<": [-1], ">": [1], "=<": [-1, 0], ">=": [0, 1], "=:=": [0], "=\\=": [-1, 1]}
    return order in holds[operator]
