"""Sessions with recursion never reuse what is no longer true: their answers are those of a run from scratch."""

from __future__ import annotations

from random import Random

import pytest

from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.logic.programs import Program
from joiner_magic.search.prepare import with_engine_directions
from joiner_magic.search.reuse.visible_facts import sees_the_same
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.sessions.session import Session
from joiner_magic.task.bias import Bias
from joiner_magic.task.task import Task
from seeds import SEEDS
from sessions.recursive_edits import RecursiveEdits
from sessions.test_incremental import outcome

_BIAS = """head_pred(f,1). body_pred(e,2). body_pred(q,1). direction(e,(in,out)). direction(q,(in,)).
max_vars(2). max_body(2). enable_recursion. max_clauses(2)."""
_LISTS = """head_pred(f,1). body_pred(z,1). body_pred(tl,2). body_pred(hd,2). direction(z,(in,)).
direction(tl,(in,out)). direction(hd,(in,out)). max_vars(2). max_body(2). enable_recursion. max_clauses(2)."""


def session_of(bk: str, examples: str, bias: str) -> Session:
    session = Session()
    session.bk(bk)
    session.examples(examples)
    session.bias(bias)
    return session


def test_a_fact_that_only_points_at_an_example_is_seen_by_an_undirected_call() -> None:
    session = session_of("q(a0). e(k1,k2).", "pos(f(a0)). pos(f(a1)). neg(f(n1)).", _BIAS)
    assert not session.learn(advise=False).solved
    session.bk("e(b0,a1). q(b0).")
    again = session.learn(advise=False)
    assert (again.status, again.size) == ("optimal", 5)


def test_a_fact_that_only_points_at_a_negative_example_is_seen_as_well() -> None:
    session = session_of("q(b0). e(b0,a1). e(k1,k2).", "pos(f(b0)). pos(f(a1)). neg(f(n1)).", _BIAS)
    assert session.learn(advise=False).optimal
    session.bk("e(k0,n1). q(k0).")
    again = session.learn(advise=False)
    assert outcome(again) == outcome(session.learn(advise=False, fresh=True))


def test_a_directed_head_is_called_with_what_was_seen_and_lets_more_be_reused() -> None:
    session = session_of(
        "q(b0). e(a1,b0). e(k1,k2).", "pos(f(b0)). pos(f(a1)). neg(f(n1)).", f"{_BIAS} direction(f,(in,))."
    )
    first = session.learn(advise=False)
    assert (first.status, first.size) == ("optimal", 5)
    session.bk("e(k0,n1). q(k0).")
    assert "nothing was searched" in session.learn(advise=False).reused


def test_terms_of_other_examples_are_met_by_an_undirected_call() -> None:
    lists = "z(zz). tl([_|T],T). hd([H|_],H)."
    session = session_of(lists, "pos(f([a])). pos(f([zz])). neg(f([b])).", _LISTS)
    assert not session.learn(advise=False).solved
    session.examples("pos(f([zz,a])).")
    again = session.learn(advise=False)
    assert (again.status, again.size) == ("optimal", 6)


@pytest.mark.parametrize(
    ("more", "independent"),
    [
        ("", False),
        ("direction(f,(in,)).", True),
        ("direction(f,(out,)).", True),
        ("direction(f,(in,)). non_datalog.", False),
        ("direction(f,(in,)). enable_pi.", True),
    ],
)
def test_what_a_program_covers_depends_on_its_own_example_where_calls_are_given_their_inputs(
    more: str, independent: bool
) -> None:
    task = session_of("z(zz). tl([_|T],T). hd([H|_],H).", "pos(f([a])).", f"{_LISTS} {more}").task()
    assert DatalogEngine(task).independent is independent


@pytest.mark.parametrize("seed", SEEDS)
def test_random_sessions_answer_as_a_run_from_scratch_does(seed: int) -> None:
    reused = 0
    # In the last ones a fact points at an example that is not directed to it.
    for number in (tried := [*range(seed, seed + 100), 46, 156, 376]):
        rng = Random(number)
        edits = RecursiveEdits.random(rng)
        session = Session()
        edits.tell(session)
        session.learn(advise=False)
        trail = [edits.edit() for _ in range(rng.choice([1, 1, 2, 3]))]
        edits.tell(session)
        again = session.learn(advise=False)
        scratch = Session()
        edits.tell(scratch)
        assert outcome(again) == outcome(scratch.learn(advise=False)), f"{number}: {trail}\n{edits}"
        reused += bool(again.reused)
    assert reused > len(tried) / 2


def programs_of(bias: Bias) -> list[Program]:
    source = AspSource(bias, splittable=True, fragments=False)
    sizes = range(2, source.largest + 1)
    return [program for size in sizes for batch in source.generate(size) for program in batch.programs]


def covered(task: Task, programs: list[Program]) -> list[frozenset[object]]:
    """The examples that each program covers."""
    pos, neg = task.examples.pos, task.examples.neg
    atoms = [*pos, *neg]
    evaluations = DatalogEngine(task).evaluate(programs)
    masks = [e.pos | (e.neg or 0) << len(pos) for e in evaluations]
    return [frozenset(atom for i, atom in enumerate(atoms) if mask >> i & 1) for mask in masks]


def in_force(task: Task) -> Task:
    """With the directions that the engine assumes, as a run has them."""
    return with_engine_directions(task, DatalogEngine(task))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_program_covers_the_same_where_the_same_is_seen(seed: int) -> None:
    """The proposition itself, of every program of the space: that of `sight` and that of `is_independent`."""
    compared = 0
    for number in range(seed, seed + 50):
        edits = RecursiveEdits.random(Random(number))
        session = Session()
        edits.tell(session)
        before = in_force(session.task())
        for _ in range(2):
            edits.rng.choice([edits.add_pointing_fact, edits.add_stranger, edits.add_example])()
        edits.tell(session)
        after = in_force(session.task())
        examples = {*before.examples.pos, *before.examples.neg}
        if not DatalogEngine(before).independent or not sees_the_same(examples, before, after):
            continue
        compared += 1
        programs = programs_of(after.bias)
        now = [atoms & examples for atoms in covered(after, programs)]
        for program, one, other in zip(programs, covered(before, programs), now, strict=True):
            assert one == other, f"{number}: {program}\n{edits}"
    assert compared > 5
