"""Learn: the one place where a task, an engine and a source of programs are put together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import Any

from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.protocol import Engine
from joiner_magic.errors import TaskError
from joiner_magic.search.asp_source import AspSource
from joiner_magic.search.budget import Budget
from joiner_magic.search.earlier import Finding, HeadStart
from joiner_magic.search.events import Event, Improved
from joiner_magic.search.loop import Search
from joiner_magic.search.mining_source import MiningSource, Space
from joiner_magic.search.options import Options
from joiner_magic.search.problem import Problem
from joiner_magic.search.restrictions import Unfit
from joiner_magic.search.result import Result
from joiner_magic.search.shortfall import Advice, changes
from joiner_magic.search.source import Source
from joiner_magic.search.test import Coverage
from joiner_magic.task.bias import Bias
from joiner_magic.task.task import Task
from joiner_magic.task.validate import check_bounds

_MOMENT = 1.0  # seconds for trying one change of the bias

Listener = Callable[[Event], None]


def learn(
    task: Task,
    *,
    listeners: Sequence[Listener] = (),
    budget: Budget | None = None,
    findings: Sequence[Finding] = (),
    **options: Any,
) -> Result:
    """Search for a smallest program that covers every positive and no negative example of the task.

    The options are those of `Options`; each listener is called with every event. A timeout, a cancelled
    budget and Ctrl-C end the search early: the result is then the best that was found. `findings` of earlier
    runs are made use of as far as they are still true.
    """
    chosen = Options(**options)
    task = replace(task, bias=chosen.bias(task.bias))
    check_bounds(task.bias)
    budget = budget or Budget(chosen.timeout)
    choice = choose_engine(task, chosen.engine, trusted=chosen.trusted)
    with choice.engine as engine, _watched(engine, budget):
        result = _search(task, engine, chosen, budget, listeners, findings)
    return replace(result, trusted=chosen.trusted)


def _search(
    task: Task,
    engine: Engine,
    options: Options,
    budget: Budget,
    listeners: Sequence[Listener],
    findings: Sequence[Finding],
) -> Result:
    search = _prepared(task, engine, options, budget, findings)
    interrupted = False
    try:
        with closing(search.run()) as events:
            for event in events:
                for listener in listeners:
                    listener(event)
    except KeyboardInterrupt:
        interrupted = True
    result = search.result()
    if result.solved:
        return result
    shortfall = search.shortfall()
    if options.advise and shortfall.exhausted and not interrupted:
        with suppress(KeyboardInterrupt):
            advice = tuple(_advice(task, engine, options, budget, result.confusion.tp))
            shortfall = replace(shortfall, advice=advice)
    return replace(result, shortfall=shortfall, seconds=budget.elapsed)


def _prepared(
    task: Task, engine: Engine, options: Options, budget: Budget, findings: Sequence[Finding] = ()
) -> Search:
    problem = Problem.of(task, engine.name, join=options.join, splittable=options.splittable)
    start = HeadStart.of(findings, task, engine.name, join=options.join, splittable=options.splittable)
    source, why = _source(task.bias, engine, options)
    # Prolog runs literals in the order they are written in; the embedded engine finds its own.
    modes = problem.modes if engine.name == "prolog" else None
    newly = None
    if start.recollection and (start.recollection.new.pos or start.recollection.new.neg):
        newly = choose_engine(
            replace(task, examples=start.recollection.new), engine.name, trusted=options.trusted
        ).engine
    coverage = Coverage(engine, modes, options.limit, start.recollection, newly)
    return Search(problem, source, coverage, budget, why, start)


def _advice(task: Task, engine: Engine, options: Options, budget: Budget, covered: int) -> Iterator[Advice]:
    """Changes of the bias that let more positive examples be covered, each tried for a moment."""
    if (
        options.source == "native"
    ):  # asked for this bias: a change may be one that only the other source can try
        options = replace(options, source="auto")
    for change, bias in changes(task.bias):
        if budget.stop():
            return
        trial = _prepared(replace(task, bias=bias), engine, options, budget.slice(_MOMENT))
        with closing(trial.run()) as events:
            for event in events:
                if isinstance(event, Improved) and event.solution:
                    break
        result = trial.result()
        if result.confusion.tp > covered:
            yield Advice(change, result.confusion.tp, result.solved)


def _source(bias: Bias, engine: Engine, options: Options) -> tuple[Source, str]:
    """Where programs come from, and in words why."""
    # Without joining a rule must be whole, and splittable rules can come from nowhere else.
    splittable, fragments = options.splittable or not options.join, options.join
    why = "asp, as asked for"
    if options.source != "asp":
        try:
            return _native(bias, engine, options, splittable=splittable, fragments=fragments), "native"
        except Unfit as unfit:
            if options.source == "native":
                raise TaskError(
                    f"the native source cannot be used because {unfit}", remedy="leave the choice to auto"
                ) from None
            why = f"asp, because {unfit}"
    return AspSource(bias, splittable=splittable, fragments=fragments), why


def _native(
    bias: Bias, engine: Engine, options: Options, *, splittable: bool, fragments: bool
) -> MiningSource:
    """Raises Unfit if the native source cannot be used."""
    if not isinstance(engine, DatalogEngine):
        raise Unfit("programs are tested in Prolog")
    if bias.enable_recursion or bias.enable_pi:
        raise Unfit("the bias allows " + ("recursion" if bias.enable_recursion else "predicate invention"))
    if options.limit is not None:
        raise Unfit("the work per program is limited")
    space = Space.of(bias, splittable=splittable, fragments=fragments)
    memory = options.memory * 1_000_000
    return MiningSource(bias, engine, space, memory=memory, jobs=options.jobs, every=options.every_rule)


@contextmanager
def _watched(engine: Engine, budget: Budget) -> Iterator[None]:
    """Cancel a call of the engine that is still running when the budget is used up."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            if budget.stop():
                engine.cancel()

    watcher = threading.Thread(target=watch, name="joiner-budget", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
