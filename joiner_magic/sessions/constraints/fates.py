"""What became of the programs of a run: by which constraint, and why that is sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from joiner_magic.search.constrain import KINDS

if TYPE_CHECKING:
    from joiner_magic.search.progress import SizeDone
    from joiner_magic.search.record import Record
    from joiner_magic.sessions.runs import Run

# Fates that the native source tells of besides the kinds of constraints, and what they rest on.
_OTHERS = {
    "implied": (
        "By the facts, a literal follows from the others or two variables are equal: a smaller body covers the same."
    ),
    "dominated": "A fragment that is no larger covers the same positive examples and no further negative one.",
    "duplicate": "The body was made a second time; it was not tested again.",
}
# Fates of programs that nothing is concluded from.
_KEPT = {
    "joinable": "The program may still be of use: in a conjunction with others, or for its specialisations.",
    "partial": "No rule yet, because of a variable that is open; its specialisations may be rules, and are made.",
    "unfinished": "The test took more work than it may: nothing is concluded.",
}
REASONS = {**{kind.kind: kind.proposition for kind in KINDS}, **_OTHERS}

SENTENCES: Mapping[str, str] = {**REASONS, **_KEPT}
FORBIDDING = (*(kind.kind for kind in KINDS), "implied")  # the specialisations of programs of these fates

# In a record programs for the join are called what they are: fragments.
_CALLED = {"fragment": "joinable"}


def called(fate: str) -> str:
    """How a fate of a record is called where a person looks at it."""
    return _CALLED.get(fate, fate)


def recorded_as(word: str) -> str:
    return next((fate for fate, name in _CALLED.items() if name == word), word)


@dataclass(frozen=True, slots=True)
class Fate:
    kind: str
    reason: str  # in one sentence
    programs: int
    by_size: Mapping[int, int]  # of the sizes that are done


@dataclass(frozen=True, slots=True)
class Fates:
    """Of programs that let others be left out, or that were left out themselves; those that occurred."""

    run: int
    tested: int
    sizes: tuple[int, ...]  # that are done
    fates: tuple[Fate, ...]

    @classmethod
    def of(cls, run: Run) -> Fates:
        done = run.progress.generated
        counts = run.result.counts if run.result else run.progress.fates
        return cls(
            run.number,
            run.result.counts["tested"] if run.result else run.progress.tested,
            tuple(size.size for size in done),
            tuple(
                Fate(kind, reason, counts[kind], {size.size: size.fates.get(kind, 0) for size in done})
                for kind, reason in REASONS.items()
                if counts.get(kind)
            ),
        )

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"run {self.run}: {self.tested:,} programs tested"
        for fate in self.fates:
            sizes = ", ".join(f"size {size}: {number:,}" for size, number in fate.by_size.items() if number)
            yield f"{fate.programs:>9,}  {fate.kind}" + (f" ({sizes})" if sizes else "")
            yield from (f"{'':11}{line}" for line in wrap(fate.reason, 90))


@dataclass(frozen=True, slots=True)
class SizeFates:
    """The programs of one size by what became of them."""

    size: int
    tested: Mapping[str, int]
    untested: Mapping[str, int]  # made, and left out before any test

    @property
    def total(self) -> int:
        return sum(self.tested.values())


def fates_by_size(run: Run, record: Record) -> list[SizeFates]:
    """Also of the size at hand, as far as it is recorded."""
    recorded: dict[int, Counter[str]] = {}
    for (size, fate), number in record.counts().items():
        recorded.setdefault(size, Counter())[called(fate)] += number
    done = {size.size: size for size in run.progress.generated}
    return [
        _of_size(size, recorded.get(size, Counter()), done.get(size)) for size in sorted({*recorded, *done})
    ]


def _of_size(size: int, recorded: Counter[str], done: SizeDone | None) -> SizeFates:
    if done is None:
        return SizeFates(size, recorded, {})
    told = Counter(done.fates)
    if recorded.total() < done.tested:  # the record was full, or is gone
        recorded = Counter({fate: number for fate, number in told.items() if fate != "duplicate"})
        rest = done.tested - recorded.total()
        recorded["joinable" if rest > 0 else "implied"] += rest  # some are implied before any test
    return SizeFates(size, +recorded, told - recorded)
