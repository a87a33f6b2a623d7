"""A hint for a cell of facts, examples or bias that was run without its magic."""

from __future__ import annotations

from collections.abc import Collection
from keyword import iskeyword

from joiner_magic.errors import JoinerError
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.reader import PrologText
from joiner_magic.task.vocabulary import DIRECTIVES

_EXAMPLES = frozenset({Predicate("pos", 1), Predicate("neg", 1)})


def hint(code: str, known: Collection[str] = ()) -> str | None:
    """Which magic a cell needs that is not Python but reads as clauses; None if it does not read as clauses.

    A Python call with a `.` behind it, such as `print(x).`, reads as a fact too. So there is no hint for names in
    `known`, which Python has defined.
    """
    try:
        source = PrologText.read(code, "cell")
    except JoinerError:
        return None
    defined = set(source.predicates)
    if not any(predicate.arity for predicate in defined):
        return None
    if any(_is_python_name(predicate.name, known) for predicate in defined):
        return None
    if defined <= _EXAMPLES:
        return "this looks like examples: begin the cell with %%examples"
    if any(predicate.name in DIRECTIVES for predicate in defined):
        return "this looks like bias: begin the cell with %%bias"
    return "this looks like facts: begin the cell with %%bk"


def _is_python_name(name: str, known: Collection[str]) -> bool:
    """Whether a name is an operator, a keyword, or something that Python has defined."""
    is_operator = not any(character.isalnum() for character in name)
    return is_operator or iskeyword(name) or name in known
