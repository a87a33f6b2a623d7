"""The list of all views. Commands, panels, completion and the static twin take from it which views there are.

A new view is added to the list below, and is then in all of these places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from joiner_magic.errors import CommandError, TaskError
from joiner_magic.sessions.current import current
from joiner_magic.views.constraints.view import ConstraintsView
from joiner_magic.views.coverage.view import CoverageView
from joiner_magic.views.lattice.view import LatticeView
from joiner_magic.views.progress.view import ProgressView

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run
    from joiner_magic.views.view import View

# In the order in which panels and the static twin show them.
_KINDS: tuple[type[View], ...] = (ProgressView, LatticeView, ConstraintsView, CoverageView)

VIEWS: dict[str, type[View]] = {kind.name: kind for kind in _KINDS}


def view(name: str, run: Run | None = None) -> View:
    """A run from one side; without one, the last run of the session that cells speak to.

    CommandError for a view that there is not, and TaskError where there is no run, or one that failed.
    """
    if name not in VIEWS:
        raise CommandError(f"there is no view {name!r}", remedy=f"take one of {', '.join(VIEWS)}")
    if run is None:
        runs = current().runs
        if not runs:
            raise TaskError("there is no run to show", remedy="begin one with %joiner learn")
        run = runs[-1]
    if run.state == "failed":
        raise TaskError(f"{run.name} failed: {run.failure}")
    return VIEWS[name](run)
