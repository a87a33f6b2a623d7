"""Markdown as text: pages, tables, code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_WRITTEN = "<!-- Written by tools/write-reference from the code: change it there. -->"


def page(title: str, *parts: str) -> str:
    """A page of parts with blank lines between them."""
    return "\n\n".join([f"# {title}", _WRITTEN, *(part.strip() for part in parts)]) + "\n"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A bar in a cell would end it, in code too."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def code(text: object) -> str:
    """A span of code, which may have backticks itself."""
    return f"`` {text} ``" if "`" in str(text) else f"`{text}`"


def block(text: str, language: str = "text") -> str:
    """A block of code."""
    return f"```{language}\n{text}\n```"


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', ':', '?')) else '.'}"
