"""The pruning constraints of a run: their pages, what is said of each, and whether what they claim is true."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from joiner_magic.errors import CommandError
from joiner_magic.logic.programs import Evaluation, Rule
from joiner_magic.logic.render import render_rule
from joiner_magic.questions.constraints.fates import fates_by_size
from joiner_magic.questions.constraints.prunings import Prunings
from joiner_magic.search.fate import PRUNING, Fate
from joiner_magic.search.options import Options
from joiner_magic.search.record.plain_record import PlainRecord
from joiner_magic.search.spaces.specialisations import SpecialisationSpace
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.task.reader import read_program
from joiner_magic.task.task import read_task
from search.learning_tasks import random_learning_task
from sessions.scenes import run_of


@pytest.fixture(scope="module", params=["native", "asp"])
def prunings(request: pytest.FixtureRequest) -> Prunings:
    return Prunings(run_of(2, request.param))


def numbers(prunings: Prunings, **asked: object) -> list[int]:
    found: list[int] = []
    while page := prunings.page(**asked, offset=len(found), limit=7).rows:  # type: ignore[arg-type]
        found += [row.number for row in page]
    return found


def test_pages_hold_every_constraint_once(prunings: Prunings) -> None:
    record = prunings.record
    every = [number for number in range(len(record)) if record[number].fate in PRUNING]
    assert numbers(prunings) == every
    assert prunings.page().total == len(every) > 20
    assert numbers(prunings, backwards=True) == every[::-1]


def test_pages_are_filtered(prunings: Prunings) -> None:
    for kind in ("covers nothing", "too large", "joinable"):
        for size in (None, 4, 5):
            wanted = [
                number
                for number in range(len(prunings.record))
                if prunings.record[number].fate == kind and size in (None, prunings.record[number].size)
            ]
            assert numbers(prunings, kind=kind, size=size) == wanted
    for row in prunings.page(text="re sma", limit=100).rows:
        assert "red(" in row.cause
        assert "small(" in row.cause
    assert prunings.page(text="purple").total == 0


def test_a_constraint_is_found_by_its_cause_in_any_form(prunings: Prunings) -> None:
    cause = prunings.page("covers nothing").rows[-1]
    assert prunings.page(text=cause.cause).rows == (cause,)
    head, body = read_program(cause.cause).rules[0]
    assert prunings.find(render_rule(Rule(head, body[::-1]))) == cause.number
    assert prunings.page(text="zendo(A) :- (").total == 0
    assert prunings.page(text="nonsense(").total == 0


def test_what_is_said_of_a_constraint(prunings: Prunings) -> None:
    first = prunings.page("covers nothing").rows[0]
    said = prunings.detail(first.number)
    assert first.needless == f"{first.cause.removesuffix('.')}, …"
    assert first.pos == 0
    assert said.proposition.endswith("(Proposition 2 of the paper).")
    assert said.asp.startswith(":- body_literal(0,")
    assert said.asp.count("body_literal") == first.size - 1
    assert said.verifiable
    kept = prunings.page("joinable").rows[0]
    assert (kept.needless, kept.removed) == ("", None)
    assert not prunings.detail(kept.number).verifiable
    with pytest.raises(CommandError):
        prunings.verify(kept.number)
    with pytest.raises(CommandError, match="no program has the number"):
        prunings.detail(len(prunings.record))


def test_what_was_removed_is_counted(prunings: Prunings) -> None:
    removed = [row.removed for row in prunings.page("covers nothing", limit=100).rows]
    assert all(number is not None for number in removed)
    assert any(removed)
    longest = 1 + 4
    assert all(row.removed == 0 for row in prunings.page(size=longest, limit=100).rows)


def test_the_part_that_subsumes_is_named() -> None:
    prunings = Prunings(run_of(6))
    for row in prunings.page("subsumed").rows:
        names = prunings.detail(row.number).covered_by
        assert names
        parts = [read_program(rule) for name in names for rule in name.split(" and ")]
        assert max(part.size for part in parts) <= row.size


def test_a_fragment_may_be_replaced_only_where_no_head_variable_is_added() -> None:
    session = Session()
    session.bk("p(a,x). p(b,y). p(c,x). q(x). r(1,x). r(2,y). r(3,x).")
    session.examples("pos(f(a,1)). pos(f(a,3)). pos(f(c,1)). neg(f(b,1)). neg(f(b,2)).")
    session.learn(source="asp")
    prunings = Prunings(session.runs[-1])
    page = prunings.page("consistent fragment")
    assert page.total
    assert all("unless" in row.needless and "is in the body" in row.needless for row in page.rows)
    assert ", not body_var(0,1)." in prunings.detail(page.rows[0].number).asp
    assert not prunings.verify(page.rows[0].number).refuted


def test_counts_by_size_add_up(prunings: Prunings) -> None:
    run = prunings.run
    assert run.result
    sizes = fates_by_size(run)
    assert sum(size.total for size in sizes) == run.result.counts["tested"]
    for kind in PRUNING:
        told = sum(size.tested.get(kind, 0) for size in sizes)
        assert told == run.result.counts.get(kind, 0) == prunings.page(kind).total


@pytest.mark.parametrize("source", ["auto", "asp"])
@pytest.mark.parametrize("seed", [*range(6), 17, 23])
def test_what_is_pruned_is_of_no_use(seed: int, source: str) -> None:
    made = random_learning_task(Random(seed), recursion=seed % 4 == 0)
    task = read_task(made.background, made.examples, made.bias)
    run = Run(1, task, Options(source=source, advise=False))
    run.start()
    run.wait()
    prunings = Prunings(run)
    for kind in PRUNING:
        for row in prunings.page(kind, limit=3).rows:
            found = prunings.verify(row.number, 30)
            assert not found.refuted, f"{kind}: {row.cause}: {found}\n{made}"
            assert not found.undecided


@pytest.mark.parametrize("kind", PRUNING)
def test_a_wrong_constraint_is_found_out(kind: Fate) -> None:
    """The cause covers positives and negatives, and no part is as good: no kind of constraint is true of it."""
    prices: dict[str, Any] = {"missed": 50, "wrong": 1} if kind == Fate.UNPROFITABLE else {}
    run = run_of(2, **prices)
    record = PlainRecord(SpecialisationSpace(run.task.bias))
    record.note(read_program("zendo(A) :- piece(A,B)."), Evaluation(0b1111111, 0b1111111), kind)
    prunings = Prunings(run, record)
    found = prunings.verify(0)
    assert found.refuted
    assert found.confirmed + found.refuted == found.tested > 10
    assert "✗ This pruning is wrong" in str(found)
    against = found.counterexamples[0]
    assert against.pos or against.neg
    assert len(found.counterexamples) <= 10


def test_the_sample_can_be_drawn_again(prunings: Prunings) -> None:
    number = prunings.page("covers nothing").rows[0].number
    one, other = prunings.verify(number), prunings.verify(number)
    assert one.tested == other.tested > 2
    assert one.confirmed == one.tested
    assert str(one).startswith(f"✓ {one.tested} confirmed of a sample of {one.tested} rules below it")


def test_a_run_without_a_record_lists_nothing_and_still_counts() -> None:
    run = run_of(2)
    before = fates_by_size(run)
    run.close()
    run.forget_record("it was long ago")
    prunings = Prunings(run)
    assert prunings.page().total == 0
    assert prunings.missing == "it was long ago"
    assert fates_by_size(run) == before
