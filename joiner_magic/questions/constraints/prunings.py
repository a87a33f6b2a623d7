"""The pruning constraints of a run: what caused each, which programs need not be tested for it, and whether it is right.

A constraint is caused by a program that the run recorded, and says that no specialisation of it need be tested. The
kind of the constraint is the fate of its cause. How a constraint takes effect depends on the source of programs. A
solver forbids every specialisation. The native core makes each body by extending one other body, and extends none that
caused a constraint; a specialisation that it makes from another body is tested all the same. So for each cause it is
counted how many specialisations with one literal more were never made, and how many were tested.

A run may have a million constraints, so they are given a page at a time. What the record does not hold is computed for
the constraints on a page only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from joiner_magic.errors import CommandError
from joiner_magic.logic.conjunctions import intersection
from joiner_magic.logic.programs import Program
from joiner_magic.logic.terms import Predicate
from joiner_magic.questions.constraints import verification
from joiner_magic.questions.constraints.verification import KnownParts, Verification, verified
from joiner_magic.questions.inspector import RunInspector
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.rule_ids import rule_ids_of
from joiner_magic.search.fate import PRUNING, Fate
from joiner_magic.search.record.record import Order, Record, RecordedProgram, RecordFilter
from joiner_magic.solvers.covering import cheapest_cover

if TYPE_CHECKING:
    from joiner_magic.logic.conjunctions import Conjunction
    from joiner_magic.sessions.runs import Run

_SEED = 1  # of samples: asking twice gives the same sample


@dataclass(frozen=True, slots=True)
class Pruning:
    """A constraint and its cause. `needless` is empty for a program from which nothing follows."""

    number: int  # of the cause in the record: programs are numbered as they were tested
    kind: Fate
    cause: str
    size: int
    pos: int | None  # examples that the cause covers; None: not counted
    neg: int | None
    whole: bool  # whether the cause is a rule; otherwise it may cover more than was counted
    needless: str  # what need not be tested, as a pattern of rules
    removed: int | None  # immediate specialisations that were never made for it; None: nobody has counted
    tested: int | None  # immediate specialisations that were tested all the same


@dataclass(frozen=True, slots=True)
class PruningPage:
    """Some of the constraints that were asked for, and how many there are in all."""

    total: int
    rows: tuple[Pruning, ...]


@dataclass(frozen=True, slots=True)
class PruningDetail:
    """Everything about one constraint."""

    pruning: Pruning
    proposition: str  # what makes it sound
    asp: str  # the constraint in the language of clingo; empty if nothing follows
    told: (
        bool  # whether a solver was given the constraint; otherwise the core has drawn the conclusion itself
    )
    covered_by: tuple[str, ...]  # known parts, together no larger than the cause, that cover what it covers
    verifiable: bool  # whether a sample of the removed programs can be tested


class Prunings:
    """The constraints of one run by the number of their cause, in pages, in detail, and to be verified."""

    def __init__(self, run: Run, record: Record | None = None) -> None:
        """The constraints of the search that a run shows, which may be an earlier run's; or those of a given record."""
        self.run = run.shown
        self._inspector = RunInspector(self.run)
        self._given = record

    @property
    def record(self) -> Record:
        """The record whose programs are listed."""
        if self._given is None:
            return self._inspector.record
        return self._given

    @property
    def missing(self) -> str:
        """A sentence that says why no constraints can be listed; empty if they can."""
        if self._given is None:
            return self._inspector.missing
        return ""

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
    ) -> PruningPage:
        """Some constraints of one kind, or of all kinds, and of one size, or of all sizes.

        `text` is a whole rule, or words: for each word a predicate of the cause has a name that begins with it.
        """
        if "(" in text:
            return self._page_of_rule(text)
        named = [self._predicates_called(word) for word in text.split()]
        if not all(named):
            return PruningPage(0, ())
        which = RecordFilter(fates=PRUNING, predicates=named)
        if kind:
            which = replace(which, fates=(Fate.called(kind),))
        if size is not None:
            which = replace(which, sizes=(size,))
        if backwards:
            total, _ = self.record.page(which, limit=0)
            offset, limit = max(total - offset - limit, 0), max(min(limit, total - offset), 0)
        total, numbers = self.record.page(which, order=order, offset=offset, limit=limit)
        if backwards:
            numbers = numbers[::-1]
        return PruningPage(total, tuple(map(self.pruning, numbers)))

    def _predicates_called(self, beginning: str) -> list[Predicate]:
        """The body predicates whose names begin with a word."""
        return [predicate for predicate in self.run.task.bias.body if predicate.name.startswith(beginning)]

    def _page_of_rule(self, text: str) -> PruningPage:
        """The page for a text that is a whole rule: its constraint, or nothing."""
        return self.page_of(self.find(text))

    def page_of(self, number: int | None) -> PruningPage:
        """The page with the constraint of one recorded program alone; without a number an empty one."""
        if number is None:
            return PruningPage(0, ())
        return PruningPage(1, (self.pruning(number),))

    def find(self, rule: str) -> int | None:
        """The number of a recorded program, given by its id in any view or as a text; None if there is none."""
        key = NodeId.parse(rule)
        if key is not None and key.is_recorded and key.number < len(self.record):
            return key.number
        program = rule_ids_of(self.run).program(rule)
        if program is None:
            return None
        return self.record.find(program)

    def pruning(self, number: int) -> Pruning:
        """The constraint that a recorded program caused. What was concluded from it later is in its detail."""
        one = self._recorded(number)
        naming = self._inspector.naming
        needless, removed, tested = "", None, None
        if one.cut:
            needless = naming.pattern(one.program, self._excepted_variables(one))
            removed, tested = self._count_specialisations(one)
        return Pruning(
            number,
            one.fate,
            naming(one.program),
            one.size,
            one.pos,
            one.neg,
            one.legal,
            needless,
            removed,
            tested,
        )

    def detail(self, number: int) -> PruningDetail:
        """Everything about the constraint that a recorded program caused."""
        one = self._recorded(number)
        pruning = self.pruning(number)
        proposition = pruning.kind.sentence
        if one.later:
            proposition += f" Later more was known: {one.later.sentence}"
        return PruningDetail(
            pruning,
            proposition,
            asp=self._asp(one),
            told=self.run.progress.source.startswith("asp"),
            covered_by=self._covered_by(one),
            verifiable=self._is_verifiable(one),
        )

    def _is_verifiable(self, one: RecordedProgram) -> bool:
        """Whether a sample of what a program has removed can be tested; for some kinds the run's parts are needed."""
        if one.cut is None:
            return False
        return self.run.finding is not None or one.cut not in _ABOUT_PARTS

    def verify(self, number: int, how_many: int = verification.SAMPLE) -> Verification:
        """Test a sample of the programs that a constraint removed against what its kind claims of them."""
        one = self._recorded(number)
        if not self.detail(number).verifiable:
            raise CommandError("nothing is claimed that could be verified now")
        sample = self.record.sample_of_cut(number, how_many, _SEED)
        return verified(self._claim(one), sample, self._inspector.evaluate)

    def name(self, program: Program) -> str:
        """A program as it is written in all views."""
        return self._inspector.naming(program)

    def _recorded(self, number: int) -> RecordedProgram:
        """The recorded program with a number. Raises CommandError if there is none."""
        if not 0 <= number < len(self.record):
            raise CommandError(f"no program has the number {number}")
        return self.record[number]

    def _excepted_variables(self, one: RecordedProgram) -> tuple[int, ...]:
        """Variables of the head that make an exception: a specialisation that mentions one of them is not forbidden."""
        if one.cut is not Fate.CONSISTENT_FRAGMENT:
            return ()
        return self._inspector.problem.missing(one.program)

    def _count_specialisations(self, one: RecordedProgram) -> tuple[int | None, int | None]:
        """How many immediate specialisations were never made because of a cause, and how many were tested all the same."""
        below = self.record.specialisations(one.number)
        if not below.counted:
            return None, None
        return sum(cut.count for cut in below.cut if cut.cause == one.number), len(below.made)

    def _asp(self, one: RecordedProgram) -> str:
        """A constraint in the language of clingo; empty if nothing follows from the program."""
        if one.cut is None:
            return ""
        from joiner_magic.solvers.nogoods import Nogood, nogood_text  # clingo takes a while to import

        return nogood_text(Nogood(one.program, self._excepted_variables(one)))

    def _covered_by(self, one: RecordedProgram) -> tuple[str, ...]:
        """Consistent parts, together no larger than a program, that cover all positive examples that it covers.

        They are asked for only if the program was cut because of such parts.
        """
        if one.cut not in (Fate.SUBSUMED, Fate.CHEAPER_UNION):
            return ()
        (cause,) = self._inspector.evaluate([one.program])
        parts = [(conjunction, pos) for conjunction, pos in self._parts if conjunction.size <= one.size]
        prices = [(conjunction.size, pos) for conjunction, pos in parts]
        chosen = cheapest_cover(cause.pos, prices, below=one.size + 1)
        texts = []
        for number in chosen or ():
            conjunction, _ = parts[number]
            texts.append(" and ".join(map(self._inspector.naming, conjunction.programs)))
        return tuple(texts)

    def _claim(self, one: RecordedProgram) -> verification.Claim:
        """What the kind of a constraint claims of every program that it removed."""
        match one.cut:
            case Fate.COVERS_NOTHING | Fate.NOTHING_BELOW:
                return verification.covers_nothing()
            case Fate.CONSISTENT | Fate.CONSISTENT_FRAGMENT:
                (cause,) = self._inspector.evaluate([one.program])
                return verification.is_within(cause)
            case Fate.TOO_LARGE:
                everything = self._inspector.problem.everything
                return verification.is_of_no_use(self._known_parts, everything, self._best_size(one))
            case Fate.UNPROFITABLE:
                prices = self._inspector.problem.prices
                assert prices is not None, "such programs are left out where errors have a price"
                return verification.does_not_pay(prices)
            case Fate.IMPLIED:
                return verification.has_a_smaller_equal(self._inspector.evaluate)
            case _:
                return verification.is_covered(self._known_parts)

    def _best_size(self, one: RecordedProgram) -> int:
        """The size of the solution that the run has found; without one, that of a program."""
        result = self.run.result
        if result is None or not result.solved:
            return one.size
        return result.size

    @property
    def _known_parts(self) -> KnownParts:
        """Size and coverage of the consistent parts that the run has kept."""
        finding = self.run.finding
        every = finding is not None and len(finding.parts) == finding.result.counts["parts"]
        return KnownParts([(conjunction.size, pos) for conjunction, pos in self._parts], every)

    @cached_property
    def _parts(self) -> Sequence[tuple[Conjunction, int]]:
        """The consistent parts that the run has kept, and the positive examples that each covers.

        Where errors have a price, the run has parts that cover negative examples too. No pruning rests on those.
        """
        if self.run.finding is None:
            return []
        conjunctions = self.run.finding.parts
        programs = list(dict.fromkeys(chain.from_iterable(each.programs for each in conjunctions)))
        covered = dict(zip(programs, self._inspector.evaluate(programs), strict=True))
        found = []
        for conjunction in conjunctions:
            pos, neg, complete = intersection([covered[program] for program in conjunction.programs])
            if complete and not neg:
                found.append((conjunction, pos))
        return found


_ABOUT_PARTS = (Fate.SUBSUMED, Fate.CHEAPER_UNION, Fate.TOO_LARGE)  # kinds whose claims name parts of the run
