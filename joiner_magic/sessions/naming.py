"""How a program is written wherever it is shown: equal up to variables and order means equal as text.

So a text can stand for the program, in a selection for instance, whichever part of the learner has found it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Program
from joiner_magic.logic.render import render_rule
from joiner_magic.search.modes import Modes

if TYPE_CHECKING:
    from joiner_magic.task.bias import Bias


class Naming:
    def __init__(self, bias: Bias) -> None:
        self._head = bias.head
        self._modes = Modes(bias)

    def __call__(self, program: Program) -> str:
        return " ".join(map(render_rule, self.written(program).rules))

    def written(self, program: Program) -> Program:
        """In canonical form, with literals in an order that runs."""
        return self._modes.program_in_order(canonical(program, self._head))
