"""The worked examples of the paper: splittable rules, the join stage, and sigma."""

from __future__ import annotations

import pytest

from joiner_magic import Program, choose_engine, read_program, read_task
from joiner_magic.engines.protocol import Engine
from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.conjunctions import Conjunction, added_size, sigma
from joiner_magic.logic.dominance import Piece
from joiner_magic.logic.programs import Evaluation
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.solvers.interrupt import never
from joiner_magic.solvers.join_solver import JoinSolver
from joiner_magic.task.task import Task

ZENDO = """head_pred(zendo,1). body_pred(piece,2). body_pred(contact,2). body_pred(red,1). body_pred(blue,1).
           max_vars(3). max_body(5)."""
SPLITTABLE = "zendo(S) :- piece(S,R), red(R), piece(S,B), blue(B)."
NON_SPLITTABLE = "zendo(S) :- piece(S,R), red(R), piece(S,B), blue(B), contact(R,B)."


def zendo() -> Task:
    background = "piece(1,a). piece(1,b). red(a). blue(b). contact(a,b). piece(2,c). red(c)."
    return read_task(background, "pos(zendo(1)). neg(zendo(2)).", ZENDO)


@pytest.mark.parametrize(
    ("text", "allowed", "generated"),
    [
        (SPLITTABLE, False, False),
        (SPLITTABLE, True, True),
        (NON_SPLITTABLE, False, True),
        (NON_SPLITTABLE, True, True),
    ],
)
def test_splittable_rules_are_generated_only_if_asked_for(text: str, allowed: bool, generated: bool) -> None:
    rule = read_program(text)
    source = AspSource(zendo().bias, splittable=allowed)
    found = {canonical(p) for batch in source.generate(rule.size, never) for p in batch.programs}
    assert (canonical(rule) in found) == generated


# The join stage's example. The lists' last elements are facts: a rule for them would be recursive.
LISTS = """head([H|_],H). tail([_|T],T).
           last([a,b,c,d],d). last([c,b,d,e],e). last([c,b],b). last([d,b],b). last([a,c,d,e],e)."""
EXAMPLES = """pos(f([a,b,c,d])). pos(f([c,b,d,e])).
              neg(f([c,b])). neg(f([d,b])). neg(f([a,c,d,e]))."""
LISTS_BIAS = """head_pred(f,1). body_pred(head,2). body_pred(tail,2). body_pred(last,2). enable_recursion.
                direction(f,(in,)). direction(head,(in,out)). direction(tail,(in,out)). direction(last,(in,out))."""
P1, P2, P3, P4, P5 = (
    read_program(text)
    for text in (
        "f(S) :- head(S,a).",
        "f(S) :- last(S,e).",
        "f(S) :- tail(S,T), head(T,b).",
        "f(S) :- head(S,c). f(S) :- tail(S,T), f(T).",
        "f(S) :- head(S,d). f(S) :- tail(S,T), f(T).",
    )
)


@pytest.fixture
def engine() -> Engine:
    return choose_engine(read_task(LISTS, EXAMPLES, LISTS_BIAS), "datalog").engine


def join_of(programs: list[Program], engine: Engine) -> JoinSolver:
    evaluations = engine.evaluate(programs)
    assert all(evaluation.pos and evaluation.neg for evaluation in evaluations)
    join = JoinSolver(positives=2, negatives=3)
    join.add(
        [
            Piece(added_size(program), evaluation.pos, evaluation.neg or 0)
            for program, evaluation in zip(programs, evaluations, strict=True)
        ]
    )
    return join


def test_the_incomplete_join_covers_all_positives_at_once(engine: Engine) -> None:
    found = join_of([P1, P2, P3, P4, P5], engine).covers_most(0b11, never)
    assert found is not None
    assert (set(found.pieces), found.pos) == ({2, 3, 4}, 0b11)


def test_the_complete_join_gives_the_two_small_conjunctions(engine: Engine) -> None:
    join = join_of([P1, P2, P3, P4, P5], engine)
    assert not list(join.maximal(3, never))
    found = {(frozenset(conjunction.pieces), conjunction.pos) for conjunction in join.maximal(4, never)}
    assert found == {(frozenset({0, 2}), 0b01), (frozenset({1, 2}), 0b10)}


def test_together_they_are_smaller_than_the_large_one(engine: Engine) -> None:
    head = Predicate("f", 1)
    large, small = [Conjunction((P3, P4, P5))], [Conjunction((P1, P3)), Conjunction((P2, P3))]
    for conjunctions, size in ((large, 15), (small, 8)):
        program = sigma(conjunctions, head)
        assert program.size == sum(c.size for c in conjunctions) == size
        assert engine.evaluate([program]) == [Evaluation(0b11, 0)]


def test_sigma_of_rules_is_one_rule() -> None:
    """Unlike the paper's, our sigma unfolds what is a single rule: c1."""
    parts = [read_program(f"zendo(S) :- piece(S,P), {colour}(P).") for colour in ("blue", "red")]
    program = sigma([Conjunction(tuple(parts))], Predicate("zendo", 1))
    assert program == read_program("zendo(S) :- piece(S,B), blue(B), piece(S,R), red(R).")


def test_sigma_of_recursive_programs_calls_them_under_new_names() -> None:
    """The paper's c2."""
    parts = [read_program(f"f(S) :- head(S,{n}). f(S) :- tail(S,T), f(T).") for n in (1, 2)]
    program = sigma([Conjunction(tuple(parts))], Predicate("f", 1))
    assert program == read_program(
        """f(S) :- f_1(S), f_2(S).
           f_1(S) :- head(S,1). f_1(S) :- tail(S,T), f_1(T).
           f_2(S) :- head(S,2). f_2(S) :- tail(S,T), f_2(T)."""
    )


def test_new_names_are_new() -> None:
    parts = (P4, P5)
    names = {p.name for p in sigma([Conjunction(parts)], Predicate("f", 1), {"f_1", "f_3"}).defined}
    assert names == {"f", "f_2", "f_4"}
