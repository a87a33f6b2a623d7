"""How a program is written wherever it is shown: equal up to variables and order means equal as text.

So a text can stand for the program, in a selection for instance, whichever part of the learner has found it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.render import render_rule, variable_name
from joiner_magic.search.modes import Modes

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
        """In canonical form, with literals in an order that runs and variables numbered as they come."""
        in_order = self._modes.program_in_order(canonical(program, self._head))
        return Program(tuple(map(_numbered, in_order.rules)))


def _numbered(rule: Rule) -> Rule:
    numbers: dict[Argument, int] = {}

    def numbered(literal: Literal) -> Literal:
        return Literal(
            literal.name,
            tuple(
                numbers.setdefault(arg, len(numbers)) if isinstance(arg, int) else arg for arg in literal.args
            ),
        )

    return Rule(numbered(rule.head), tuple(map(numbered, rule.body)))
