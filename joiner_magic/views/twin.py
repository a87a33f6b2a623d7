"""The static twin of a run: what its views show, in one output that stays where nobody is there to draw.

It is made while somebody waits, and stored in notebooks: so both the time for it and its bytes are bounded. What does
not fit is left out, with a sentence in its place.
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
_FIRST = ("coverage", "lattice", "constraints", "progress")  # who gets the time when it is short
_SECONDS = 2.0  # for all of them, and a tenth of what the run took; a third of a second is usual
_MOST_SECONDS = 4.0
_MOMENT = 0.05  # seconds between two looks at whether somebody has had enough of waiting
_NOTHING = Html("")


@dataclass(frozen=True, slots=True)
class _Still:
    """A view that does not move."""

    name: str
    title: str
    picture: Html = _NOTHING
    table: Html = _NOTHING
    instead: str = ""  # is said of what is left out

    @property
    def html(self) -> Html:
        heading = Html(f'<b style="display:block;margin-top:12px">{text(self.title)}</b>')
        return joined([heading, self.picture, self.table, quiet(text(self.instead))])

    @property
    def smaller(self) -> _Still:
        """Without the picture, or if that is gone without the table."""
        if self.picture:
            return replace(
                self, picture=_NOTHING, instead=self._left_out("the picture is too large to be stored")
            )
        return replace(self, table=_NOTHING, instead=self._left_out("this is too large to be stored"))

    def late(self) -> _Still:
        return replace(self, instead=self._left_out("this would have taken too long"))

    def _left_out(self, why: str) -> str:
        return f"{why}; %joiner show {self.name} shows it"


def twin(run: Run, said: str, *, seconds: float | None = None, most_bytes: int = MOST_BYTES) -> Output:
    """What is said of the run, to be seen at once, and its views on request."""
    if seconds is None:
        seconds = min(_SECONDS + run.progress.seconds / 10, _MOST_SECONDS)
    stills = {still.name: still for still in _made(run, seconds)}
    return Output(said, _fitting(said, [stills[name] for name in VIEWS], most_bytes))


def only_line(said: str) -> Output:
    """As long as there is nothing more."""
    return Output(said, quiet(text(said)))


def _fitting(said: str, stills: Sequence[_Still], most_bytes: int) -> Html:
    whole = _whole(said, stills)
    while len(whole.encode()) > most_bytes and any(still.picture or still.table for still in stills):
        largest = max(stills, key=lambda still: (len(still.picture), len(still.table)))
        stills = [still.smaller if still is largest else still for still in stills]
        whole = _whole(said, stills)
    return whole


def _whole(said: str, stills: Sequence[_Still]) -> Html:
    titles = ", ".join(still.title.lower() for still in stills)
    return box(quiet(text(said)), details(f"pictures: {titles}", *(still.html for still in stills)))


def _made(run: Run, seconds: float) -> list[_Still]:
    """Each may take most of the time that is left: the last ones need little."""
    deadline = time.monotonic() + seconds
    return [_in_time(VIEWS[name](run), 0.75 * (deadline - time.monotonic())) for name in _FIRST]


def _in_time(view: View, seconds: float) -> _Still:
    """Made in a thread, so that nobody has to wait for its end, nor for an interrupt to reach it."""
    still = _Still(view.name, view.title)
    made: list[_Still] = []

    def make() -> None:
        try:
            made.append(replace(still, picture=view.to_image(), table=view.to_table()))
        except Exception as error:  # of ours; a picture must not cost the result it is of
            made.append(replace(still, instead=f"this could not be drawn: {error!r}"))

    thread = threading.Thread(target=make, name="joiner-twin", daemon=True)
    thread.start()
    late = time.monotonic() + seconds
    while not (made or interrupt_requested() or time.monotonic() > late):
        thread.join(_MOMENT)
    return made[0] if made else still.late()
