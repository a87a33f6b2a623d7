"""What the Prolog engine answers: coverage, and what was not finished."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engines.flat_programs import program
from engines.prolog_tasks import GRAPH, covers, engine
from joiner_magic.engines.prolog.engine import PrologEngine
from joiner_magic.logic.programs import Evaluation
from joiner_magic.logic.terms import NIL, Compound, Integer, List, Symbol
from joiner_magic.task.reader import read_term

pytestmark = pytest.mark.prolog


# Coverage


def test_bits_stand_for_the_examples_in_order() -> None:
    with engine(GRAPH, "f(a) f(b) f(c) f(d)", "f(e) f(d)") as prolog:
        assert prolog.evaluate(
            [
                program("f(A) :- edge(A,B), blue(B)."),
                program("f(A) :- blue(A)."),
                program("f(A) :- blue(A). f(A) :- edge(A,c)."),
                program("f(A)."),
                program("f(c)."),
            ]
        ) == [
            Evaluation(0b1001, 0b10),
            Evaluation(0b1010, 0b10),
            Evaluation(0b1010, 0b10),
            Evaluation(0b1111, 0b11),
            Evaluation(0b0100, 0),
        ]


def test_lazy_leaves_out_the_negatives_where_no_positive_is_covered() -> None:
    with engine(GRAPH, "f(a)", "f(b)") as prolog:
        batch = [program("f(A) :- blue(A)."), program("f(A) :- edge(A,B).")]
        assert prolog.evaluate(batch, lazy=True) == [Evaluation(0, None), Evaluation(1, 1)]
        assert prolog.evaluate(batch) == [Evaluation(0, 1), Evaluation(1, 1)]


def test_more_programs_than_fit_in_a_request() -> None:
    with engine(GRAPH) as prolog:
        batch = [program("f(A) :- edge(A,b)."), program("f(A) :- edge(A,c).")] * 700
        assert prolog.evaluate(batch) == [Evaluation(1, 0), Evaluation(0, 0)] * 700
        assert prolog.evaluate([]) == []


def test_examples_with_nested_terms_and_constants_in_programs() -> None:
    words = List((Symbol("New York"), Compound("s", (Integer(-(10**40)),))), NIL)
    rule = program("f(A) :- head(A,B), is_town(B).")
    with PrologEngine(
        [("bk", "head([H|_],H). is_town('New York').")], [Compound("f", (words,))], [Compound("f", (NIL,))]
    ) as prolog:
        assert prolog.evaluate([rule]) == [Evaluation(1, 0)]


def test_the_program_alone_defines_its_predicates() -> None:
    with engine(GRAPH) as prolog:
        assert prolog.evaluate(
            [
                program("f(A) :- blue(A). blue(a) :- edge(d,d)."),
                program("f(A) :- blue(A)."),
                program("f(A) :- inv(A). inv(A) :- edge(A,B), blue(B)."),
            ]
        ) == [Evaluation(1, 0), Evaluation(0, 0), Evaluation(1, 0)]


def test_left_recursion_ends() -> None:
    text = "f(A,B) :- f(A,C), edge(C,B). f(A,B) :- edge(A,B)."
    with engine(GRAPH, "f(a,c) f(a,a) f(c,b)", "f(a,d) f(d,a)") as prolog:
        assert prolog.evaluate([program(text)]) == [Evaluation(0b111, 0)]


def test_mutual_recursion_ends() -> None:
    text = "even(A) :- zero(A). even(A) :- s(B,A), odd(B). odd(A) :- s(B,A), even(B)."
    with engine("zero(0). s(0,1). s(1,2). s(2,3). s(3,0).", "even(0) even(2)", "even(9)") as prolog:
        assert prolog.evaluate([program(text)]) == [Evaluation(0b11, 0)]
        loop = program("even(A) :- odd(A). odd(A) :- even(A).")
        assert prolog.evaluate([loop]) == [Evaluation(0, 0)]


@pytest.mark.parametrize(
    "rules",
    [
        "way(X,Y) :- way(X,Z), edge(Z,Y). way(X,Y) :- edge(X,Y).",
        "way(X,Y) :- edge(X,Y) ; edge(X,Z), way(Z,Y).",
    ],
)
def test_a_datalog_recursion_in_the_background_ends(rules: str) -> None:
    assert covers(GRAPH + rules, "f(A) :- way(A,A).", "f(a) f(b) f(d)")


def test_a_recursion_over_lists_in_the_background_is_left_to_prolog() -> None:
    background = "grow([a]). grow([a|T]) :- grow(T). last_of([X],X). last_of([_|T],X) :- last_of(T,X)."
    assert covers(background, "f(A) :- grow(B), last_of(B,A).")  # a table of all answers would never end


# Limits and errors: what is not finished is not covered


def test_an_example_over_the_limit_is_not_covered() -> None:
    background = "step(X,s(X)). small(a). small(s(a)). small(s(s(a)))."
    endless = program("f(A) :- step(A,B), f(B).")
    with engine(background, "f(a) f(b)", "f(a)") as prolog:
        assert prolog.evaluate([endless, program("f(A) :- small(A).")]) == [
            Evaluation(0, 0, complete=False),
            Evaluation(1, 1),
        ]


def test_the_limit_counts_for_each_example() -> None:
    count = "count(0). count(N) :- N > 0, M is N - 1, count(M). number(f(N),N)."
    with engine(count, " ".join(f"f({n})" for n in (1, 3000, 2, 0)), "f(5000)") as prolog:
        (narrow,) = prolog.evaluate([program("f(A) :- count(A).")], limit=1000)
        (wide,) = prolog.evaluate([program("f(A) :- count(A).")], limit=100_000)
    assert narrow == Evaluation(0b1101, 0, complete=False)
    assert wide == Evaluation(0b1111, 1)


LISTS = "tail([_|T],T). dec(A,B) :- A > 0, B is A - 1. zero(0)."
NUMBERS = list(range(12))
ENDLESS = "f(A,B) :- f(A,C), f(C,B). f(A,B) :- tail(A,B). f(A,B) :- tail(B,A)."


def over_lists(pos: Sequence[str], neg: str) -> PrologEngine:
    return PrologEngine([("bk", LISTS)], list(map(read_term, pos)), [read_term(neg)])


def test_what_a_limit_stops_does_not_spoil_the_programs_after_it() -> None:
    last = program("f(A,B) :- tail(A,B). f(A,B) :- f(A,C), tail(C,B).")
    with over_lists([f"f({NUMBERS},[11])", "f([1,2,3],[3])"], f"f({NUMBERS},[12])") as prolog:
        wanted = prolog.evaluate([last])
        assert wanted == [Evaluation(0b11, 0)]
        for limit in range(100, 12_000, 97):
            prolog.evaluate([program(ENDLESS)], limit=limit)
            assert prolog.evaluate([last]) == wanted, limit


def test_a_deep_recursion_over_lists_takes_few_inferences() -> None:
    """Tabled, each of the calls would be copied, and take many times as much."""
    numbers = list(range(300))
    drop = program("f(A,B,C) :- zero(B), tail(A,C). f(A,B,C) :- tail(A,D), dec(B,E), f(D,E,C).")
    examples = [f"f({numbers},250,{numbers[251:]})"], f"f({numbers},250,{numbers[250:]})"
    with over_lists(*examples) as prolog:
        assert prolog.evaluate([drop], limit=2_000) == [Evaluation(1, 0)]


def test_plain_recursion_that_loops_on_some_examples_is_tabled_for_these() -> None:
    reach = program("f(A,B) :- edge(A,C), f(C,B). f(A,B) :- edge(A,B).")
    cycle = "edge(a,b). edge(b,a). edge(c,d). "
    with engine(cycle, "f(a,a) f(c,d) f(b,b)", "f(a,d) f(c,c) f(d,d)") as prolog:
        assert prolog.evaluate([reach]) == [Evaluation(0b111, 0)]


def test_a_background_that_loops_does_not_hold_up_the_batch() -> None:
    with engine("loop(X) :- loop(X), !. edge(a,b).", "f(a) f(b)") as prolog:
        assert prolog.evaluate([program("f(A) :- loop(A)."), program("f(A) :- edge(A,B).")]) == [
            Evaluation(0, 0, complete=False),
            Evaluation(1, 0),
        ]


def test_an_error_counts_as_unfinished_where_it_happens() -> None:
    with engine("less(X) :- X < 3.", "f(1) f(a) f(2) f(7)") as prolog:
        assert prolog.evaluate([program("f(A) :- less(A).")]) == [Evaluation(0b101, 0, complete=False)]


def test_running_out_of_memory_counts_as_unfinished() -> None:
    with engine("big(X) :- length(L,40000000), L = [X|_]. edge(a,b).") as prolog:
        assert prolog.evaluate([program("f(A) :- big(A)."), program("f(A) :- edge(A,b).")]) == [
            Evaluation(0, 0, complete=False),
            Evaluation(1, 0),
        ]
