"""A run that can be paused: a task, an engine and a search, kept open until nobody wants them to go on."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import TypeAlias

from joiner_magic.engines.cancellation import cancel_on_stop
from joiner_magic.engines.protocol import Engine
from joiner_magic.errors import FAILURES, TaskError
from joiner_magic.search.loop import Search
from joiner_magic.search.objective import EXACT
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.advice import advice
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.noise_advice import is_due, is_wanted, noise_advice, try_noise
from joiner_magic.search.outcome.result import Result, Why
from joiner_magic.search.outcome.shortfall import Shortfall
from joiner_magic.search.outcome.verdict import ENDED
from joiner_magic.search.record.record import Record
from joiner_magic.search.reuse.finding import Finding
from joiner_magic.search.run_steps import RunSteps, close_engines
from joiner_magic.search.running.budget import Budget
from joiner_magic.search.running.events import Event, Finished
from joiner_magic.search.running.ledger import Ledger
from joiner_magic.search.running.pausable import PausableIterator
from joiner_magic.search.running.run_budgets import RunBudgets
from joiner_magic.solvers.abandoned_work import LONGEST_WAIT
from joiner_magic.solvers.interrupt import Interrupted
from joiner_magic.solvers.signals import InterruptibleCall, defer_interrupts, run_interruptibly
from joiner_magic.task.examples import refuse_contradictions
from joiner_magic.task.task import Task
from joiner_magic.task.validate import check_bounds

_MOMENT = 0.1  # seconds between two looks at whether a closed search has ended
_FAREWELL = 0.3  # seconds that whoever closes a learner waits for its search to end
_TRIES = 5  # at reading what a search changes meanwhile

Listener: TypeAlias = Callable[[Event], None]


class Learner:
    """One run of a task. Between two calls of `go` the search sleeps where it was stopped."""

    def __init__(self, task: Task, options: Options, findings: Sequence[Finding] = ()) -> None:
        """`findings` of earlier runs are made use of as far as they are still true."""
        task = replace(task, bias=options.bias(task.bias))
        check_bounds(task.bias)
        if not task.examples.pos:
            remedy = "take some into the subset, as a splitter that stratifies does"
            raise TaskError("there is no positive example to learn from", remedy=remedy)
        objective = options.objective(task)
        if objective == EXACT:
            refuse_contradictions(task.examples)
        objective.price_list(task.examples.pos_weights, task.examples.neg_weights)  # or an error at once
        self._task = task
        self._options = options
        self._steps: PausableIterator[Event] = PausableIterator()
        self._budgets = RunBudgets(self._steps)
        self._ledger = Ledger(_elapsed(self._budgets))
        self._work = RunSteps(task, options, findings, self._budgets, self._ledger)
        # Nothing that the thread of the steps holds may hold this object: nobody would ever let go of it.
        engines = self._work.engines
        self._end = weakref.finalize(self, _let_go, self._steps, engines)
        self._steps.start(self._work.steps(), at_close=lambda: close_engines(engines))
        self._result: Result | None = None  # of the end
        self._latest: Result | None = None
        self._was_due = False  # whether it was time to try learning with noise
        self._with_noise: Result | None = None  # what came of it

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        ended = None
        if self._work.search:
            ended = self._work.search.ended
        return self._result is not None and ended in ("proven", "exhausted")

    @property
    def prepared(self) -> bool:
        """Whether the search has begun: the engine is ready, and earlier runs were looked through."""
        return self._work.search is not None

    @property
    def can_go_on(self) -> bool:
        """Whether it was stopped, and the search sleeps; one that has used up its memory is over."""
        return self._result is None

    def go(self, budget: Budget, listeners: Sequence[Listener] = ()) -> Result:
        """Go on until the end, or until the budget is used up; the result is the best so far.

        Each listener is called, in this thread, with every event; the last one is always Finished. Ctrl-C stops
        like a used up budget. Where the engine fails for good, the result is the best so far too, if there is any. Raises
        TaskError for a run that cannot go on, because of that or because its memory was used up.
        """
        with defer_interrupts() as call:
            result = self._finished_result()
            if result is None:
                budget = budget.hearing(call.interrupt_requested)
                with self._budgets.at_work(), cancel_on_stop(self._work.engines, self._steps.wants_rest):
                    paused = self._advance(call, budget, listeners)
                    result = self._latest = self._assess(budget, paused)
            with call.raise_at_once():
                _tell(Finished(result), listeners)
            call.consume_interrupt()  # by the best so far
            return result

    def _finished_result(self) -> Result | None:
        """The result of a run that is over; None if it can go on. Raises an error if it can neither."""
        if not self._end.alive:
            raise ValueError("the learner is closed")
        if self._result is None or self.finished:
            return self._result
        short = self._work.search is not None and self._work.search.ended == "memory"
        more = "; the option `memory` says how much it may use" if short else ""
        raise TaskError(f"the run cannot go on: {self._result.why}", remedy=f"run it anew{more}")

    def so_far(self, paused: Why) -> Result:
        """The best that is known now; `paused` says why it is asked for. Any thread may ask, also while the search works."""
        search = self._work.search
        result = self._unprepared(paused) if search is None else _read(lambda: search.result(paused))
        return replace(result, trusted=self._options.trusted)

    @property
    def ledger(self) -> Ledger:
        """What the search writes down about itself; it may be read from another thread, at any time."""
        return self._ledger

    @property
    def record(self) -> Record:
        """What was tested so far; also after the end, and from another thread. There is none before it is prepared."""
        assert self._work.search is not None, "it is prepared"
        return self._work.search.record

    def finding(self, run: str) -> Finding:
        """What runs after this one, which is called `run`, may make use of."""
        search = self._work.search
        assert search is not None, "it is prepared"
        assert self._latest is not None, "it has been at work"
        return search.finding(run, self._latest, self._work.in_force, independent=self._engine.independent)

    def close(self) -> None:
        """End everything that belongs to the run, also what is asleep."""
        if self._end.detach():
            _end(self._steps, self._work.engines)

    def __enter__(self) -> Learner:
        """To be closed at the end of the `with` statement."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the run, however the statement has ended."""
        self.close()

    @property
    def _engine(self) -> Engine:
        """There is one as soon as it is prepared."""
        return self._work.engines[0]

    def _assess(self, budget: Budget, paused: Why | None) -> Result:
        """The result so far, with a report where there is no solution; `paused` says why the search rests, if it does."""
        # Closed between two steps, the search was neither told to rest nor has it an end of its own.
        result = self.so_far(paused or "cancelled")
        search = self._work.search
        if search is not None and self._steps.at_rest:
            result = replace(result, known=search.known_rules())
        if search is not None and result.status == "none" and self._steps.at_rest:
            result = replace(result, shortfall=self._shortfall(search, result, budget, paused))
            result = replace(result, seconds=self._budgets.elapsed, timings=self.ledger.timings)
        if search is not None and paused is None and search.ended in ("proven", "exhausted"):
            self._try_noise(result, budget)
        if self._with_noise is not None:
            result = replace(result, noise_advice=noise_advice(self._with_noise, result))
        if paused is None:
            self._result = result
        return result

    def _unprepared(self, paused: Why) -> Result:
        """Nothing is known yet: the engine is not ready."""
        examples = self._task.examples
        return Result(
            task=self._task,
            hypothesis=None,
            status="none",
            why=f"{ENDED[paused]} before the search began",
            confusion=Confusion.of(None, len(examples.pos), len(examples.neg)),
            counts=dict.fromkeys(("tested", "unfinished", "fragments", "parts"), 0),
            timings=self._ledger.timings,
            seconds=self._budgets.elapsed,
            first_solution_seconds=None,
            engine=self._options.engine,
            source=self._options.source,
        )

    def _advance(self, call: InterruptibleCall, budget: Budget, listeners: Sequence[Listener]) -> Why | None:
        """Why the search rests; None at its end."""
        try:
            while (event := self._steps.next(budget.stop)) is not None:
                with call.raise_at_once():
                    _tell(event, listeners)
                self._try_noise_in_time(budget)
        except Interrupted:
            if call.interrupt_requested():
                return "interrupted"
            return "cancelled" if budget.cancelled else "timeout"
        except KeyboardInterrupt:  # in a listener, or after one that was not answered for seconds
            self._steps.rest()
            return "interrupted"
        return None

    def _shortfall(self, search: Search, result: Result, budget: Budget, paused: Why | None) -> Shortfall:
        """The report without a solution; changes of the bias are tried for it if the whole space was searched."""
        shortfall = search.shortfall()
        if self._options.advise and search.ended == "exhausted" and paused is None:
            with suppress(KeyboardInterrupt, Interrupted, *FAILURES), self.ledger.timed("advise"):
                covered = result.confusion.tp
                tried = run_interruptibly(
                    lambda: tuple(advice(self._task, self._engine, self._options, budget, covered)),
                    stop=budget.stop,
                )
                return replace(shortfall, advice=tried)
        return shortfall

    def _try_noise_in_time(self, budget: Budget) -> None:
        """Between two steps, when nobody else asks the engine: a run that is not done in time should have advice too."""
        if self._was_due or self._work.search is None or not is_due(budget):
            return
        self._was_due = True
        with self._budgets.at_rest():
            self._try_noise(self.so_far("timeout"), budget, meanwhile=True)

    def _try_noise(self, result: Result, budget: Budget, *, meanwhile: bool = False) -> None:
        """Try learning with noise. Its time counts neither as the run's nor as a stage's, but it is over with the budget.

        At the end it is tried again if it came to nothing in the shorter time that there was meanwhile.
        """
        is_known = self._with_noise is not None and noise_advice(self._with_noise, result) is not None
        if is_known or not is_wanted(self._options, result):
            return
        with suppress(KeyboardInterrupt, Interrupted, *FAILURES):
            self._with_noise = run_interruptibly(
                lambda: try_noise(
                    self._task, self._engine, self._options, budget, result, meanwhile=meanwhile
                ),
                stop=budget.stop,
            )


def _elapsed(budgets: RunBudgets) -> Callable[[], float]:
    """A clock of the time that the run was at work."""
    return lambda: budgets.elapsed


def _tell(event: Event, listeners: Sequence[Listener]) -> None:
    """Call every listener with the event, in the order in which they were given."""
    for listener in listeners:
        listener(event)


def _read(value: Callable[[], Result]) -> Result:
    """A value of collections that another thread may be changing."""
    for _ in range(_TRIES):
        with suppress(RuntimeError):  # a dictionary that grew while it was read
            return value()
    return value()


def _end(steps: PausableIterator[Event], engines: Sequence[Engine]) -> None:
    """Nobody waits longer than a moment: what does not end by then closes its engines when it does."""
    steps.close()
    if not _ended(steps, engines, _FAREWELL):
        steps.leave()


def _let_go(steps: PausableIterator[Event], engines: Sequence[Engine]) -> None:
    """Of a learner that was forgotten. Python forgets interrupts that come meanwhile: so it takes no time."""
    if steps.close():
        close_engines(engines)
    elif not threading.main_thread().is_alive():  # Python is about to end, and would take the thread with it
        _ended(steps, engines, LONGEST_WAIT)
    else:
        steps.leave()


def _ended(steps: PausableIterator[Event], engines: Sequence[Engine], seconds: float) -> bool:
    """Whether the search has ended in time after its steps were closed; then the engines are closed."""
    late = time.monotonic() + seconds
    while not steps.join(_MOMENT):
        for engine in engines:
            engine.cancel()  # a call of it may be all that keeps the search from ending
        if time.monotonic() > late:
            return False
    close_engines(engines)
    return True
