"""What earlier runs know that is still true of a task that has changed since.

**Upper bounds.** Whatever an earlier run found can be tested again: a part that still covers no negative example is
a part, and if parts together still cover every positive example, there is a solution to begin with. That is sound
whatever has changed, as long as the rules belong to the space.

**Lower bounds.** Let no solution of a task have fewer than B literals. Take away rules of the space, or add examples:
then solutions are lost and none is won, so the same holds of the new task. For this the old examples must see the
same facts (`visible_facts`), and what a program covers of them must not depend on the new ones (`Engine.independent`).

**Coverage.** Under these conditions, a program covers of an old example what it covered before: only new examples
are evaluated. This is remembered of programs that are tested one by one, outside of the native core, where enumerating
programs takes longer than looking them up would save.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.programs import Program
from joiner_magic.search.objective import EXACT, Objective
from joiner_magic.search.options import Options
from joiner_magic.search.reuse.finding import Finding, carries_over
from joiner_magic.search.reuse.recollection import Recollection
from joiner_magic.task.examples import Examples
from joiner_magic.task.notes import counted
from joiner_magic.task.task import Task

_SOLUTIONS = 3  # of the last runs, that are tested again
_FLOORS = 3  # the highest, of which it is found out whether they still hold


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
        new = None
        if self.recollection:
            new = self.recollection.new
        if new and (new.pos or new.neg):
            return new
        return None

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


NOTHING_KNOWN = HeadStart()


@dataclass(frozen=True, slots=True)
class ReuseSummary:
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
