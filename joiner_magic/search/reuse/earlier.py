"""What earlier runs know that is still true of a task that has changed since.

**Upper bounds.** Whatever an earlier run found can be tested again: a part that still covers no negative example is
a part, and if parts together still cover every positive example, there is a solution to begin with. That is sound
whatever has changed, as long as the rules belong to the space.

**Lower bounds.** Let no solution of a task have fewer than B literals. Take away rules of the space, or add examples:
then solutions are lost and none is won, so the same holds of the new task. For this the old examples must see the
same facts (`sight`), and what a program covers of them must not depend on the new ones (`Engine.independent`).

**Coverage.** Under these conditions, a program covers of an old example what it covered before: only new examples
are evaluated. This is remembered of programs that are tested one by one, outside of the native core, where enumerating
programs takes longer than looking them up would save.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields

from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.terms import Term
from joiner_magic.search.objective import EXACT, Objective
from joiner_magic.search.options import Bearing, Options
from joiner_magic.search.outcome.result import Result
from joiner_magic.search.reuse.visible_facts import sees_the_same
from joiner_magic.task.bias import BIAS_ORDERS, Bias
from joiner_magic.task.examples import Examples
from joiner_magic.task.notes import counted
from joiner_magic.task.task import Task

_SOLUTIONS = 3  # of the last runs, that are tested again
_FLOORS = 3  # the highest, of which it is found out whether they still hold


@dataclass(frozen=True, slots=True)
class Finding:
    """What a run leaves behind."""

    run: str  # what it is called
    result: Result
    options: Options  # in force: with the engine that was chosen
    independent: bool  # Engine.independent
    parts: Sequence[Conjunction]
    fragments: Sequence[Program]
    coverage: Mapping[Program, Evaluation] = field(default_factory=dict, repr=False)
    settled_by: str = ""  # the run whose solution it has taken over, if that was proven to be the smallest

    @property
    def bound(self) -> int | None:
        """No solution of its task costs less: in exact learning, none has fewer literals."""
        if self.result.counts["unfinished"]:
            return None
        return self.result.cost if self.result.optimal else self.result.bound

    @property
    def solution(self) -> tuple[Conjunction, ...]:
        if not self.result.solved:
            return ()
        return tuple(conjunction for part in self.result.parts for conjunction in part.conjunctions)

    def searches_as(self, options: Options) -> bool:
        """Whether the options give the same space of hypotheses, the bias aside."""
        return self.options.that(Bearing.SPACE) == options.that(Bearing.SPACE)

    def claims_as(self, options: Options) -> bool:
        """Whether claims of this run are claims about runs with these options."""
        bearings = Bearing.SPACE, Bearing.CLAIMS
        return self.options.that(*bearings) == options.that(*bearings)

    def fitting(self, found: Sequence[Conjunction], task: Task) -> Sequence[Conjunction]:
        """What of it belongs to the space of a task."""
        before, bias = self.result.task.bias, task.bias
        if is_narrower(before, bias):
            return found
        return [c for c in found if all(belongs(program, before, bias) for program in c.programs)]


@dataclass(frozen=True, slots=True)
class HeadStart:
    """What a run may begin with. Everything here belongs to its space, and nothing is tested yet."""

    solutions: Sequence[tuple[str, Sequence[Conjunction]]] = ()  # and the runs that found them
    parts: Sequence[Conjunction] = ()
    fragments: Sequence[Program] = ()
    floor: int = 0  # no solution costs less
    floor_of: str = ""  # the run that knows
    seeds_of: str = ""  # the run that found parts and fragments
    recollection: Recollection | None = None

    @property
    def new_examples(self) -> Examples | None:
        """Those that programs of the recollection were never tested on, if there are any."""
        new = self.recollection.new if self.recollection else None
        return new if new and (new.pos or new.neg) else None

    @classmethod
    def of(
        cls, findings: Sequence[Finding], task: Task, options: Options, objective: Objective = EXACT
    ) -> HeadStart:
        """`findings` of earlier runs, oldest first; `options` are those in force, with the engine that was chosen.

        Only those count that learnt the same head for the same objective: what was no part for one may be one for another.
        """
        head = task.bias.head
        related = [
            f
            for f in reversed(findings)
            if f.result.task.bias.head == head and f.result.objective == objective and f.searches_as(options)
        ]
        if not related:
            return cls()
        last = related[0]
        # The best first: finding out what examples see takes a moment where there are many facts.
        floors = sorted(
            ((f.bound, f) for f in related if f.bound and f.claims_as(options)),
            key=lambda known: known[0],
            reverse=True,
        )
        floor, floor_of = next(
            ((bound, f.run) for bound, f in floors[:_FLOORS] if carries_over(f, task, options)), (0, "")
        )
        solutions = [
            (f.run, f.solution)
            for f in related
            if f.solution and len(f.fitting(f.solution, task)) == len(f.solution)
        ]
        return cls(
            solutions[:_SOLUTIONS],
            last.fitting(last.parts, task),
            tuple(c.programs[0] for c in last.fitting([Conjunction((p,)) for p in last.fragments], task)),
            floor,
            floor_of,
            last.run,
            Recollection.of(last, task, options),
        )


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """How one field of a task decides what earlier runs still know."""

    carries_over: Callable[
        [Task, Task], bool
    ]  # every solution of the later task is one of the earlier, by this field
    is_same: Callable[[Task, Task], bool]  # both tasks ask for the same, by this field


def _more_examples(before: Task, task: Task) -> bool:
    pos, neg = set(before.examples.pos), set(before.examples.neg)
    return pos <= set(task.examples.pos) and neg <= set(task.examples.neg)


def _same_examples(one: Task, other: Task) -> bool:
    return (one.examples.pos, one.examples.neg) == (other.examples.pos, other.examples.neg)


def _sees_as_before(before: Task, task: Task) -> bool:
    return sees_the_same((*before.examples.pos, *before.examples.neg), before, task)


def _same_texts(one: Task, other: Task) -> bool:
    """The same and in the same order, wherever they stand in their cells."""
    texts = [[source.text.strip() for source in task.background.sources] for task in (one, other)]
    return texts[0] == texts[1]


def _same_builtins(one: Task, other: Task) -> bool:
    return one.builtins == other.builtins


def _no_effect(one: Task, other: Task) -> bool:
    return True


# Every field of `Task`. What is found out quickly comes first: what examples see takes a moment.
TASK_ORDERS: dict[str, TaskOrder] = {
    "examples": TaskOrder(_more_examples, _same_examples),
    "bias": TaskOrder(
        lambda before, task: is_narrower(task.bias, before.bias),
        lambda one, other: is_narrower(one.bias, other.bias) and is_narrower(other.bias, one.bias),
    ),
    "builtins": TaskOrder(_same_builtins, _same_builtins),
    "notes": TaskOrder(_no_effect, _no_effect),
    "background": TaskOrder(_sees_as_before, _same_texts),
}
if set(TASK_ORDERS) != {each.name for each in fields(Task)}:
    raise TypeError("a field of Task does not say how it decides what earlier runs still know")


def carries_over(finding: Finding, task: Task, options: Options) -> bool:
    """Whether every solution of the task is one of the task that the finding is about; `options` are those in force."""
    before = finding.result.task
    return (
        finding.independent
        and finding.claims_as(options)
        and all(order.carries_over(before, task) for order in TASK_ORDERS.values())
    )


def is_same_task(one: Task, other: Task) -> bool:
    """Whether the same is asked for, wherever it is said."""
    return all(order.is_same(one, other) for order in TASK_ORDERS.values())


def is_narrower(bias: Bias, other: Bias) -> bool:
    """Whether every hypothesis of `bias` is one of `other`. (It may be so even if this says no.)"""
    return bias == other or all(order.is_narrower(name, bias, other) for name, order in BIAS_ORDERS.items())


def belongs(program: Program, before: Bias, bias: Bias) -> bool:
    """Whether a program of the space of `before` is one of the space of `bias`. (Also if this says no.)"""
    return all(order.keeps(name, program, before, bias) for name, order in BIAS_ORDERS.items())


@dataclass(frozen=True, slots=True)
class Reuse:
    """What a run has made of its head start."""

    parts: int = 0  # that were tested again
    fragments: int = 0
    solution: tuple[str, int] | None = None  # an earlier one that still is one: the run, and its size

    def told(self, start: HeadStart, *, settled: bool, recalled: int) -> str:
        """In one line; empty if nothing was of use."""
        told = []
        if self.solution is not None:
            run, size = self.solution
            told.append(f"the solution of {run} ({size} literals) still is one")
            if settled:
                return (
                    f"{told[0]}, and {start.floor_of} has proven that none is smaller: nothing was searched"
                )
        if self.parts or self.fragments:
            found = f"{counted(self.parts, 'part')} and {counted(self.fragments, 'fragment')}"
            told.append(f"tested {found} of {start.seeds_of} again")
        if recalled:
            told.append(f"tested {counted(recalled, 'program')} on new examples only")
        if start.floor:
            told.append(f"{start.floor_of} has shown that no solution has fewer than {start.floor} literals")
        return "; ".join(told)


NOTHING_KNOWN = HeadStart()


def intersection(evaluations: Sequence[Evaluation]) -> Evaluation:
    """What programs cover that all must hold; nothing if one of them covers no positive example."""
    pos = neg = -1
    for evaluation in evaluations:
        pos &= evaluation.pos
        neg &= 0 if evaluation.neg is None else evaluation.neg
    return Evaluation(pos, neg, all(evaluation.complete for evaluation in evaluations))


class Recollection:
    """What programs cover, from an earlier run on the same facts, carried over to the examples of this one."""

    def __init__(self, known: Mapping[Program, Evaluation], before: Examples, now: Examples) -> None:
        self._known = known
        self._pos = _Carried(before.pos, now.pos)
        self._neg = _Carried(before.neg, now.neg)
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
        return cls(finding.coverage, before.examples, task.examples) if same else None

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
            return None if pos else Evaluation(0, None)
        return Evaluation(pos, self._neg.kept(known.neg) | self._neg.new(new.neg))


class _Carried:
    """Sets of examples, as bits, from one numbering to another."""

    def __init__(self, before: Sequence[Term], now: Sequence[Term]) -> None:
        numbers = {atom: number for number, atom in enumerate(now)}
        old = set(before)
        self.new_items = tuple(atom for atom in now if atom not in old)
        self.kept = _Move([numbers.get(atom) for atom in before])
        self.new = _Move([numbers[atom] for atom in self.new_items])


class _Move:
    """Each bit to the place it is given, or to none."""

    def __init__(self, places: Sequence[int | None]) -> None:
        self._places = places
        first = places[0] if places else 0
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
