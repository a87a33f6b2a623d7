"""Trees of elements that a browser shows as they are: ["tag", {attributes}, child, …].

The browser makes an element of each tree, and a text node of each text. So no text of the task is ever read as markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

Tree: TypeAlias = list[Any]


def node(tag: str, *children: Tree | str, **attributes: str) -> Tree:
    """An element; its attribute `class_` is written class.

    Attributes are names and plain values: a handler cannot be given this way.
    """
    return [tag, {name.rstrip("_"): value for name, value in attributes.items()}, *children]


def code(text: str, **attributes: str) -> Tree:
    """A text of the task, kept apart from the direction of writing around it."""
    return node("code", node("bdi", text), **attributes)


def separated(trees: Sequence[Tree]) -> list[Tree | str]:
    """One after the other, with commas between them."""
    found: list[Tree | str] = []
    for tree in trees:
        if found:
            found.append(", ")
        found.append(tree)
    return found
