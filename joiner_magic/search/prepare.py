"""Prepare: the one place where a task, an engine and a source of programs become a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.protocol import Engine
from joiner_magic.errors import TaskError
from joiner_magic.search.loop import Search
from joiner_magic.search.objective import PriceList
from joiner_magic.search.options import Options
from joiner_magic.search.problem import Problem
from joiner_magic.search.reuse.head_start import NOTHING_KNOWN, HeadStart
from joiner_magic.search.running.budget import Allowance
from joiner_magic.search.running.ledger import Ledger
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.asp_space import usable
from joiner_magic.search.spaces.mined_space import MinedSpace
from joiner_magic.search.spaces.mining_source import MiningSource
from joiner_magic.search.spaces.restrictions import NotMinable
from joiner_magic.search.spaces.source import Source
from joiner_magic.search.stages.limits import Limits
from joiner_magic.search.stages.test import Coverage, RetryingTester
from joiner_magic.task.bias import Bias
from joiner_magic.task.task import Task


def prepare_search(
    task: Task,
    engine: Engine,
    options: Options,
    budget: Allowance,
    ledger: Ledger | None = None,
    head_start: HeadStart = NOTHING_KNOWN,
    newly: Engine | None = None,
    *,
    patient: bool = True,
) -> Search:
    """`newly` tests programs of the head start's recollection on the examples that are new.

    The search writes down what it does in `ledger`, or in one of its own. A `patient` search grants programs more work
    that do not finish, when nothing else is left to do.
    """
    task = with_engine_directions(task, engine)
    objective = options.objective(task)
    memory = options.memory * 1_000_000
    problem = Problem.of(
        task,
        engine.name,
        join=options.join,
        splittable=options.splittable,
        objective=objective,
        memory=memory,
    )
    source, why = _source(task.bias, engine, options, problem.prices)
    limits = Limits.of(engine, options.limit)
    return Search(
        problem,
        source,
        _coverage(problem, engine, newly, head_start, budget, limits),
        budget,
        why,
        head_start,
        ledger=ledger,
        limits=limits,
        patient=patient,
        several=_programs_of_several_rules(task.bias, memory),
    )


def _coverage(
    problem: Problem,
    engine: Engine,
    newly: Engine | None,
    head_start: HeadStart,
    budget: Allowance,
    limits: Limits,
) -> Coverage:
    """The test stage: what it asks of the engine is asked again after a pause."""
    tester = RetryingTester(engine, budget.stop)
    tester_of_new = None
    if newly:
        tester_of_new = RetryingTester(newly, budget.stop)
    # Prolog runs literals in the order they are written in; the embedded engine finds its own.
    modes = None
    if engine.name == "prolog":
        modes = problem.modes
    return Coverage(tester, modes, limits, head_start.recollection, tester_of_new)


def _programs_of_several_rules(bias: Bias, memory: int) -> Callable[[], AspSource] | None:
    """Makes a source of them, for parts that share rules; None where a bias allows none."""
    if not bias.enable_recursion or bias.max_clauses <= 1:
        return None
    return partial(AspSource, bias, single=False, memory=memory)


def with_engine_directions(task: Task, engine: Engine) -> Task:
    """With the directions that the engine needs, besides those that the bias has."""
    bias = task.bias
    if engine.directions.keys() <= bias.directions.keys():
        return task
    return replace(task, bias=replace(bias, directions={**engine.directions, **bias.directions}))


def _source(bias: Bias, engine: Engine, options: Options, prices: PriceList | None) -> tuple[Source, str]:
    """Where programs come from, and in words why."""
    # Without joining a rule must be whole, and splittable rules can come from nowhere else.
    splittable, fragments = options.splittable or not options.join, options.join
    why = "asp, as asked for"
    if options.source != "asp":
        try:
            source = _native(bias, engine, options, prices, splittable=splittable, fragments=fragments)
            return source, "native"
        except NotMinable as unfit:
            if options.source == "native":
                raise TaskError(
                    f"the native source cannot be used because {unfit}", remedy="leave the choice to auto"
                ) from None
            why = f"asp, because {unfit}"
    memory = options.memory * 1_000_000
    return AspSource(bias, splittable=splittable, fragments=fragments, memory=memory), why


def _native(
    bias: Bias,
    engine: Engine,
    options: Options,
    prices: PriceList | None,
    *,
    splittable: bool,
    fragments: bool,
) -> MiningSource:
    """Raises NotMinable if the native source cannot be used."""
    if not isinstance(engine, DatalogEngine):
        raise NotMinable("programs are tested in Prolog")
    if bias.enable_recursion or bias.enable_pi:
        raise NotMinable(
            "the bias allows " + ("recursion" if bias.enable_recursion else "predicate invention")
        )
    if options.limit is not None:
        raise NotMinable("the work per program is limited")
    bias = replace(bias, body=usable(bias))
    space = MinedSpace.of(bias, splittable=splittable, fragments=fragments)
    memory = options.memory * 1_000_000
    return MiningSource(
        bias, engine, space, memory=memory, jobs=options.jobs, every=options.every_rule, prices=prices
    )
