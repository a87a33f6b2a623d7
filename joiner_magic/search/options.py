"""What a run can be told: the one place that commands, magics and Python calls take their options from."""

from __future__ import annotations

import math
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from enum import Enum
from fractions import Fraction
from typing import Any, cast

from joiner_magic.engines.protocol import ENGINE_CHOICES, NO_LIMIT
from joiner_magic.errors import TaskError
from joiner_magic.search.objective import Objective, Price, plain
from joiner_magic.task.bias import BIAS_DIRECTIVES, MAX_CLAUSES_RECURSIVE, Bias
from joiner_magic.task.exact_numbers import NotExact, read_exact
from joiner_magic.task.noise import BALANCED, Noise
from joiner_magic.task.task import Task

_DEAREST = 1_000_000  # literals: what an error costs at the most
_LONGEST = 60  # characters of a value in an error


class Bearing(Enum):
    """What the value of an option bears on. Each has all that the next ones have, down to WORK."""

    SPACE = "which hypotheses there are: runs with other values share nothing"
    CLAIMS = (
        "what was claimed: bounds hold for runs with the same value, while hypotheses can be tested again"
    )
    REQUEST = (
        "what was asked for: a run with another value is another run, but what was proven holds for both"
    )
    WORK = "how a run works: one that has begun cannot change it, although the answer does not depend on it"
    BIAS = "the bias in force, where it is compared"
    NOTHING = "when a run ends: one that goes on may be given another value"


def _option(
    default: Any,
    explanation: str,
    bearing: Bearing,
    choices: tuple[str, ...] = (),
    *,
    most: int = 2**31 - 1,
    switch: str = "",
    overrides: str = "",
    check: Callable[[object], str] | None = None,
    argument: Mapping[str, Any] | None = None,
) -> Any:
    """A field of `Options`; `switch` is how a truth value is written on a line where its name would not tell.

    `check` gives what should have been given instead of a value, for values that their type does not tell; `argument` is
    how such an option is written on a line.
    """
    metadata = {"help": explanation, "choices": choices, "bearing": bearing, "most": most, "check": check}
    return field(
        default=default, metadata={**metadata, "switch": switch, "overrides": overrides, "argument": argument}
    )


def _noise_wanted(value: object) -> str:
    fits = value is True or value is False or value == "balanced"
    if fits:
        return ""
    return 'give True, False or "balanced"'


def _price_wanted(value: object) -> str:
    """Floats are no exact prices."""
    fits = isinstance(value, (int, Fraction)) and not isinstance(value, bool) and 0 < value <= _DEAREST
    if fits:
        return ""
    return f"give a whole number or a Fraction above 0, of at most {_DEAREST}"


def price_of(text: str) -> Fraction:
    """A price on a line: 2, 0.5 or 1/3, read exactly. Raises ArgumentTypeError where it is none."""
    try:
        return read_exact(text)
    except NotExact as problem:
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        raise ArgumentTypeError(f"{shown} {problem}; write a price such as 2, 0.5 or 1/3") from None


_PRICE = {"type": price_of, "metavar": "PRICE"}  # how one is written on a line


def _option_before(directive: str, explanation: str) -> Any:
    """A field of `Options` that goes before a directive of the bias; None leaves it to the bias."""
    return _option(None, f"{explanation} (default: as the bias says)", Bearing.BIAS, overrides=directive)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    timeout: float | None = _option(
        None, "seconds after which the best hypothesis so far is given", Bearing.NOTHING
    )
    engine: str = _option("auto", "what tests programs", Bearing.CLAIMS, ENGINE_CHOICES)
    trusted: bool = _option(
        False,
        "let the Prolog engine run background knowledge that reaches files, processes or the network",
        Bearing.CLAIMS,
    )
    join: bool = _option(True, "join small rules into big ones", Bearing.SPACE)
    splittable: bool = _option(
        False,
        "generate splittable rules too, although joining finds them",
        Bearing.CLAIMS,
        switch="--allow-splittable",
    )
    singletons: bool | None = _option_before("allow_singletons", "allow body variables that occur once")
    recursion: bool | None = _option_before("enable_recursion", "allow recursive programs")
    max_vars: int | None = _option_before("max_vars", "variables in a generated rule")
    max_body: int | None = _option_before("max_body", "body literals of a generated rule")
    max_clauses: int | None = _option_before("max_clauses", "rules of a recursive program")
    noise: bool | str | None = _option(
        None,
        "learn from examples with errors in them: each costs as much as a literal, or with `balanced` so much that the errors of"
        " both kinds weigh the same (default: as the bias says)",
        Bearing.SPACE,
        check=_noise_wanted,
        argument={"nargs": "?", "const": True, "choices": ("balanced",)},
    )
    missed: Fraction | int | None = _option(
        None,
        "what a positive example costs that is not covered, in literals",
        Bearing.SPACE,
        check=_price_wanted,
        argument=_PRICE,
    )
    wrong: Fraction | int | None = _option(
        None,
        "what a negative example costs that is covered, in literals",
        Bearing.SPACE,
        check=_price_wanted,
        argument=_PRICE,
    )
    source: str = _option("auto", "where programs come from", Bearing.REQUEST, ("auto", "native", "asp"))
    jobs: int = _option(
        1, "threads of the native source; the answer does not depend on it", Bearing.WORK, most=1_024
    )
    memory: int = _option(
        2_000,
        "megabytes for the source of programs: the core's tables and bodies, or clingo's process; as much for the rules of"
        " a proof where errors have a price; also for closing the background knowledge, which has 4,000 at most, and for"
        " working out the bias, which has 1,000 at most",
        Bearing.WORK,
        most=1_000_000_000,
    )
    every_rule: bool = _option(
        False, "let listeners see every rule the native source tests, not only useful ones", Bearing.WORK
    )
    limit: int | None = _option(
        None,
        "work per tested program, in the engine's unit; what does not finish is tried with more at the end",
        Bearing.REQUEST,
        most=NO_LIMIT,
    )
    advise: bool = _option(
        True,
        "try changes of the bias when there is no solution, and learning with noise then and when the solution is large",
        Bearing.WORK,
        switch="--no-advice",
    )

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if value is None and "None" in str(option.type):
                continue
            if wanted := _missed(option, value):
                raise TaskError(f"{option.name} is {_brief(value)}", remedy=wanted)

    @property
    def about_search(self) -> tuple[object, ...]:
        """What decides which hypotheses there are and how they are tested, the bias aside."""
        return self.that(Bearing.SPACE, Bearing.CLAIMS, Bearing.REQUEST)

    @property
    def about_work(self) -> tuple[object, ...]:
        """What a run cannot change any more once it has begun, although the answer does not depend on it."""
        return self.that(Bearing.WORK)

    def that(self, *bear: Bearing) -> tuple[object, ...]:
        """The values of the options that bear on something."""
        return tuple(getattr(self, name) for name, bearing in BEARINGS.items() if bearing in bear)

    @property
    def allows_errors(self) -> bool:
        """Whether the options allow errors, whatever the bias says: then examples may contradict each other."""
        return bool(self.noise) or self.missed is not None or self.wrong is not None

    def objective(self, task: Task) -> Objective:
        """What a hypothesis costs: as the options say, or else as the bias does, and exact learning if neither says anything.

        A price that is given goes before all; without it, `noise` gives 1 for each error, or balanced prices.
        """
        missed: Price | None = None
        wrong: Price | None = None
        noise = self._noise(task.bias)
        if noise is not None:
            missed, wrong = map(plain, noise.prices(task.examples))
        if self.missed is not None:
            missed = plain(self.missed)
        if self.wrong is not None:
            wrong = plain(self.wrong)
        return Objective(missed, wrong)

    def _noise(self, bias: Bias) -> Noise | None:
        if self.noise is None:
            return bias.noise
        if self.noise == "balanced":
            return BALANCED
        return Noise() if self.noise else None

    def bias(self, bias: Bias) -> Bias:
        """The bias in force: what the options say goes before what the text says."""
        said: dict[str, Any] = {
            BIAS_DIRECTIVES[directive].field: getattr(self, name) for name, directive in OVERRIDES.items()
        }
        if self.recursion and not bias.enable_recursion and self.max_clauses is None:
            said["max_clauses"] = max(bias.max_clauses, MAX_CLAUSES_RECURSIVE)
        return replace(bias, **{name: value for name, value in said.items() if value is not None})


def _missed(option: Field[Any], value: object) -> str:
    """What should have been given instead of a value; empty if it is right."""
    if check := option.metadata["check"]:
        return cast("str", check(value))
    choices, kind = option.metadata["choices"], str(option.type)
    if choices:
        fits = isinstance(value, str) and value in choices
        if fits:
            return ""
        return f"take one of {', '.join(choices)}"
    if "bool" in kind:
        if isinstance(value, bool):
            return ""
        return "give True or False"
    if "float" in kind:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
        held = fits and (value == math.inf or cast("float", value) <= sys.float_info.max)
        if held:
            return ""
        return "give a number of seconds"
    most = option.metadata["most"]
    fits = isinstance(value, int) and not isinstance(value, bool) and value >= 1
    if not fits:
        return "give a whole number above 0"
    if cast("int", value) <= most:
        return ""
    return f"give a whole number of at most {most}"


def _brief(value: object) -> str:
    """A value in an error: on one line, and not longer than anybody reads."""
    try:
        text = ascii(value)
    except Exception:  # whatever a stranger's value does when it is shown
        text = f"something of type {type(value).__name__} that cannot be shown"
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}…"


def bearings_of(kind: type) -> dict[str, Bearing]:
    """By the name of each option; an option that does not say what it bears on is an error of ours."""
    found = {option.name: option.metadata.get("bearing") for option in fields(kind)}
    missing = [name for name, bearing in found.items() if not isinstance(bearing, Bearing)]
    if missing:
        raise TypeError(f"{kind.__name__} does not say what these bear on: {', '.join(missing)}")
    return cast("dict[str, Bearing]", found)


def overrides_of(kind: type) -> dict[str, str]:
    """The directives that options go before, by the name of the option; an error of ours where that is left open."""
    about_bias = [option for option in fields(kind) if option.metadata["bearing"] is Bearing.BIAS]
    missing = [each.name for each in about_bias if each.metadata["overrides"] not in BIAS_DIRECTIVES]
    if missing:
        raise TypeError(
            f"{kind.__name__} does not say which directives these go before: {', '.join(missing)}"
        )
    return {option.name: option.metadata["overrides"] for option in about_bias}


BEARINGS = bearings_of(Options)
OVERRIDES = overrides_of(Options)
