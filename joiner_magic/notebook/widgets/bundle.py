"""The one module and the one style sheet that the browser gets, put together from a file for each view.

Every panel sends them, so they are made small: only by what can be told line by line, for which no parser is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from joiner_magic.views import palette

_VIEWS = ("progress", "lattice", "constraints", "coverage")

_TEXT = re.compile(r'("(?:[^"\\]|\\.)*"|`[^`]*`)')
_REMARK = re.compile(r"(^|\s+)// .*")  # no text of the sources has slashes between blanks
_AROUND_SIGNS = re.compile(r" ?([=<>,;:?{}()\[\]&|*!]) ?")
_ONE_ARGUMENT = re.compile(
    r"\((\w+)\)=>"
)  # of a function: it needs no parentheses; no text of the sources has these
_LINE_GOES_ON = re.compile(r"(?<=[{(\[,;])\n")


@cache
def module() -> str:
    """The module's face comes last."""
    sources = _sources(f"{name}.js" for name in ("core", *_VIEWS, "panel"))
    lines = (_REMARK.sub("", line).strip() for line in sources.split("\n"))
    whole = _LINE_GOES_ON.sub("", "\n".join(without_blanks(line) for line in lines if line))
    return _ONE_ARGUMENT.sub(r"\1=>", whole).replace(";}", "}")  # no statement of the sources is empty


@cache
def style() -> str:
    sources = _sources(f"{name}.css" for name in ("panel", *_VIEWS))
    sources = re.sub(r"/\*.*?\*/", "", sources)
    sources = re.sub(r"\s*([{};,>])\s*", r"\1", sources)
    return palette.style() + re.sub(r":\s+", ":", sources).replace(";}", "}")


def without_blanks(line: str) -> str:
    """Around signs and outside of texts. Regular expressions, and texts within texts, are left as they are."""
    pieces = _TEXT.split(line)
    outside, texts = pieces[::2], pieces[1::2]
    if any(re.search(r"['`]|/(?! )", piece) for piece in outside) or any(
        text.count("{") != text.count("}") for text in texts
    ):
        return line
    pieces[::2] = [_AROUND_SIGNS.sub(r"\1", piece) for piece in outside]
    return "".join(pieces)


def _sources(names: Iterable[str]) -> str:
    here = files(__package__) / "browser"
    return "\n".join((here / name).read_text(encoding="utf-8") for name in names)
