"""The reference, written from the code: docs/reference/ holds what `pages()` says.

What a page says of a thing stands where the thing is defined: docstrings, comments on fields, help of arguments. Where the
code says nothing, `Unsaid` names the place; a test compares the pages with the files.
"""

from __future__ import annotations

from collections.abc import Mapping

from reference import bias, command, errors, events, magics, options, pure, python

_PAGES = (magics, options, bias, errors, events, command, python, pure)
NAMES = tuple(f"{page.__name__.rpartition('.')[2]}.md" for page in _PAGES)


def pages() -> Mapping[str, str]:
    """The text of each page, by the name of its file."""
    return {name: page.written() for name, page in zip(NAMES, _PAGES, strict=True)}
