"""A process to be interrupted: it learns, dawdles in one stage once it has a solution, and tells where it is.

Arguments: the stage, the engine, the source, and who waits: "learn" for a run in the main thread, "thread" for one in
a thread of its own that the main thread waits for, "resumed" for a learner that is interrupted in the main thread.
It prints "dawdling" when the interrupt may come, and then, as JSON, what the interrupted run gave and when, and
what going on gave.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import joiner_magic
from joiner_magic import Budget, Program, Result, learn, load_task
from joiner_magic.logic.programs import Evaluation
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
from joiner_magic.search.running.events import Event, Improved
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.mining_source import MiningSource
from joiner_magic.search.spaces.source import Batch
from joiner_magic.search.stages.combine import Combiner
from joiner_magic.search.stages.hypothesis import Hypothesis
from joiner_magic.search.stages.join import Join
from joiner_magic.search.stages.parts import Part
from joiner_magic.search.stages.test import Coverage
from joiner_magic.solvers.interrupt import Interrupted, Stop

CALL = 2.0  # seconds that the engine's call takes which is to be cancelled

solved = threading.Event()
in_a_hurry = threading.Event()


def listen(event: Event) -> None:
    if isinstance(event, Improved) and event.solution:
        solved.set()


def dawdle(stop: Stop) -> None:
    if solved.is_set() and not in_a_hurry.is_set():
        print("dawdling", flush=True)
        while not in_a_hurry.wait(0.02):
            if stop():
                raise Interrupted


def dawdle_in_generate(source: Any) -> None:
    generate = source.generate

    def slow(self: Any, size: int, stop: Stop) -> Generator[Batch, None, None]:
        dawdle(stop)
        yield from generate(self, size, stop)

    source.generate = slow


def dawdle_in_test() -> None:
    of = Coverage.of

    def slow(self: Coverage, programs: Sequence[Program], stop: Stop) -> list[Evaluation]:
        if solved.is_set() and not in_a_hurry.is_set():
            few = [self._modes.program_in_order(p) if self._modes else p for p in programs[:20]]
            started = time.monotonic()
            self._engine.evaluate(few)
            again = 1 + int(CALL / (time.monotonic() - started))
            print("dawdling", flush=True)
            self._engine.evaluate(few * again)  # does not ask: it can only be cancelled
        return of(self, programs, stop)

    Coverage.of = slow  # type: ignore[method-assign]


def dawdle_in_join() -> None:
    complete = Join.complete

    def slow(self: Join, bound: int, required: Sequence[int], stop: Stop) -> list[Part]:
        dawdle(stop)
        return complete(self, bound, required, stop)

    Join.complete = slow  # type: ignore[method-assign]


def dawdle_in_combine() -> None:
    improve = Combiner.improve

    def slow(self: Combiner, stop: Stop) -> Hypothesis | None:
        dawdle(stop)
        return improve(self, stop)

    Combiner.improve = slow  # type: ignore[method-assign]


def told(result: Result) -> dict[str, Any]:
    return {
        "at": time.time(),
        "status": result.status,
        "size": result.size,
        "why": result.why,
        "tested": result.counts["tested"],
        "rules": result.rules,
    }


def run_in_a_thread(learner: Learner) -> Result:
    """As a notebook does: the main thread waits, and cancels when it is interrupted."""
    budget = Budget()
    results: queue.SimpleQueue[Result] = queue.SimpleQueue()
    threading.Thread(target=lambda: results.put(learner.go(budget, [listen]))).start()
    try:
        return results.get()
    except KeyboardInterrupt:
        budget.cancel()
        return results.get()


def main(stage: str, engine: str, source: str, way: str) -> None:
    if stage == "generate":
        dawdle_in_generate(MiningSource if source == "native" else AspSource)
    else:
        {"test": dawdle_in_test, "join": dawdle_in_join, "combine": dawdle_in_combine}[stage]()
    task = load_task(Path(joiner_magic.__file__).parent / "examples" / "pyramids")
    options: dict[str, Any] = {"engine": engine, "source": source}
    if way == "learn":
        print(json.dumps([told(learn(task, listeners=[listen], **options))]))
        return
    with Learner(task, Options(**options)) as learner:
        first = told(run_in_a_thread(learner) if way == "thread" else learner.go(Budget(), [listen]))
        in_a_hurry.set()
        print(json.dumps([first, told(learner.go(Budget(), [listen]))]))


if __name__ == "__main__":
    main(*sys.argv[1:])
