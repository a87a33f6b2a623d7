"""A run that reuses what earlier runs found gives the same answer as one from scratch."""

from __future__ import annotations

from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from joiner_magic.search.outcome.result import Result
from joiner_magic.search.reuse import recollection, task_order
from joiner_magic.search.reuse.visible_facts import sees_the_same
from joiner_magic.sessions.session import Session
from sessions.edits import Edited


def outcome(result: Result) -> tuple[object, ...]:
    """What must be the same: of equally good hypotheses either may be found."""
    size = result.size if result.solved else None
    return result.status, size, result.confusion


def check(edited: Edited, steps: int = 6, **options: Any) -> int:
    """Edit and learn again; how often something was reused."""
    session = Session()
    reused = 0
    trail: list[str] = []
    for _ in range(steps):
        edited.tell(session)
        again = session.learn(advise=False, **options)
        fresh = Session()
        edited.tell(fresh)
        scratch = fresh.learn(advise=False, **options)
        assert outcome(again) == outcome(scratch), f"{trail}\n{again.reused}\n{again}\n{scratch}\n{edited}"
        reused += bool(again.reused)
        trail.append(edited.edit())
    return reused


@pytest.mark.parametrize("seed", range(20))
def test_random_edits(seed: int) -> None:
    rng = Random(seed)
    options = {"join": rng.random() < 0.8, "splittable": rng.random() < 0.2}
    check(Edited.random(rng), **options)


@pytest.mark.parametrize("seed", range(6))
def test_random_edits_with_the_other_source(seed: int) -> None:
    check(Edited.random(Random(1000 + seed)), source="asp")


# 304: a union that recursion spoils before any smaller hypothesis was there.
@pytest.mark.parametrize("seed", [*range(2000, 2005), 304])
def test_random_edits_with_recursion(seed: int) -> None:
    check(Edited.random(Random(seed), recursion=True), steps=4)


def test_most_edits_let_something_be_reused() -> None:
    assert sum(check(Edited.random(Random(seed)), steps=3) for seed in range(5)) >= 7


def test_a_bound_is_not_claimed_where_recursion_spoils_a_union() -> None:
    session = Session()
    Edited.random(Random(304), recursion=True).tell(session)
    first = session.learn(advise=False)
    assert (first.status, first.bound) == ("best", None)
    again = session.learn(advise=False)
    assert outcome(again) == outcome(first)
    assert "proven" not in again.reused


@pytest.mark.prolog
def test_other_directions_make_prolog_run_literals_in_another_order() -> None:
    session = Session()
    session.bk("num(2). num(3). square(X,Y) :- integer(X), Y is X*X.")
    session.examples("pos(f(4)). pos(f(9)). neg(f(2)). neg(f(5)).")
    bias = "body_pred(num,1). body_pred(square,2). max_vars(2). max_body(2)."
    assert not session.learn(bias, engine="prolog", advise=False).solved
    directed = f"{bias} direction(f,(in,)). direction(num,(out,)). direction(square,(in,out))."
    assert session.learn(directed, engine="prolog", advise=False).optimal


@pytest.mark.prolog
def test_the_order_of_rules_matters_in_prolog() -> None:
    session = Session()
    session.examples("pos(f(3)). neg(f(1)).")
    rules = ["num(1). num(3). big(X) :- num(X).", "big(X) :- num(X), X < 3, !, fail."]
    for text in rules:
        session.bk(text)
    bias = "body_pred(big,1). max_vars(1). max_body(1)."
    assert not session.learn(bias, engine="prolog", advise=False).solved
    session.reset("bk")
    for text in reversed(rules):
        session.bk(text)
    assert session.learn(bias, engine="prolog", advise=False).optimal


def test_an_earlier_program_that_now_takes_too_long_takes_nothing_from_the_claim() -> None:
    session = Session()
    session.say("bk", "edge(a,b). edge(b,c). red(c). only(z).", key="bk")
    session.examples("pos(f(a)). neg(f(b)). neg(f(c)).")
    bias = "body_pred(edge,2). body_pred(red,1). body_pred(only,1). max_vars(3). max_body(3)."
    assert session.learn(bias, limit=100).optimal
    edges = [f"edge(a,n{i}). edge(n{i},m{j})." for i in range(20) for j in range(20)]
    reds = [f"edge(s{i},r{i}). red(r{i})." for i in range(400)]
    session.say("bk", "\n".join(["only(a).", *edges, *reds]), key="bk")
    assert session.learn(bias, limit=100).optimal


@pytest.mark.parametrize(
    ("constraint", "wider"),
    [
        (":- body_pred(r,1), body_literal(_,q,_,_).", "max_vars(2). body_pred(r,1)."),
        (":- max_vars(3), body_literal(_,q,_,_).", "max_vars(3)."),
        ("wide :- var(2). :- wide, body_literal(_,q,_,_).", "max_vars(3)."),
    ],
)
def test_a_constraint_about_the_space_forbids_less_in_a_narrower_one(constraint: str, wider: str) -> None:
    session = Session()
    session.bk("p(a). p(b). r(c). s(a). s(c). q(a).")
    session.examples("pos(f(a)). neg(f(b)). neg(f(c)).")
    session.bias(f"body_pred(p,1). body_pred(s,1). body_pred(q,1). max_body(2). {constraint}")
    assert session.learn(wider).size == 3
    assert session.learn("max_vars(2).").size == 2


def test_what_examples_see_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Mock(side_effect=sees_the_same)
    for module in (recollection, task_order):
        monkeypatch.setattr(module, "sees_the_same", asked)
    session = Session()
    session.examples("pos(f(a)). neg(f(b)). neg(f(c)).")
    for number in range(6):
        session.say("bk", f"p(a). p(b). q(a). q(c). q(stranger{number}).", key="bk")
        assert session.learn().size == 3
    assert asked.call_count == 5  # once in each run but the first
