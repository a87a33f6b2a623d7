"""The one way in which programs are written wherever they are shown.

Two programs that differ only in the names of variables or in the order of literals are written as the same text. So a
person recognises a program in whatever view it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.render import render_rule, variable_name
from joiner_magic.search.spaces.modes import Modes

if TYPE_CHECKING:
    from joiner_magic.task.bias import Bias


class Naming:
    """Writes the programs of one task: `naming(program)` is the text of a program in one line."""

    def __init__(self, bias: Bias) -> None:
        """A way of writing for programs of the space that this bias spans."""
        self._head = bias.head
        self._modes = Modes(bias)

    def __call__(self, program: Program) -> str:
        """The text of a program in one line."""
        return " ".join(map(render_rule, self.display_form(program).rules))

    def pattern(self, program: Program, unless: Sequence[int] = ()) -> str:
        """A pattern for all specialisations of a program: its text with "…" for further literals in its bodies.

        Specialisations that mention one of the variables `unless` are excepted.
        """
        rules = (render_rule(rule).removesuffix(".").rstrip() for rule in self.display_form(program).rules)
        pattern = " ".join(f"{rule}, …" for rule in rules)
        named = " or ".join(map(variable_name, unless))
        if not named:
            return pattern
        return f"{pattern} unless {named} is in the body"

    def display_form(self, program: Program) -> Program:
        """The program as it is written: in canonical form, with its literals in an order in which they can be run, and
        its variables numbered as they occur.
        """
        in_order = self._modes.program_in_order(canonical(program, self._head))
        return Program(tuple(map(_renumbered, in_order.rules)))


def _renumbered(rule: Rule) -> Rule:
    """The rule with its variables numbered as they occur. All arguments are variables in the hypothesis space."""
    numbers: dict[Argument, int] = {}
    for literal in (rule.head, *rule.body):
        for argument in literal.args:
            numbers.setdefault(argument, len(numbers))
    body = []
    for name, arguments in rule.body:
        renumbered = tuple(numbers[argument] for argument in arguments)
        body.append(Literal(name, renumbered))
    return Rule(rule.head, tuple(body))
