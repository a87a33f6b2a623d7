"""The record of a run: every program that it tested, what it covers, and what became of it.

The native core writes its own record, of up to a million bodies, and answers questions about it
(core/mining/record.hpp); programs that are tested one by one are noted here. A record can be asked from another thread
while the run goes on: it then tells of what is noted so far. It outlives the learner and its engine.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice
from typing import Literal, Protocol, TypeAlias

from joiner_magic import _core
from joiner_magic.logic.canonical import canonical, canonical_rule, generalisations
from joiner_magic.logic.programs import Evaluation, Program, Rule
from joiner_magic.logic.programs import Literal as Atom
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.bias import Bias

Order: TypeAlias = Literal["size", "positives", "balance"]  # the last: positives minus negatives

_MOST_NOTED = 100_000  # programs that are tested one by one
_MOST_SETS = 64  # of predicates that the core is asked for at once


@dataclass(frozen=True, slots=True)
class Recorded:
    """A program that was tested, by its number in the record."""

    number: int
    program: Program
    size: int
    pos: int | None  # how many examples it covers; None: the test ended before they were counted
    neg: int | None
    # The kind of constraint that it gave rise to; "fragment" if it was offered to the join; "dominated" if another is
    # as good there; "partial" if it is no rule yet; "implied" if it has a literal too many; "unfinished".
    fate: str
    legal: bool
    later: str = ""  # why it was not extended after all: a fate that it met when more was known

    @property
    def cut(self) -> str:
        """The fate for which its specialisations were left out, "" if they were not."""
        return self.later if self.fate in OPEN else self.fate


# Fates of programs whose specialisations are of use.
OPEN = ("fragment", "partial", "dominated", "unfinished")


@dataclass(frozen=True, slots=True)
class Cut:
    """Immediate specialisations of a program that were never made."""

    # The recorded program that forbids them; None where the search had not come so far, or where the facts alone say
    # that two variables of theirs are equal.
    cause: int | None
    kind: str  # its fate, or "unfinished"
    count: int


@dataclass(frozen=True, slots=True)
class Specialisations:
    made: tuple[int, ...]
    cut: tuple[Cut, ...] = ()


@dataclass(frozen=True, slots=True)
class Which:
    """Programs of these sizes and fates (none given: of any), but for some numbers.

    Of each of the sets of predicates one occurs in the program.
    """

    sizes: Collection[int] = ()
    fates: Collection[str] = ()
    predicates: Sequence[Collection[Predicate]] = ()
    without: Collection[int] = ()


ALL = Which()


class Record(Protocol):
    """Programs by number, in the order in which they were tested."""

    @property
    def missed(self) -> int:
        """Programs that were tested when the record was full: they are counted only."""

    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> Recorded: ...

    def counts(self) -> Mapping[tuple[int, str], int]:
        """How many programs there are by size and fate."""

    def page(
        self, which: Which = ALL, *, order: Order = "size", offset: int = 0, limit: int = 50
    ) -> tuple[int, list[int]]:
        """How many of these programs there are, and some of them in order."""

    def find(self, program: Program) -> int | None:
        """The number of a program, in whatever form it is written."""

    def generalisations(self, number: int) -> tuple[int, ...]:
        """The recorded rules that are this one without one literal. Programs of several rules have none."""

    def specialisations(self, number: int) -> Specialisations:
        """The recorded rules that are this one with one more literal, and what is known of those never made."""

    def never_made(self, number: int, kind: str, limit: int) -> list[Program]:
        """The first of the immediate specialisations that a cut of this kind stands for."""

    def sample_of_cut(self, number: int, how_many: int, seed: int) -> list[Program]:
        """Rules of the space that specialise this one and were never made, drawn at random."""


class NativeRecord:
    """The core's record, in the words of the task."""

    def __init__(self, core: _core.Record, bias: Bias) -> None:
        self._core = core
        self._body = bias.body
        self._longest = bias.max_body
        self._numbers = {predicate: number for number, predicate in enumerate(bias.body)}
        self._head = Atom(bias.head.name, tuple(range(bias.head.arity)))

    def __len__(self) -> int:
        return len(self._core)

    @property
    def missed(self) -> int:
        return self._core.missed

    def __getitem__(self, number: int) -> Recorded:
        literals, pos, neg, fate, legal, later = self._core.entry(number)
        return Recorded(number, self._program(literals), 1 + len(literals), pos, neg, fate, legal, later)

    def counts(self) -> Mapping[tuple[int, str], int]:
        return {(1 + length, fate): count for (length, fate), count in self._core.counts().items()}

    def page(
        self, which: Which = ALL, *, order: Order = "size", offset: int = 0, limit: int = 50
    ) -> tuple[int, list[int]]:
        fates = [fate for fate in which.fates if fate in _NATIVE]
        lengths = [size - 1 for size in which.sizes if 1 < size <= 1 + self._longest]
        wanted = dict.fromkeys(
            tuple(self._numbers[p] for p in group if p in self._numbers) for group in which.predicates
        )
        if (which.fates and not fates) or (which.sizes and not lengths) or len(wanted) > _MOST_SETS:
            return 0, []
        offset = min(offset, len(self))
        return self._core.page(lengths, fates, list(wanted), list(which.without), order, offset, limit)

    def find(self, program: Program) -> int | None:
        if len(program.rules) > 1 or len(program.rules[0].body) > self._longest:
            return None
        rule = canonical_rule(program.rules[0])
        if rule.head != self._head or any(literal.predicate not in self._numbers for literal in rule.body):
            return None
        return self._core.find([(self._numbers[literal.predicate], literal.args) for literal in rule.body])

    def generalisations(self, number: int) -> tuple[int, ...]:
        return tuple(self._core.generalisations(number))

    def specialisations(self, number: int) -> Specialisations:
        try:
            made, cut = self._core.specialisations(number)
        except _core.OutOfMemory:  # a predicate has so many arguments that nobody could look at all of them
            return Specialisations(())
        return Specialisations(tuple(made), tuple(Cut(*one) for one in cut))

    def never_made(self, number: int, kind: str, limit: int) -> list[Program]:
        return list(map(self._program, self._core.never_made(number, kind, limit)))

    def sample_of_cut(self, number: int, how_many: int, seed: int) -> list[Program]:
        try:
            return list(map(self._program, self._core.sample_of_cut(number, how_many, seed)))
        except _core.OutOfMemory:
            return []

    def _program(self, literals: Sequence[tuple[int, tuple[int, ...]]]) -> Program:
        body = tuple(Atom(self._body[number].name, args) for number, args in literals)
        return canonical(Program((Rule(self._head, body),)))


_NATIVE = (
    "covers nothing",
    "consistent",
    "subsumed",
    "too large",
    "fragment",
    "partial",
    "dominated",
    "implied",
)


class PlainRecord:
    """Programs that are tested one by one, in canonical form, as the search judges them."""

    def __init__(self, most: int = _MOST_NOTED) -> None:
        self._most = most
        self._noted: list[Recorded] = []  # grows while others read: they look at its length once
        self._lock = threading.Lock()  # of those who ask
        self._by_program: dict[Program, int] = {}
        self._by_predicates: dict[tuple[Predicate, ...], list[int]] = {}
        self._above: dict[int, frozenset[Program]] = {}  # generalisations, as far as they were asked for
        self._sizes: set[int] = set()
        self.missed = 0

    def note(self, program: Program, evaluation: Evaluation, fate: str) -> None:
        if len(self._noted) == self._most:
            self.missed += 1
            return
        pos, neg, complete = evaluation
        recorded = Recorded(
            len(self._noted),
            program,
            program.size,
            pos.bit_count() if complete else None,
            None if neg is None or not complete else neg.bit_count(),
            fate,
            legal=True,
        )
        self._noted.append(recorded)

    def __len__(self) -> int:
        return len(self._noted)

    def __getitem__(self, number: int) -> Recorded:
        return self._noted[number]

    def counts(self) -> Mapping[tuple[int, str], int]:
        return Counter((one.size, one.fate) for one in self._so_far())

    def page(
        self, which: Which = ALL, *, order: Order = "size", offset: int = 0, limit: int = 50
    ) -> tuple[int, list[int]]:
        found = [
            one
            for one in self._so_far()
            if not which.sizes or one.size in which.sizes
            if not which.fates or one.fate in which.fates
            if one.number not in which.without
            if all(not _predicates(one.program).isdisjoint(group) for group in which.predicates)
        ]
        first = nsmallest(offset + limit, found, key=_RANKS[order])
        return len(found), [one.number for one in first[offset:]]

    def find(self, program: Program) -> int | None:
        with self._lock:
            self._bring_up_to_date()
            # The canonical form of what somebody has typed may take long.
            return self._by_program.get(canonical(program)) if program.size in self._sizes else None

    def generalisations(self, number: int) -> tuple[int, ...]:
        found = map(self.find, generalisations(self[number].program))
        return tuple(dict.fromkeys(above for above in found if above is not None))

    def specialisations(self, number: int) -> Specialisations:
        """Which rules were left out only the solver of the space could tell."""
        program = self[number].program
        if len(program.rules) > 1:
            return Specialisations(())
        with self._lock:
            self._bring_up_to_date()
            own = Counter(literal.predicate for literal in program.rules[0].body)
            near = [
                number
                for predicates, numbers in self._by_predicates.items()
                if len(predicates) == own.total() + 1 and not own - Counter(predicates)
                for number in numbers
            ]
            return Specialisations(tuple(n for n in near if program in self._generalisations(n)))

    def _generalisations(self, number: int) -> frozenset[Program]:
        known = self._above.get(number)
        if known is None:
            known = self._above[number] = frozenset(generalisations(self[number].program))
        return known

    def never_made(self, number: int, kind: str, limit: int) -> list[Program]:
        return []

    def sample_of_cut(self, number: int, how_many: int, seed: int) -> list[Program]:
        return []

    def _so_far(self) -> Iterator[Recorded]:
        return islice(self._noted, len(self._noted))

    def _bring_up_to_date(self) -> None:
        for one in islice(self._noted, len(self._by_program), len(self._noted)):
            self._by_program[one.program] = one.number
            self._sizes.add(one.size)
            if len(one.program.rules) == 1:
                predicates = tuple(sorted(literal.predicate for literal in one.program.rules[0].body))
                self._by_predicates.setdefault(predicates, []).append(one.number)


def _balance(one: Recorded) -> float:
    return float("inf") if one.pos is None or one.neg is None else one.neg - one.pos


_RANKS = {
    "size": lambda one: one.number,
    "positives": lambda one: 1 if one.pos is None else -one.pos,
    "balance": _balance,
}


def _predicates(program: Program) -> set[Predicate]:
    return {literal.predicate for rule in program.rules for literal in rule.body}
