"""Short names of rules in a picture: what a rule adds to one that it specialises, in the rule's own variables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from unicodedata import east_asian_width

from joiner_magic.errors import JoinerError
from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Program, Rule
from joiner_magic.logic.render import render_term
from joiner_magic.task.reader import PrologText, conjuncts, read_program
from joiner_magic.views.markup import visible

_KEPT = 1024  # texts that were read for labels: several pictures' worth, each a few kilobytes


@dataclass(frozen=True, slots=True)
class _Read:
    rules: tuple[Rule, ...]
    literals: tuple[tuple[str, ...], ...]  # of each body, as they are written


def label(text: str, general: str | None, letters: int) -> str:
    """Of a rule what it adds to one that it is below in the picture; otherwise the beginning of its body."""
    read = _read(text)
    added = _added(text, general) if general is not None else None
    if added is not None:
        return shortened(f"+ {added}", letters)
    if len(read.rules) > 1:
        return f"{len(read.rules)} rules"
    return shortened(", ".join(read.literals[0]), letters) if read.literals else ""


def shortened(text: str, letters: int) -> str:
    """At most so many letters wide; those of East Asia count twice."""
    text = visible(text)
    room = letters
    for number, letter in enumerate(text):
        room -= _wide(letter)
        if room < 0 or (room == 0 and number < len(text) - 1):
            return f"{text[:number]}…"
    return text


def breadth(text: str) -> int:
    """In letters of a fixed width."""
    return sum(map(_wide, text))


def _wide(letter: str) -> int:
    return 2 if east_asian_width(letter) in "WF" else 1


@lru_cache(maxsize=_KEPT)
def _added(special: str, general: str) -> str | None:
    """The literal without which the one is the other."""
    below, above = _read(special), _read(general)
    if not below.rules or len(below.rules) != len(above.rules):
        return None
    head = below.rules[0].head.predicate
    wanted = canonical(Program(above.rules), head)
    for number, (of, body) in enumerate(below.rules):
        for place, literal in enumerate(below.literals[number]):
            rules = list(below.rules)
            rules[number] = Rule(of, (*body[:place], *body[place + 1 :]))
            if canonical(Program(tuple(rules)), head) == wanted:
                return literal
    return None


@lru_cache(maxsize=_KEPT)
def _read(text: str) -> _Read:
    """Nothing of a text that is no program, such as a rule that calls a name kept for control."""
    try:
        rules = read_program(text).rules
    except JoinerError:
        return _Read((), ())
    source = PrologText.read(text)
    return _Read(rules, tuple(_written(source, number) for number in range(len(rules))))


def _written(source: PrologText, number: int) -> tuple[str, ...]:
    return tuple(render_term(goal).replace(", ", ",") for goal in conjuncts(source.clause(number).body))
