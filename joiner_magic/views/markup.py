"""HTML for outputs of cells: small pieces of escaped text, each with its own style.

A notebook may be opened without being trusted, in a light or a dark theme, on a narrow screen, or exported. So the HTML
needs no style sheet, no script and no other file, and it takes its colours from the page. Texts of the task stand in
`code` and `pre` only, because elsewhere a front end would take what stands between two dollars for mathematics.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Collection, Iterable, Sequence
from typing import NewType

Html = NewType("Html", str)  # escaped already

_BORDER = "1px solid rgba(128,128,128,.35)"
# Styles of front ends give `pre` the font of the text around it, and break its lines within words.
_CODE = "background:transparent;color:inherit;padding:0;font-family:monospace;word-break:normal"
_SHORT = 40  # characters that never break a column
# Characters that turn the direction of the text around them, or that cannot be seen.
_UNSEEN = re.compile("[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f]")


def text(value: object) -> Html:
    """Words that are not from the task, or numbers."""
    return Html(html.escape(str(value)))


def code(value: object) -> Html:
    """A text of the task as part of a line."""
    return Html(
        f'<code style="{_CODE};white-space:pre-wrap;overflow-wrap:anywhere">{_isolated(value)}</code>'
    )


def kept(value: object) -> Html:
    """A text of the task that stays in one line of a column, as far as it is short."""
    wrap = "nowrap" if len(visible(value)) <= _SHORT else "pre-wrap;overflow-wrap:anywhere"
    return Html(f'<code style="{_CODE};white-space:{wrap}">{_isolated(value)}</code>')


def block(value: object) -> Html:
    """Lines of the task, wrapped where they are too long."""
    style = f"{_CODE};margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere;text-align:left"
    return Html(f'<pre style="{style}">{_isolated(value)}</pre>')


def visible(value: object) -> str:
    """A text with names in place of characters that reverse the text around them, or that cannot be seen."""
    return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", str(value))


def _isolated(value: object) -> str:
    """A text of the task that cannot change the direction of what is written around it."""
    return f"<bdi>{html.escape(visible(value))}</bdi>"


def joined(parts: Iterable[Html]) -> Html:
    """Pieces one after the other."""
    return Html("".join(parts))


def line(*parts: Html) -> Html:
    """Pieces in a line of their own."""
    return Html(f'<div style="margin:2px 0">{joined(parts)}</div>')


def quiet(*parts: Html) -> Html:
    """A line in small and pale letters; nothing if all its pieces are empty."""
    if not any(parts):
        return Html("")
    return Html(f'<div style="opacity:.75;font-size:90%;margin:2px 0">{joined(parts)}</div>')


def box(*parts: Html) -> Html:
    """A whole output of a cell; if it is too wide, it scrolls."""
    return Html(f'<div style="max-width:100%;overflow-x:auto;line-height:1.4">{joined(parts)}</div>')


def badge(word: str, colour: str) -> Html:
    """A word in white on a coloured ground."""
    style = (
        f"background:{colour};color:#fff;border-radius:3px;padding:1px 7px;font-weight:600;margin-right:6px"
    )
    return Html(f'<span style="{style}">{text(word)}</span>')


def details(summary: str, *parts: Html) -> Html:
    """Pieces that are folded away below a summary."""
    return Html(
        f'<details style="margin:4px 0"><summary style="cursor:pointer;opacity:.75">{text(summary)}</summary>'
        f"{joined(parts)}</details>"
    )


def table(titles: Sequence[str], rows: Iterable[Sequence[Html]], *, left: Collection[int] = (0,)) -> Html:
    """A table. Its columns are aligned to the right, as numbers are, except those with a number in `left`.

    Titles and cells are pieces that were escaped already.
    """

    def cell(tag: str, column: int, inside: str) -> str:
        """A cell of the table, aligned as its column is."""
        align = "text-align:right;white-space:nowrap"
        if column in left:
            align = "text-align:left"
        style = f"{align};vertical-align:top;padding:2px 6px;border-bottom:{_BORDER}"
        return f'<{tag} style="{style}">{inside}</{tag}>'

    def row(tag: str, cells: Iterable[str]) -> str:
        """A row of cells that are all of this tag."""
        inside = "".join(cell(tag, number, each) for number, each in enumerate(cells))
        return f"<tr>{inside}</tr>"

    body = "".join(row("td", cells) for cells in rows)
    head = ""
    if titles:
        head = f"<thead>{row('th', map(text, titles))}</thead>"
    style = "border-collapse:collapse;margin:4px 0;background:transparent;color:inherit;font-size:90%"
    return Html(f'<table style="{style}">{head}<tbody>{body}</tbody></table>')


def image(svg: str, alternative: str) -> Html:
    """A picture as an image, because a notebook that is not trusted drops elements of SVG."""
    data = base64.b64encode(svg.encode()).decode("ascii")
    style = "max-width:100%;height:auto"
    return Html(f'<img style="{style}" alt="{text(alternative)}" src="data:image/svg+xml;base64,{data}">')


def more(shown: int, total: int, what: str) -> str:
    """How many more there are than are shown; empty if all are shown."""
    if total <= shown:
        return ""
    return f"… and {total - shown:,} more {what}"
