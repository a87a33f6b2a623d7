"""The reader against mutated texts: it reads them or says what is wrong, soon, and never crashes.

All cases run in one process of their own, so that a crash of native code is a failure that names
the text instead of the end of the test run. Run this file as a script to try other seeds:
`python tests/task/test_fuzz_reader.py SEED CASES`.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from pathlib import Path

from joiner_magic.errors import TextError
from joiner_magic.logic.render import render_clause
from joiner_magic.task.reader import Source

SEED = 20240806
CASES = 24_000
SECONDS_PER_TEXT = 1.0

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

HOSTILE: list[str] = [
    *"\0\x01\x7f'\"`()[]{},|.;!%_-+\\/*:0aA \n\r\t\ufeff\u202e\u200f\ud800\udfff\u00a0é日😀→ǅ",
    *[":-", "/*", "*/", "0'", "\\x", "1.0Inf", "1e", "'[]'", "[]", "{}", "\\+", "not ", "..", "-->"],
    *[". ", "'" * 501, "1" * 400 + ".0", "f(" * 150 + "a" + ")" * 150, "[a|" * 150 + "[]" + "]" * 150],
    *[piece * 150 for piece in ("f(", "a, ", "- ", "a - ", "(")],
    *[piece * 5_000 for piece in ("a", "9", "+", "f(", "(", "[", "{", "- ", "a - ", "a ^ ", "[a|")],
]

TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)


def mutant(case: int, seed: int) -> str:
    """The case's text: a snippet with a few mutations, the same on every run."""
    chance = random.Random(seed * 1_000_003 + case)
    text = chance.choice(SNIPPETS)
    for _ in range(chance.randint(1, 4)):
        text = chance.choice(MUTATIONS)(text, chance)
    return text


def delete_span(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text) + 1)
    return text[:start] + text[start + chance.randint(1, 4) :]


def delete_token(text: str, chance: random.Random) -> str:
    tokens = TOKEN.findall(text)
    if tokens:
        tokens.pop(chance.randrange(len(tokens)))
    return "".join(tokens)


def swap_tokens(text: str, chance: random.Random) -> str:
    tokens = TOKEN.findall(text)
    if tokens:
        one, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        tokens[one], tokens[other] = tokens[other], tokens[one]
    return "".join(tokens)


def duplicate_span(text: str, chance: random.Random) -> str:
    start, end = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
    return text[:end] + text[start:end] + text[end:]


def splice(text: str, chance: random.Random) -> str:
    other = chance.choice(SNIPPETS)
    return text[: chance.randrange(len(text) + 1)] + other[chance.randrange(len(other)) :]


def truncate(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)]


def insert_hostile(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(HOSTILE) + text[at:]


def change_byte(text: str, chance: random.Random) -> str:
    """A changed byte may leave half a character, which Python hands on as a lone surrogate."""
    raw = bytearray(text.encode("utf-8", "surrogatepass"))
    if raw:
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    return raw.decode("utf-8", "surrogateescape")


MUTATIONS = [
    delete_span,
    delete_token,
    swap_tokens,
    duplicate_span,
    splice,
    truncate,
    insert_hostile,
    change_byte,
]


def check(text: str) -> bool:
    """Whether the text reads; if so, what it says renders back to the same."""
    try:
        source = Source.read(text, name="fuzz")
    except TextError as error:
        check_refusal(text, error)
        return False
    clauses = list(source.clauses())
    again = Source.read("\n".join(map(render_clause, clauses)), name="rendered")
    assert list(again.clauses()) == clauses
    return True


def check_refusal(text: str, error: TextError) -> None:
    lines = text.split("\n")
    assert error.message
    assert "\n" not in error.headline
    assert error.place is not None
    assert 1 <= error.place.line <= len(lines)
    line = lines[error.place.line - 1]
    assert error.place.excerpt == line.rstrip("\r")
    assert 1 <= error.place.column <= len(line) + 1


def run(seed: int, cases: int) -> None:
    """Writes each case's number before it is tried, and last how many texts were read."""
    accepted = 0
    for case in range(cases):
        sys.stdout.write(f"{case}\n")
        sys.stdout.flush()
        started = time.perf_counter()
        accepted += check(mutant(case, seed))
        assert time.perf_counter() - started < SECONDS_PER_TEXT, "too slow"
    sys.stdout.write(f"accepted {accepted}\n")


def test_mutated_texts_are_read_or_refused() -> None:
    command = [sys.executable, "-X", "faulthandler", str(Path(__file__)), str(SEED), str(CASES)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    last = (done.stdout.splitlines() or [""])[-1]
    text = mutant(int(last), SEED) if last.isdigit() else ""
    assert done.returncode == 0, f"case {last} fails: {text!r}\n{done.stderr}"
    word, accepted = last.split()
    # A fuzzer whose texts are all refused, or all read, tests little.
    assert word == "accepted"
    assert CASES / 20 < int(accepted) < CASES / 2


if __name__ == "__main__":
    run(int(sys.argv[1]), int(sys.argv[2]))
