"""What a run writes down about itself: how much, and where the time went. Another thread may read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from joiner_magic.search.fate import Fate

# The stages, in the order in which they are shown, each with what a run is doing in it.
DOING = {
    "generate": "generating",
    "test": "testing",
    "join": "joining",
    "combine": "combining",
    "constrain": "constraining",
    "bound": "bounding",
    "advise": "trying changes of the bias",
}
STAGES = tuple(DOING)


class _StageClock(NamedTuple):
    seconds: Mapping[str, float]  # by stage, of what is done
    stage: str  # at work, or the last one that was
    began: float | None  # when it began, unless it is done


class Ledger:
    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` tells seconds of work: it stands still while the run is paused."""
        self._clock = clock
        # One value, so that whoever reads it in the middle never counts a stage twice.
        self._clock_of_stage = _StageClock(dict.fromkeys(STAGES, 0.0), "", None)
        self._fates: Counter[Fate] = Counter()
        self._fates_before: Counter[Fate] = Counter()  # the size at hand
        self.first_solution: float | None = None
        self.size = 1  # the last one that was finished
        self.exhausted = False  # no further programs are to come

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        self._clock_of_stage = _StageClock(self._clock_of_stage.seconds, stage, self._clock())
        try:
            yield
        finally:
            self._clock_of_stage = _StageClock(self.timings, stage, None)

    @property
    def stage(self) -> str:
        """The one at work, or between two the last one; empty before the first."""
        return self._clock_of_stage.stage

    @property
    def timings(self) -> dict[str, float]:
        """Seconds by stage, with those of the stage at work: a paused run is in the middle of one."""
        seconds, stage, began = self._clock_of_stage
        timings = dict(seconds)
        if began is not None:
            timings[stage] += self._clock() - began
        return timings

    @property
    def counts(self) -> dict[Fate, int]:
        """Programs by what became of them."""
        return dict(sorted(self._fates.items()))

    def count(self, fates: Mapping[Fate, int]) -> None:
        """Programs by what became of them: by kind of constraint, and others."""
        self._fates.update(fates)

    def fates_of_size(self) -> dict[Fate, int]:
        """Programs since this was last asked, by what became of them."""
        fates = self._fates - self._fates_before
        self._fates_before = self._fates.copy()
        return dict(sorted(fates.items()))

    def size_finished(self, size: int, *, exhausted: bool) -> None:
        self.size = size
        self.exhausted = exhausted
