"""Where examples see the same facts, programs cover the same of them."""

from __future__ import annotations

from random import Random

import pytest

from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.learn import learn
from joiner_magic.search.reuse.visible_facts import sees_the_same
from joiner_magic.search.running.events import Evaluated, Event
from joiner_magic.sessions.session import Session
from joiner_magic.task.reader import read_program
from joiner_magic.task.task import Task, read_task
from sessions.edits import Edited

BIAS = """head_pred(f,1). body_pred(has,2). body_pred(size,2). body_pred(small,1).
type(f,(s,)). type(has,(s,p)). type(size,(p,n)). type(small,(n,)). max_vars(4). max_body(4)."""
DIRECTIONS = "direction(f,(in,)). direction(has,(in,out)). direction(size,(in,out)). direction(small,(in,))."
BK = "has(a,p). size(p,3). small(3). has(b,q). size(q,5)."
EXAMPLES = "pos(f(a)). neg(f(b))."


@pytest.mark.parametrize(
    ("added", "bias", "same"),
    [
        ("has(c,r). size(r,3).", BIAS + DIRECTIONS, True),  # 3 is seen, but leads nowhere
        ("has(c,r). size(r,3).", BIAS, False),  # from 3 to r: f(A) :- has(A,B), size(B,C), size(D,C)
        ("has(c,r). size(r,7).", BIAS, True),
        ("has(c,r). size(r,3). small(3).", BIAS + DIRECTIONS, True),  # said again
        ("small(5).", BIAS + DIRECTIONS, False),
        ("size(p,7).", BIAS + DIRECTIONS, False),
        ("colour(p,red).", BIAS + DIRECTIONS, True),  # of no predicate that rules may use
        ("% nothing but a comment", BIAS, True),
        ("small(X) :- size(X,X).", BIAS + DIRECTIONS, False),
        ("has(c,r). size(r,3).", BIAS + DIRECTIONS.replace("direction(small,(in,)).", ""), False),
    ],
)
def test_what_is_seen(added: str, bias: str, same: bool) -> None:
    before = read_task(BK, EXAMPLES, bias)
    after = read_task(f"{BK} {added}", EXAMPLES, bias)
    examples = (*before.examples.pos, *before.examples.neg)
    assert sees_the_same(examples, before, after) is same
    assert sees_the_same(examples, after, before) is same
    assert sees_the_same(examples, before, before)


def test_recursion_can_see_what_no_chain_leads_to() -> None:
    bias = "head_pred(f,2). body_pred(p,1). body_pred(q,1). body_pred(e,2). body_pred(s,1). enable_recursion."
    bk, examples = "p(b). e(a,b). q(x). s(y).", "pos(f(a,b))."
    before, after = (read_task(text, examples, bias) for text in (bk, f"{bk} q(z). s(z)."))
    program = read_program("f(A,B) :- p(A), q(B). f(A,B) :- e(A,B), f(B,C), s(C).")
    covered = [DatalogEngine(task).evaluate([program])[0].pos for task in (before, after)]
    assert covered == [0, 1]
    assert not sees_the_same(before.examples.pos, before, after)


def programs(task: Task) -> dict[Program, Evaluation]:
    """All rules that are generated, and what they cover."""
    found: dict[Program, Evaluation] = {}

    def hear(event: Event) -> None:
        if isinstance(event, Evaluated):
            found.update(zip(event.programs, event.evaluations, strict=True))

    learn(task, listeners=[hear], source="asp", join=False, advise=False)
    return found


def test_programs_cover_the_same_where_the_same_is_seen() -> None:
    compared = seen = 0
    for seed in range(30):
        edited = Edited.random(Random(seed))
        session = Session()
        edited.tell(session)
        before = session.task()
        edited.rng.choice([edited.add_stranger, edited.add_stranger, edited.add_fact])()
        edited.tell(session)
        after = session.task()
        compared += 1
        if sees_the_same((*before.examples.pos, *before.examples.neg), before, after):
            seen += 1
            known = programs(before)
            now = DatalogEngine(session.task()).evaluate(list(known))
            kept = len(before.examples.pos), len(before.examples.neg)
            for evaluation, again in zip(known.values(), now, strict=True):
                assert again.pos & ~(-1 << kept[0]) == evaluation.pos
                if evaluation.neg is not None:
                    assert (again.neg or 0) & ~(-1 << kept[1]) == evaluation.neg
    assert seen > compared / 6
