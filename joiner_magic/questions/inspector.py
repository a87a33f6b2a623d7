"""Access to what a run has recorded, and to an engine like the run's own that evaluates further programs.

It can be used while the run goes on; the record then has what was tested so far.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.questions.engine_of_run import engine_of
from joiner_magic.questions.naming import Naming
from joiner_magic.search.problem import Problem
from joiner_magic.search.record.plain_record import PlainRecord
from joiner_magic.search.record.record import Record

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

# How much work an evaluation may take, in the unit of the engine: a body without one of its literals may run very long.
_EFFORT = 3_000_000


class RunInspector:
    """The record of one run, the problem that it solves, and how its programs are written."""

    def __init__(self, run: Run) -> None:
        """Access to what this run has recorded; nothing is read before it is asked for."""
        self._run = run
        self._record: Record | None = None
        objective = run.options.objective(run.task)
        self.problem = Problem.of(run.task, run.progress.engine, objective=objective)
        self.naming = Naming(run.task.bias)
        self._lock = threading.RLock()  # for what subclasses keep; the record needs none

    @property
    def record(self) -> Record:
        """The record of the run. The last one is kept here, because the session may forget it; else it is empty."""
        record = self._run.record
        if record is not None:  # an empty record is false, but it is a record
            self._record = record
        if self._record is None:
            return PlainRecord()
        return self._record

    @property
    def missing(self) -> str:
        """A sentence that says why tested programs cannot be listed; empty if they can."""
        if len(self.record):
            return ""
        return self._run.record_gone

    def evaluate(self, programs: Sequence[Program]) -> list[Evaluation]:
        """What programs cover, with a bounded amount of work for each: an evaluation may be incomplete."""
        if not programs:
            return []
        in_order = list(map(self.problem.modes.program_in_order, programs))
        with engine_of(self._run) as engine:
            return engine.evaluate(in_order, limit=_EFFORT)
