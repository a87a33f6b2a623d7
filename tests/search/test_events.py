"""The stream of events: its order, its counts, and what its readers may do."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

import pytest

from benchmarks.growth_tasks import graph
from conftest import ROOT
from joiner_magic import Program, Result, learn, load_task, read_task
from joiner_magic.search.running.events import (
    Constrained,
    Evaluated,
    Event,
    Finished,
    Improved,
    Joined,
    SizeFinished,
    SizeStarted,
    Started,
)
from joiner_magic.task.task import Task

EXAMPLES = ROOT / "joiner_magic" / "examples"
IMPOSSIBLE = "without a solution"
Recording: TypeAlias = tuple[Result, list[Event]]


def task_named(name: str) -> Task:
    if name == IMPOSSIBLE:
        return read_task(
            "p(a). p(b). q(b). q(c). e(a,b). e(b,c).", "pos(f(a)). pos(f(b)). pos(f(z)). neg(f(c))."
        )
    return load_task(EXAMPLES / name)


@pytest.fixture(scope="module", params=["family", "pyramids", "strings", IMPOSSIBLE])
def recording(request: pytest.FixtureRequest) -> Recording:
    """Every program is told, whichever source it comes from."""
    return recorded(request.param, every_rule=True)


def recorded(name: str, **options: Any) -> Recording:
    events: list[Event] = []
    result = learn(task_named(name), listeners=[events.append], advise=False, **options)
    return result, events


def test_it_starts_once_and_finishes_once(recording: Recording) -> None:
    result, events = recording
    kinds = [type(event) for event in events]
    assert (kinds[0], kinds[-1]) == (Started, Finished)
    assert kinds.count(Started) == kinds.count(Finished) == 1
    started = events[0]
    assert isinstance(started, Started)
    examples = result.task.examples
    assert (started.positives, started.negatives) == (len(examples.pos), len(examples.neg))
    assert (started.engine, started.source) == (result.engine, result.source)


def test_what_is_finished_is_what_is_returned(recording: Recording) -> None:
    result, events = recording
    last = events[-1]
    assert isinstance(last, Finished)
    assert (last.result.status, last.result.rules, last.result.counts) == (
        result.status, result.rules, result.counts,
    )  # fmt: skip


def test_sizes_come_one_by_one(recording: Recording) -> None:
    _, events = recording
    marks = [(type(e), e.size) for e in events if isinstance(e, (SizeStarted, SizeFinished))]
    sizes = range(2, 2 + len(marks) // 2)
    assert marks == [(kind, size) for size in sizes for kind in (SizeStarted, SizeFinished)]
    current = 0
    for event in events:
        if isinstance(event, SizeStarted):
            current = event.size
        elif isinstance(event, Evaluated):
            assert event.size == current
            assert all(program.size == current for program in event.programs)
            assert len(event.evaluations) == len(event.programs)


def test_every_program_is_counted_once(recording: Recording) -> None:
    result, events = recording
    programs: list[Program] = [p for event in events if isinstance(event, Evaluated) for p in event.programs]
    assert len(programs) == len(set(programs)) == result.counts["tested"] > 0
    finished = [event for event in events if isinstance(event, SizeFinished)]
    assert sum(event.tested for event in finished) == result.counts["tested"]
    assert (finished[-1].fragments, finished[-1].parts) == (
        result.counts["fragments"],
        result.counts["parts"],
    )


def test_what_became_of_programs_is_counted(recording: Recording) -> None:
    result, events = recording
    fates: Counter[str] = Counter()
    for event in events:
        if isinstance(event, SizeFinished):
            fates.update(event.fates)
    assert fates
    others = ("tested", "unfinished", "fragments", "parts")
    assert fates == {name: number for name, number in result.counts.items() if name not in others}
    told = Counter(c.kind for event in events if isinstance(event, Constrained) for c in event.constraints)
    assert told <= fates  # after the last size nobody is told any more


@pytest.mark.parametrize("name", ["pyramids", IMPOSSIBLE])
def test_a_source_that_judges_tells_what_is_of_use_and_counts_the_rest(name: str) -> None:
    result, events = recorded(name)
    every, _ = recorded(name, every_rule=True)
    assert result.source == every.source == "native"
    assert (result.status, result.size) == (every.status, every.size)
    batches = [event for event in events if isinstance(event, Evaluated)]
    assert sum(event.tested for event in batches) == result.counts["tested"]
    given = sum(len(event.programs) for event in batches)
    assert (
        given + sum(result.counts[fate] for fate in ("covers nothing", "dominated"))
        <= result.counts["tested"]
    )
    assert not any(isinstance(event, Constrained) for event in events)


def test_each_improvement_is_one(recording: Recording) -> None:
    """At the end, when nothing better is left, an equal may still be preferred."""
    result, events = recording
    improved = [event for event in events if isinstance(event, Improved)]
    ranks = [(-e.hypothesis.evaluation.pos.bit_count(), e.hypothesis.size) for e in improved]
    settled = len(improved) > 1 and ranks[-1] == ranks[-2] and isinstance(events[-2], Improved)
    strictly = ranks[:-1] if settled else ranks
    assert strictly == sorted(set(strictly), reverse=True)
    assert all(event.hypothesis.evaluation.neg == 0 for event in improved)
    assert improved[-1].hypothesis.program == result.hypothesis
    solutions = [event for event in improved if event.solution]
    assert bool(solutions) == result.solved
    assert result.first_solution_seconds == (solutions[0].seconds if solutions else None)


def test_the_complete_join_goes_by_bounds(recording: Recording) -> None:
    result, events = recording
    joined = [event for event in events if isinstance(event, Joined)]
    assert joined
    bounds = [event.bound for event in joined if event.complete]
    assert bounds == list(range(2, 2 + len(bounds)))
    assert bool(bounds) == result.solved
    assert all(event.bound is None for event in joined if not event.complete)
    for event in joined:
        assert all(part.pos and part.size == part.conjunction.size for part in event.parts)
        assert all(part.size <= event.bound for part in event.parts if event.bound is not None)


def test_every_listener_hears_everything() -> None:
    one: list[Event] = []
    other: list[Event] = []
    learn(task_named("family"), listeners=[one.append, other.append])
    assert one == other != []


class Fault(Exception):
    pass


@pytest.mark.parametrize("kind", [Started, Evaluated, Improved, Constrained, Finished])
def test_a_listener_that_fails_stops_the_run(kind: type[Event]) -> None:
    heard: list[Event] = []

    def fail(event: Event) -> None:
        heard.append(event)
        if isinstance(event, kind):
            raise Fault

    with pytest.raises(Fault):
        learn(task_named("pyramids"), listeners=[fail], source="asp")
    assert isinstance(heard[-1], kind)
    assert [type(event) for event in heard].count(kind) == 1


def test_known_parts_that_are_a_solution_are_taken_before_any_are_joined() -> None:
    made = graph(examples=200, nodes=400)  # the rule has as many literals as a program may have
    events: list[Event] = []
    learn(read_task(made.background, made.examples, made.bias), listeners=[events.append], advise=False)
    last = events.index(SizeStarted(5))
    assert not any(isinstance(event, Improved) and event.solution for event in events[:last])
    joined_or_improved = [event for event in events[last:] if isinstance(event, Joined | Improved)]
    first = joined_or_improved[0]
    assert isinstance(first, Improved)
    assert first.solution
