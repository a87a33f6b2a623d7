"""HTML for outputs of cells: small pieces with styles of their own, made of escaped text.

A notebook may be opened untrusted, in a light or a dark theme, exported, or read on a narrow screen. So there is no
style sheet, no script and nothing from elsewhere; colours are those of the page. Texts of the task stand in `code`
and `pre` only: elsewhere a front end would take what is between two dollars for mathematics.
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
# Characters that turn the direction of the text around them, or that cannot be seen.
_UNSEEN = re.compile("[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f]")


def text(value: object) -> Html:
    """Words of ours, or numbers."""
    return Html(html.escape(str(value)))


def code(value: object) -> Html:
    """A text of the task within a line."""
    return Html(f'<code style="{_CODE};white-space:pre-wrap;overflow-wrap:anywhere">{_apart(value)}</code>')


def block(value: object) -> Html:
    """Lines of the task, wrapped where they are too long."""
    style = f"{_CODE};margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere;text-align:left"
    return Html(f'<pre style="{style}">{_apart(value)}</pre>')


def visible(value: object) -> str:
    """With names in the place of characters that turn the text around them, or that cannot be seen."""
    return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", str(value))


def _apart(value: object) -> str:
    return f"<bdi>{html.escape(visible(value))}</bdi>"


def joined(parts: Iterable[Html]) -> Html:
    return Html("".join(parts))


def line(*parts: Html) -> Html:
    return Html(f'<div style="margin:2px 0">{joined(parts)}</div>')


def quiet(*parts: Html) -> Html:
    """A line that does not ask for attention; none if there is nothing to say."""
    if not any(parts):
        return Html("")
    return Html(f'<div style="opacity:.75;font-size:90%;margin:2px 0">{joined(parts)}</div>')


def box(*parts: Html) -> Html:
    """A whole output; what is too wide scrolls inside it."""
    return Html(f'<div style="max-width:100%;overflow-x:auto;line-height:1.4">{joined(parts)}</div>')


def badge(word: str, colour: str) -> Html:
    style = (
        f"background:{colour};color:#fff;border-radius:3px;padding:1px 7px;font-weight:600;margin-right:6px"
    )
    return Html(f'<span style="{style}">{text(word)}</span>')


def details(summary: str, *parts: Html) -> Html:
    """Shown on request."""
    return Html(
        f'<details style="margin:4px 0"><summary style="cursor:pointer;opacity:.75">{text(summary)}</summary>'
        f"{joined(parts)}</details>"
    )


def table(titles: Sequence[str], rows: Iterable[Sequence[Html]], *, left: Collection[int] = (0,)) -> Html:
    """Columns of numbers stand to the right, those that are `left` to the left."""

    def cell(tag: str, column: int, inside: str) -> str:
        align = "text-align:left" if column in left else "text-align:right;white-space:nowrap"
        style = f"{align};vertical-align:top;padding:2px 6px;border-bottom:{_BORDER}"
        return f'<{tag} style="{style}">{inside}</{tag}>'

    def row(tag: str, cells: Iterable[str]) -> str:
        return f"<tr>{''.join(cell(tag, number, inside) for number, inside in enumerate(cells))}</tr>"

    body = "".join(row("td", cells) for cells in rows)
    head = f"<thead>{row('th', map(text, titles))}</thead>" if titles else ""
    style = "border-collapse:collapse;margin:4px 0;background:transparent;color:inherit;font-size:90%"
    return Html(f'<table style="{style}">{head}<tbody>{body}</tbody></table>')


def image(svg: str, alternative: str) -> Html:
    """A picture as an image: an untrusted notebook would drop it as elements."""
    data = base64.b64encode(svg.encode()).decode("ascii")
    style = "max-width:100%;height:auto"
    return Html(f'<img style="{style}" alt="{text(alternative)}" src="data:image/svg+xml;base64,{data}">')


def more(shown: int, total: int, what: str) -> str:
    """What is said in the place of what is left out; empty if nothing is."""
    return f"… and {total - shown:,} more {what}" if total > shown else ""
