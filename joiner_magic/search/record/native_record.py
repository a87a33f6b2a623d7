"""The record of the native core (core/mining/record.hpp), of up to a million bodies, in the words of the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from joiner_magic import _core
from joiner_magic.logic.canonical import canonical, canonical_rule
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.search.fate import CORE_NUMBERS, OF_CORE, Fate
from joiner_magic.search.record.record import (
    ALL,
    CutSpecialisations,
    Order,
    RecordedProgram,
    RecordFilter,
    Specialisations,
)
from joiner_magic.task.bias import Bias

_MOST_SETS = 64  # of predicates that the core is asked for at once


class NativeRecord:
    """Asks the core, and gives its answers as programs and predicates of the task."""

    def __init__(self, core: _core.Record, bias: Bias) -> None:
        """The core numbers predicates as they stand in the bias."""
        self._core = core
        self._body = bias.body
        self._longest = bias.max_body
        self._numbers = {predicate: number for number, predicate in enumerate(bias.body)}
        self._head = Literal(bias.head.name, tuple(range(bias.head.arity)))

    def __len__(self) -> int:
        """How many bodies are recorded."""
        return len(self._core)

    @property
    def missed(self) -> int:
        """How many were made and not recorded, since the record was full."""
        return self._core.missed

    def __getitem__(self, number: int) -> RecordedProgram:
        """The program of this number, with what it covers and what became of it."""
        literals, pos, neg, fate, legal, later = self._core.entry(number)
        program = self._program(literals)
        met_later = None if later is None else OF_CORE[later]
        return RecordedProgram(number, program, program.size, pos, neg, OF_CORE[fate], legal, met_later)

    def counts(self) -> Mapping[tuple[int, Fate], int]:
        """How many programs of each size met each fate."""
        return {(1 + length, OF_CORE[fate]): count for (length, fate), count in self._core.counts().items()}

    def page(
        self, which: RecordFilter = ALL, *, order: Order = "size", offset: int = 0, limit: int = 50
    ) -> tuple[int, list[int]]:
        """Some of the programs that a filter lets through, and how many there are of them in all."""
        fates = [CORE_NUMBERS[fate] for fate in which.fates if fate in CORE_NUMBERS]
        lengths = [size - 1 for size in which.sizes if 1 < size <= 1 + self._longest]
        wanted = dict.fromkeys(
            tuple(self._numbers[p] for p in group if p in self._numbers) for group in which.predicates
        )
        if (which.fates and not fates) or (which.sizes and not lengths) or len(wanted) > _MOST_SETS:
            return 0, []
        offset = min(offset, len(self))
        return self._core.page(lengths, fates, list(wanted), list(which.without), order, offset, limit)

    def find(self, program: Program) -> int | None:
        """The number of a program, if it is recorded."""
        if len(program.rules) > 1 or len(program.rules[0].body) > self._longest:
            return None
        rule = canonical_rule(program.rules[0])
        if rule.head != self._head or any(literal.predicate not in self._numbers for literal in rule.body):
            return None
        return self._core.find([(self._numbers[literal.predicate], literal.args) for literal in rule.body])

    def generalisations(self, number: int) -> tuple[int, ...]:
        """The recorded programs that have a literal less."""
        return tuple(self._core.generalisations(number))

    def specialisations(self, number: int) -> Specialisations:
        """What has a literal more: programs that were made, and how many were left out, each with the cause."""
        try:
            made, cut = self._core.specialisations(number)
        except _core.OutOfMemory:  # a predicate has so many arguments that nobody could look at all of them
            return Specialisations((), counted=False)
        return Specialisations(
            tuple(made), tuple(CutSpecialisations(cause, OF_CORE[kind], count) for cause, kind, count in cut)
        )

    def never_made(self, number: int, kind: Fate, limit: int) -> list[Program]:
        """The first of the programs with a literal more that were never made for this reason."""
        if kind not in CORE_NUMBERS:
            return []
        return list(map(self._program, self._core.never_made(number, CORE_NUMBERS[kind], limit)))

    def sample_of_cut(self, number: int, how_many: int, seed: int) -> list[Program]:
        """Programs of the space that this one forbids and that were never made, drawn at random."""
        try:
            return list(map(self._program, self._core.sample_of_cut(number, how_many, seed)))
        except _core.OutOfMemory:
            return []

    def _program(self, literals: Sequence[tuple[int, tuple[int, ...]]]) -> Program:
        """A body of the core as a program, with the head of the task."""
        body = tuple(Literal(self._body[number].name, args) for number, args in literals)
        return canonical(Program((Rule(self._head, body),)))
