"""How a program is written wherever it is shown: equal up to variables and order means equal as text.

So a text can stand for the program, in a selection for instance, whichever part of the learner has found it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.render import render_rule, variable_name
from joiner_magic.search.spaces.modes import Modes

if TYPE_CHECKING:
    from joiner_magic.task.bias import Bias


class Naming:
    def __init__(self, bias: Bias) -> None:
        self._head = bias.head
        self._modes = Modes(bias)

    def __call__(self, program: Program) -> str:
        return " ".join(map(render_rule, self.written(program).rules))

    def pattern(self, program: Program, unless: Sequence[int] = ()) -> str:
        """The program with anything more in its bodies, except where that mentions certain variables."""
        rules = (render_rule(rule).removesuffix(".").rstrip() for rule in self.written(program).rules)
        pattern = " ".join(f"{rule}, …" for rule in rules)
        named = " or ".join(map(variable_name, unless))
        return f"{pattern} unless {named} is in the body" if named else pattern

    def written(self, program: Program) -> Program:
        """In canonical form, with literals in an order that runs and variables in the order of the literals."""
        in_order = self._modes.program_in_order(canonical(program, self._head))
        return Program(tuple(map(_renumbered, in_order.rules)))


def _renumbered(rule: Rule) -> Rule:
    """Its arguments are variables: the hypothesis space has no others."""
    arguments = (arg for literal in (rule.head, *rule.body) for arg in literal.args)
    numbers = {arg: number for number, arg in enumerate(dict.fromkeys(arguments))}
    body = tuple(Literal(name, tuple(numbers[arg] for arg in args)) for name, args in rule.body)
    return Rule(rule.head, body)
