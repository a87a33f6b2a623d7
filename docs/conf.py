"""How Sphinx builds these pages: `tools/docs`.

The pages are plain Markdown that reads well without a build, so nothing in them is written for Sphinx. What it needs
besides, the navigation, follows from the map that index.md is: its headings are captions, its links the pages below them.
A page that the map leaves out is a warning, and warnings are errors.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Joiner Magic"
author = "The Joiner Magic developers"
copyright = author
html_title = project

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4  # links such as optimal.md#bounds work here as on a code host
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
# `%%joiner` and the like are of no language that Pygments knows.
highlight_language = "text"

_PAGE = re.compile(r"\[[^\]]*\]\(([\w/-]+)\.md\)")


def _add_navigation(app: Sphinx, page: str, source: list[str]) -> None:
    if page != "index":
        return
    for section in source[0].split("\n## ")[1:]:
        caption, _, below = section.partition("\n")
        pages = "\n".join(_PAGE.findall(below))
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"


def setup(app: Sphinx) -> None:
    app.connect("source-read", _add_navigation)
