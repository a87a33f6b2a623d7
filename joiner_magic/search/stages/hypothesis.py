"""Hypotheses: unions of parts, written as programs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.conjunctions import Conjunction, sigma
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.spaces.modes import Modes
from joiner_magic.search.stages.parts import Part


@dataclass(frozen=True, slots=True)
class Hypothesis:
    parts: tuple[Part, ...]
    program: Program
    evaluation: Evaluation  # of the program as a whole

    @property
    def size(self) -> int:
        return self.program.size

    def is_solution(self, positives: int) -> bool:
        everything = (1 << positives) - 1
        return self.evaluation.pos == everything and self.evaluation.neg == 0

    @property
    def rank(self) -> tuple[int, int]:
        """Smaller is better: first what is covered, then the size. Negatives are never covered."""
        return -self.evaluation.pos.bit_count(), self.size


class Writer:
    """Writes parts as one program: new names are free ones, literals stand in an order that runs."""

    def __init__(self, head: Predicate, taken: Collection[str], modes: Modes) -> None:
        self._head = head
        self._taken = frozenset(taken)
        self._modes = modes

    def program(self, parts: Iterable[Part], *, apart: bool = False) -> Program:
        """The union of the parts, each rule once; `apart` keeps recursive programs from reaching the other rules."""
        conjunctions = [self._in_order(each) for part in parts for each in part.conjunctions]
        return self._modes.merged_in_order(sigma(conjunctions, self._head, self._taken, apart=apart))

    def _in_order(self, conjunction: Conjunction) -> Conjunction:
        programs = (canonical(program, self._head) for program in conjunction.programs)
        return Conjunction(tuple(map(self._modes.program_in_order, programs)))
