"""What a run has tested, and an engine like its own that tests more.

What is asked while the run goes on is answered from what is recorded so far.
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

_EFFORT = 3_000_000  # of the engine's unit, for each rule: with a literal less, a body may run on and on


class RunInspector:
    def __init__(self, run: Run) -> None:
        self._run = run
        self._record: Record | None = None
        self.problem = Problem.of(run.task, run.progress.engine)
        self.naming = Naming(run.task.bias)
        self._lock = threading.RLock()  # of what is evaluated; the record needs none

    @property
    def record(self) -> Record:
        """The latest that there was: the session forgets it some day."""
        record = self._run.record  # one that is empty is one, too
        if record is not None:
            self._record = record
        return PlainRecord() if self._record is None else self._record

    @property
    def missing(self) -> str:
        """Why nothing of what was tested can be listed, in a sentence; empty if it can."""
        return "" if len(self.record) else self._run.record_gone

    def evaluate(self, programs: Sequence[Program]) -> list[Evaluation]:
        """With a moderate amount of work for each."""
        if not programs:
            return []
        in_order = list(map(self.problem.modes.program_in_order, programs))
        with engine_of(self._run) as engine:
            return engine.evaluate(in_order, limit=_EFFORT)
