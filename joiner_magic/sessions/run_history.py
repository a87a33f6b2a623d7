"""The runs of a session, oldest first: which one is going on, what a new run may take over, and what is forgotten.

A new run does not always search. If the last run had the same task and was stopped before its end, it goes on where it
was. If an earlier run has searched the same space to its end without finding a solution, its result is repeated. Else
the new run starts with what earlier runs have found out that is still true.

A run holds its task with all facts, and a record of all programs that it tested. So older runs give these up step by
step, and only the last `KEPT` runs are kept at all.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from joiner_magic.errors import TaskError
from joiner_magic.search.reuse.task_order import is_same_task
from joiner_magic.sessions.forgotten_runs import ForgottenRuns

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.search.running.budget import Budget
    from joiner_magic.sessions.comparison import Comparison
    from joiner_magic.sessions.runs import Run

_WITH_COVERAGE = 2  # runs whose coverage, which takes the most memory, is kept for later runs
_WITH_FINDINGS = 8  # runs whose findings are kept for later runs
RECORDED = 5  # runs that keep a record of what they tested, besides the one that is going on
KEPT = 20  # runs that are kept at all


class RunHistory:
    """The last runs of a session, and in numbers all of them."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._forgotten = ForgottenRuns()

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs that are kept, oldest first."""
        return tuple(self._runs)

    @property
    def last(self) -> Run | None:
        """The run that was begun last; None before the first one."""
        if not self._runs:
            return None
        return self._runs[-1]

    @property
    def last_number(self) -> int:
        """The number of the last run; 0 before the first one."""
        if not self._runs:
            return 0
        return self._runs[-1].number

    @property
    def running(self) -> Run | None:
        """The run that is going on now, if there is one."""
        return next((run for run in self._runs if run.state == "running"), None)

    @property
    def result(self) -> Result | None:
        """The result of the last run that has one."""
        for run in reversed(self._runs):
            if run.result:
                return run.result
        return self._forgotten.result

    def refuse_second(self) -> None:
        """Raise TaskError if a run is going on: there is one at a time."""
        if run := self.running:
            raise TaskError(
                f"{run.name} is still running",
                remedy="%joiner stop ends it and keeps its best, %joiner status says how far it is",
            )

    def start(self, run: Run, budget: Budget, fresh: bool) -> Run:
        """Start a new run, or go on with the last one if that does the same; the run that works is returned.

        With `fresh` nothing of earlier runs is used.
        """
        last = self.last
        if last and not fresh and _can_go_on_for(last, run):
            last.go_on(budget, run.held_out)
            return last
        if fresh:
            run.start(budget, [], self.runs)
        elif earlier := self._with_same_answer(run):
            run.repeat(earlier, budget)
        else:
            findings = [each.finding for each in self._runs if each.finding]
            run.start(budget, findings, self.runs)
        if last:
            last.close()
        self._runs.append(run)
        self._forget_details()
        return run

    def _with_same_answer(self, run: Run) -> Run | None:
        """The first earlier run whose result a new run would only repeat; None if it has to search."""
        return next((earlier for earlier in self._runs if _has_same_answer(earlier, run)), None)

    def last_to_resume(self) -> Run:
        """The last run, if it was stopped before its end; TaskError if it was not."""
        last = self.last
        if last is None:
            raise TaskError("there is no run to go on with", remedy="begin one with %joiner learn")
        if not last.can_go_on:
            raise _cannot_go_on(last)
        return last

    def comparison(self) -> Comparison:
        """All runs side by side, also those that are forgotten."""
        return self._forgotten.comparison(self._runs)

    def clear(self) -> None:
        """Forget all runs."""
        for run in self._runs:
            run.forget(f"{run.name.capitalize()} was forgotten.")
        self._runs.clear()
        self._forgotten = ForgottenRuns()

    def _forget_details(self) -> None:
        """Give up what older runs hold: their coverage first, then findings, then records, then the runs themselves.

        A recent run may show the search of an older one; that one keeps its findings and its record.
        """
        for run in self._runs[:-_WITH_COVERAGE]:
            if run.finding:
                run.finding = dataclasses.replace(run.finding, coverage={})
        recent = self._runs[-RECORDED - 1 :]  # with the one that has just begun
        shown = {id(run.shown) for run in recent}
        for run in self._runs[:-_WITH_FINDINGS]:
            if id(run) not in shown:
                run.finding = None
        for run in self._runs[: -RECORDED - 1]:
            if id(run) not in shown:
                run.forget_record(
                    f"What {run.name} tested is forgotten: the last {RECORDED} runs keep theirs."
                )
        while len(self._runs) > KEPT:
            gone = self._runs[0]
            self._forgotten.take(gone, self._runs[1])
            if id(gone) not in shown:
                gone.forget(f"{gone.name.capitalize()} was forgotten: the last {KEPT} runs are kept.")
            del self._runs[0]


def _can_go_on_for(last: Run, run: Run) -> bool:
    """Whether the last run was stopped before its end, and going on with it does what the new run is asked for."""
    same_work = run.options.about_work == last.options.about_work
    return last.can_go_on and same_work and _is_same_search(run, last)


def _is_same_search(run: Run, other: Run) -> bool:
    """Whether two runs search the same space on the same examples."""
    return run.options.about_search == other.options.about_search and is_same_task(run.task, other.task)


def _has_same_answer(earlier: Run, run: Run) -> bool:
    """Whether an earlier run has searched the same space to its end in vain, with all advice that the new one asks for."""
    if run.options.trusted:  # what a trusted text defines may depend on more than the task
        return False
    if earlier.result is None:
        return False
    shortfall = earlier.result.shortfall
    if shortfall is None or not shortfall.exhausted:
        return False
    if run.options.advise and not earlier.options.advise:
        return False
    return _is_same_search(run, earlier)


def _cannot_go_on(run: Run) -> TaskError:
    """The error that says why a run has come to its end."""
    result = run.result
    if result and (result.optimal or (result.shortfall and result.shortfall.exhausted)):
        return TaskError(f"{run.name} is finished: there is nothing left to do")
    why = ""
    if result and run.state == "finished":
        why = f": {result.why}"
    return TaskError(f"{run.name} cannot go on{why}", remedy="run it anew with %joiner learn")
