"""How Sphinx builds these pages: `tools/docs`.

The pages are plain Markdown that reads well without a build, so nothing in them is written for Sphinx. What it needs
besides, the navigation, follows from the map that index.md is: its headings are captions, its links the pages below them.
A page that the map leaves out is a warning, and warnings are errors.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Joiner Magic"
author = "The Joiner Magic developers"
copyright = author
html_title = project
smartquotes = False  # "--help" is no dash

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4  # links such as optimal.md#bounds work here as on a code host
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
# `%%joiner` and the like are of no language that Pygments knows.
highlight_language = "text"

_HERE = Path(__file__).resolve().parent
_PAGE = re.compile(r"\[[^\]]*\]\(([\w/-]+)\.md\)")
_LINK_UP = re.compile(r"\[([^\]]*)\]\((\.\./[^)#]*)[^)]*\)")


def _prepare(app: Sphinx, page: str, source: list[str]) -> None:
    if page == "index":
        source[0] += _navigation(source[0])
    source[0] = _LINK_UP.sub(lambda link: _reachable(link, (_HERE / page).parent), source[0])


def _navigation(index: str) -> str:
    """A hidden table of contents for each section of the map."""
    tables = []
    for section in index.split("\n## ")[1:]:
        caption, _, below = section.partition("\n")
        pages = "\n".join(_PAGE.findall(below))
        tables.append(f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n")
    return "".join(tables)


def _reachable(link: re.Match[str], folder: Path) -> str:
    """Links to files of the repository that no page is made of work on a code host only: here their text is left.

    Notebooks are copied, to be downloaded.
    """
    target = (folder / link[2]).resolve()
    return link[0] if target.is_relative_to(_HERE) or target.suffix == ".ipynb" else link[1]


def setup(app: Sphinx) -> None:
    app.connect("source-read", _prepare)
