"""A word of advice for a cell of facts that was run without a magic."""

from __future__ import annotations

from collections.abc import Collection
from keyword import iskeyword

from joiner_magic.errors import JoinerError
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.reader import PrologText
from joiner_magic.task.vocabulary import DIRECTIVES

_EXAMPLES = frozenset({Predicate("pos", 1), Predicate("neg", 1)})


def hint(code: str, known: Collection[str] = ()) -> str | None:
    """For a cell that Python cannot read: which magic it lacks, if it reads as clauses.

    A call that an unfinished `.` follows reads as a fact too; where its name is `known` to Python, it is one of
    Python's mistakes.
    """
    try:
        source = PrologText.read(code, "cell")
    except JoinerError:
        return None
    defined = set(source.predicates)
    if not any(predicate.arity for predicate in defined):
        return None
    if any(_is_pythons(predicate.name, known) for predicate in defined):
        return None
    if defined <= _EXAMPLES:
        return "this looks like examples: begin the cell with %%examples"
    if any(predicate.name in DIRECTIVES for predicate in defined):
        return "this looks like bias: begin the cell with %%bias"
    return "this looks like facts: begin the cell with %%bk"


def _is_pythons(name: str, known: Collection[str]) -> bool:
    is_operator = not any(character.isalnum() for character in name)
    return is_operator or iskeyword(name) or name in known
