"""Short names of rules in a picture."""

from __future__ import annotations

import pytest

from joiner_magic.task.reader import read_program
from joiner_magic.views.lattice.labels import breadth, label, shortened


@pytest.mark.parametrize(
    ("special", "general", "expected"),
    [
        ("f(A) :- piece(A, B), red(B).", "f(A) :- piece(A, B).", "+ red(B)"),
        # The variables are those of the rule itself, whatever the other one calls them.
        ("f(A) :- red(B), p(A, C), q(C, B).", "f(X) :- p(X, Y), q(Y, Z).", "+ red(B)"),
        # Of two literals of one predicate it is the one without which the other rule is left.
        ("f(A) :- p(A, B), p(B, C), q(B).", "f(A) :- p(A, B), q(B).", "+ p(B,C)"),
        ("f(A) :- piece(A, B).", None, "piece(A,B)"),
        ("f(A) :- piece(A, B), red(B).", None, "piece(A,B), red(B)"),
        ("f(A) :- piece(A, B), red(B).", "f(A) :- blue(A).", "piece(A,B), red(B)"),
        ("f(A) :- p(A). f(A) :- p(B), f(B).", None, "2 rules"),
        ("f(A) :- 'a, b'(A).", None, "'a,b'(A)"),
    ],
)
def test_a_label_is_what_a_rule_adds(special: str, general: str | None, expected: str) -> None:
    above = None if general is None else read_program(general)
    assert label(read_program(special), above, 30) == expected


def test_labels_are_cut_to_the_room_there_is() -> None:
    assert label(read_program("f(A) :- piece(A, B)."), None, 6) == "piece…"
    assert shortened("contact", 7) == "contact"
    assert shortened("名前名前", 5) == "名前…"
    assert breadth(shortened("名前名前", 5)) <= 5
    assert "\u202e" not in shortened("\u202egnirts", 30)
