"""What a run has tested, and an engine like its own that tests more.

What is asked while the run goes on is answered from what is recorded so far.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.protocol import Engine
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.plain_record import PlainRecord
from joiner_magic.search.problem import Problem
from joiner_magic.search.record import Record
from joiner_magic.sessions.naming import Naming

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_EFFORT = 3_000_000  # of the engine's unit, for each rule: with a literal less, a body may run on and on


class Tested:
    def __init__(self, run: Run) -> None:
        self._run = run
        self._record: Record = PlainRecord()
        self.problem = Problem.of(run.task, run.progress.engine)
        self.naming = Naming(run.task.bias)
        self._lock = threading.RLock()  # of the engine; the record needs none

    @property
    def record(self) -> Record:
        """The latest that there was: the session forgets it some day."""
        record = self._run.record
        if record is not None:
            self._record = record
        return self._record

    def evaluate(self, programs: Sequence[Program]) -> list[Evaluation]:
        """With a moderate amount of work for each."""
        if not programs:
            return []
        with self._lock:
            in_order = list(map(self.problem.modes.program_in_order, programs))
            return self._engine.evaluate(in_order, limit=_EFFORT)

    @cached_property
    def _engine(self) -> Engine:
        # Reading the facts takes longer than a question: one engine answers them all.
        run = self._run
        name, trusted = (run.result.engine, run.result.trusted) if run.result else ("", False)
        engine = choose_engine(
            run.task, name or run.options.engine, trusted=trusted or run.options.trusted
        ).engine
        weakref.finalize(self, engine.close)
        return engine
