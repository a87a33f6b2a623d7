"""Which of two equals is taken: programs of the same size that cover the same training examples.

Many tasks have several optimal solutions, and they differ on unseen examples. The most general one is
preferred: with the same number of literals, more variables mean fewer coincidences that a rule asks for. Measured on
samples of the field's tasks this was better on average than fewest variables, fewest predicates or first
come (docs/explanation/learner.md has the numbers).
"""

from __future__ import annotations

from typing import TypeAlias

from joiner_magic.logic.programs import Program

Rank: TypeAlias = tuple[int, ...]


def rank(program: Program) -> Rank:
    """Smaller is preferred; programs of equal rank are taken in the order in which they come."""
    return (-sum(len({arg for literal in rule.body for arg in literal.args}) for rule in program.rules),)
