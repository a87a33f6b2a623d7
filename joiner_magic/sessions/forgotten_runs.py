"""What stays of the runs that a session has let go of.

A run holds its task with all its facts, so a session of hundreds of edits cannot keep every one of them. Of those that are long
ago it keeps the row that each has in the comparison, which is a few numbers, and the last result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from joiner_magic.sessions.comparison import ComparedRun, Comparison

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.sessions.runs import Run


class ForgottenRuns:
    def __init__(self) -> None:
        self.result: Result | None = None  # of the last run that had one
        self._rows: list[ComparedRun] = []  # of all that are gone, and of the first that is not

    def take(self, gone: Run, following: Run) -> None:
        """Let go of the oldest run. What changed from it to the one that follows it can be said only now."""
        if not self._rows:
            self._rows.append(ComparedRun.of(gone, None))
        self._rows.append(ComparedRun.of(following, gone))
        self.result = gone.result or self.result

    def comparison(self, kept: Sequence[Run]) -> Comparison:
        """All runs side by side, with those that are kept."""
        compared = Comparison.of(kept)
        return Comparison((*self._rows, *compared.runs[1:])) if self._rows else compared
