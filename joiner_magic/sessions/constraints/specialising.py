"""Random specialisations of a program within a bias, for records that cannot tell what was never made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from random import Random

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.modes import Modes
from joiner_magic.task.bias import Bias

_MOST_ADDED = 3  # literals
_TRIES = 10  # for each program asked for


class Specialising:
    def __init__(self, bias: Bias) -> None:
        self._bias = bias
        self._modes = Modes(bias)

    def sample(
        self, program: Program, how_many: int, seed: int, avoided: Collection[int] = ()
    ) -> list[Program]:
        """Up to so many, each once; none mentions a variable that is avoided. The same for the same seed."""
        random = Random(seed)  # noqa: S311 (a sample, no secret)
        found: dict[Program, None] = {}
        for _ in range(how_many * _TRIES):
            if len(found) == how_many:
                break
            special = program
            for _ in range(random.randint(1, _MOST_ADDED)):
                special = self._with_one_more(special, avoided, random)
            if special.size > program.size and self._is_allowed(special):
                found[canonical(special, self._bias.head)] = None
        return list(found)

    def _with_one_more(self, program: Program, avoided: Collection[int], random: Random) -> Program:
        """With another literal in one of its rules; the same program if none was found."""
        place = random.randrange(len(program.rules))
        rule = program.rules[place]
        literal = self._literal(rule, random.choice(self._bias.body), avoided, random)
        if literal is None or literal in rule.body or len(rule.body) >= self._bias.max_body:
            return program
        longer = Rule(rule.head, (*rule.body, literal))
        return Program((*program.rules[:place], longer, *program.rules[place + 1 :]))

    def _literal(
        self, rule: Rule, predicate: Predicate, avoided: Collection[int], random: Random
    ) -> Literal | None:
        """One over variables of the rule and new ones, each of its type; connected with the rule."""
        types = self._types(rule)
        fresh = 1 + max((v for literal in (rule.head, *rule.body) for v in _variables(literal)), default=-1)
        wanted = self._bias.types.get(predicate, (None,) * predicate.arity)
        args: list[int] = []
        for kind in wanted:
            fit = [v for v in types if types[v] in (kind, None) or kind is None]
            new = [v for v in range(fresh, self._bias.max_vars) if v not in args][:1]
            free = [v for v in (*fit, *new) if v not in args and v not in avoided]
            if not free:
                return None
            args.append(random.choice(free))
        return Literal(predicate.name, tuple(args)) if not args or set(args) & set(types) else None

    def _types(self, rule: Rule) -> dict[int, str | None]:
        """Of the rule's variables, as far as they are typed."""
        types: dict[int, str | None] = {}
        for literal in (rule.head, *rule.body):
            kinds = self._bias.types.get(literal.predicate, (None,) * len(literal.args))
            for variable, kind in zip(literal.args, kinds, strict=True):
                if isinstance(variable, int):
                    types[variable] = types.get(variable) or kind
        return types

    def _is_allowed(self, program: Program) -> bool:
        """Whether its rules run, and have no variable that occurs once where that is forbidden."""
        if any(self._modes.in_order(rule) is None for rule in program.rules):
            return False
        if self._bias.allow_singletons:
            return True
        return all(
            count > 1 or variable in rule.head.args
            for rule in program.rules
            for variable, count in Counter(v for literal in rule.body for v in _variables(literal)).items()
        )


def _variables(literal: Literal) -> list[int]:
    return [arg for arg in literal.args if isinstance(arg, int)]
