"""Mutated texts, and a process of their own to try them in.

A crash of native code then is a failure that names the text instead of the end of the test run.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from joiner_magic.errors import JoinerError

SECONDS_PER_TEXT = 1.0

HOSTILE: list[str] = [
    *"\0\x01\x7f'\"`()[]{},|.;!%_-+\\/*:0aA \n\r\t\ufeff\u202e\u200f\ud800\udfff\u00a0é日😀→ǅ",
    *[":-", "/*", "*/", "0'", "\\x", "1.0Inf", "1e", "'[]'", "[]", "{}", "\\+", "not ", "..", "-->"],
    *[". ", "'" * 501, "1" * 400 + ".0", "f(" * 150 + "a" + ")" * 150, "[a|" * 150 + "[]" + "]" * 150],
    *[piece * 150 for piece in ("f(", "a, ", "- ", "a - ", "(")],
    *[piece * 5_000 for piece in ("a", "9", "+", "f(", "(", "[", "{", "- ", "a - ", "a ^ ", "[a|")],
]

TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)


def mutant(case: int, seed: int, snippets: list[str]) -> str:
    """The case's text: a snippet with a few mutations, the same on every run."""
    chance = random.Random(seed * 1_000_003 + case)
    text = chance.choice(snippets)
    for _ in range(chance.randint(1, 4)):
        mutate = chance.choice(MUTATIONS)
        text = splice(text, chance, snippets) if mutate is None else mutate(text, chance)
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


def splice(text: str, chance: random.Random, snippets: list[str]) -> str:
    other = chance.choice(snippets)
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


MUTATIONS: list[Callable[[str, random.Random], str] | None] = [
    delete_span,
    delete_token,
    swap_tokens,
    duplicate_span,
    None,  # splice, which needs the other snippets
    truncate,
    insert_hostile,
    change_byte,
]


def check_refusal(text: str, error: JoinerError) -> None:
    """The error has one line, and a place that is in the text."""
    lines = text.split("\n")
    assert error.message
    assert "\n" not in error.headline
    assert error.place is not None
    assert 1 <= error.place.line <= len(lines)
    line = lines[error.place.line - 1]
    assert error.place.excerpt == line.rstrip("\r")
    assert 1 <= error.place.column <= len(line) + 1


def try_all(seed: int, cases: int, snippets: list[str], check: Callable[[str], bool]) -> None:
    """Writes each case's number before it is tried, and last how many texts were accepted."""
    accepted = 0
    for case in range(cases):
        sys.stdout.write(f"{case}\n")
        sys.stdout.flush()
        started = time.process_time()
        accepted += check(mutant(case, seed, snippets))
        assert time.process_time() - started < SECONDS_PER_TEXT, "too slow"
    sys.stdout.write(f"accepted {accepted}\n")


def accepted_apart(script: str, seed: int, cases: int, snippets: list[str]) -> int:
    """Run the script, which calls `try_all`, in a process of its own; how many texts it accepted."""
    command = [sys.executable, "-X", "faulthandler", script, str(seed), str(cases)]
    tests = Path(__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tests), *filter(None, sys.path)])}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    last = (done.stdout.splitlines() or [""])[-1]
    text = mutant(int(last), seed, snippets) if last.isdigit() else ""
    assert done.returncode == 0, f"case {last} fails: {text!r}\n{done.stderr}"
    word, accepted = last.split()
    assert word == "accepted"
    return int(accepted)
