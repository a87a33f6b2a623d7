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
    """As it is written, without `self`."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    taken = node.args
    positional = [*taken.posonlyargs, *taken.args]
    without: list[ast.expr | None] = [None] * (len(positional) - len(taken.defaults))
    pairs = zip(positional, [*without, *taken.defaults], strict=True)
    parts = [_parameter(each, default) for each, default in pairs if each.arg not in ("self", "cls")]
    if taken.vararg or taken.kwonlyargs:
        parts.append(f"*{_parameter(taken.vararg) if taken.vararg else ''}")
    parts += [_parameter(*pair) for pair in zip(taken.kwonlyargs, taken.kw_defaults, strict=True)]
    if taken.kwarg:
        parts.append(f"**{_parameter(taken.kwarg)}")
    gives = ast.unparse(node.returns) if node.returns else "None"
    return f"({', '.join(parts)}){'' if gives == 'None' else f' -> {gives}'}"


def _parameter(argument: ast.arg, default: ast.expr | None = None) -> str:
    annotation = f": {ast.unparse(argument.annotation)}" if argument.annotation else ""
    return f"{argument.arg}{annotation}{f' = {ast.unparse(default)}' if default else ''}"


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
