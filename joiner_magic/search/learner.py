"""A run that can be paused: a task, an engine and a search, kept open until nobody wants them to go on."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import TracebackType
from typing import TypeAlias

from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.protocol import Engine
from joiner_magic.errors import TaskError
from joiner_magic.search.advice import advice
from joiner_magic.search.budget import Budget
from joiner_magic.search.earlier import Finding, HeadStart
from joiner_magic.search.events import Event, Finished
from joiner_magic.search.ledger import Ledger
from joiner_magic.search.loop import Search
from joiner_magic.search.options import Options
from joiner_magic.search.prepare import prepared
from joiner_magic.search.record import Record
from joiner_magic.search.result import Result, Why
from joiner_magic.search.shortfall import Shortfall
from joiner_magic.search.strand import Strand
from joiner_magic.solvers.interrupt import Interrupted, Stop
from joiner_magic.task.task import Task
from joiner_magic.task.validate import check_bounds

_MOMENT = 0.1  # seconds between two looks at whether a call of the engine is to be cancelled

Listener: TypeAlias = Callable[[Event], None]


class Learner:
    """One run of a task. Between two calls of `go` the search sleeps where it was stopped."""

    def __init__(self, task: Task, options: Options, findings: Sequence[Finding] = ()) -> None:
        """`findings` of earlier runs are made use of as far as they are still true."""
        began = time.monotonic()
        task = replace(task, bias=options.bias(task.bias))
        check_bounds(task.bias)
        if not task.examples.pos:
            remedy = "take some into the subset, as a splitter that stratifies does"
            raise TaskError("there is no positive example to learn from", remedy=remedy)
        self._task = task
        self._options = options
        self._engine = choose_engine(task, options.engine, trusted=options.trusted).engine
        self._engines = [self._engine]
        self._strand: Strand[Event] = Strand()
        # Nothing that the strand's thread holds may hold this object: nobody would ever let go of it.
        self._end = weakref.finalize(self, _end, self._strand, self._engines)
        self._budgets = _Budgets(self._strand, began)
        try:
            self._search = self._prepared(findings)
        except BaseException:
            self.close()
            raise
        self._strand.start(self._search.run())
        self._budgets.rest()
        self._result: Result | None = None  # of the end
        self._latest: Result | None = None

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self._result is not None and self._search.ended in ("proven", "exhausted")

    @property
    def can_go_on(self) -> bool:
        """Whether it was stopped, and the search sleeps; one that has used up its memory is over."""
        return self._result is None

    def go(self, budget: Budget, listeners: Sequence[Listener] = ()) -> Result:
        """Go on until the end, or until the budget is used up; the result is the best so far.

        Each listener is called, in this thread, with every event; the last one is always Finished. Ctrl-C stops
        like a used up budget. Raises TaskError for a run that cannot go on because its memory was used up.
        """
        if not self._end.alive:
            raise ValueError("the learner is closed")
        if self._result is None:
            with self._budgets.at_work(), _watched(self._engines, self._strand.wants_rest):
                result = self._latest = self._go(budget, listeners)
        elif self.finished:
            result = self._result
        else:
            raise TaskError(
                f"the run cannot go on: {self._result.why}",
                remedy="run it anew; the option `memory` says how much it may use",
            )
        _tell(Finished(result), listeners)
        return result

    @property
    def ledger(self) -> Ledger:
        """What the search writes down about itself; it may be read from another thread, at any time."""
        return self._search.ledger

    @property
    def record(self) -> Record:
        """What was tested so far; also after the end, and from another thread."""
        return self._search.record

    def finding(self, run: str) -> Finding:
        """What runs after this one, which is called `run`, may make use of."""
        assert self._latest is not None, "it has been at work"
        return self._search.finding(run, self._latest, independent=self._engine.independent)

    def close(self) -> None:
        """End everything that belongs to the run, also what is asleep."""
        self._end()

    def __enter__(self) -> Learner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _prepared(self, findings: Sequence[Finding]) -> Search:
        task, options = self._task, self._options
        start = HeadStart.of(
            findings, task, self._engine.name, join=options.join, splittable=options.splittable
        )
        newly = None  # an engine for the examples that are new
        if start.new_examples is not None:
            only_new = replace(task, examples=start.new_examples)
            newly = choose_engine(only_new, self._engine.name, trusted=options.trusted).engine
            self._engines.append(newly)
        return prepared(task, self._engine, options, self._budgets, start, newly)

    def _go(self, budget: Budget, listeners: Sequence[Listener]) -> Result:
        paused = self._advance(budget, listeners)
        result = replace(self._search.result(paused or "interrupted"), trusted=self._options.trusted)
        if not result.solved:
            result = replace(result, shortfall=self._shortfall(result, budget, paused))
            result = replace(result, seconds=self._budgets.elapsed)
        if paused is None:
            self._result = result
        return result

    def _advance(self, budget: Budget, listeners: Sequence[Listener]) -> Why | None:
        """Why the search rests; None at its end."""
        try:
            while (event := self._strand.next(budget.stop)) is not None:
                _tell(event, listeners)
        except Interrupted:
            return "cancelled" if budget.cancelled else "timeout"
        except KeyboardInterrupt:
            self._strand.rest()
            return "interrupted"
        return None

    def _shortfall(self, result: Result, budget: Budget, paused: Why | None) -> Shortfall:
        shortfall = self._search.shortfall()
        if self._options.advise and shortfall.exhausted and paused is None:
            with suppress(KeyboardInterrupt):
                tried = advice(self._task, self._engine, self._options, budget, result.confusion.tp)
                return replace(shortfall, advice=tuple(tried))
        return shortfall


class _Budgets:
    """The budgets of all goes as the search sees them: it is never told to stop, it sleeps in between."""

    def __init__(self, strand: Strand[Event], began: float) -> None:
        self._strand = strand
        self._before = 0.0  # seconds of work until the last rest
        self._since: float | None = began

    @property
    def elapsed(self) -> float:
        return self._before + (0.0 if self._since is None else time.monotonic() - self._since)

    @property
    def cancelled(self) -> bool:
        return self._strand.closed

    def stop(self) -> bool:
        return self._strand.stop()

    def rest(self) -> None:
        self._before, self._since = self.elapsed, None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        self._since = time.monotonic()
        try:
            yield
        finally:
            self.rest()


def _tell(event: Event, listeners: Sequence[Listener]) -> None:
    for listener in listeners:
        listener(event)


def _end(strand: Strand[Event], engines: Sequence[Engine]) -> None:
    strand.close()
    while not strand.join(_MOMENT):
        for engine in engines:
            engine.cancel()  # a call of it may be all that keeps the search from ending
    for engine in engines:
        engine.close()


@contextmanager
def _watched(engines: Sequence[Engine], wants_rest: Stop) -> Iterator[None]:
    """Cancel calls of the engine that are still running when the search is to rest."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_MOMENT):
            if wants_rest():
                for engine in engines:
                    engine.cancel()

    watcher = threading.Thread(target=watch, name="joiner-budget", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
