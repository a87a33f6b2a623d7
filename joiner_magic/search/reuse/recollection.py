"""What programs cover, remembered from an earlier run and carried over to the examples of this one.

Where old examples see the same facts, a program covers of them what it covered before: only new examples are evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.terms import Term
from joiner_magic.search.options import Options
from joiner_magic.search.reuse.finding import Finding
from joiner_magic.search.reuse.visible_facts import sees_the_same
from joiner_magic.task.examples import Examples
from joiner_magic.task.task import Task


class Recollection:
    """What programs cover, from an earlier run on the same facts, carried over to the examples of this one."""

    def __init__(self, known: Mapping[Program, Evaluation], before: Examples, now: Examples) -> None:
        self._known = known
        self._pos = _ExampleNumbers(before.pos, now.pos)
        self._neg = _ExampleNumbers(before.neg, now.neg)
        self.new = Examples(self._pos.new_items, self._neg.new_items, now.predicate)

    @classmethod
    def of(cls, finding: Finding, task: Task, options: Options) -> Recollection | None:
        before = finding.result.task
        if not finding.coverage or not finding.independent or not finding.claims_as(options):
            return None
        if before.bias.directions != task.bias.directions:  # Prolog runs literals in an order that they allow
            return None
        kept = {*before.examples.pos, *before.examples.neg} & {*task.examples.pos, *task.examples.neg}
        same = sees_the_same(kept, before, task)
        if not same:
            return None
        return cls(finding.coverage, before.examples, task.examples)

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, program: Program) -> bool:
        return program in self._known

    def extended(self, program: Program, new: Evaluation) -> Evaluation | None:
        """What the program covers, given what it covers of the new examples; None if that is not enough."""
        known = self._known[program]
        if not known.complete or not new.complete:
            return None
        pos = self._pos.kept(known.pos) | self._pos.new(new.pos)
        if known.neg is None or new.neg is None:  # negatives were left out: no positive was covered
            if pos:
                return None
            return Evaluation(0, None)
        return Evaluation(pos, self._neg.kept(known.neg) | self._neg.new(new.neg))


class _ExampleNumbers:
    """Sets of examples, as bits, from one numbering to another."""

    def __init__(self, before: Sequence[Term], now: Sequence[Term]) -> None:
        numbers = {atom: number for number, atom in enumerate(now)}
        old = set(before)
        self.new_items = tuple(atom for atom in now if atom not in old)
        self.kept = _BitMapping([numbers.get(atom) for atom in before])
        self.new = _BitMapping([numbers[atom] for atom in self.new_items])


class _BitMapping:
    """Each bit to the place it is given, or to none."""

    def __init__(self, places: Sequence[int | None]) -> None:
        self._places = places
        first: int | None = 0
        if places:
            first = places[0]
        # Most often examples keep their numbers, or all move by as many.
        together = first is not None and list(places) == list(range(first, first + len(places)))
        self._shift = first if together else None

    def __call__(self, bits: int) -> int:
        if self._shift is not None:
            return bits << self._shift
        moved = 0
        while bits:
            lowest = bits & -bits
            place = self._places[lowest.bit_length() - 1]
            if place is not None:
                moved |= 1 << place
            bits ^= lowest
        return moved
