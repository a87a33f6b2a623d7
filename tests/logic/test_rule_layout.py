"""Long rules over several lines."""

from __future__ import annotations

from joiner_magic.logic.programs import Program
from joiner_magic.logic.render import render_literal
from joiner_magic.logic.rule_layout import fragments, laid_out
from joiner_magic.task.reader import read_program


def names(text: str) -> list[str]:
    (rule,) = read_program(text).rules
    return ["".join(literal.name for literal in fragment) for fragment in fragments(rule)]


def test_literals_that_share_body_only_variables_are_one_fragment() -> None:
    assert names("f(A) :- a(A,B), b(B), c(A,C), d(C), e(A).") == ["ab", "cd", "e"]
    assert names("f(A) :- a(A,B), c(A,C), b(B), d(C).") == ["ab", "cd"]
    assert names("f(A) :- a(A,B), c(A,C), b(B,C).") == ["acb"]
    assert names("f(A,B) :- a(A,B), b(A,B).") == ["a", "b"]


def test_a_short_rule_stays_on_its_line() -> None:
    (rule,) = read_program("f(A) :- a(A,B), b(B).").rules
    assert laid_out(rule) == "f(A) :- a(A, B), b(B)."


def test_fragments_begin_lines() -> None:
    (rule,) = read_program("f(A) :- a(A,B), b(B), c(A,C), d(C).").rules
    assert laid_out(rule, width=20) == "f(A) :-\n    a(A, B), b(B),\n    c(A, C), d(C)."


def test_a_rule_of_hundreds_of_literals_reads_back() -> None:
    body = ", ".join(f"p{i}(A, B{i}), q(B{i}), r(A)" for i in range(100))
    program = read_program(f"'Odd head'(A) :- {body}.")
    (rule,) = program.rules
    text = laid_out(rule)
    assert read_program(text) == Program((rule,))
    assert max(map(len, text.splitlines())) <= 88
    assert len(text.splitlines()) == 201  # its head, and for each i a fragment of two literals and one of one


def test_a_literal_that_is_too_long_has_a_line_to_itself() -> None:
    (rule,) = read_program(f"f(A) :- {'x' * 100}(A,B), b(B).").rules
    head, long, short = laid_out(rule).splitlines()
    assert long.strip() == f"{render_literal(rule.body[0])},"
    assert (head, short.strip()) == ("f(A) :-", "b(B).")
