"""The pruning constraints of a run: what caused each, what need not be tested for it, and whether that was right.

A constraint is a recorded program, its cause, from which nothing was made; its kind is the cause's fate. A solver that
is told so forbids every specialisation. The native core makes each body from one parent: it makes nothing from the
cause, but a specialisation that has another parent is made and tested all the same, although it need not be. So of the
specialisations with one literal more it is counted how many were never made, and how many were tested.

There may be a million constraints, so they are looked at a page at a time, and what a record does not keep is found out
for those shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from joiner_magic.errors import CommandError, JoinerError
from joiner_magic.logic.programs import Program
from joiner_magic.questions.constraints import verification
from joiner_magic.questions.constraints.fates import SENTENCES
from joiner_magic.questions.constraints.verification import KnownParts, Verification, verified
from joiner_magic.questions.inspector import Tested
from joiner_magic.search.record.fates import PRUNING, called, recorded_as
from joiner_magic.search.record.record import Order, Record, Recorded, Which
from joiner_magic.search.reuse.earlier import intersection
from joiner_magic.solvers.covering import cheapest_cover
from joiner_magic.task.reader import read_program

if TYPE_CHECKING:
    from joiner_magic.logic.conjunctions import Conjunction
    from joiner_magic.sessions.runs import Run

_SEED = 1  # of samples: who asks twice sees the same


@dataclass(frozen=True, slots=True)
class Pruning:
    """A constraint by its cause. A program that nothing follows from has no `needless`."""

    number: int  # of the cause in the record: programs are numbered as they were tested
    kind: str
    cause: str
    size: int
    pos: int | None  # examples that the cause covers; None: not counted
    neg: int | None
    whole: bool  # whether the cause is a rule; otherwise it may cover more than was counted
    needless: str  # what need not be tested, as a pattern of rules
    removed: int | None  # immediate specialisations that were never made for it; None: nobody has counted
    tested: int | None  # immediate specialisations that were tested all the same


@dataclass(frozen=True, slots=True)
class Page:
    total: int
    rows: tuple[Pruning, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    pruning: Pruning
    proposition: str  # that makes it sound
    asp: str  # the same for a solver; empty if nothing follows
    told: bool  # whether a solver was told so, and forbids it; otherwise the core has drawn the conclusion itself
    covered_by: tuple[str, ...]  # known parts, no larger together, that cover what the cause covers
    verifiable: bool


class Prunings:
    def __init__(self, run: Run, record: Record | None = None) -> None:
        """Of the search that the run shows, which may be an earlier run's, unless another record is given."""
        self.run = run.shown
        self._tested = Tested(self.run)
        self._given = record

    @property
    def record(self) -> Record:
        return self._tested.record if self._given is None else self._given

    @property
    def missing(self) -> str:
        """Why nothing can be listed, in a sentence; empty if it can."""
        return self._tested.missing if self._given is None else ""

    def page(
        self,
        kind: str = "",
        size: int | None = None,
        text: str = "",
        order: Order = "size",
        *,
        backwards: bool = False,
        offset: int = 0,
        limit: int = 25,
    ) -> Page:
        """Of one kind, or of all that prune; `text` is a rule, or words that predicates begin with."""
        fates = (recorded_as(kind),) if kind else PRUNING
        if "(" in text:
            return self._page_of_rule(text)
        sizes = () if size is None else (size,)
        names = [
            [predicate for predicate in self.run.task.bias.body if predicate.name.startswith(word)]
            for word in text.split()
        ]
        if not all(names):
            return Page(0, ())
        which = Which(sizes, fates, names)
        if backwards:
            total, _ = self.record.page(which, limit=0)
            offset, limit = max(total - offset - limit, 0), max(min(limit, total - offset), 0)
        total, numbers = self.record.page(which, order=order, offset=offset, limit=limit)
        if backwards:
            numbers = numbers[::-1]
        return Page(total, tuple(map(self.pruning, numbers)))

    def _page_of_rule(self, text: str) -> Page:
        number = self.find(text)
        return Page(0, ()) if number is None else Page(1, (self.pruning(number),))

    def find(self, text: str) -> int | None:
        """The number of a program, if the text is one that is recorded."""
        text = text.strip()
        try:
            program = read_program(text if text.endswith(".") else f"{text}.")
        except JoinerError:
            return None
        return self.record.find(program)

    def pruning(self, number: int) -> Pruning:
        """The constraint of a recorded program. What was concluded of it later is no fate, and in its detail."""
        one = self._recorded(number)
        removed, tested = self._below(one) if one.cut else (None, None)
        return Pruning(
            number,
            called(one.fate),
            self._tested.naming(one.program),
            one.size,
            one.pos,
            one.neg,
            one.legal,
            self._tested.naming.pattern(one.program, self._missing(one)) if one.cut else "",
            removed,
            tested,
        )

    def detail(self, number: int) -> Detail:
        one = self._recorded(number)
        pruning = self.pruning(number)
        later = f" Later more was known: {SENTENCES[called(one.cut)]}" if one.later else ""
        return Detail(
            pruning,
            f"{SENTENCES[pruning.kind]}{later}",
            self._asp(one) if one.cut else "",
            self.run.progress.source.startswith("asp"),
            self._covered_by(one) if one.cut in ("subsumed", "cheaper union") else (),
            bool(one.cut) and (self.run.finding is not None or one.cut not in _ABOUT_PARTS),
        )

    def verify(self, number: int, how_many: int = verification.SAMPLE) -> Verification:
        """A sample of what the constraint removed, tested against what its kind claims."""
        one = self._recorded(number)
        if not self.detail(number).verifiable:
            raise CommandError("nothing is claimed that could be verified now")
        sample = self.record.sample_of_cut(number, how_many, _SEED)
        return verified(self._claim(one), sample, self._tested.evaluate)

    def name(self, program: Program) -> str:
        return self._tested.naming(program)

    def _recorded(self, number: int) -> Recorded:
        if not 0 <= number < len(self.record):
            raise CommandError(f"no program has the number {number}")
        return self.record[number]

    def _missing(self, one: Recorded) -> tuple[int, ...]:
        """Variables of the head with which a specialisation is not forbidden."""
        return self._tested.problem.missing(one.program) if one.cut == "consistent fragment" else ()

    def _below(self, one: Recorded) -> tuple[int | None, int | None]:
        """Of the immediate specialisations how many were never made for it, and how many were tested all the same."""
        below = self.record.specialisations(one.number)
        if not below.counted:
            return None, None
        return sum(cut.count for cut in below.cut if cut.cause == one.number), len(below.made)

    def _asp(self, one: Recorded) -> str:
        from joiner_magic.solvers.nogoods import Nogood, nogood_text

        return nogood_text(Nogood(one.program, self._missing(one)))

    def _covered_by(self, one: Recorded) -> tuple[str, ...]:
        (cause,) = self._tested.evaluate([one.program])
        parts = [(c, pos) for c, pos in self._parts if c.size <= one.size]
        chosen = cheapest_cover(cause.pos, [(c.size, pos) for c, pos in parts], below=one.size + 1)
        return tuple(
            " and ".join(map(self._tested.naming, parts[number][0].programs)) for number in chosen or ()
        )

    def _claim(self, one: Recorded) -> verification.Claim:
        match one.cut:
            case "covers nothing" | "nothing below":
                return verification.covers_nothing()
            case "consistent" | "consistent fragment":
                (cause,) = self._tested.evaluate([one.program])
                return verification.is_within(cause)
            case "too large":
                result = self.run.result
                best = result.size if result and result.solved else one.size
                return verification.is_of_no_use(self._known_parts, self._tested.problem.everything, best)
            case "implied":
                return verification.has_a_smaller_equal(self._tested.evaluate)
            case _:
                return verification.is_covered(self._known_parts)

    @property
    def _known_parts(self) -> KnownParts:
        finding = self.run.finding
        every = finding is not None and len(finding.parts) == finding.result.counts["parts"]
        return KnownParts([(conjunction.size, pos) for conjunction, pos in self._parts], every)

    @cached_property
    def _parts(self) -> Sequence[tuple[Conjunction, int]]:
        """Parts that the run left behind, and what they cover."""
        conjunctions = self.run.finding.parts if self.run.finding else ()
        programs = list(dict.fromkeys(program for c in conjunctions for program in c.programs))
        covered = dict(zip(programs, self._tested.evaluate(programs), strict=True))
        found = [(c, intersection([covered[program] for program in c.programs])) for c in conjunctions]
        return [(c, pos) for c, (pos, _, complete) in found if complete]


_ABOUT_PARTS = ("subsumed", "cheaper union", "too large")  # kinds whose claims name parts of the run
