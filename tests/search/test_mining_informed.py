"""What the native source is told changes neither what it is good for nor, where it is none of its business, anything.

Threads change nothing at all. With `every` all legal rules come that are not below one that is dead or consistent.
What is known of parts and requirements, whenever it is said, only leaves out what is of no use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from joiner_magic import learn, read_task
from joiner_magic._core import PRUNINGS
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Evaluation, Program, Rule
from joiner_magic.search.running.events import Event, Finished, Improved, SizeFinished
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.mined_space import MinedSpace
from joiner_magic.search.spaces.mining_source import MiningSource
from joiner_magic.search.spaces.source import Batch, EvaluatedBatch, SourceHints
from joiner_magic.task.task import Task
from search.mining_shapes import Shape, random_shape, tangled_shape, wide_texts, worlds_shape

Tested = tuple[Program, Evaluation]
NOTHING = SourceHints((), None)
MAKERS = [worlds_shape, tangled_shape, random_shape]


def mined(
    task: Task,
    engine: DatalogEngine,
    known: Callable[[int], SourceHints] = lambda size: NOTHING,
    prunings: tuple[str, ...] = PRUNINGS,
    **options: Any,
) -> Iterator[Batch]:
    """All batches; before each one the source is informed."""
    space = MinedSpace.of(task.bias, splittable=False, fragments=True, prunings=prunings)
    source = MiningSource(task.bias, engine, space, memory=10**9, **options)
    for size in range(2, 2 + task.bias.max_body):
        source.inform(known(size))
        for batch in source.generate(size):
            yield batch
            source.inform(known(size))


def rules_of(batches: Iterator[Batch]) -> list[Tested]:
    found: list[Tested] = []
    for batch in batches:
        assert isinstance(batch, EvaluatedBatch)
        found += zip(batch.programs, batch.evaluations, strict=True)
    return found


@pytest.mark.parametrize("make", MAKERS)
def test_threads_change_no_batch(make: Callable[[Random], Shape]) -> None:
    for seed in range(300, 320):
        task = make(Random(seed)).task()
        with DatalogEngine(task) as engine:
            one = list(mined(task, engine))
            assert list(mined(task, engine, jobs=2)) == one
            assert list(mined(task, engine, jobs=7)) == one


def test_threads_change_no_event_of_a_wide_task() -> None:
    """Enough bodies for many blocks and several steps of a level."""
    task = read_task(*wide_texts(Random(0), max_vars=4, max_body=4))
    runs: list[list[str]] = []
    for jobs in (1, 2):
        events: list[Event] = []
        learn(task, source="native", jobs=jobs, advise=False, listeners=[events.append])
        runs.append([timeless(event) for event in events])
    assert runs[0] == runs[1]
    assert len(runs[0]) > 20


def timeless(event: Event) -> str:
    """An event without what the clock said."""
    if isinstance(event, Improved):
        return f"Improved {event.hypothesis} {event.solution}"
    if isinstance(event, SizeFinished):
        return f"SizeFinished {event.size} {event.tested} {event.fragments} {event.parts} {event.bound}"
    if isinstance(event, Finished):
        return f"Finished {event.result.to_prolog()} {event.result.status} {event.result.counts}"
    return str(event)


def below(task: Task, program: Program) -> Iterator[Program]:
    """The fragments that it extends by one literal."""
    (rule,) = program.rules
    for literal in rule.body:
        rest = tuple(other for other in rule.body if other != literal)
        if rest:
            yield canonical(Program((Rule(rule.head, rest),)), task.bias.head)


@pytest.mark.parametrize("make", MAKERS)
def test_every_rule_that_is_not_below_a_dead_or_consistent_one(make: Callable[[Random], Shape]) -> None:
    checked = 0
    for seed in range(400, 430):
        shape = make(Random(seed))
        shape.flags = ["allow_singletons."]  # then each fragment is made from fragments
        shape.directions = {}
        task = shape.task()
        with DatalogEngine(task) as engine:
            found = dict(rules_of(mined(task, engine, every=True, prunings=())))
            space: dict[Program, Evaluation] = {}
            source = AspSource(task.bias)
            for size in range(2, 2 + task.bias.max_body):
                programs = [program for batch in source.generate(size) for program in batch.programs]
                space.update(zip(programs, engine.evaluate(programs), strict=True))
        assert set(found) <= set(space), str(shape)
        useless = {p for p, e in space.items() if not e.pos or (not e.neg and is_whole(task, p))}
        for program in space:
            if not ends_below(task, program, useless):
                assert program in found, str(shape)
                checked += 1
    assert checked > 300


def is_whole(task: Task, program: Program) -> bool:
    mentioned = {arg for literal in program.rules[0].body for arg in literal.args}
    return task.bias.non_datalog or mentioned.issuperset(range(task.bias.head.arity))


def ends_below(task: Task, program: Program, useless: set[Program]) -> bool:
    """Whether some part of the rule is useless."""
    return any(part in useless or ends_below(task, part, useless) for part in below(task, program))


class Rumours:
    """Parts and requirements at random: more and more parts, and fewer and fewer sets that are required."""

    def __init__(self, rng: Random, positives: int, last: int) -> None:
        self._rng, self._positives, self._last = rng, positives, last
        self.covered: list[tuple[int, int]] = []
        self.required = [rng.getrandbits(positives) & rng.getrandbits(positives) for _ in range(4)]

    def known(self, size: int) -> SourceHints:
        if self._rng.random() < 0.5:
            self.covered.append((size, self._rng.getrandbits(self._positives)))
        if len(self.required) > 1 and self._rng.random() < 0.3:
            self.required.pop()
        required = tuple(self.required)
        return SourceHints(tuple(self.covered), (required, required if size < self._last else ()))

    def leave_out(self, program: Program, pos: int) -> bool:
        inside = any(size <= program.size and not pos & ~part for size, part in self.covered)
        return inside or all(need & ~pos for need in self.required)


@pytest.mark.parametrize("make", MAKERS)
def test_what_is_known_leaves_out_only_what_is_of_no_use(make: Callable[[Random], Shape]) -> None:
    """In the last size only rules of a hypothesis are asked for, before also fragments."""
    fewer = 0
    for seed in range(500, 530):
        rng = Random(seed)
        task = make(rng).task()
        last = 1 + task.bias.max_body
        rumours = Rumours(rng, len(task.examples.pos), last)
        with DatalogEngine(task) as engine:
            everything = rules_of(mined(task, engine))
            informed = rules_of(mined(task, engine, rumours.known))
            assert [e for _, e in informed] == engine.evaluate([p for p, _ in informed])
        for program, evaluation in everything:
            part = not evaluation.neg and is_whole(task, program) and not task.bias.directions
            if (program.size < last or part) and not rumours.leave_out(program, evaluation.pos):
                assert any(as_good(one, (program, evaluation)) for one in informed)
        fewer += len(everything) - len(informed)
    assert fewer > 0


def as_good(one: Tested, other: Tested) -> bool:
    (program, evaluation), (outdone, by) = one, other
    return (
        program.size <= outdone.size
        and not by.pos & ~evaluation.pos
        and not (evaluation.neg or 0) & ~(by.neg or 0)
    )
