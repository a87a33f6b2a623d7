"""A run of the learner in a thread of its own.

The thread that started it is free: to wait and be interrupted, which never tears the learner from what it is doing, or to
go on with other cells while the run works in the background. A run that was stopped keeps its learner, and can go on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from joiner_magic.errors import JoinerError
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.prediction import measured
from joiner_magic.search.outcome.result import Result
from joiner_magic.search.record.record import Record
from joiner_magic.search.reuse.earlier import Finding
from joiner_magic.search.running.budget import Budget
from joiner_magic.search.running.progress import Progress
from joiner_magic.solvers.signals import InterruptibleCall, defer_interrupts
from joiner_magic.task.task import Task

State: TypeAlias = Literal["running", "finished", "failed"]

_PATIENCE = 0.5  # seconds for a run to stop before whoever waits is given what is known
_MOMENT = 0.05  # seconds between two looks at whether whoever waits was interrupted


class Run:
    """One run of the learner, in a thread of its own.

    A run that begins with a proven solution searches nothing: it has nothing to show but what it reuses. `shown` is the
    run whose search its views are of, on that run's own task; `whence` says so.

    `said` is the bias text for this run alone, `held_out` the examples it is measured on. `result` is what it
    found, `test` how that does on them, `progress` how far it is, `options` and `task` what it was told.
    """

    def __init__(
        self, number: int, task: Task, options: Options, said: str = "", held_out: Task | None = None
    ) -> None:
        self.number = number
        self.of_cells = task  # the task without what the options say
        self.task = replace(task, bias=options.bias(task.bias))
        self.options = options
        self.said = said
        self.held_out = held_out
        self.progress = Progress()
        self.result: Result | None = None
        self.finding: Finding | None = None  # what later runs may make use of
        self.test: Confusion | None = None
        self._learner: Learner | None = None
        self._record: Record | None = None  # when the learner is gone
        self._forgotten = ""  # why there is no record any more
        self._shown: Run | None = None  # if that is another one
        self._budget = Budget()
        self._error: BaseException | None = None
        self._done = threading.Event()
        self._done.set()
        self._forgetting: list[Callable[[], object]] = []  # what else ends when this is forgotten

    @property
    def name(self) -> str:
        """Such as "run 3"."""
        return f"run {self.number}"

    @property
    def state(self) -> State:
        """Running, finished or failed."""
        if not self._done.is_set():
            return "running"
        return "failed" if self._error else "finished"

    @property
    def failure(self) -> str:
        """What made it fail, in one line."""
        if self._error is None:
            return ""
        return self._error.headline if isinstance(self._error, JoinerError) else repr(self._error)

    @property
    def reused(self) -> str:
        """What earlier runs had found that was of use, in one line."""
        return self.result.reused if self.result else ""

    @property
    def can_go_on(self) -> bool:
        """Whether it was stopped before its end."""
        return self.state == "finished" and self._learner is not None and self._learner.can_go_on

    @property
    def record(self) -> Record | None:
        """What it has tested, so far if it is running; None if it has not begun, or if that was long ago.

        Of a run that searched nothing it is what `shown` has tested, on the examples of that one.
        """
        if self._shown is not None:
            return self._shown.record
        learner = self._learner
        if learner is None or not learner.prepared:
            return self._record
        return learner.record

    @property
    def shown(self) -> Run:
        """The run whose search is shown: this one, or the one that it has taken over instead of searching."""
        return self._shown or self

    @property
    def whence(self) -> str:
        """Where what is shown comes from, if it is another run's, in one line."""
        if self._shown is None:
            return ""
        same = self.result is None or self._shown.result is None or _same_hypothesis(self, self._shown)
        other = "" if same else f", which found another hypothesis than {self.name}"
        return f"as recorded in {self._shown.name}{other}: nothing was searched"

    @property
    def gone(self) -> str:
        """Why there is hardly anything left to ask about it, in a sentence; empty as long as there is."""
        return self.shown.record_gone or self._forgotten

    def forget(self, why: str) -> None:
        """Let go of everything but the result."""
        self.close()
        for end in self._forgetting:
            end()
        self._record, self.finding, self._shown, self._forgotten = None, None, None, why

    def when_forgotten(self, end: Callable[[], object]) -> None:
        """Call `end` when the run is forgotten: whoever holds something for questions about it lets go of that."""
        self._forgetting.append(end)

    @property
    def record_gone(self) -> str:
        """Why there is no record of what was tested, in a sentence; empty if there is one."""
        return self._forgotten

    def forget_record(self, why: str = "What it tested is forgotten.") -> None:
        """Of a run that is closed: records are large."""
        if self._record is not None:
            self._record, self._forgotten = None, why

    def start(
        self, budget: Budget | None = None, findings: Sequence[Finding] = (), earlier: Sequence[Run] = ()
    ) -> None:
        """Begin, with what earlier runs know; the budget may have begun before."""
        self._begin(budget or Budget(self.options.timeout), findings, earlier)

    def go_on(self, budget: Budget, held_out: Task | None) -> None:
        """From where it was stopped."""
        assert self.can_go_on, "asked before"
        self.held_out = held_out  # it may have changed: the search knows nothing of it
        self.progress.go_on()
        self._begin(budget, (), ())

    def repeat(self, earlier: Run, budget: Budget) -> None:
        """Take over what an earlier run of the same task found."""
        assert earlier.result is not None, "it is finished"
        told = f"nothing has changed since {earlier.name}: this is what it found"
        self.progress, self.finding, self._shown = earlier.progress, earlier.finding, earlier.shown
        self.result = replace(earlier.result, seconds=0.0, reused=told)
        self._score(budget)

    def stop(self) -> None:
        """Soon; the best so far is kept."""
        self._budget.cancel()

    @property
    def was_stopped(self) -> bool:
        """Whether somebody asked for its end."""
        return self._budget.cancelled

    def has_ended(self) -> bool:
        """Whether it has, if need be after a moment."""
        return self._done.wait(_PATIENCE)

    def wait(self, watch: Callable[[Run], None] | None = None, every: float = 0.1) -> Result:
        """Until it is finished; `watch` is called now and then, and once at the end.

        An interrupt stops the run: the result is then the best so far. Raises what made it fail, and
        KeyboardInterrupt if it was interrupted before there was anything to search.
        """
        with defer_interrupts() as call:
            try:
                self._watched(call, watch, every)
            except KeyboardInterrupt:  # in `watch`, or a further one after seconds
                self.stop()
                self.has_ended()
            call.consume_interrupt()
            if watch:
                watch(self)
            if self._error is not None:
                raise self._error
            return self._so_far()

    def _watched(self, call: InterruptibleCall, watch: Callable[[Run], None] | None, every: float) -> None:
        """Until it is finished, or an interrupt has given it the time to stop."""
        next_look = time.monotonic() + every
        while not self._done.wait(_MOMENT):
            if call.interrupt_requested():
                self.stop()
                self.has_ended()
                return
            if watch and time.monotonic() >= next_look:
                watch(self)
                next_look = time.monotonic() + every

    def _so_far(self) -> Result:
        """Also of a run that is in a step which cannot be interrupted."""
        learner = self._learner
        if not self._done.is_set() and learner is not None:
            return learner.so_far("interrupted")
        if self.result is None:  # it has not begun to search
            raise KeyboardInterrupt
        return self.result

    def close(self) -> None:
        """It will not go on: let go of the engine, and of what works for it."""
        self.stop()
        learner, self._learner = self._learner, None
        if learner is not None:
            self._record = learner.record if learner.prepared else None
            learner.close()

    def _begin(self, budget: Budget, findings: Sequence[Finding], earlier: Sequence[Run]) -> None:
        self._error = None
        self._done.clear()
        self._budget = budget
        thread = threading.Thread(
            target=self._work, args=(budget, findings, earlier), name=f"joiner-{self.name}", daemon=True
        )
        try:
            thread.start()
        except BaseException:  # an interrupt: nobody would wait for it
            self.stop()
            raise

    def _work(self, budget: Budget, findings: Sequence[Finding], earlier: Sequence[Run]) -> None:
        learner = self._learner
        try:
            if learner is None:
                learner = self._learner = Learner(self.task, self.options, findings)
            self.progress.follow(learner.ledger)
            self.result = learner.go(budget, [self.progress.hear])
            self.finding = learner.finding(self.name) if learner.prepared else None
            self._shown = self._taken_over(earlier)
            self._score(budget)
        except BaseException as error:  # raised again where the run is waited for
            self._error = error
            self.progress.end()
            if learner is not None:
                learner.close()
        finally:
            self._done.set()

    def _score(self, budget: Budget) -> None:
        """How the result does on the held-out examples. What was learnt stays, also where they cannot be measured."""
        assert self.result is not None, "it is there"
        self.result = measured(self.result, self.held_out, budget.stop)
        self.test = self.result.test

    def _taken_over(self, earlier: Sequence[Run]) -> Run | None:
        """The run whose solution settled this one, before anything was searched."""
        if self.finding is None or self.progress.begun:
            return self._shown
        found = (run.shown for run in earlier if run.name == self.finding.settled_by)
        return next(found, self._shown)


def _same_hypothesis(run: Run, other: Run) -> bool:
    return run.result is not None and other.result is not None and run.result.rules == other.result.rules
