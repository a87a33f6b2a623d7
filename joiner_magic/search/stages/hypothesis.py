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
    """A union of parts, and what it is worth."""

    parts: tuple[Part, ...]
    program: Program
    evaluation: Evaluation  # of the program as a whole
    cost: int | None  # None if it makes errors that the objective does not allow

    @property
    def size(self) -> int:
        """Literals of the program."""
        return self.program.size

    @property
    def is_solution(self) -> bool:
        """Definition 2 of the paper: whether its errors are allowed. In exact learning it has none."""
        return self.cost is not None

    @property
    def rank(self) -> tuple[int, int, int]:
        """Smaller is better: solutions by their cost, and after them others by what they cover and by their size."""
        if self.cost is not None:
            return 0, self.cost, self.size
        return 1, -self.evaluation.pos.bit_count(), self.size


class Writer:
    """Writes parts as one program: new names are free ones, literals stand in an order that runs."""

    def __init__(self, head: Predicate, taken: Collection[str], modes: Modes) -> None:
        """`taken` are names that invented predicates must not get."""
        self._head = head
        self._taken = frozenset(taken)
        self._modes = modes

    def program(self, parts: Iterable[Part], *, apart: bool = False) -> Program:
        """The union of the parts, each rule once; `apart` keeps recursive programs from reaching the other rules."""
        conjunctions = [self._in_order(each) for part in parts for each in part.conjunctions]
        return self._modes.merged_in_order(sigma(conjunctions, self._head, self._taken, apart=apart))

    def _in_order(self, conjunction: Conjunction) -> Conjunction:
        """The conjunction with its programs in canonical form, and their literals in an order in which they can be run."""
        programs = (canonical(program, self._head) for program in conjunction.programs)
        return Conjunction(tuple(map(self._modes.program_in_order, programs)))
