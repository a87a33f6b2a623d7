from __future__ import annotations

from joiner_magic.logic.conjunctions import Conjunction, sigma
from joiner_magic.logic.render import render_program
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.reader import read_program

ZENDO = Predicate("zendo", 1)
F = Predicate("f", 1)


def conjunction(*texts: str) -> Conjunction:
    return Conjunction(tuple(map(read_program, texts)))


def written(
    *conjunctions: Conjunction, head: Predicate = F, taken: tuple[str, ...] = (), apart: bool = False
) -> str:
    program = sigma(conjunctions, head, taken, apart=apart)
    return render_program(program).strip()


def test_single_rules_are_merged_with_their_variables_apart() -> None:
    c1 = conjunction("zendo(S) :- piece(S,B), blue(B).", "zendo(S) :- piece(S,R), red(R).")
    assert written(c1, head=ZENDO) == "zendo(A) :- piece(A, B), blue(B), piece(A, C), red(C)."
    assert c1.size == sigma([c1], ZENDO).size == 5


def test_programs_of_several_rules_are_called_under_new_names() -> None:
    c2 = conjunction("f(S) :- one(S). f(S) :- tail(S,T), f(T).", "f(S) :- two(S). f(S) :- tail(S,T), f(T).")
    assert written(c2).splitlines() == [
        "f(A) :- f_1(A), f_2(A).",
        "f_1(A) :- one(A).",
        "f_1(A) :- tail(A, B), f_1(B).",
        "f_2(A) :- two(A).",
        "f_2(A) :- tail(A, B), f_2(B).",
    ]
    assert c2.size == sigma([c2], F).size == 13


def test_rules_and_recursive_programs_mix() -> None:
    mixed = conjunction("f(S) :- head(S,H), a(H).", "f(S) :- one(S). f(S) :- tail(S,T), f(T).")
    assert written(mixed).splitlines()[0] == "f(A) :- head(A, B), a(B), f_1(A)."
    assert mixed.size == sigma([mixed], F).size == 9


def test_a_recursive_program_alone_keeps_its_name() -> None:
    alone = conjunction("f(S) :- one(S). f(S) :- tail(S,T), f(T).")
    assert written(alone).splitlines() == ["f(A) :- one(A).", "f(A) :- tail(A, B), f(B)."]
    assert alone.size == sigma([alone], F).size == 5
    assert written(alone, apart=True).splitlines()[0] == "f(A) :- f_1(A)."


def test_new_names_are_free_and_differ_between_parts() -> None:
    part = conjunction("f(S) :- one(S). f(S) :- tail(S,T), f(T).", "f(S) :- head(S,H), a(H).")
    lines = written(part, part, taken=("f_1", "f_3")).splitlines()
    assert {line.split("(")[0] for line in lines} == {"f", "f_2", "f_4"}


def test_invented_predicates_are_renamed_apart() -> None:
    first = conjunction("f(S) :- inv1(S). inv1(S) :- one(S), two(S).")
    second = conjunction("f(S) :- inv1(S). inv1(S) :- three(S), four(S).")
    assert written(first, second).splitlines() == [
        "f(A) :- f_1(A).",
        "f_1(A) :- one(A), two(A).",
        "f(A) :- f_2(A).",
        "f_2(A) :- three(A), four(A).",
    ]
