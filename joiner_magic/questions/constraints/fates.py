"""What became of the programs of a run: how many met which fate, and why each conclusion is sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from joiner_magic.search.fate import tested_of, untested_of
from joiner_magic.search.stages.constrain import KINDS
from joiner_magic.task.notes import counted

if TYPE_CHECKING:
    from joiner_magic.search.running.progress import SizeAtHand, SizeDone
    from joiner_magic.sessions.runs import Run

# Fates of programs from the native source besides the kinds of constraints, and why they are sound.
_OTHERS = {
    "nothing below": (
        "The body is no rule yet, because of a variable or an input that is open. Whatever it covers alone, no rule that"
        " extends it covers a positive example."
    ),
    "implied": (
        "By the facts, a literal follows from the others or two variables are equal: a smaller body covers the same."
    ),
    "dominated": "A fragment that is no larger covers the same positive examples and no further negative one.",
}
# What becomes of programs that are made but not tested.
_BEFORE = {
    "repeats itself": "By the facts alone, two variables of the body are equal: a smaller one covers the same.",
    "duplicate": "The body was made a second time; it was not tested again.",
}
# Fates of programs from which nothing is concluded.
_KEPT = {
    "joinable": "The program may still be of use: in a conjunction with others, or for its specialisations.",
    "partial": "No rule yet, because of a variable that is open; its specialisations may be rules, and are made.",
    "unfinished": "The test took more work than it may: nothing is concluded.",
}
# Why a fate lets programs be left out; and a sentence about every fate.
REASONS: Mapping[str, str] = {**{kind.kind: kind.proposition for kind in KINDS}, **_OTHERS}
SENTENCES: Mapping[str, str] = {**REASONS, **_KEPT, **_BEFORE}


@dataclass(frozen=True, slots=True)
class FateCount:
    """How many programs met one fate, in all and by size."""

    kind: str  # the fate
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
    untested: Mapping[str, int]  # made, and left out before any test

    @classmethod
    def of(cls, run: Run) -> Fates:
        """The fates in the search that a run shows, which may be the search of an earlier run."""
        sizes = fates_by_size(run)
        untested = sum((Counter(size.untested) for size in sizes), Counter[str]())
        return cls(
            run.shown.number,
            sum(size.total for size in sizes),
            tuple(size.size for size in sizes),
            tuple(_fate_counts(sizes)),
            dict(untested),
        )

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"run {self.run}: {counted(self.tested, 'program')} tested"
        for fate in self.fates:
            sizes = ", ".join(f"size {size}: {number:,}" for size, number in fate.by_size.items() if number)
            yield f"{fate.programs:>9,}  {fate.kind} ({sizes})"
            yield from (f"{'':11}{line}" for line in wrap(fate.reason, 90))
        for word, number in self.untested.items():
            yield f"{number:>9,}  {word}, not tested"
            yield from (f"{'':11}{line}" for line in wrap(SENTENCES[word], 90))


@dataclass(frozen=True, slots=True)
class SizeFates:
    """The programs of one size by what became of them."""

    size: int
    tested: Mapping[str, int]  # by fate
    untested: Mapping[str, int]  # made, and left out before any test

    @property
    def total(self) -> int:
        """How many were tested."""
        return sum(self.tested.values())


def fates_by_size(run: Run) -> list[SizeFates]:
    """The fates of each size in the search that a run shows; of the size being searched, those so far."""
    return [_size_fates(size) for size in run.shown.progress.begun]


def _size_fates(size: SizeDone | SizeAtHand) -> SizeFates:
    return SizeFates(size.size, tested_of(size.fates), untested_of(size.fates))


def _fate_counts(sizes: Sequence[SizeFates]) -> Iterator[FateCount]:
    """How many programs met each fate that occurred."""
    for kind, sentence in SENTENCES.items():
        by_size = {size.size: size.tested.get(kind, 0) for size in sizes}
        if total := sum(by_size.values()):
            yield FateCount(kind, sentence, total, by_size)
