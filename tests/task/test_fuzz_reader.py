"""The reader against mutated texts: it reads them or says what is wrong, soon, and never crashes.

Run this file as a script to try other seeds: `PYTHONPATH=tests python
tests/task/test_fuzz_reader.py SEED CASES`.
"""

from __future__ import annotations

import sys

from joiner_magic.errors import TextError
from joiner_magic.logic.render import render_clause
from joiner_magic.task.reader import PrologText
from task.mutations import accepted_apart, check_refusal, try_all

SEED = 20240806
CASES = 24_000

SNIPPETS = [
    "parent(ann, bob). parent(bob, 'Carl O\\'Neil').\n% a comment\nage(ann, 42).",
    "grand(X, Z) :-\n    parent(X, Y),\n    parent(Y, Z).\n",
    'head([H|_], H). tail([_|T], T). empty([]).\nsplit([a, b, [c|d]], `codes`, "string").',
    ":- dynamic seen/1, known/2.\n:- style_check(-discontiguous).",
    "max(A, B, A) :- nonvar(A), A >= B, !.\nmax(_, B, B).",
    "len(A, B) :- ( nonvar(A) -> is_list(A) ; true ), \\+ B = [], B is 1 + 2 * -3 - (4 mod 2).",
    "n(0x1F, 0b101, 0o17, 0'a, 0''', 1_000_000, -1, - 1, 1.5e-3, 1.0Inf, 1.5NaN, 16'ff).",
    "big(123456789012345678901234567890, -9223372036854775808, 0xffffffffffffffffffff).",
    "q('it''s', 'tab\\tnew\\nline', '\\x41\\', '\\u00e9', \"say \\\"hi\\\"\", '').",
    "op(a:b:c, X^Y^Z, - - a, f(:-, -, [+|-]), (a :- b), {x, y}, (p | q), A =.. B).",
    "é(ñ, 日本, Ünder, 'emoji 😀').\n/* a block\n comment */ r(1).",
    "t(a, b) :- u(a) ; v(b), w -> x *-> y.\ns(-(1), -(-(1)), 2 ** -1, \\ 5, @(a), a @< b).",
]


def check(text: str) -> bool:
    """Whether the text reads; if so, what it says renders back to the same."""
    try:
        source = PrologText.read(text, name="fuzz")
    except TextError as error:
        check_refusal(text, error)
        return False
    clauses = list(source.clauses())
    again = PrologText.read("\n".join(map(render_clause, clauses)), name="rendered")
    assert list(again.clauses()) == clauses
    return True


def test_mutated_texts_are_read_or_refused() -> None:
    accepted = accepted_apart(__file__, SEED, CASES, SNIPPETS)
    # A fuzzer whose texts are all refused, or all read, tests little.
    assert CASES / 20 < accepted < CASES / 2


if __name__ == "__main__":
    try_all(int(sys.argv[1]), int(sys.argv[2]), SNIPPETS, check)
