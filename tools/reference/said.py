"""What the code says of itself: docstrings, signatures, and comments on fields."""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


class Unsaid(Exception):
    """Something public has no word about it in the code."""


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: str
    default: str  # "" if it has none
    comment: str


def docstring(thing: Any, name: str) -> str:
    """All of it, each paragraph on one line unless it is indented."""
    told = inspect.cleandoc(thing.__doc__ or "")
    if not told or told.startswith(f"{name.rpartition('.')[2]}("):  # what dataclasses make up
        raise Unsaid(f"{name} has no docstring")
    paragraphs = told.split("\n\n")
    return "\n\n".join(each if each.startswith(" ") else " ".join(each.split()) for each in paragraphs)


def first_paragraph(thing: Any, name: str) -> str:
    return docstring(thing, name).partition("\n\n")[0]


def signature(function: Any) -> str:
    """As it is written, without `self`; annotations are texts in all of our modules."""
    found = inspect.signature(function)
    kept = [p for p in found.parameters.values() if p.name not in ("self", "cls")]
    shown = [str(p.replace(annotation=p.empty)) for p in kept]
    parts: list[str] = []
    for before, parameter, text in zip([None, *kept], kept, shown, strict=False):
        starts = parameter.kind is parameter.KEYWORD_ONLY
        if starts and (before is None or before.kind not in (before.KEYWORD_ONLY, before.VAR_POSITIONAL)):
            parts.append("*")
        parts.append(_annotated(parameter, text))
    gives = "" if found.return_annotation in (found.empty, "None", None) else f" -> {found.return_annotation}"
    return f"({', '.join(parts)}){gives}"


def _annotated(parameter: inspect.Parameter, text: str) -> str:
    if parameter.annotation is parameter.empty:
        return text
    name, equals, default = text.partition("=")
    return f"{name}: {parameter.annotation}{f' = {default}' if equals else ''}"


def fields(kind: type) -> Iterator[Field]:
    """The annotated names of a class, each with the comment behind it or above it."""
    source = textwrap.dedent(inspect.getsource(kind))
    comments = {
        token.start[0]: (token.string.lstrip("# "), token.line.lstrip().startswith("#"))
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)
    for node in definition.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            default = ast.unparse(node.value) if node.value else ""
            comment = _comment(comments, node.lineno, node.end_lineno or node.lineno)
            yield Field(node.target.id, ast.unparse(node.annotation), default, comment)


def _comment(comments: dict[int, tuple[str, bool]], first: int, last: int) -> str:
    behind = [comments[line][0] for line in range(first, last + 1) if line in comments]
    above: list[str] = []
    while not behind and comments.get(first - 1, ("", False))[1]:
        first -= 1
        above.insert(0, comments[first][0])
    return " ".join(behind or above)
