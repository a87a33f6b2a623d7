"""The record of programs that are tested one by one, as the search judges them.

It notes what was tested. What was never made it finds out when somebody asks: the specialisations of a program that
the space has, without those that are noted.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from heapq import nsmallest
from itertools import islice

from joiner_magic.logic.canonical import canonical, generalisations
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.fate import Fate
from joiner_magic.search.record.record import (
    ALL,
    CutSpecialisations,
    Order,
    RecordedProgram,
    RecordFilter,
    Specialisations,
)
from joiner_magic.search.spaces.specialisations import SpecialisationSpace

_MOST_NOTED = 100_000  # programs


class PlainRecord:
    """Programs in canonical form."""

    def __init__(self, specialising: SpecialisationSpace | None = None, most: int = _MOST_NOTED) -> None:
        """Without `specialising` it does not know what was never made."""
        self._specialising = specialising
        self._most = most
        self._noted: list[RecordedProgram] = []  # grows while others read: they look at its length once
        self._lock = threading.RLock()  # of those who ask
        self._by_program: dict[Program, int] = {}
        self._by_predicates: dict[tuple[Predicate, ...], list[int]] = {}
        self._above: dict[int, frozenset[Program]] = {}  # generalisations, as far as they were asked for
        self._unfinished: dict[Program, int] = {}  # numbers of those that are not finished
        self._sizes: set[int] = set()
        self.missed = 0

    def note(self, program: Program, evaluation: Evaluation, fate: Fate) -> None:
        if len(self._noted) == self._most:
            self.missed += 1
            return
        if not evaluation.complete:
            self._unfinished[program] = len(self._noted)
        self._noted.append(_recorded(len(self._noted), program, evaluation, fate))

    def correct(self, program: Program, evaluation: Evaluation, fate: Fate) -> None:
        """A program that was not finished when it was noted is finished now."""
        number = self._unfinished.pop(program, None)
        if number is not None:
            self._noted[number] = _recorded(number, program, evaluation, fate)

    def __len__(self) -> int:
        return len(self._noted)

    def __getitem__(self, number: int) -> RecordedProgram:
        return self._noted[number]

    def counts(self) -> Mapping[tuple[int, Fate], int]:
        return Counter((one.size, one.fate) for one in self._so_far())

    def page(
        self, which: RecordFilter = ALL, *, order: Order = "size", offset: int = 0, limit: int = 50
    ) -> tuple[int, list[int]]:
        groups = [frozenset(group) for group in which.predicates]
        found = [
            one
            for one in self._so_far()
            if not which.sizes or one.size in which.sizes
            if not which.fates or one.fate in which.fates
            if one.number not in which.without
            if all(not group.isdisjoint(_predicates(one.program)) for group in groups)
        ]
        first = nsmallest(offset + limit, found, key=_RANKS[order])
        return len(found), [one.number for one in first[offset:]]

    def find(self, program: Program) -> int | None:
        with self._lock:
            self._bring_up_to_date()
            # The canonical form of what somebody has typed may take long.
            if program.size not in self._sizes:
                return None
            return self._by_program.get(self._canonical(program))

    def generalisations(self, number: int) -> tuple[int, ...]:
        found = map(self.find, self._one_less(self[number].program))
        return tuple(dict.fromkeys(above for above in found if above is not None))

    def specialisations(self, number: int) -> Specialisations:
        with self._lock:
            self._bring_up_to_date()
            below = self._below(self[number])
            if below is None:
                return Specialisations(tuple(self._made_of(self[number])), counted=False)
            made = tuple(
                sorted(self._by_program[program] for program in below if program in self._by_program)
            )
            if self._is_beyond(self[number]):
                return Specialisations(made, counted=False)
            cut = Counter((kind, cause) for _, kind, cause in self._never_made(self[number], below))
            return Specialisations(
                made, tuple(CutSpecialisations(cause, kind, n) for (kind, cause), n in cut.items())
            )

    def never_made(self, number: int, kind: Fate, limit: int) -> list[Program]:
        with self._lock:
            self._bring_up_to_date()
            below = self._below(self[number]) or ()
            found = (program for program, of, _ in self._never_made(self[number], below) if of == kind)
            return list(islice(found, limit))

    def sample_of_cut(self, number: int, how_many: int, seed: int) -> list[Program]:
        if self._specialising is None:
            return []
        with self._lock:
            self._bring_up_to_date()
            cause = self[number]

            def removed(program: Program) -> bool:
                return program not in self._by_program and _forbids(cause, program)

            return self._specialising.sample(cause.program, how_many, seed, removed)

    def _below(self, one: RecordedProgram) -> list[Program] | None:
        """What the space has, if that is known."""
        if not self._specialising:
            return None
        return self._specialising.immediate(one.program)

    def _is_beyond(self, one: RecordedProgram) -> bool:
        """Whether it is not known what was never made below it, or would take long to find out who forbids that."""
        missed = self.missed > 0 and one.size + 1 >= max(self._sizes)  # when the record was full
        return missed or (
            len(one.program.rules) > 1 and not one.cut
        )  # also programs with fewer rules may forbid

    def _made_of(self, one: RecordedProgram) -> Iterator[int]:
        """What is noted, where nobody knows what the space has."""
        own = Counter(_predicates(one.program))
        for predicates, numbers in self._by_predicates.items():
            if len(predicates) == own.total() + 1 and not own - Counter(predicates):
                yield from (number for number in numbers if one.program in self._generalisations(number))

    def _never_made(
        self, one: RecordedProgram, below: Iterable[Program]
    ) -> Iterator[tuple[Program, Fate, int | None]]:
        """Those of the specialisations that are not noted: the kind of what forbids them, and its number."""
        largest = max(self._sizes)
        for program in below:
            if program not in self._by_program:
                cause = one if _forbids(one, program) else self._cause(program)
                if cause is not None and cause.cut is not None:
                    yield program, cause.cut, cause.number
                elif program.size >= largest:  # the search had not come so far
                    yield program, Fate.UNFINISHED, None

    def _cause(self, program: Program) -> RecordedProgram | None:
        """The largest noted program that forbids this one."""
        level = [program]
        while level:
            level = list(dict.fromkeys(above for below in level for above in self._one_less(below)))
            noted = (self._noted[self._by_program[above]] for above in level if above in self._by_program)
            if cause := next((one for one in noted if _forbids(one, program)), None):
                return cause
        return None

    def _generalisations(self, number: int) -> frozenset[Program]:
        known = self._above.get(number)
        if known is None:
            known = self._above[number] = frozenset(self._one_less(self[number].program))
        return known

    def _one_less(self, program: Program) -> Iterator[Program]:
        return generalisations(program, self._specialising.head if self._specialising else None)

    def _canonical(self, program: Program) -> Program:
        return canonical(program, self._specialising.head if self._specialising else None)

    def _so_far(self) -> Iterator[RecordedProgram]:
        return islice(self._noted, len(self._noted))

    def _bring_up_to_date(self) -> None:
        for one in islice(self._noted, len(self._by_program), len(self._noted)):
            self._by_program[one.program] = one.number
            self._sizes.add(one.size)
            self._by_predicates.setdefault(_predicates(one.program), []).append(one.number)


def _recorded(number: int, program: Program, evaluation: Evaluation, fate: Fate) -> RecordedProgram:
    pos, neg, complete = evaluation
    return RecordedProgram(
        number,
        program,
        program.size,
        pos.bit_count() if complete else None,
        None if neg is None or not complete else neg.bit_count(),
        fate,
        legal=True,
    )


def _balance(one: RecordedProgram) -> float:
    if one.pos is None or one.neg is None:
        return float("inf")
    return one.neg - one.pos


_RANKS = {
    "size": lambda one: one.number,
    "positives": lambda one: 1 if one.pos is None else -one.pos,
    "balance": _balance,
}


def _predicates(program: Program) -> tuple[Predicate, ...]:
    return tuple(sorted(literal.predicate for rule in program.rules for literal in rule.body))


def _forbids(cause: RecordedProgram, program: Program) -> bool:
    """Whether a noted program forbids this specialisation of it: a fragment none with further head variables."""
    return cause.cut is not None and (
        cause.cut != Fate.CONSISTENT_FRAGMENT or _of_head(program) <= _of_head(cause.program)
    )


def _of_head(program: Program) -> set[object]:
    """Variables of the head that occur in the body of a rule."""
    (rule,) = program.rules
    return {arg for literal in rule.body for arg in literal.args if arg in rule.head.args}
