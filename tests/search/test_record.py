"""The record of a run: everything that was tested is there, with its coverage, its fate and its neighbours."""

from __future__ import annotations

import gc
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from benchmarks.growth_tasks import graph
from joiner_magic import read_task
from joiner_magic._core import PRUNINGS
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.logic.canonical import canonical, generalisations
from joiner_magic.logic.programs import Evaluation, Literal, Program, Rule
from joiner_magic.search import loop
from joiner_magic.search.fate import OF_CORE, Fate
from joiner_magic.search.learner import Learner
from joiner_magic.search.options import Options
from joiner_magic.search.outcome.result import Result
from joiner_magic.search.record.native_record import NativeRecord
from joiner_magic.search.record.record import Order, Record, RecordedProgram, RecordFilter
from joiner_magic.search.running.budget import Budget
from joiner_magic.search.spaces.mined_space import MinedSpace
from joiner_magic.search.spaces.mining_source import MiningSource
from joiner_magic.search.spaces.restrictions import NotMinable, restrictions
from joiner_magic.search.spaces.source import EvaluatedBatch, JudgedBatch, SourceHints
from joiner_magic.search.stages.constrain import KINDS
from joiner_magic.task.task import Task
from search.learning_tasks import random_learning_task

CUT = {"covers nothing", "nothing below", "consistent", "subsumed", "too large", "implied"}


def small_task(seed: int) -> Task:
    made = random_learning_task(Random(seed))
    task = read_task(made.background, made.examples, made.bias)
    try:
        restrictions(task.bias)
    except NotMinable:  # left to the ASP source: here without it
        return read_task(made.background, made.examples, replace(made, constraint=None).bias)
    return task


def mined(
    task: Task, prunings: Sequence[str] = PRUNINGS, recorded: int = 1_000_000
) -> tuple[NativeRecord, Counter[str], list[Program]]:
    """The record of the whole space, with what was counted and handed over on the way."""
    space = replace(
        MinedSpace.of(task.bias, splittable=False, fragments=True, prunings=prunings), recorded=recorded
    )
    tally: Counter[str] = Counter()
    programs: list[Program] = []
    with DatalogEngine(task) as engine:
        source = MiningSource(task.bias, engine, space, memory=10**9)
        for size in range(2, 2 + task.bias.max_body):
            source.inform(SourceHints((), None))
            for batch in source.generate(size):
                assert isinstance(batch, JudgedBatch)
                tally.update(batch.tally.fates)
                tally.update(made=batch.made, tested=batch.tested)
                programs += batch.programs
        record = source.record
    assert record is not None
    return record, tally, programs


def learnt(task: Task, **options: object) -> tuple[Result, Record]:
    with Learner(task, Options(advise=False, **options)) as learner:  # type: ignore[arg-type]
        return learner.go(Budget(20.0)), learner.record


def everything(record: Record) -> list[RecordedProgram]:
    return [record[number] for number in range(len(record))]


@pytest.mark.parametrize("seed", range(20))
def test_each_rule_of_the_space_is_there_with_what_it_covers(seed: int) -> None:
    task = small_task(seed)
    record, tally, _ = mined(task)
    assert len(record) == tally["tested"]
    assert len({one.program for one in everything(record)}) == len(record)
    space = MinedSpace.of(task.bias, splittable=False, fragments=True)
    with DatalogEngine(task) as engine:
        source = MiningSource(task.bias, engine, space, memory=10**9, every=True)
        legal: dict[Program, Evaluation] = {}
        for size in range(2, 2 + task.bias.max_body):
            source.inform(SourceHints((), None))
            for batch in source.generate(size):
                assert isinstance(batch, EvaluatedBatch)
                legal.update(zip(batch.programs, batch.evaluations, strict=True))
        assert source.record is None
        evaluations = engine.evaluate([one.program for one in everything(record)], lazy=True)
    assert {one.program for one in everything(record) if one.legal and one.fate != "implied"} == set(legal)
    for one, (pos, neg, _) in zip(everything(record), evaluations, strict=True):
        if one.legal:  # the core may see less of others, where directions bind nothing
            assert one.pos == pos.bit_count()
            assert one.neg == (None if neg is None else neg.bit_count())
        assert one.size == one.program.size
        assert (one.fate == "partial") <= (not one.legal)


@pytest.mark.parametrize("seed", range(20))
def test_fates_are_those_that_the_run_counted(seed: int) -> None:
    task = small_task(seed)
    result, record = learnt(task, source="native")
    fates = Counter(one.fate for one in everything(record))
    assert sum(fates.values()) + record.missed == result.counts["tested"]
    for fate in OF_CORE:
        if fate.is_tested:
            assert fates[fate] == result.counts[fate]
    assert record.counts() == Counter((one.size, one.fate) for one in everything(record))


@pytest.mark.parametrize("seed", range(10))
def test_programs_that_are_tested_one_by_one_are_noted(seed: int) -> None:
    task = small_task(seed)
    _, native = learnt(task, source="native")
    for options in ({"source": "asp"}, {"source": "native", "every_rule": True}):
        result, record = learnt(task, **options)
        assert len(record) == result.counts["tested"]
        fates = Counter(one.fate for one in everything(record))
        assert all(fates[kind.kind] == result.counts.get(kind.kind, 0) for kind in KINDS)
        for one in everything(record):
            assert record.find(one.program) == one.number
            number = native.find(one.program)
            if number is not None:
                other = native[number]
                assert other.pos in (None, one.pos)
                assert other.neg in (None, one.neg)


def test_a_program_that_ran_into_the_limit_is_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = "".join(f"e({a},{b}). " for a in range(12) for b in range(12) if a != b)
    task = read_task(
        edges, "pos(f(0)). neg(f(99)).", "max_vars(4). max_body(3). head_pred(f,1). body_pred(e,2)."
    )
    _, finished = learnt(task, limit=1)
    monkeypatch.setattr(loop.Search, "_come_back", lambda search: False)
    _, record = learnt(task, limit=1)
    unfinished = [one for one in everything(record) if one.fate == "unfinished"]
    later = {one.number: one for one in everything(finished)}
    assert all(later[one.number].fate != "unfinished" for one in unfinished)
    assert all(later[one.number].pos is not None for one in unfinished)
    assert unfinished
    assert all(one.pos is None and one.neg is None and not one.cut for one in unfinished)


@pytest.mark.parametrize("seed", [3, 8])
def test_threads_change_nothing(seed: int) -> None:
    task = small_task(seed)
    records = [learnt(task, source="native", jobs=jobs)[1] for jobs in (1, 2)]
    assert everything(records[0]) == everything(records[1])


def test_what_is_dropped_later_is_said() -> None:
    later = Counter(
        one.later for seed in range(40) for one in everything(learnt(small_task(seed), source="native")[1])
    )
    assert later[Fate.SUBSUMED] + later[Fate.TOO_LARGE] > 0
    assert set(later) <= {None, "subsumed", "too large"}


def ancestors(program: Program) -> Iterator[Program]:
    for above in generalisations(program):
        yield above
        yield from ancestors(above)


@pytest.mark.parametrize("seed", range(12))
def test_neighbours_have_a_literal_less_or_more(seed: int) -> None:
    record, _, _ = mined(small_task(seed), prunings=())
    numbers = {one.program: one.number for one in everything(record)}
    above = {
        number: {numbers[p] for p in generalisations(program) if p in numbers}
        for program, number in numbers.items()
    }
    for number in Random(seed).sample(range(len(record)), min(60, len(record))):
        assert set(record.generalisations(number)) == above[number]
        below = record.specialisations(number)
        assert set(below.made) == {n for n in above if number in above[n]}
        assert len(set(below.made)) == len(below.made)
        for cut in below.cut:
            assert cut.cause is not None  # the whole space was searched
            cause = record[cut.cause]
            assert cause.cut == cut.kind in CUT
        for kind in {cut.kind for cut in below.cut}:
            never_made = record.never_made(number, kind, 10_000)
            assert len(never_made) == sum(cut.count for cut in below.cut if cut.kind == kind)
            causes = {record[cut.cause].program for cut in below.cut if cut.cause is not None}
            for program in never_made:
                assert program not in numbers
                assert record[number].program in generalisations(program)
                assert causes & set(ancestors(program))
            assert record.never_made(number, kind, 1) == never_made[:1]


@pytest.mark.parametrize("seed", range(12, 20))
def test_who_is_named_as_a_cause_has_that_fate(seed: int) -> None:
    """Where the facts alone are the reason, nobody is."""
    of_nobody: set[str] = set()
    for options in ({}, {"join": False}, {"splittable": True}):
        _, record = learnt(small_task(seed), source="native", **options)
        for one in everything(record)[:100]:
            for cut in record.specialisations(one.number).cut:
                if cut.cause is None:
                    of_nobody.add(cut.kind)
                else:
                    assert record[cut.cause].cut == cut.kind
    assert of_nobody <= {"implied", "unfinished"}
    assert seed != 18 or "implied" in of_nobody


@pytest.mark.parametrize("source", ["native", "asp"])
def test_plain_and_native_neighbours_agree_on_a_small_task(source: str) -> None:
    task = read_task(
        "has(1,a). has(2,b). has(3,a). has(3,b). red(a). blue(b). has(4,c). red(c).",
        "pos(f(1)). pos(f(3)). pos(f(4)). neg(f(2)).",
        "max_vars(2). max_body(2). allow_singletons. head_pred(f,1). body_pred(has,2). body_pred(red,1).",
    )
    _, record = learnt(task, source=source)
    has, red = Literal("has", (0, 1)), Literal("red", (1,))
    one, two = (record.find(Program((Rule(Literal("f", (0,)), body),))) for body in ((has,), (red, has)))
    assert one is not None
    assert two is not None
    assert record.generalisations(two) == (one,)
    assert two in record.specialisations(one).made
    assert record.generalisations(one) == ()


def test_rules_that_differ_by_an_exchange_are_one() -> None:
    """By the facts the order of the arguments of p says nothing; a second p in the other order is a twin."""
    task = read_task(
        "p(1,2). p(2,1). p(3,4). p(4,3). q(2). q(3).",
        "pos(f(1)). neg(f(2)).",
        "max_vars(3). max_body(3). head_pred(f,1). body_pred(p,2). body_pred(q,1).",
    )
    record, _, _ = mined(task)

    def number(*body: Literal) -> int | None:
        return record.find(Program((Rule(Literal("f", (0,)), body),)))

    there, back, q = Literal("p", (0, 5)), Literal("p", (5, 0)), Literal("q", (5,))
    assert number(there) == number(back) is not None
    assert number(there, q) == number(q, back) is not None
    both = number(there, back)
    assert both is not None
    assert record.generalisations(both) == (number(there),)
    assert both in record.specialisations(number(back) or 0).made
    assert number(Literal("unknown", (0,))) is None
    assert number(there, back, q, Literal("q", (0,))) is None  # larger than any


def test_beyond_its_bound_the_record_counts_and_the_search_stays_the_same() -> None:
    task = next(task for seed in range(40) if mined(task := small_task(seed))[1]["tested"] > 300)
    whole, tally, programs = mined(task)
    record, same_tally, same_programs = mined(task, recorded=100)
    assert (same_tally, same_programs) == (tally, programs)
    assert len(record) == 100
    assert record.missed == tally["tested"] - 100
    assert everything(record) == everything(whole)[:100]
    for number in range(100):
        assert {n for n in record.specialisations(number).made if n < 100} <= set(
            whole.specialisations(number).made
        )
    empty, _, _ = mined(task, recorded=0)
    assert (len(empty), empty.missed) == (0, tally["tested"])
    assert empty.page() == (0, [])


def test_a_record_outlives_its_learner_and_the_facts() -> None:
    task = small_task(5)
    learner = Learner(task, Options(advise=False, source="native"))
    learner.go(Budget(20.0))
    record = learner.record
    before = everything(record)
    learner.close()
    del learner
    gc.collect()
    assert everything(record) == before
    for one in before[:50]:
        assert record.find(one.program) == one.number
        record.specialisations(one.number)
        record.sample_of_cut(one.number, 3, 1)


@pytest.mark.parametrize("seed", range(8))
def test_a_sample_of_what_was_cut_is_below_and_was_never_made(seed: int) -> None:
    task = small_task(seed)
    record, _, _ = mined(task)
    cut = [one for one in everything(record) if one.cut and one.size <= task.bias.max_body][:10]
    with DatalogEngine(task) as engine:
        for one in cut:
            sample = record.sample_of_cut(one.number, 5, seed)
            assert sample == record.sample_of_cut(one.number, 5, seed)
            assert len(set(sample)) == len(sample) <= 5
            for program in sample:
                assert record.find(program) is None
                assert one.size < program.size <= 1 + task.bias.max_body
            for evaluation in engine.evaluate(sample):
                assert evaluation.pos.bit_count() <= (one.pos or 0) or not one.legal


@pytest.mark.parametrize("options", [{"source": "native"}, {"source": "asp"}])
def test_pages_are_what_a_filter_gives(options: dict[str, str]) -> None:
    task = small_task(8)
    _, record = learnt(task, **options)
    found = everything(record)
    orders: dict[Order, object] = {
        "size": lambda one: 0,
        "positives": lambda one: 1 if one.pos is None else -one.pos,
        "balance": lambda one: float("inf") if None in (one.pos, one.neg) else one.neg - one.pos,
    }
    rng = Random(1)
    for _ in range(60):
        sizes = rng.sample(range(1, 6), rng.randint(0, 2))
        fates = rng.sample(sorted({one.fate for one in found}), rng.randint(0, 2))
        groups = [rng.sample(task.bias.body, rng.randint(1, 2)) for _ in range(rng.randint(0, 2))]
        order = rng.choice(list(orders))
        without = rng.sample(range(len(found)), rng.randint(0, 3))
        fitting = [
            one
            for one in found
            if (not sizes or one.size in sizes) and (not fates or one.fate in fates)
            if one.number not in without
            if all(any(p in {x.predicate for x in one.program.rules[0].body} for p in g) for g in groups)
        ]
        fitting.sort(key=orders[order])  # type: ignore[arg-type]
        offset, limit = rng.randint(0, 20), rng.randint(1, 20)
        which = RecordFilter(sizes, fates, groups, without)
        total, numbers = record.page(which, order=order, offset=offset, limit=limit)
        assert total == len(fitting)
        assert numbers == [one.number for one in fitting[offset : offset + limit]]


def test_questions_while_the_run_goes_on() -> None:
    made = graph(examples=40, nodes=200)
    task = read_task(made.background, made.examples, made.bias)
    done = threading.Event()
    wrong: list[object] = []
    asked = 0

    def ask(learner: Learner) -> None:
        nonlocal asked
        while not learner.prepared and not done.wait(0.001):
            pass
        while not done.is_set():
            asked += 1
            record = learner.record
            count = len(record)
            total, numbers = record.page(order="positives", limit=5)
            if total < count or sum(record.counts().values()) < total:
                wrong.append((count, total))
            for number in numbers:
                if record.find(record[number].program) != number:
                    wrong.append(number)
                record.specialisations(number)

    with Learner(task, Options(advise=False, source="native")) as learner:
        asking = threading.Thread(target=ask, args=(learner,))
        asking.start()
        learner.go(Budget(20.0))
        done.set()
        asking.join()
    assert asked
    assert not wrong


def test_programs_are_in_canonical_form() -> None:
    record, _, _ = mined(small_task(2))
    assert all(one.program == canonical(one.program) for one in everything(record))
