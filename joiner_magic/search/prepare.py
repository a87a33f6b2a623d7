"""Prepare: the one place where a task, an engine and a source of programs become a search."""

from __future__ import annotations

from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.engines.protocol import Engine
from joiner_magic.errors import TaskError
from joiner_magic.search.asp_source import AspSource
from joiner_magic.search.budget import Allowance
from joiner_magic.search.earlier import NOTHING_KNOWN, HeadStart
from joiner_magic.search.loop import Search
from joiner_magic.search.mining_source import MiningSource, Space
from joiner_magic.search.options import Options
from joiner_magic.search.problem import Problem
from joiner_magic.search.restrictions import Unfit
from joiner_magic.search.source import Source
from joiner_magic.search.test import Coverage, Insistent
from joiner_magic.task.bias import Bias
from joiner_magic.task.task import Task


def prepared(
    task: Task,
    engine: Engine,
    options: Options,
    budget: Allowance,
    head_start: HeadStart = NOTHING_KNOWN,
    newly: Engine | None = None,
) -> Search:
    """`newly` tests programs of the head start's recollection on the examples that are new."""
    problem = Problem.of(task, engine.name, join=options.join, splittable=options.splittable)
    source, why = _source(task.bias, engine, options)
    # Prolog runs literals in the order they are written in; the embedded engine finds its own.
    modes = problem.modes if engine.name == "prolog" else None
    coverage = Coverage(
        Insistent(engine, budget.stop),
        modes,
        options.limit,
        head_start.recollection,
        Insistent(newly, budget.stop) if newly else None,
    )
    return Search(problem, source, coverage, budget, why, head_start)


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
