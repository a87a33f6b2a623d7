"""What became of the programs of a run: how many met which fate, and why each conclusion is sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from joiner_magic.search.fate import KEPT, PRUNING, Fate, tested_of, untested_of
from joiner_magic.task.notes import counted

if TYPE_CHECKING:
    from joiner_magic.search.running.progress import CurrentSize, FinishedSize
    from joiner_magic.sessions.runs import Run


@dataclass(frozen=True, slots=True)
class FateCount:
    """How many programs met one fate, in all and by size."""

    kind: Fate
    reason: str  # what the fate means, in one sentence
    programs: int
    by_size: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Fates:
    """How many programs of a run met each fate that occurred, as `search/fate.py` counts them."""

    run: int  # its number
    tested: int
    sizes: tuple[int, ...]
    fates: tuple[FateCount, ...]  # of tested programs: their numbers add up to `tested`
    untested: Mapping[Fate, int]  # made, and left out before any test

    @classmethod
    def of(cls, run: Run) -> Fates:
        """The fates in the search that a run shows, which may be the search of an earlier run."""
        sizes = fates_by_size(run)
        untested = sum((Counter(size.untested) for size in sizes), Counter[Fate]())
        return cls(
            run.shown.number,
            sum(size.total for size in sizes),
            tuple(size.size for size in sizes),
            tuple(_fate_counts(sizes)),
            dict(untested),
        )

    def __str__(self) -> str:
        """The fates as a table of text."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"run {self.run}: {counted(self.tested, 'program')} tested"
        for fate in self.fates:
            sizes = ", ".join(f"size {size}: {number:,}" for size, number in fate.by_size.items() if number)
            yield f"{fate.programs:>9,}  {fate.kind} ({sizes})"
            yield from (f"{'':11}{line}" for line in wrap(fate.reason, 90))
        for word, number in self.untested.items():
            yield f"{number:>9,}  {word}, not tested"
            yield from (f"{'':11}{line}" for line in wrap(word.sentence, 90))


@dataclass(frozen=True, slots=True)
class SizeFates:
    """The programs of one size by what became of them."""

    size: int
    tested: Mapping[Fate, int]
    untested: Mapping[Fate, int]  # made, and left out before any test

    @property
    def total(self) -> int:
        """How many were tested."""
        return sum(self.tested.values())


def fates_by_size(run: Run) -> list[SizeFates]:
    """The fates of each size in the search that a run shows; of the size being searched, those so far."""
    return [_size_fates(size) for size in run.shown.progress.begun]


def _size_fates(size: FinishedSize | CurrentSize) -> SizeFates:
    return SizeFates(size.size, tested_of(size.fates), untested_of(size.fates))


def _fate_counts(sizes: Sequence[SizeFates]) -> Iterator[FateCount]:
    """How many programs met each fate that occurred."""
    for fate in (*PRUNING, *KEPT):
        by_size = {size.size: size.tested.get(fate, 0) for size in sizes}
        if total := sum(by_size.values()):
            yield FateCount(fate, fate.sentence, total, by_size)
