"""The steps of a run: choose the engine, see what earlier runs know, and search."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.protocol import Engine
from joiner_magic.search.loop import Search
from joiner_magic.search.options import Options
from joiner_magic.search.prepare import prepare_search, with_engine_directions
from joiner_magic.search.reuse.finding import Finding
from joiner_magic.search.reuse.head_start import HeadStart
from joiner_magic.search.running.events import Event
from joiner_magic.search.running.ledger import Ledger
from joiner_magic.search.running.run_budgets import RunBudgets
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.solvers.solver_thread import SolverThread
from joiner_magic.task.task import Task


class RunSteps:
    """The steps of one run. They are taken in a thread of their own, so they do not know the learner."""

    def __init__(
        self,
        task: Task,
        options: Options,
        findings: Sequence[Finding],
        budgets: RunBudgets,
        ledger: Ledger,
    ) -> None:
        """Nothing is prepared yet: that is the first step."""
        self.engines: list[Engine] = []  # the one of the run, and perhaps one for the examples that are new
        self.search: Search | None = None
        self._task = task
        self._options = options
        self._findings = findings
        self._budgets = budgets
        self._ledger = ledger

    @property
    def in_force(self) -> Options:
        """The options, with the engine that was taken."""
        return replace(self._options, engine=self.engines[0].name)

    def steps(self) -> Generator[Event, None, None]:
        """The events of the run, in order; what comes before the first is preparation."""
        self.search = self._prepared()
        yield from self.search.run()

    def _prepared(self) -> Search:
        """Not everything in there asks `stop`, so it is done in a thread, which is left behind if need be."""
        preparing: SolverThread[tuple[list[Engine], HeadStart]] = SolverThread(self._ready)
        try:
            preparing.start()
            engines, start = preparing.result(self._budgets.stop)
        finally:
            if not preparing.done:
                preparing.leave()
        self.engines += engines
        engine, *newly = engines
        return prepare_search(
            self._task, engine, self._options, self._budgets, self._ledger, start, newly[0] if newly else None
        )

    def _ready(
        self, preparing: SolverThread[tuple[list[Engine], HeadStart]]
    ) -> tuple[list[Engine], HeadStart]:
        """The engines, and what earlier runs know."""
        task, options = self._task, self._options
        engines: list[Engine] = []

        def choose(task: Task, name: str) -> Engine:
            """An engine for a task, which is closed with the others if the preparation fails."""
            stop = _closing(preparing)
            choice = choose_engine(task, name, trusted=options.trusted, stop=stop, memory=options.memory)
            engines.append(choice.engine)
            return engines[-1]

        try:
            engine = choose(task, options.engine)
            task = with_engine_directions(task, engine)
            in_force = replace(options, engine=engine.name)
            start = HeadStart.of(self._findings, task, in_force, options.objective(task))
            if start.new_examples is not None:
                choose(replace(task, examples=start.new_examples), engine.name)
            if preparing.closing:
                raise Interrupted
        except BaseException:
            close_engines(engines)
            raise
        return engines, start


def _closing(work: SolverThread[Any]) -> Stop:
    """A `stop` that ends work which nobody waits for any more."""
    return lambda: work.closing


def close_engines(engines: Sequence[Engine]) -> None:
    """Close the engines; one that is closed already does nothing."""
    for engine in engines:
        engine.close()
