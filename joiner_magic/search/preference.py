"""Which of two equals is taken: programs of the same size that cover the same training examples.

Many tasks have several optimal solutions that differ on unseen examples.
"""

from __future__ import annotations

from typing import TypeAlias

from joiner_magic.logic.programs import Program

Rank: TypeAlias = tuple[int, ...]


def rank(program: Program) -> Rank:
    """Smaller is preferred; programs of equal rank are taken in the order in which they come."""
    return (len({arg for rule in program.rules for literal in rule.body for arg in literal.args}),)
