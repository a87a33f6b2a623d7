"""What a run writes down about itself: how much, and where the time went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from joiner_magic.search.constrain import Constraint

STAGES = ("generate", "test", "join", "combine", "constrain", "bound")


class Ledger:
    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` tells seconds of work: it stands still while the run is paused."""
        self._clock = clock
        self._timings = dict.fromkeys(STAGES, 0.0)
        self._at_work: tuple[str, float] | None = None  # a stage, and when it began
        self._fates: Counter[str] = Counter()
        self._fates_before: Counter[str] = Counter()  # the size at hand
        self.first_solution: float | None = None
        self.size = 1  # the last one that was finished
        self.exhausted = False  # no further programs are to come

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        self._at_work = stage, self._clock()
        try:
            yield
        finally:
            self._timings, self._at_work = self.timings, None

    @property
    def timings(self) -> dict[str, float]:
        """Seconds by stage, with those of the stage at work: a paused run is in the middle of one."""
        timings = dict(self._timings)
        if self._at_work is not None:
            stage, began = self._at_work
            timings[stage] += self._clock() - began
        return timings

    @property
    def counts(self) -> dict[str, int]:
        """Programs by what became of them."""
        return dict(sorted(self._fates.items()))

    def count(self, constraints: Sequence[Constraint]) -> None:
        self._fates.update(constraint.kind for constraint in constraints)

    def count_fates(self, counts: Mapping[str, int]) -> None:
        """What a source that judges by itself has counted."""
        self._fates.update({fate: number for fate, number in counts.items() if fate != "tested"})

    def fates_of_size(self) -> dict[str, int]:
        """Programs since this was last asked, by what became of them."""
        fates = self._fates - self._fates_before
        self._fates_before = self._fates.copy()
        return dict(sorted(fates.items()))

    def size_finished(self, size: int, *, exhausted: bool) -> None:
        self.size = size
        self.exhausted = exhausted
