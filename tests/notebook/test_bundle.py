"""What the browser gets, made small without changing what it says."""

from __future__ import annotations

import pytest

from joiner_magic.notebook.widgets.bundle import without_blanks


@pytest.mark.parametrize(
    ("line", "folded"),
    [
        ("const f = (a, b) => ({ a, b });", "const f=(a,b)=>({a,b});"),
        ('x = y ? "one, two" : `a , ${b} : c`;', 'x=y?"one, two":`a , ${b} : c`;'),
        ("for (const [a, b] of [c]) d(a, -b + +e);", "for(const[a,b]of[c])d(a,-b + +e);"),
        ("const half = (a + b) / 2;", "const half=(a + b)/ 2;"),
    ],
)
def test_blanks_go_only_where_they_mean_nothing(line: str, folded: str) -> None:
    assert without_blanks(line) == folded


@pytest.mark.parametrize(
    "line",
    [
        "const spaced = /a , b/g;",
        "const nested = `a ${b ? `c , d` : e}`;",
        "const quoted = 'a , b';",
    ],
)
def test_a_line_that_takes_a_parser_is_left_as_it_is(line: str) -> None:
    assert without_blanks(line) == line
