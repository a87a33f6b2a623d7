"""What a value looks like: as text, and as HTML where a front end shows it."""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.notebook.markup import Html

ROWS = 20  # of a table or a text that are shown where nothing else is asked for


@dataclass(frozen=True, slots=True)
class View:
    text: str
    html: Html

    @property
    def bundle(self) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self.html}
