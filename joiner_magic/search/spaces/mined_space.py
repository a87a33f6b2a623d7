"""The single rules of a bias as the core reads them, and where the core cannot say what a bias does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from joiner_magic._core import PRUNINGS
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.spaces.asp_space import most_variables
from joiner_magic.search.spaces.modes import Modes
from joiner_magic.search.spaces.restrictions import (
    ForbiddenPattern,
    MostLiterals,
    MostOfType,
    NotMinable,
    Restriction,
    restrictions,
)
from joiner_magic.task.bias import Bias

# What the core's words hold (core/mining/width.hpp), and beyond which they are the wide ones.
_MOST_PREDICATES = 16_383  # and as many twins
_MOST_TYPES = 32_767
_USUAL_ARGUMENTS, _MOST_ARGUMENTS = 8, 63
_USUAL_VARIABLES, _MOST_VARIABLES = 32, 63
MOST_LITERALS = 32
_MOST_DEMANDS = 31


@dataclass(frozen=True, slots=True)
class MinedSpace:
    """The single rules of a bias as the core reads them: predicates and types are numbers."""

    predicates: Sequence[tuple[str, Sequence[int], int]]  # name, types (-1 for none), inputs as a bitset
    head_types: Sequence[int]
    required: int
    demands: Sequence[int]  # sets of head variables that may be unbound
    max_vars: int
    max_body: int
    singletons: bool
    splittable: bool
    fragments: bool
    forbidden: Sequence[tuple[Sequence[tuple[int, Sequence[int]]], Sequence[int]]]
    most_of_type: Sequence[tuple[int, int]]
    most_of_predicate: Sequence[tuple[int, int]]
    prunings: Sequence[str] = PRUNINGS
    bits: bool = True  # lay the facts out as bits, unless they are too many
    recorded: int = 1_000_000  # bodies at most; what is tested beyond is only counted
    wide: bool = False  # whether a predicate, or a rule, needs the wide words of the core

    @classmethod
    def of(
        cls,
        bias: Bias,
        *,
        splittable: bool,
        fragments: bool,
        prunings: Sequence[str] = PRUNINGS,
        bits: bool = True,
    ) -> MinedSpace:
        """Raises NotMinable where the core cannot say what the bias does."""
        limits = restrictions(bias)
        modes = Modes(bias)
        max_vars = min(bias.max_vars, most_variables(bias))
        widest = _widest(bias)
        _refuse_too_many(bias, modes, max_vars, widest)
        types = _TypeNumbers(bias)
        numbers = {predicate: number for number, predicate in enumerate(bias.body)}
        head_types = types.of(bias.head)
        predicates = [(p.name, types.of(p), _inputs(bias, p)) for p in bias.body]
        return cls(
            predicates,
            head_types,
            required=_required(bias),
            demands=[sum(1 << variable for variable in unbound) for unbound in modes.unbound],
            max_vars=max_vars,
            max_body=min(bias.max_body, MOST_LITERALS),
            singletons=bias.allow_singletons,
            splittable=splittable,
            fragments=fragments,
            forbidden=[_pattern(limit, numbers) for limit in limits if isinstance(limit, ForbiddenPattern)],
            most_of_type=types.most_of_type(limits),
            most_of_predicate=[
                (numbers[limit.predicate], limit.most) for limit in limits if isinstance(limit, MostLiterals)
            ],
            prunings=prunings,
            bits=bits,
            wide=widest > _USUAL_ARGUMENTS or max_vars > _USUAL_VARIABLES,
        )


class _TypeNumbers:
    """Types by number, in the order in which they are first met."""

    def __init__(self, bias: Bias) -> None:
        self._types = bias.types
        self._numbers: dict[str, int] = {}

    def of(self, predicate: Predicate) -> list[int]:
        """The types of a predicate's arguments; -1 for those that have none."""
        types = self._types.get(predicate)
        if types is None:
            return [-1] * predicate.arity
        return [self._numbers.setdefault(name, len(self._numbers)) for name in types]

    def most_of_type(self, limits: Sequence[Restriction]) -> list[tuple[int, int]]:
        """How many variables of a type a rule may have, for types that some predicate has."""
        of_types = [limit for limit in limits if isinstance(limit, MostOfType)]
        return [(self._numbers[limit.type], limit.most) for limit in of_types if limit.type in self._numbers]


def _widest(bias: Bias) -> int:
    """The most arguments of a predicate."""
    return max(predicate.arity for predicate in (bias.head, *bias.body))


def _required(bias: Bias) -> int:
    """The head variables that every rule must mention, as a set."""
    if bias.non_datalog:
        return 0
    return (1 << bias.head.arity) - 1


def _refuse_too_many(bias: Bias, modes: Modes, max_vars: int, widest: int) -> None:
    """Raises NotMinable where there is more of something than the core's words hold."""
    types = {name for predicate in (bias.head, *bias.body) for name in bias.types.get(predicate, ())}
    for value, most, said in (
        (widest, _MOST_ARGUMENTS, "a predicate has {} arguments"),
        (len(bias.body), _MOST_PREDICATES, "there are {} body predicates"),
        (max_vars, _MOST_VARIABLES, "rules have up to {} variables"),
        (len(types), _MOST_TYPES, "there are {} types"),
        (modes.demands, _MOST_DEMANDS, "{} sets of outputs of the head may be unbound"),
    ):
        if value > most:
            raise NotMinable(f"{said.format(f'{value:,}')}, and the core takes at most {most:,}")


def _inputs(bias: Bias, predicate: Predicate) -> int:
    """The arguments that must be bound before, as a set."""
    return sum(1 << i for i, d in enumerate(bias.directions.get(predicate, ())) if d == "in")


def _pattern(
    limit: ForbiddenPattern, numbers: dict[Predicate, int]
) -> tuple[list[tuple[int, Sequence[int]]], list[int]]:
    """The literals of a pattern that no rule may have, and for each of its variables the one of the head that it must be, or -1."""
    literals: list[tuple[int, Sequence[int]]] = [
        (numbers[pattern.predicate], pattern.args) for pattern in limit.literals
    ]
    variables = 1 + max((max(args, default=-1) for _, args in literals), default=-1)
    variables = max(variables, 1 + max(limit.fixed, default=-1))
    return literals, [limit.fixed.get(variable, -1) for variable in range(variables)]
