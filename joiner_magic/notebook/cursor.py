"""Finds out where the cursor is: on the line of one of our magics, in the body of one, or in plain Python."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from joiner_magic.logic.terms import Predicate
from joiner_magic.sessions.cells import Kind

Language: TypeAlias = Literal["prolog", "examples", "bias"]

_LANGUAGES: dict[str, Language] = {"bk": "prolog", "examples": "examples", "bias": "bias", "joiner": "bias"}
_KINDS: dict[str, Kind] = {"bk": "bk", "examples": "examples", "bias": "bias"}

_MAGIC = re.compile(rf"\s*(%%?)({'|'.join(_LANGUAGES)})(?!\w)(.*)", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*")
_QUESTION = re.compile(r"\s*('(?:[^'\\]|\\.)*'|[^\W\dA-Z]\w*)\s*/\s*(\d+)\s*\?\s*")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A cursor in one of our cells.

    `before` is the part of its line up to the cursor; on the line of a magic, only what stands behind the magic's name.
    """

    magic: str
    is_cell: bool  # the magic has a body
    in_body: bool
    before: str
    word: str  # that the cursor is in or behind, whole
    arity: int | None  # of the atom or of the indicator `name/arity` that begins with the word

    @property
    def kind(self) -> Kind | None:
        """The kind of text that the magic takes; None for `joiner`, which learns."""
        return _KINDS.get(self.magic)

    @property
    def language(self) -> Language:
        """The language of the body, and of what stands behind the name of a line magic."""
        if self.is_cell or self.kind:
            return _LANGUAGES[self.magic]
        return "prolog"  # behind `%joiner explain` stands an atom

    @classmethod
    def at(cls, text: str, line: int, column: int) -> Cursor | None:
        """The cursor at a line and column, which count from 0; None outside our cells."""
        lines = text.split("\n")
        if not 0 <= line < len(lines):
            return None
        word, arity = _word_at(lines[line], column)
        before = lines[line][:column]
        if here := _MAGIC.match(before):
            return cls(here[2], here[1] == "%%", False, here[3], word, arity)
        first = next((number for number, each in enumerate(lines) if each.strip()), 0)
        whole = _MAGIC.match(lines[first])
        if whole and whole[1] == "%%" and line > first:
            return cls(whole[2], True, True, before, word, arity)
        return None

    @classmethod
    def at_offset(cls, text: str, offset: int) -> Cursor | None:
        """The cursor behind so many characters of the cell."""
        before = text[:offset]
        return cls.at(text, before.count("\n"), len(before) - before.rfind("\n") - 1)


def question(text: str) -> Predicate | None:
    """The predicate that a cell asks about, if it consists of `name/arity?` only."""
    found = _QUESTION.fullmatch(text)
    if found is None:
        return None
    name = found[1]
    if name.startswith("'"):
        name = name[1:-1]
    return Predicate(name, int(found[2]))


def _word_at(line: str, column: int) -> tuple[str, int | None]:
    """The word at a column of a line, and its arity as far as the line says it."""
    for found in _WORD.finditer(line):
        if found.start() <= column <= found.end():
            return found[0], _arity(line[found.end() :])
    return "", None


def _arity(rest: str) -> int | None:
    """The arity of a name, from what follows it: `/2`, or arguments in brackets; None if these are not finished."""
    if indicator := re.match(r"\s*/\s*(\d+)", rest):
        return int(indicator[1])
    if not rest.startswith("("):
        return 0
    depth, arguments = 0, 1
    for character in rest:
        depth += (character in "([{") - (character in ")]}")
        arguments += character == "," and depth == 1
        if depth == 0:
            return arguments
    return None
