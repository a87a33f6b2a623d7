"""Strings: lists of letters, of which the positive ones hold some short words, in any order and anywhere.

"Holds the word ab" takes a rule that calls itself: the word stands at the beginning, or the rest of the string holds it.
Each negative string misses one of the words, but has its letters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from string import ascii_lowercase

from joiner_magic.errors import TaskError
from joiner_magic.generators.generated_task import GeneratedTask, labelled, try_until

_BACKGROUND = "head([H|_],H).\ntail([_|T],T).\n"
_BIAS = """head_pred(f,1). body_pred(head,2). body_pred(tail,2).
type(f,(list,)). type(head,(list,letter)). type(tail,(list,list)).
direction(f,(in,)). direction(head,(in,out)). direction(tail,(in,out)).
"""
_FRAMED_BACKGROUND = """head([H|_],H).
tail([_|T],T).
reversed(S,R) :- reverse(S,R).
even(S) :- length(S,N), 0 is N mod 2.
"""
_FRAMED_BIAS = """head_pred(f,1). body_pred(head,2). body_pred(tail,2). body_pred(reversed,2). body_pred(even,1).
type(f,(list,)). type(head,(list,letter)). type(tail,(list,list)). type(reversed,(list,list)). type(even,(list,)).
direction(f,(in,)). direction(head,(in,out)). direction(tail,(in,out)).
direction(reversed,(in,out)). direction(even,(in,)).
max_vars(4). max_body(4).
"""
_FRAMED_RULE = "f(S) :- even(S), head(S,L), reversed(S,R), head(R,L)."


def strings(
    words: Sequence[str] = ("ab", "ca"),
    letters: str = "abcd",
    length: int = 9,
    count: int = 40,
    seed: int = 1,
) -> GeneratedTask:
    """A task of strings that hold all of some words, and as many that do not; the last fifth of both is held out.

    Each word is found by a program of its own that calls itself, and joining puts these programs together.
    """
    _check(letters)
    if not words or not all(words) or not set().union(*words) <= set(letters):
        raise TaskError("a string is to hold some words", remedy=f"give words of the letters {letters}")
    rng = Random(seed)
    half = count // 2
    positives = _different(half, lambda _: _string(rng, words, letters, length, None))
    negatives = _different(half, lambda number: _string(rng, words, letters, length, number % len(words)))
    longest = max(map(len, words))
    # The word, letter by letter: each takes a head and the letter's name, and a tail but for the first.
    bounds = f"max_vars({2 * longest}). max_body({3 * longest - 1}). enable_recursion. max_clauses(2).\n"
    names = "".join(
        f"body_pred(is_{c},1). type(is_{c},(letter,)). direction(is_{c},(in,)).\n" for c in letters
    )
    background = _BACKGROUND + "".join(f"is_{letter}({letter}).\n" for letter in letters)
    return _task(background, _BIAS + names + bounds, positives, negatives, _rule_text(words))


def framed(letters: str = "abcd", count: int = 40, seed: int = 1) -> GeneratedTask:
    """Positive strings have an even length and begin as they end: this takes Prolog, which can turn a list around.

    Of the negative ones half have an odd length and half end with another letter.
    """
    _check(letters)
    rng = Random(seed)
    half = count // 2
    positives = _different(half, lambda _: _framed_string(rng, letters, even=True, same=True))
    negatives = _different(
        half, lambda number: _framed_string(rng, letters, even=number % 2 == 0, same=number % 2 == 1)
    )
    return _task(_FRAMED_BACKGROUND, _FRAMED_BIAS, positives, negatives, _FRAMED_RULE)


def _check(letters: str) -> None:
    """Raise TaskError unless these are two or more letters."""
    if len(set(letters)) < 2 or not set(letters) <= set(ascii_lowercase):
        raise TaskError(f"{letters!r} are not the letters of strings", remedy="give two or more of a to z")


def _task(
    background: str, bias: str, positives: Sequence[str], negatives: Sequence[str], rule: str
) -> GeneratedTask:
    """The task of these strings. A fifth of them are held out."""
    seen = len(positives) - len(positives) // 5
    return GeneratedTask(
        background=background,
        examples=labelled(map(_atom, positives[:seen]), map(_atom, negatives[:seen])),
        bias=bias,
        held_out=labelled(map(_atom, positives[seen:]), map(_atom, negatives[seen:])),
        rule=rule,
    )


def _different(count: int, make: Callable[[int], str]) -> list[str]:
    """So many different strings, so that no held-out one is among those to learn from."""
    found: dict[str, None] = {}
    for _ in range(count):
        string = try_until(
            lambda: make(len(found)),
            lambda string: string not in found,
            what=f"string that differs from {len(found)} others",
            remedy="ask for fewer strings, or for longer ones",
        )
        found[string] = None
    return list(found)


def _string(rng: Random, words: Sequence[str], letters: str, length: int, missing: int | None) -> str:
    """A string at random that holds all words, or all but the one with the number `missing`, whose letters it has."""
    there = [number != missing for number in range(len(words))]

    def throw() -> str:
        """A string of the wanted words and random letters in random order; of the missing word it has the letters only."""
        parts = [word for number, word in enumerate(words) if number != missing]
        if missing is not None and len(words[missing]) > 1:
            parts += words[missing]  # its letters, one by one
        spare = length - sum(map(len, parts))
        parts += rng.choices(letters, k=max(spare, 0))
        rng.shuffle(parts)
        return "".join(parts)

    what = "string with these words"
    if missing is not None:
        what = f"string that misses {words[missing]!r} alone"
    return try_until(
        throw,
        lambda string: [word in string for word in words] == there,
        what=what,
        remedy="take words of which none is in another",
    )


def _framed_string(rng: Random, letters: str, *, even: bool, same: bool) -> str:
    """A string at random, of an even length or not, that ends with its first letter or with another one."""
    inside = "".join(rng.choices(letters, k=rng.choice((4, 6)) - (not even)))
    first = rng.choice(letters)
    last = first
    if not same:
        last = rng.choice([letter for letter in letters if letter != first])
    return first + inside + last


def _atom(string: str) -> str:
    """A string as an example, such as "f([a,b])"."""
    return f"f([{','.join(string)}])"


def _rule_text(words: Sequence[str]) -> str:
    """The secret rule as Prolog: the string holds each of the words."""
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
