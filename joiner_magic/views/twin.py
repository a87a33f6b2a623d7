"""The static twin of a run: what its views show, as one output of a cell that stays when no kernel is running.

The twin is made while somebody waits for the run's cell, and it is stored in the notebook. So both the time for making
it and its size in bytes are bounded. Whatever does not fit is left out, and a sentence says so in its place.

It is for whoever opens the notebook later: on a web page, in a mail, or before the kernel is started. Panels hide it as long as they are
alive, since they show the same and more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from joiner_magic.solvers.signals import interrupt_requested
from joiner_magic.views.all import VIEWS
from joiner_magic.views.markup import Html, box, details, joined, quiet, text
from joiner_magic.views.output import Output

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run
    from joiner_magic.views.view import View

MOST_BYTES = 200_000
_SECONDS = 2.0  # for all views, besides a tenth of what the run took; a third of a second is usual
_MOST_SECONDS = 4.0
_SHARE = 0.75  # of the time that is left, for one view
_MOMENT = 0.05  # seconds between two looks at whether somebody has had enough of waiting
_NOTHING = Html("")


@dataclass(frozen=True, slots=True)
class _StaticView:
    """One view in the twin: its picture and its table, or a sentence that says why one of them is missing."""

    name: str
    title: str
    picture: Html = _NOTHING
    table: Html = _NOTHING
    instead: str = ""  # the sentence about what is missing

    @property
    def html(self) -> Html:
        """The view with its title as HTML."""
        heading = Html(f'<b style="display:block;margin-top:12px">{text(self.title)}</b>')
        return joined([heading, self.picture, self.table, quiet(text(self.instead))])

    @property
    def smaller(self) -> _StaticView:
        """The view without its picture; if the picture is gone already, without its table."""
        if self.picture:
            sentence = self._left_out("the picture is too large to be stored")
            return replace(self, picture=_NOTHING, instead=sentence)
        return replace(self, table=_NOTHING, instead=self._left_out("this is too large to be stored"))

    @property
    def too_late(self) -> _StaticView:
        """The view with the sentence that there was no time for it."""
        return replace(self, instead=self._left_out("this would have taken too long"))

    def _left_out(self, why: str) -> str:
        """A sentence that says why something is left out, and how it can be seen all the same."""
        return f"{why}; %joiner show {self.name} shows it"


def twin(run: Run, said: str, *, seconds: float | None = None, most_bytes: int = MOST_BYTES) -> Output:
    """The static twin of a run.

    The line `said` can be seen at once; the views are folded away below it. The twin has at most about `most_bytes`
    bytes, and making it takes about `seconds` at most: without them, a few seconds that depend on the run's length.
    """
    if seconds is None:
        seconds = min(_SECONDS + run.progress.seconds / 10, _MOST_SECONDS)
    drawn = {static.name: static for static in _draw_views(run, seconds)}
    in_order = [drawn[name] for name in VIEWS]
    return Output(said, _within_bytes(said, in_order, most_bytes))


def only_line(said: str) -> Output:
    """The twin of a run of which nothing is known yet but this line."""
    return Output(said, quiet(text(said)))


def _within_bytes(said: str, views: Sequence[_StaticView], most_bytes: int) -> Html:
    """The twin as HTML: as long as it is too large, the largest picture or table is taken out."""
    whole = _html(said, views)
    while len(whole.encode()) > most_bytes and any(static.picture or static.table for static in views):
        largest = max(views, key=lambda static: (len(static.picture), len(static.table)))
        views = list(views)
        views[views.index(largest)] = largest.smaller
        whole = _html(said, views)
    return whole


def _html(said: str, views: Sequence[_StaticView]) -> Html:
    """The twin as HTML, however large it is."""
    titles = ", ".join(static.title.lower() for static in views)
    return box(quiet(text(said)), details(f"pictures: {titles}", *(static.html for static in views)))


def _draw_views(run: Run, seconds: float) -> list[_StaticView]:
    """Every view, those that take longest first, so that they get the time if it is short.

    A view may take most of the time that is left: the ones at the end need little.
    """
    deadline = time.monotonic() + seconds
    kinds = sorted(VIEWS.values(), key=lambda kind: kind.twin_order)
    return [_draw_in_time(kind(run), _SHARE * (deadline - time.monotonic())) for kind in kinds]


def _draw_in_time(view: View, seconds: float) -> _StaticView:
    """The view, or a sentence in its place if it takes too long.

    It is drawn in a thread, so that nobody has to wait for its end, nor for an interrupt to reach it.
    """
    empty = _StaticView(view.name, view.title)
    drawn: list[_StaticView] = []

    def draw() -> None:
        """Draw the picture and the table, and leave them where the waiting thread finds them."""
        try:
            drawn.append(replace(empty, picture=view.to_image(), table=view.to_table()))
        except Exception as error:  # a mistake of ours in a picture must not cost the result that it shows
            drawn.append(replace(empty, instead=f"this could not be drawn: {error!r}"))

    thread = threading.Thread(target=draw, name="joiner-twin", daemon=True)
    thread.start()
    deadline = time.monotonic() + seconds
    while not (drawn or interrupt_requested() or time.monotonic() > deadline):
        thread.join(_MOMENT)
    if not drawn:
        return empty.too_late
    return drawn[0]
