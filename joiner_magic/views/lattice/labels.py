"""Short labels for rules in a picture.

Below a rule that it specialises, a rule is labelled with the literal that it adds, in its own variables: `+ red(B)`.
Otherwise the label is the beginning of its body.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import east_asian_width

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.render import render_literal
from joiner_magic.views.markup import visible

_KEPT = 1024  # pairs of rules whose difference is remembered: several pictures' worth


def label(program: Program, general: Program | None, letters: int) -> str:
    """A label of at most so many letters; `general` is a rule that stands above the program in the picture.

    A label is a reminder: the whole rule is shown when a person points at its sign.
    """
    if general is not None:
        added = _added_literal(program, general)
        if added is not None:
            return shortened(f"+ {_without_blanks(added)}", letters)
    if len(program.rules) > 1:
        return f"{len(program.rules)} rules"
    return shortened(", ".join(map(_without_blanks, program.rules[0].body)), letters)


def shortened(text: str, letters: int) -> str:
    """The beginning of a text, at most so many letters wide; letters of East Asia count twice."""
    text = visible(text)
    room = letters
    for number, letter in enumerate(text):
        room -= _width(letter)
        if room < 0 or (room == 0 and number < len(text) - 1):
            return f"{text[:number]}…"
    return text


def breadth(text: str) -> int:
    """The width of a text, in letters of a fixed width."""
    return sum(map(_width, text))


def _width(letter: str) -> int:
    """The width of a letter: letters of East Asia are twice as wide as others."""
    if east_asian_width(letter) in "WF":
        return 2
    return 1


def _without_blanks(literal: Literal) -> str:
    """A literal in few letters."""
    return render_literal(literal).replace(", ", ",")


@lru_cache(maxsize=_KEPT)
def _added_literal(special: Program, general: Program) -> Literal | None:
    """The literal without which the one program is the other; None if there is none."""
    if len(special.rules) != len(general.rules):
        return None
    head = special.rules[0].head.predicate
    wanted = canonical(general, head)
    for number, (rule_head, body) in enumerate(special.rules):
        for place, literal in enumerate(body):
            rules = list(special.rules)
            rules[number] = Rule(rule_head, (*body[:place], *body[place + 1 :]))
            if canonical(Program(tuple(rules)), head) == wanted:
                return literal
    return None
