"""An output of a cell in two forms: as text for terminals, and as HTML for notebooks.

A value that a cell ends with must not flood the notebook, so texts and tables are cut after some rows, and say how many more
there are.
"""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.views.markup import Html, more

ROWS = 20  # rows of a table that are shown unless somebody asks for another number
_LINES = 5  # lines of a text that are shown for each row that is asked for


@dataclass(frozen=True, slots=True)
class Output:
    """A value as it is shown, as text and as HTML."""

    text: str
    html: Html

    @property
    def bundle(self) -> dict[str, str]:
        """Both forms by their MIME types, as IPython displays them."""
        return {"text/plain": self.text, "text/html": self.html}


def shortened(text: str, rows: int) -> str:
    """The first lines of a text, five for each row, and how many more there are."""
    lines = text.split("\n")
    most = _LINES * rows
    if len(lines) <= most:
        return text
    return "\n".join([*lines[:most], more(most, len(lines), "lines")])


def brief(text: str, letters: int = 300) -> str:
    """The beginning of a line, at most so many letters."""
    if len(text) <= letters:
        return text
    return f"{text[: letters - 1]}…"
