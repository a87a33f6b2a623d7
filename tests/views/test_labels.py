"""Short names of rules in a picture."""

from __future__ import annotations

import pytest

from joiner_magic.logic.terms import Predicate
from joiner_magic.views.lattice.labels import breadth, label, predicates, shortened


@pytest.mark.parametrize(
    ("special", "general", "expected"),
    [
        ("f(A) :- piece(A, B), red(B).", "f(A) :- piece(A, B).", "+ red(B)"),
        # The variables are those of the rule itself, whatever the other one calls them.
        ("f(A) :- p(A, C), q(C, B), red(B).", "f(X) :- p(X, Y), q(Y, Z).", "+ red(B)"),
        # Of two literals of one predicate it is the one without which the other rule is left.
        ("f(A) :- p(A, B), p(B, C), q(B).", "f(A) :- p(A, B), q(B).", "+ p(B,C)"),
        ("f(A) :- piece(A, B).", None, "piece(A,B)"),
        ("f(A) :- piece(A, B), red(B).", None, ""),
        ("f(A) :- piece(A, B), red(B).", "f(A) :- blue(A).", ""),
        ("f(A) :- p(A). f(A) :- p(B), f(B).", None, "2 rules"),
        ("f(A) :- 'a, b'(A).", None, "'a,b'(A)"),
    ],
)
def test_a_label_is_what_a_rule_adds(special: str, general: str | None, expected: str) -> None:
    assert label(special, general, 30) == expected


def test_labels_are_cut_to_the_room_there_is() -> None:
    assert label("f(A) :- piece(A, B).", None, 6) == "piece…"
    assert shortened("contact", 7) == "contact"
    assert shortened("名前名前", 5) == "名前…"
    assert breadth(shortened("名前名前", 5)) <= 5
    assert "\u202e" not in shortened("\u202egnirts", 30)


def test_predicates_are_those_of_the_body() -> None:
    assert predicates("f(A) :- piece(A, B), red(B).") == {Predicate("piece", 2), Predicate("red", 1)}
    assert predicates("no rule at all") == frozenset()


def test_programs_of_several_rules_say_what_they_add() -> None:
    below = "f(A,B) :- e(A,B). f(A,B) :- e(A,C), g(C), f(C,B)."
    assert label(below, "f(X,Y) :- f(Z,Y), e(X,Z). f(X,Y) :- e(X,Y).", 20) == "+ g(C)"
    assert label(below, "f(A,B) :- e(A,B).", 20) == "2 rules"
    assert label(below, None, 20) == "2 rules"
