"""One run of a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from joiner_magic.engines.choose import choose_engine
from joiner_magic.search.budget import Budget
from joiner_magic.search.earlier import Finding
from joiner_magic.search.learn import Listener, _prepared, _watched
from joiner_magic.search.options import Options
from joiner_magic.search.result import Result
from joiner_magic.task.task import Task


class Learner:
    def __init__(self, task: Task, options: Options, findings: Sequence[Finding] = ()) -> None:
        self.task = task
        self.options = options
        self.findings = findings
        self.finished = True
        self.engine = choose_engine(task, options.engine, trusted=options.trusted).engine

    def go(self, budget: Budget, listeners: Sequence[Listener] = ()) -> Result:
        with _watched(self.engine, budget):
            self.search = _prepared(self.task, self.engine, self.options, budget, self.findings)
            for event in self.search.run():
                for listener in listeners:
                    listener(event)
        result = self.search.result()
        if not result.solved:
            result = replace(result, shortfall=self.search.shortfall())
        return result

    def finding(self, run: str) -> Finding:
        return self.search.finding(run)

    def close(self) -> None:
        self.engine.close()
