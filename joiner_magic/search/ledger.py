"""What a run writes down about itself: how much, and where the time went."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from joiner_magic.search.constrain import Constraint

STAGES = ("generate", "test", "join", "combine", "constrain", "bound")


class Ledger:
    def __init__(self) -> None:
        self.timings = dict.fromkeys(STAGES, 0.0)
        self._fates: Counter[str] = Counter()
        self._fates_before: Counter[str] = Counter()  # the size at hand
        self.first_solution: float | None = None
        self.size = 1  # the last one that was finished
        self.exhausted = False  # no further programs are to come

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] += time.perf_counter() - started

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
