"""Describes a word for Shift-Tab: a predicate of the session, or a directive of the bias."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

from joiner_magic.task.notes import counted
from joiner_magic.task.vocabulary import DIRECTIVES, MEANINGS
from joiner_magic.views.markup import more

if TYPE_CHECKING:
    from joiner_magic.notebook.cursor import Cursor
    from joiner_magic.sessions.predicates import PredicateInfo
    from joiner_magic.sessions.session import Session

_MOST = 5  # cells that are named
_WIDTH = 200  # characters of a fact

_ROLES = {
    "head": "to be learnt",
    "body": "rules may use it",
    "background": "background knowledge; rules may not use it",
}


def describe(session: Session, asked: str) -> str | None:
    """What is known about `name/arity`, about all predicates of a name, or about a directive; None if nothing is known."""
    name, slash, arity = asked.strip().rpartition("/")
    if not slash or not arity.isdecimal():
        name, arity = asked.strip(), ""
    found = [
        info
        for predicate, info in session.predicates().items()
        if predicate.name == name and (not arity or predicate.arity == int(arity))
    ]
    if found:
        return "\n\n".join("\n".join(_lines(info)) for info in found)
    if name in DIRECTIVES and not arity:
        return _directive(name)
    return None


def describe_at(session: Session, cursor: Cursor) -> str | None:
    """What is known about the word under the cursor. In a bias, directives go before predicates."""
    if not cursor.word:
        return None
    if cursor.language == "bias" and cursor.word in DIRECTIVES:
        return _directive(cursor.word)
    if cursor.arity is not None and (exact := describe(session, f"{cursor.word}/{cursor.arity}")):
        return exact
    return describe(session, cursor.word)


def _directive(name: str) -> str:
    """The form and the meaning of a directive."""
    return f"{DIRECTIVES[name]}.\n  {MEANINGS[name]}"


def _lines(info: PredicateInfo) -> Iterator[str]:
    """The description of a predicate, line by line."""
    yield f"{info.predicate}: {_ROLES[info.role]}"
    counts = []
    if info.facts:
        counts.append(counted(info.facts, "fact"))
    if info.rules:
        counts.append(counted(info.rules, "rule"))
    if counts:
        yield f"  {', '.join(counts)}"
    if info.places:
        places = [f"{place.text}, line {place.line}" for place in info.places[:_MOST]]
        yield f"  defined in {'; '.join(places)}{more(_MOST, len(info.places), 'cells')}"
    if info.types:
        yield f"  types: {', '.join(info.types)}"
    if info.directions:
        yield f"  directions: {', '.join(info.directions)}"
    if info.sample:
        yield "  such as:"
        yield from (f"    {shorten(fact, _WIDTH, placeholder=' …')}." for fact in info.sample)
