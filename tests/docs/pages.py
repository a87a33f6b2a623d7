"""The project's Markdown taken apart: blocks of code, links, headings, names in code.

A block is tried as its language and its first line say (tests/docs/test_code_blocks.py). A comment above it opts out, with
a reason, and one anywhere on a page says that its blocks need Prolog:

    <!-- not run: it would take an hour -->
    <!-- needs Prolog -->
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from conftest import ROOT

FILES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]

_NOT_RUN = re.compile(r"<!-- not run: \S.* -->")
_NEEDS_PROLOG = "<!-- needs Prolog -->"
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Block:
    line: int
    language: str
    text: str
    opted_out: bool
    shown: str | None  # the ```text block right below it: what it prints


@dataclass(frozen=True)
class Page:
    file: Path
    text: str

    @classmethod
    def read(cls, file: Path) -> Page:
        return cls(file, file.read_text(encoding="utf-8"))

    @classmethod
    def of_notebook(cls, file: Path) -> Page:
        """Its prose."""
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        return cls(
            file, "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        )

    @property
    def name(self) -> str:
        return self.file.relative_to(ROOT).as_posix()

    @property
    def needs_prolog(self) -> bool:
        return _NEEDS_PROLOG in self.text

    @cached_property
    def _tokens(self) -> list[Token]:
        return MarkdownIt("commonmark").enable("table").parse(self.text)

    @property
    def blocks(self) -> Iterator[Block]:
        for before, token, after in zip(
            [None, *self._tokens], self._tokens, [*self._tokens[1:], None], strict=False
        ):
            if token.type == "fence":
                out = (
                    before is not None
                    and before.type == "html_block"
                    and bool(_NOT_RUN.search(before.content))
                )
                shown = after.content if after is not None and _is_output(after) else None
                yield Block((token.map or [0])[0] + 1, token.info.strip(), token.content, out, shown)

    @property
    def links(self) -> Iterator[str]:
        """Where links lead, and where pictures are."""
        for token in self._inline:
            if token.type == "link_open":
                yield str(token.attrs["href"])
            elif token.type == "image":
                yield str(token.attrs["src"])

    @property
    def pictures_without_words(self) -> list[str]:
        return [str(t.attrs["src"]) for t in self._inline if t.type == "image" and not t.content.strip()]

    @property
    def names_in_code(self) -> Iterator[str]:
        for token in self._inline:
            if token.type == "code_inline":
                yield token.content

    @property
    def prose(self) -> list[str]:
        """Running text, without code; a word of which a part is bold is one word."""
        return ["".join(map(_read_out, token.children or ())) for token in self._tokens]

    @property
    def _inline(self) -> Iterator[Token]:
        for token in self._tokens:
            yield from token.children or ()

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Those of its headings, as code hosts and MyST make them."""
        found: dict[str, int] = {}
        for opening, inside in zip(self._tokens, self._tokens[1:], strict=False):
            if opening.type == "heading_open":
                title = "".join(part.content for part in inside.children or ())
                anchor = _NOT_IN_ANCHORS.sub("", title.strip().lower().replace(" ", "-"))
                number = found[anchor] = found.get(anchor, -1) + 1
                found.setdefault(f"{anchor}-{number}" if number else anchor, 0)
        return frozenset(found)


def _is_output(token: Token) -> bool:
    return token.type == "fence" and token.info.strip() == "text" and not token.content.startswith("%")


def _read_out(token: Token) -> str:
    return token.content if token.type == "text" else "" if token.type.startswith(("strong", "em")) else " "


PAGES = [Page.read(file) for file in FILES]
NOTEBOOKS = [Page.of_notebook(file) for file in sorted((ROOT / "example_notebooks").glob("*.ipynb"))]
