"""What a session keeps of runs that it has forgotten.

A run holds its task with all facts, so a session of hundreds of edits cannot keep every run. Of the oldest ones it keeps
the row that each has in the comparison, which is a few numbers, and the last result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from joiner_magic.sessions.comparison import ComparedRun, Comparison

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.sessions.runs import Run


class ForgottenRuns:
    """Rows of the comparison for forgotten runs, and the last result of one of them."""

    def __init__(self) -> None:
        self.result: Result | None = None  # of the last run that had one
        self._rows: list[ComparedRun] = []  # of all forgotten runs, and of the first run that is kept

    def take(self, gone: Run, following: Run) -> None:
        """Keep the row of the oldest run, and that of the run after it, which says what changed between the two.

        That needs the tasks of both, so it has to be done before the oldest run is dropped.
        """
        if not self._rows:
            self._rows.append(ComparedRun.of(gone, None))
        self._rows.append(ComparedRun.of(following, gone))
        self.result = gone.result or self.result

    def comparison(self, kept: Sequence[Run]) -> Comparison:
        """All runs side by side: the forgotten ones, and the given ones that are kept."""
        compared = Comparison.of(kept)
        if not self._rows:
            return compared
        return Comparison((*self._rows, *compared.runs[1:]))
