"""A run of the learner in a thread of its own.

The thread that started the run is free. It can wait for the run, and be interrupted without harm to the learner; or it
can go on with other cells while the run works in the background. A run that was stopped keeps its learner, so that it
can be resumed.
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
from joiner_magic.search.reuse.finding import Finding
from joiner_magic.search.running.budget import Budget
from joiner_magic.search.running.progress import Progress
from joiner_magic.solvers.signals import InterruptibleCall, defer_interrupts
from joiner_magic.task.task import Task

State: TypeAlias = Literal["running", "finished", "failed"]

_PATIENCE = 0.5  # seconds that a run has to stop, before a waiting caller gets the best so far
_MOMENT = 0.05  # seconds between two looks for an interrupt while waiting


class Run:
    """One run of the learner, in a thread of its own.

    `task` and `options` are what it works on, `said` is the bias text for this run alone, and `held_out` are the
    examples that measure it. `progress` says how far it is, `result` what it found, and `test` how well that does on
    the held-out examples.

    A run that begins with a solution that an earlier run has proven searches nothing. Its views then show the search of
    that earlier run, on the task of that run: `shown` is the run whose search is shown, and `whence` says so.
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
        self._forgotten = ""  # why there is no record any more, in a sentence
        self._shown: Run | None = None  # the run whose search is shown, if it is another one
        self._budget = Budget()
        self._error: BaseException | None = None
        self._done = threading.Event()
        self._done.set()
        self._forgetting: list[Callable[[], object]] = []  # what else ends when this is forgotten

    @property
    def name(self) -> str:
        """The name of the run, such as "run 3"."""
        return f"run {self.number}"

    @property
    def state(self) -> State:
        """Whether it is running, finished or failed."""
        if not self._done.is_set():
            return "running"
        if self._error:
            return "failed"
        return "finished"

    @property
    def failure(self) -> str:
        """What made it fail, in one line."""
        if self._error is None:
            return ""
        if isinstance(self._error, JoinerError):
            return self._error.headline
        return repr(self._error)

    @property
    def reused(self) -> str:
        """What it has taken over from earlier runs, in one line; empty if nothing."""
        if self.result is None:
            return ""
        return self.result.reused

    @property
    def can_go_on(self) -> bool:
        """Whether it was stopped before its end, and can be resumed."""
        return self.state == "finished" and self._learner is not None and self._learner.can_go_on

    @property
    def record(self) -> Record | None:
        """What it has tested so far; None if it has not begun, or if the record is forgotten.

        For a run that searched nothing it is the record of `shown`, on the examples of that run.
        """
        if self._shown is not None:
            return self._shown.record
        learner = self._learner
        if learner is None or not learner.prepared:
            return self._record
        return learner.record

    @property
    def shown(self) -> Run:
        """The run whose search is shown: this one, or the earlier one whose solution it has taken over."""
        return self._shown or self

    @property
    def whence(self) -> str:
        """Which other run's search is shown, in one line; empty if it is its own."""
        if self._shown is None:
            return ""
        recorded = f"as recorded in {self._shown.name}"
        if _differ(self.result, self._shown.result):
            recorded += f", which found another hypothesis than {self.name}"
        return f"{recorded}: nothing was searched"

    @property
    def gone(self) -> str:
        """Why questions about it can no longer be answered, in a sentence; empty while they can."""
        return self.shown.record_gone or self._forgotten

    def forget(self, why: str) -> None:
        """Stop the run and release everything but its result; `why` is what `gone` says from then on."""
        self.close()
        for end in self._forgetting:
            end()
        self._record, self.finding, self._shown, self._forgotten = None, None, None, why

    def when_forgotten(self, end: Callable[[], object]) -> None:
        """Call `end` when the run is forgotten, to release what is held for questions about it."""
        self._forgetting.append(end)

    @property
    def record_gone(self) -> str:
        """Why there is no record of what was tested, in a sentence; empty if there is one."""
        return self._forgotten

    def forget_record(self, why: str = "What it tested is forgotten.") -> None:
        """Forget what a closed run has tested, since records are large."""
        if self._record is not None:
            self._record, self._forgotten = None, why

    def start(
        self, budget: Budget | None = None, findings: Sequence[Finding] = (), earlier: Sequence[Run] = ()
    ) -> None:
        """Start the run with what earlier runs have found; the time of the budget may have begun before."""
        self._begin(budget or Budget(self.options.timeout), findings, earlier)

    def go_on(self, budget: Budget, held_out: Task | None) -> None:
        """Resume the run where it was stopped, with held-out examples that may have changed since."""
        assert self.can_go_on, "asked before"
        self.held_out = held_out  # which the search does not use
        self.progress.go_on()
        self._begin(budget, (), ())

    def repeat(self, earlier: Run, budget: Budget) -> None:
        """Take over the result of an earlier run of the same task, without searching."""
        assert earlier.result is not None, "it is finished"
        reused = f"nothing has changed since {earlier.name}: this is what it found"
        self.progress, self.finding, self._shown = earlier.progress, earlier.finding, earlier.shown
        self.result = replace(earlier.result, seconds=0.0, reused=reused)
        self._score(budget)

    def stop(self) -> None:
        """Ask the run to end soon; the best hypothesis so far is kept."""
        self._budget.cancel()

    @property
    def was_stopped(self) -> bool:
        """Whether somebody has asked it to stop."""
        return self._budget.cancelled

    def has_ended(self) -> bool:
        """Whether it has ended; waits half a second for that if need be."""
        return self._done.wait(_PATIENCE)

    def wait(self, watch: Callable[[Run], None] | None = None, every: float = 0.1) -> Result:
        """Wait until it is finished, and return its result. `watch` is called now and then, and once at the end.

        An interrupt stops the run, and the result is then the best so far. What made the run fail is raised, and
        KeyboardInterrupt if it was interrupted before the search had begun.
        """
        with defer_interrupts() as call:
            try:
                self._wait(call, watch, every)
            except KeyboardInterrupt:  # in `watch`, or a further one after seconds
                self.stop()
                self.has_ended()
            call.consume_interrupt()
            if watch:
                watch(self)
            if self._error is not None:
                raise self._error
            return self._so_far()

    def _wait(self, call: InterruptibleCall, watch: Callable[[Run], None] | None, every: float) -> None:
        """Wait until it is finished; after an interrupt, only until it had the time to stop."""
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
        """The best result so far, even if the run is still in a step that cannot be interrupted."""
        learner = self._learner
        if not self._done.is_set() and learner is not None:
            return learner.so_far("interrupted")
        if self.result is None:  # it has not begun to search
            raise KeyboardInterrupt
        return self.result

    def close(self) -> None:
        """Stop the run for good, and release its engine and its processes; its record is kept."""
        self.stop()
        learner, self._learner = self._learner, None
        if learner is not None:
            self._record = learner.record if learner.prepared else None
            learner.close()

    def _begin(self, budget: Budget, findings: Sequence[Finding], earlier: Sequence[Run]) -> None:
        """Start the thread of the run."""
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
        """What the thread of the run does: learn, and measure the result."""
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
        """Measure the result on the held-out examples; it stays as it is where they cannot be measured."""
        assert self.result is not None, "it is there"
        self.result = measured(self.result, self.held_out, budget.stop)
        self.test = self.result.test

    def _taken_over(self, earlier: Sequence[Run]) -> Run | None:
        """The earlier run whose solution made a search unnecessary; otherwise what `_shown` is already."""
        if self.finding is None or self.progress.begun:
            return self._shown
        found = (run.shown for run in earlier if run.name == self.finding.settled_by)
        return next(found, self._shown)


def _differ(result: Result | None, other: Result | None) -> bool:
    """Whether both results are there, and have different rules."""
    return result is not None and other is not None and result.rules != other.rules
