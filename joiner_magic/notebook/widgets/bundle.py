"""The one module and the one style sheet that the browser gets; every panel sends them.

`tools/build-browser` builds them from `browser/`, and they are kept beside it, so that nobody needs Node to install the package.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from joiner_magic.views import palette


@cache
def module() -> str:
    return _built("panel.js")


@cache
def style() -> str:
    """The colours come first: Python draws with them too."""
    return palette.style() + _built("panel.css")


def _built(name: str) -> str:
    return (files(__package__) / "static" / name).read_text(encoding="utf-8")
