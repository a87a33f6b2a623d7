"""A run of the learner in a thread of its own.

The thread that started it is free: to wait and be interrupted, which never tears the learner from what it is doing, or to
go on with other cells while the run works in the background. A run that was stopped keeps its learner, and can go on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from joiner_magic.errors import JoinerError
from joiner_magic.search.budget import Budget
from joiner_magic.search.confusion import Confusion
from joiner_magic.search.earlier import Finding
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
from joiner_magic.search.progress import Progress
from joiner_magic.search.record import Record
from joiner_magic.search.result import Result
from joiner_magic.task.task import Task

State: TypeAlias = Literal["running", "finished", "failed"]

_PATIENCE = 0.8  # seconds for a run to stop before whoever waits is given what is known


class Run:
    """One run of the learner, in a thread of its own.

    `said` is the bias text for this run alone, `held_out` the examples it is measured on. `result` is what it
    found, `test` how that does on them, `progress` how far it is, `options` and `task` what it was told.
    """

    def __init__(
        self, number: int, task: Task, options: Options, said: str = "", held_out: Task | None = None
    ) -> None:
        self.number = number
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
        self._budget = Budget()
        self._error: BaseException | None = None
        self._done = threading.Event()
        self._done.set()

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
        """What it has tested, so far if it is running; None if it has not begun, or if that was long ago."""
        learner = self._learner
        return self._record if learner is None else learner.record

    def forget_record(self) -> None:
        """Of a run that is closed: records are large."""
        self._record = None

    def start(self, findings: Sequence[Finding] = ()) -> None:
        """Begin, with what earlier runs know."""
        self._begin(self.options.timeout, findings)

    def go_on(self, timeout: float | None, held_out: Task | None) -> None:
        """From where it was stopped."""
        assert self.can_go_on, "asked before"
        self.held_out = held_out  # it may have changed: the search knows nothing of it
        self.progress.go_on()
        self._begin(timeout, ())

    def repeat(self, earlier: Run) -> None:
        """Take over what an earlier run of the same task found."""
        assert earlier.result is not None, "it is finished"
        told = f"nothing has changed since {earlier.name}: this is what it found"
        self.progress, self.finding, self._record = earlier.progress, earlier.finding, earlier.record
        self.result = replace(earlier.result, seconds=0.0, reused=told)
        self.test = self.result.score(self.held_out) if self.held_out else None

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

        KeyboardInterrupt in here stops the run: the result is then the best so far. Raises what made it fail.
        """
        try:
            while not self._done.wait(every):
                if watch:
                    watch(self)
        except KeyboardInterrupt:
            self.stop()
            self.has_ended()
        if watch:
            watch(self)
        if self._error is not None:
            raise self._error
        if self.result is None:  # it is in a step that cannot be interrupted, and has found nothing yet
            raise KeyboardInterrupt
        return self.result

    def close(self) -> None:
        """It will not go on: let go of the engine, and of what works for it."""
        self.stop()
        self._record, learner, self._learner = self.record, self._learner, None
        if learner is not None:
            learner.close()

    def _begin(self, timeout: float | None, findings: Sequence[Finding]) -> None:
        self._error = None
        self._done.clear()
        self._budget = Budget(timeout)
        thread = threading.Thread(
            target=self._work, args=(self._budget, findings), name=f"joiner-{self.name}", daemon=True
        )
        try:
            thread.start()
        except BaseException:  # an interrupt: nobody would wait for it
            self.stop()
            raise

    def _work(self, budget: Budget, findings: Sequence[Finding]) -> None:
        learner = self._learner
        try:
            if learner is None:
                learner = self._learner = Learner(self.task, self.options, findings)
            self.progress.follow(learner.ledger)
            self.result = learner.go(budget, [self.progress.hear])
            self.finding = learner.finding(self.name)
            self.test = self.result.score(self.held_out) if self.held_out else None
        except BaseException as error:  # raised again where the run is waited for
            self._error = error
            self.progress.end()
            if learner is not None:
                learner.close()
        finally:
            self._done.set()
