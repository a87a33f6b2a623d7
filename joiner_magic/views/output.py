"""What a value looks like: as text, and as HTML where a front end shows it."""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.views.markup import Html, more

ROWS = 20  # of a table or a text that are shown where nothing else is asked for
_LINES = 5  # of a text for each row that is asked for


@dataclass(frozen=True, slots=True)
class Output:
    text: str
    html: Html

    @property
    def bundle(self) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self.html}


def shortened(text: str, rows: int) -> str:
    """The first lines of a text that may be long."""
    lines = text.split("\n")
    most = _LINES * rows
    return "\n".join([*lines[:most], more(most, len(lines), "lines")]) if len(lines) > most else text


def brief(text: str, letters: int = 300) -> str:
    """The beginning of a line that may be long."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
