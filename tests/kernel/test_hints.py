"""Which cells get a hint, and which are Python's own mistakes."""

from __future__ import annotations

import builtins

import pytest

from joiner_kernel.hints import hint


@pytest.mark.parametrize(
    ("cell", "magic"),
    [
        ("piece(a,b).", "%%bk"),
        ("% facts\npiece(a,b). piece(b,c).\nbig(X) :- piece(X,_).", "%%bk"),
        ("'quoted name'(a).\n", "%%bk"),
        ("pos(f(a)).\nneg(f(b)).", "%%examples"),
        ("head_pred(f,1).\nbody_pred(piece,2).", "%%bias"),
    ],
)
def test_clauses_get_a_hint(cell: str, magic: str) -> None:
    advice = hint(cell)
    assert advice is not None
    assert advice.endswith(magic)


@pytest.mark.parametrize(
    "cell",
    [
        "", "f(x", "for x in y", "print(x).", "df.head(5).", "x = foo(1).", "if foo(1).", "a.b(c).", "f(x) + g(y).",
        "hello.", "import os.", "not f(x).", "del f(x).", "x.y.", "f(a).g(b).", "# comment\nprint('a').", "1.",
        "def f(x):\n    return x.", "class(a).", "print(a). p(b).", "'just a text'.", "[1, 2].",
    ],
)  # fmt: skip
def test_mistakes_of_python_get_none(cell: str) -> None:
    assert hint(cell, known=dir(builtins)) is None


def test_a_name_that_python_knows_is_no_predicate() -> None:
    assert hint("frame(a).", known=["frame"]) is None
    assert hint("frame(a).", known=[]) is not None
