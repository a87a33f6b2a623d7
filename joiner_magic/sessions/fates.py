"""What became of the programs of a run: by which constraint, and why that is sound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from joiner_magic.search.constrain import KINDS

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

# Fates that the native source tells of besides the kinds of constraints, and what they rest on.
_OTHERS = {
    "implied": (
        "By the facts, a literal follows from the others or two variables are equal: a smaller body covers the same."
    ),
    "dominated": "A fragment that is no larger covers the same positive examples and no further negative one.",
    "duplicate": "The body was made a second time; it was not tested again.",
}
REASONS = {**{kind.kind: kind.proposition for kind in KINDS}, **_OTHERS}


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
        done = run.progress.sizes
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
