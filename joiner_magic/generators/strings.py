"""Strings: lists of letters, of which the positive ones hold some short words, in any order and anywhere.

"Holds the word ab" takes a rule that calls itself: the word stands at the beginning, or the rest of the string holds it.
Each negative string misses one of the words, but has its letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from joiner_magic.generators.made import Made, labelled

_BACKGROUND = "head([H|_],H).\ntail([_|T],T).\n"
_BIAS = """head_pred(f,1). body_pred(head,2). body_pred(tail,2).
type(f,(list,)). type(head,(list,letter)). type(tail,(list,list)).
direction(f,(in,)). direction(head,(in,out)). direction(tail,(in,out)).
"""


def strings(
    words: Sequence[str] = ("ab", "ca"),
    letters: str = "abcd",
    length: int = 9,
    count: int = 40,
    seed: int = 1,
) -> Made:
    """As many positive as negative strings; the last fifth of both is held out."""
    rng = Random(seed)
    half = count // 2
    positives = [_string(rng, words, letters, length, None) for _ in range(half)]
    negatives = [_string(rng, words, letters, length, number % len(words)) for number in range(half)]
    seen = half - half // 5
    longest = max(map(len, words))
    # The word, letter by letter: each takes a head and the letter's name, and a tail but for the first.
    bounds = f"max_vars({2 * longest}). max_body({3 * longest - 1}). enable_recursion. max_clauses(2).\n"
    names = "".join(
        f"body_pred(is_{c},1). type(is_{c},(letter,)). direction(is_{c},(in,)).\n" for c in letters
    )
    return Made(
        background=_BACKGROUND + "".join(f"is_{letter}({letter}).\n" for letter in letters),
        examples=labelled(map(_atom, positives[:seen]), map(_atom, negatives[:seen])),
        bias=_BIAS + names + bounds,
        held_out=labelled(map(_atom, positives[seen:]), map(_atom, negatives[seen:])),
        rule=_written(words),
    )


def _string(rng: Random, words: Sequence[str], letters: str, length: int, missing: int | None) -> str:
    while True:
        parts = [word for number, word in enumerate(words) if number != missing]
        if missing is not None:
            parts += words[missing]  # its letters, one by one
        spare = length - sum(map(len, parts))
        parts += rng.choices(letters, k=max(spare, 0))
        rng.shuffle(parts)
        string = "".join(parts)
        if [word in string for word in words] == [number != missing for number in range(len(words))]:
            return string


def _atom(string: str) -> str:
    return f"f([{','.join(string)}])"


def _written(words: Sequence[str]) -> str:
    rules = [f"f(S) :- {', '.join(f'holds_{word}(S)' for word in words)}."]
    for word in words:
        rest, body = "S", []
        for place, letter in enumerate(word):
            if place:
                body.append(f"tail({rest},S{place})")
                rest = f"S{place}"
            body += [f"head({rest},L{place})", f"is_{letter}(L{place})"]
        rules += [f"holds_{word}(S) :- {', '.join(body)}.", f"holds_{word}(S) :- tail(S,T), holds_{word}(T)."]
    return "\n".join(rules)
