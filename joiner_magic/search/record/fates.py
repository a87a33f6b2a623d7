"""How programs are counted, wherever a number of them is told.

The unit is a program that was tested. It is counted once, by its size, under the one fate that it met in its test. So
the fates of a size add up to the programs of that size that were tested, in events, in the progress of a run, in its
record, in its result and in every view.

What was made and left out before any test met no fate: it is counted apart, under the words of `UNTESTED`. A rule that
was joined of fragments is never tested as a program, and is not counted at all. A program that was not extended after
all, because more was known later, keeps the fate of its test.
"""

from __future__ import annotations

from collections.abc import Mapping

from joiner_magic.search.stages.constrain import KINDS

# Fates of programs that are not extended, because nothing below them can be needed.
PRUNING: tuple[str, ...] = (*(kind.kind for kind in KINDS), "nothing below", "implied")
# Fates of programs that nothing is concluded from.
KEPT = ("joinable", "dominated", "partial", "unfinished")
# What programs are called that were made, and left out before any test.
UNTESTED = ("repeats itself", "duplicate")

_CALLED = {"fragment": "joinable"}  # in a record programs for the join are called what they are


def called(fate: str) -> str:
    """How a fate of a record is called where it is told."""
    return _CALLED.get(fate, fate)


def recorded_as(word: str) -> str:
    """The fate of a record that is called so."""
    return next((fate for fate, name in _CALLED.items() if name == word), word)


def tested_of(fates: Mapping[str, int]) -> dict[str, int]:
    """The programs that were tested, by fate: those that occurred."""
    return {fate: number for fate, number in fates.items() if number and fate not in UNTESTED}


def untested_of(fates: Mapping[str, int]) -> dict[str, int]:
    """The programs that were left out before any test, by the word for them: those that occurred."""
    return {word: number for word in UNTESTED if (number := fates.get(word, 0))}


def pruned_of(fates: Mapping[str, int]) -> int:
    """How many of the tested programs were not extended, because nothing below them can be needed."""
    return sum(fates.get(fate, 0) for fate in PRUNING)
