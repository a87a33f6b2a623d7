"""Graphs in the language of Graphviz, and pictures of them where its program `dot` is installed.

Graphviz is needed for PNG and PDF alone: everything else is drawn by our own code.
"""

from __future__ import annotations

from joiner_magic.errors import MissingPart
from joiner_magic.views.markup import visible


def quoted(text: str) -> str:
    """A text as an identifier or a label: nothing in it means anything to Graphviz."""
    escaped = (
        visible(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    )
    return f'"{escaped}"'


def rendered(dot: str, form: str) -> bytes:
    """The graph as Graphviz draws it: "svg", "png", "pdf"."""
    import graphviz

    try:
        picture: bytes = graphviz.Source(dot).pipe(format=form)
    except graphviz.ExecutableNotFound:
        raise MissingPart(
            f"a picture in {form.upper()} is drawn by Graphviz, and there is no program `dot`",
            remedy="install Graphviz, or save as .svg, .html or .dot",
        ) from None
    return picture
