"""The pruning constraints of a run: their pages, what is said of each, and whether what they claim is true."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
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
from joiner_magic.task.task import Task, read_task
from search.learning_tasks import LearningTask, random_learning_task
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
    check_prunings(task, source)


PRICES: list[dict[str, Any]] = [
    {"noise": True},
    {"noise": "balanced"},
    {"missed": 5, "wrong": Fraction(1, 3)},
    {"missed": 2},
    {"wrong": 1},
]


@pytest.mark.parametrize("source", ["auto", "asp"])
@pytest.mark.parametrize("prices", PRICES, ids=str)
def test_what_is_pruned_is_of_no_use_where_errors_have_a_price(prices: dict[str, Any], source: str) -> None:
    kinds: set[Fate] = set()
    for seed in (0, 2, 4, 7, 8, 11, 12, 20, 24):
        rng = Random(seed)
        made = with_wrong_labels(random_learning_task(rng, recursion=seed % 4 == 0), rng)
        task = read_task(made.background, made.examples, made.bias, noise=True)
        kinds |= check_prunings(task, source, **prices)
    assert kinds >= {Fate.COVERS_NOTHING, Fate.CONSISTENT}
    if prices != {"wrong": 1}:
        assert Fate.UNPROFITABLE in kinds
    if "noise" not in prices:
        assert Fate.SUBSUMED in kinds


def with_wrong_labels(made: LearningTask, rng: Random) -> LearningTask:
    """The task with the labels of a few examples exchanged, as far as a positive example is left."""
    wrong = rng.sample(made.pos, min(2, len(made.pos) - 1)), rng.sample(made.neg, min(2, len(made.neg)))
    pos = [row for row in made.pos if row not in wrong[0]]
    neg = [row for row in made.neg if row not in wrong[1]]
    return replace(made, pos=(*pos, *wrong[1]), neg=(*neg, *wrong[0]))


def check_prunings(task: Task, source: str, **prices: Any) -> set[Fate]:
    """The kinds that occurred; a sample of what each has removed confirms what it claims."""
    run = Run(1, task, Options(source=source, advise=False, timeout=10, **prices))
    run.start()
    run.wait()
    prunings = Prunings(run)
    kinds = set()
    for kind in PRUNING:
        for row in prunings.page(kind, limit=3).rows:
            kinds.add(kind)
            found = prunings.verify(row.number, 30)
            assert not found.refuted, f"{kind}: {row.cause}: {found}\n{run.task.bias.to_text()}"
            assert not found.undecided
    return kinds


_PRICES: dict[str, Any] = {"missed": 50, "wrong": 1}
_EXACT_ONLY = (Fate.TOO_LARGE, Fate.CHEAPER_UNION)


@pytest.mark.parametrize(
    ("kind", "prices"),
    [
        *((kind, {}) for kind in PRUNING if kind is not Fate.UNPROFITABLE),
        *((kind, _PRICES) for kind in PRUNING if kind not in _EXACT_ONLY),
    ],
)
def test_a_wrong_constraint_is_found_out(kind: Fate, prices: dict[str, Any]) -> None:
    """The cause covers positives and negatives, and no part is as good: no kind of constraint is true of it.

    Where errors have a price, there is a part that covers as much, but it covers negative examples too.
    """
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
