"""How far a run is: a reader of its events that can be asked from another thread at any time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from joiner_magic.search.events import (
    Constrained,
    Evaluated,
    Event,
    Finished,
    Improved,
    Joined,
    SizeFinished,
    SizeStarted,
    Started,
)
from joiner_magic.search.hypothesis import Hypothesis

# What became of programs that may still be of use, or that were met before: no pruning.
_NOT_PRUNED = frozenset({"duplicate", "consistent"})


@dataclass(frozen=True, slots=True)
class SizeDone:
    """What is written down about a size."""

    size: int
    tested: int
    fragments: int
    parts: int
    fates: Mapping[str, int]
    seconds: float  # since the start


@dataclass(frozen=True, slots=True)
class Improvement:
    """A better hypothesis, and when it was found."""

    hypothesis: Hypothesis
    solution: bool
    seconds: float


class Progress:
    def __init__(self) -> None:
        self._began = time.monotonic()
        self._before = 0.0  # seconds of earlier goes
        self._ended: float | None = None
        self._fates: Counter[str] = Counter()
        self.positives = self.negatives = 0
        self.size = 0  # at hand
        self.largest = 0  # no generated program is larger
        self.tested = 0
        self.engine = self.source = ""
        self.sizes: tuple[SizeDone, ...] = ()
        self.improvements: tuple[Improvement, ...] = ()

    @property
    def seconds(self) -> float:
        """Of work; a run that was stopped and gone on with does not count the time in between."""
        return self._before + (self._ended or time.monotonic()) - self._began

    @property
    def fates(self) -> Mapping[str, int]:
        """Programs of the sizes that are done, by what became of them."""
        return dict(self._fates)

    @property
    def pruned(self) -> int:
        """Programs that let others be left out, of the sizes that are done."""
        return sum(number for fate, number in self.fates.items() if fate not in _NOT_PRUNED)

    @property
    def best(self) -> Improvement | None:
        return self.improvements[-1] if self.improvements else None

    def go_on(self) -> None:
        """The run is taken up again."""
        if self._ended is not None:
            self._before = self.seconds
            self._began, self._ended = time.monotonic(), None

    def end(self) -> None:
        """Nobody is at work any more."""
        self._ended = time.monotonic()

    def hear(self, event: Event) -> None:
        match event:
            case Started(positives, negatives, largest, engine, source):
                self.positives, self.negatives, self.largest = positives, negatives, largest
                self.engine, self.source = engine, source
            case SizeStarted(size):
                self.size = size
            case Evaluated(tested=tested):
                self.tested += tested
            case Improved(hypothesis, solution, seconds):
                self.improvements = (*self.improvements, Improvement(hypothesis, solution, seconds))
            case SizeFinished(size, tested, fragments, parts, _, _, fates):
                self._fates.update(fates)
                done = SizeDone(size, tested, fragments, parts, fates, self.seconds)
                self.sizes = (*self.sizes, done)
            case Finished():
                self.end()
            case Joined() | Constrained():
                pass

    def __str__(self) -> str:
        """One line."""
        best = self.best
        if best is None:
            found = "nothing found yet"
        elif best.solution:
            found = f"best solution has {best.hypothesis.size} literals"
        else:
            covered = best.hypothesis.evaluation.pos.bit_count()
            found = f"best covers {covered:,} of {self.positives:,} positive examples"
        return (
            f"size {self.size}, {self.tested:,} programs tested, {self.pruned:,} pruned, {found},"
            f" {self.seconds:.1f} s"
        )
