"""Enumerating answer sets: names, chunks, order, and how it is stopped."""

from __future__ import annotations

import _thread
import os
import subprocess
import sys
import threading
import time

import pytest

from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.solvers.asp_text import asp_name, asp_tuple
from joiner_magic.solvers.generation import AnswerSets
from joiner_magic.solvers.interrupt import Interrupted
from joiner_magic.solvers.nogoods import Nogood, nogood_text

HEAD = Literal("h", (0,))
PARTS = ("single", "connected")


def space(predicates: int, constraints: str = "", *, length: int = 3) -> AnswerSets:
    """Bodies of unary literals over the head's variable: any set of predicates is one."""
    names = [f"p{number}" for number in range(predicates)]
    facts = [
        f"max_body({length}). _sizes(2,{length + 1}). head_pred(h,1). head_vars(1,(0,)). var_pos(0,(0,),0).",
        *(f"_literal({name},1,(0,))." for name in names),
        constraints,
    ]
    return AnswerSets("\n".join(facts), PARTS, HEAD)


def rule(*names: str) -> Program:
    return Program((Rule(HEAD, tuple(Literal(name, (0,)) for name in names)),))


# Twelve pigeons in eleven holes: no answer set, and a long time to find out.
PIGEONS = "{ in(P,1..11) } = 1 :- P = 1..12. :- in(P,H), in(Q,H), P < Q."


def test_all_sets_of_literals_come_once() -> None:
    found = [program for chunk in space(4).programs(3) for program in chunk]
    bodies = {frozenset(literal.name for literal in program.rules[0].body) for program in found}
    assert len(found) == len(bodies) == 6
    assert all(program.size == 3 and program.rules[0].head == HEAD for program in found)


def test_a_size_outside_the_space_has_no_programs() -> None:
    assert list(space(4).programs(1)) == list(space(4).programs(9)) == []


def test_chunks_are_of_limited_size_and_hold_everything() -> None:
    chunks = list(space(30).programs(4))
    assert sum(map(len, chunks)) == 30 * 29 * 28 // 6
    assert all(0 < len(chunk) <= 1000 for chunk in chunks)


def test_the_text_of_a_nogood_forbids_the_same() -> None:
    nogood = Nogood(rule("p1", "p2"))
    told, said = space(5), space(5, nogood_text(nogood))
    told.forbid([nogood])
    found = [{program for chunk in one.programs(4) for program in chunk} for one in (told, said)]
    assert found[0] == found[1]
    assert len(found[0]) == 10 - 3


def test_nogoods_hold_from_the_next_size_on() -> None:
    answer_sets = space(4)
    answer_sets.forbid([Nogood(rule("p0")), Nogood(rule("p1", "p2"))])
    answer_sets.forbid([Nogood(rule("p2"), unless=(0,))])  # every body mentions variable 0
    (chunk,) = answer_sets.programs(3)
    bodies = {frozenset(literal.name for literal in program.rules[0].body) for program in chunk}
    assert bodies == {frozenset(("p1", "p3")), frozenset(("p2", "p3"))}


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("p", "p"),
        ("aB_1", "aB_1"),
        ("not", '"not"'),
        ("Odd 'name'", "\"Odd 'name'\""),
        ("größer", '"größer"'),
    ],
)
def test_names(name: str, written: str) -> None:
    assert asp_name(name) == written
    facts = f"max_body(1). _sizes(2,2). head_pred(h,0). head_vars(0,()). _literal({written},0,())."
    (chunk,) = AnswerSets(facts, PARTS, Literal("h", ())).programs(2)
    assert chunk == [Program((Rule(Literal("h", ()), (Literal(name, ()),)),))]


def test_tuples() -> None:
    assert [asp_tuple(values) for values in ((), (1,), (1, 2))] == ["()", "(1,)", "(1,2)"]


@pytest.mark.parametrize("constraints", ["", PIGEONS], ids=["many answer sets", "none for long"])
def test_stop_is_heard_soon(constraints: str) -> None:
    answer_sets = space(60, constraints, length=8)
    start = time.monotonic()
    with pytest.raises(Interrupted):
        for _ in answer_sets.programs(9, lambda: time.monotonic() > start + 0.2):
            pass
    assert time.monotonic() < start + 1
    if not constraints:
        assert sum(map(len, answer_sets.programs(2))) == 60  # it can be asked again


@pytest.mark.parametrize("constraints", ["", PIGEONS], ids=["many answer sets", "none for long"])
def test_keyboard_interrupt_gets_through(constraints: str) -> None:
    answer_sets = space(60, constraints, length=8)
    start = time.monotonic()
    threading.Timer(0.2, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in answer_sets.programs(9):
            pass
    assert time.monotonic() < start + 1.2


def test_a_caller_may_leave_early() -> None:
    answer_sets = space(60, length=8)
    chunks = answer_sets.programs(9)
    next(chunks)
    time.sleep(0.3)  # clingo's thread now waits for its chunks to be taken
    start = time.monotonic()
    del chunks
    assert sum(map(len, answer_sets.programs(2))) == 60
    assert time.monotonic() < start + 1


def test_every_process_sees_the_same_order() -> None:
    """Names hash differently from one process to the next."""
    code = (
        "from joiner_magic.task.bias import Bias; from joiner_magic.logic.terms import Predicate as P;"
        "from joiner_magic.search.spaces.asp_source import AspSource;"
        "source = AspSource(Bias(P('h',1), (P('p',2), P('q',1), P('r',3)), max_vars=4, max_body=4,"
        " enable_recursion=True, enable_pi=True, max_clauses=2));"
        "print([batch.programs for size in range(2, 6) for batch in source.generate(size)])"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 1000
