"""What becomes of programs: the one place that knows the fates, what each rests on, and how it looks.

A program that is tested meets one fate in its test. It is counted once, by its size, under that fate. So the fates of a size
add up to the programs of that size that were tested, in events, in the progress of a run, in its record, in its result and in
every view.

What was made and left out before any test met no fate: it is counted apart, under the words of the group `UNTESTED`. A
rule that was joined of fragments is never tested as a program, and is not counted at all. A program that was not extended
after all, because more was known later, keeps the fate of its test.

A new fate is a new member here. Records, counts, views, colours and the reference derive from it, and the core, if it
draws the conclusion, has it under the name `core` (core/mining/record.hpp).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from joiner_magic import _core


class Group(Enum):
    """What a fate means for the programs below."""

    SOLUTION = auto()  # a rule of the hypothesis, whatever its fate was
    PRUNES = auto()  # nothing below it can be needed: its specialisations are left out
    KEPT = auto()  # nothing is concluded: its specialisations may be needed
    UNTESTED = auto()  # it was made, and left out before any test


class Sign(NamedTuple):
    """How a fate looks: a colour for each kind of page, and a shape, because colours alone do not reach everyone."""

    light: str  # on a light page
    dark: str  # on a dark page
    shape: str  # a name that views/palette.py draws


class Fate(str, Enum):
    """What became of a program. A fate is its word, as users read it: `Fate("subsumed") == "subsumed"`."""

    group: Group
    sentence: str  # what it says of a program, and the proposition that this rests on
    meaning: str  # in few words, for those who point at it
    explanation: str  # of one rule that met it
    sign: Sign | None  # None for what is in no picture
    core: str  # its name in the core; "" if the core never says it

    def __new__(
        cls,
        word: str,
        group: Group,
        core: str,
        sentence: str,
        meaning: str = "",
        explanation: str = "",
        sign: Sign | None = None,
    ) -> Fate:
        """A member; the word is its value."""
        fate = str.__new__(cls, word)
        fate._value_ = word
        fate.group, fate.core, fate.sentence = group, core, sentence
        fate.meaning, fate.explanation, fate.sign = meaning, explanation, sign
        return fate

    __str__ = str.__str__
    __repr__ = str.__repr__
    __format__ = str.__format__  # type: ignore[assignment]

    # The good ends first: views list fates in this order.
    SOLUTION = (
        "solution",
        Group.SOLUTION,
        "",
        "The rule is one of the hypothesis.",
        "a rule of the hypothesis",
        "It is a rule of the hypothesis.",
        Sign("#007a59", "#2fc79b", "star"),
    )
    CONSISTENT = (
        "consistent",
        Group.PRUNES,
        "consistent",
        (
            "A program that covers no negative example covers at least what its specialisations cover and is"
            " smaller than any of them (Proposition 3 of the paper)."
        ),
        "covers no negative example: nothing below it can be better",
        "It covers no negative example.",
        Sign("#2a86bd", "#6fc4f2", "square"),
    )
    JOINABLE = (
        "joinable",
        Group.KEPT,
        "fragment",
        "The program may still be of use: in a conjunction with others, or for its specialisations.",
        "covers some negative examples: a fragment that others may be joined to",
        "It covers negative examples too.",
        Sign("#00558a", "#4c9ede", "circle"),
    )
    COVERS_NOTHING = (
        "covers nothing",
        Group.PRUNES,
        "nothing",
        (
            "A specialisation of a program that covers no positive example covers none either, and neither does"
            " any conjunction with it (Proposition 2 of the paper)."
        ),
        "covers no positive example, and so does all below it",
        "It covers no positive example.",
        Sign("#767676", "#a3a3a3", "cross"),
    )
    NOTHING_BELOW = (
        "nothing below",
        Group.PRUNES,
        "hopeless",
        (
            "The body is no rule yet, because of a variable or an input that is open. Whatever it covers alone, no rule that"
            " extends it covers a positive example."
        ),
        "no rule yet, and no rule below it covers a positive example",
        "It is no rule yet, and no rule below it covers a positive example.",
        Sign("#80616b", "#b89aa4", "plus"),
    )
    SUBSUMED = (
        "subsumed",
        Group.PRUNES,
        "subsumed",
        (
            "What the program covers, and so what any conjunction with it or with a specialisation covers, is"
            " covered by a consistent part that is no larger (Proposition 1 of the paper)."
        ),
        "what it covers is covered by a part that is no larger",
        "A part of a hypothesis that is no larger covers as much.",
        Sign("#a86f00", "#f0b429", "inverted triangle"),
    )
    TOO_LARGE = (
        "too large",
        Group.PRUNES,
        "too_large",
        (
            "What a specialisation of the program leaves uncovered costs so much that a hypothesis with it is no"
            " smaller than the best solution."
        ),
        "with it no hypothesis would be smaller than the best one known",
        "A hypothesis with it could not be smaller than the best one known.",
        Sign("#bf4f00", "#f0803c", "hexagon"),
    )
    UNPROFITABLE = (
        "does not pay",
        Group.PRUNES,
        "unprofitable",
        (
            "Where errors have a price, a rule that covers positive examples worth no more than its literals can be left out:"
            " without it a hypothesis is no dearer. Neither a specialisation of it nor a conjunction with it covers more."
        ),
        "what it covers is worth no more than its literals",
        "What it covers is worth no more than its literals.",
        Sign("#8f3b3b", "#e58a8a", "octagon"),
    )
    CHEAPER_UNION = (
        "cheaper union",
        Group.PRUNES,
        "",
        (
            "What the program covers is covered by consistent parts that together are no larger: they can take the"
            " place of any conjunction with it or with a specialisation, and make the hypothesis smaller."
        ),
        "what it covers is covered by parts that are together no larger",
        "Parts of a hypothesis that are together no larger cover as much.",
        Sign("#a34c7f", "#e39ac3", "diamond"),
    )
    CONSISTENT_FRAGMENT = (
        "consistent fragment",
        Group.PRUNES,
        "",
        (
            "In any conjunction the fragment can take the place of a specialisation that mentions no further head"
            " variable: it covers at least as much, no negative example, and is smaller."
        ),
        "covers no negative example, but misses a variable of the head",
        "It covers no negative example, but a variable of the head is missing.",
        Sign("#5b62c4", "#9aa0f5", "pentagon"),
    )
    IMPLIED = (
        "implied",
        Group.PRUNES,
        "implied",
        "By the facts, a literal follows from the others or two variables are equal: a smaller body covers the same.",
        "has a literal or a variable that adds nothing",
        "A literal or a variable of it is too many.",
        Sign("#7a7000", "#d8cb3a", "bar"),
    )
    DOMINATED = (
        "dominated",
        Group.KEPT,
        "dominated",
        "A fragment that is no larger covers the same positive examples and no further negative one.",
        "another fragment that is no larger is as good",
        "Another fragment is as good for the join; what is below it may be better all the same.",
        Sign("#8a6240", "#c79b73", "triangle"),
    )
    PARTIAL = (
        "partial",
        Group.KEPT,
        "partial",
        "No rule yet, because of a variable that is open; its specialisations may be rules, and are made.",
        "no rule yet, but rules below it are",
        (
            "It is no rule yet: a variable stands alone, or a literal has an input that nothing binds. What is below it may"
            " be one."
        ),
        Sign("#5f7d8c", "#8fb1c2", "ring"),
    )
    UNFINISHED = (
        "unfinished",
        Group.KEPT,
        "unfinished",
        "The test took more work than it may: nothing is concluded.",
        "not tested to the end",
        "It was not tested to the end, so nothing follows from it.",
        Sign("#5f7d8c", "#8fb1c2", "ring"),
    )
    REPEATS_ITSELF = (
        "repeats itself",
        Group.UNTESTED,
        "repeating",
        "By the facts alone, two variables of the body are equal: a smaller one covers the same.",
    )
    INHERITED = (
        "fails like a part",
        Group.UNTESTED,
        "inherited",
        "With a literal less, the body covers nothing, or too little to pay: then so does the body, and all below it.",
    )
    DUPLICATE = (
        "duplicate",
        Group.UNTESTED,
        "duplicate",
        "The body was made a second time; it was not tested again.",
    )

    @classmethod
    def called(cls, word: str) -> Fate:
        """The fate with this word; KeyError if there is none."""
        return _BY_WORD[word]

    @property
    def prunes(self) -> bool:
        """Whether specialisations of a program with this fate are left out."""
        return self.group is Group.PRUNES

    @property
    def is_tested(self) -> bool:
        """Whether it is met in a test."""
        return self.group in (Group.PRUNES, Group.KEPT)


# Fates of programs that are not extended, those of constraints first.
PRUNING: tuple[Fate, ...] = (
    Fate.COVERS_NOTHING,
    Fate.CONSISTENT,
    Fate.CONSISTENT_FRAGMENT,
    Fate.SUBSUMED,
    Fate.TOO_LARGE,
    Fate.UNPROFITABLE,
    Fate.CHEAPER_UNION,
    Fate.NOTHING_BELOW,
    Fate.IMPLIED,
)
KEPT: tuple[Fate, ...] = (Fate.DOMINATED, Fate.JOINABLE, Fate.PARTIAL, Fate.UNFINISHED)
UNTESTED: tuple[Fate, ...] = tuple(fate for fate in Fate if fate.group is Group.UNTESTED)
if {*PRUNING, *KEPT} != {fate for fate in Fate if fate.is_tested}:
    raise TypeError("a fate is neither in PRUNING nor in KEPT")

_BY_WORD: Mapping[str, Fate] = {str(fate): fate for fate in Fate}
_BY_CORE_NAME = {fate.core: fate for fate in Fate if fate.core}
# The core tells fates by number.
OF_CORE: tuple[Fate, ...] = tuple(_BY_CORE_NAME[name] for name in _core.FATES)
CORE_NUMBERS: Mapping[Fate, int] = {fate: number for number, fate in enumerate(OF_CORE)}


def tested_of(fates: Mapping[Fate, int]) -> dict[Fate, int]:
    """The programs that were tested, by fate: those that occurred."""
    return {fate: number for fate, number in fates.items() if number and fate not in UNTESTED}


def untested_of(fates: Mapping[Fate, int]) -> dict[Fate, int]:
    """The programs that were left out before any test, by the word for them: those that occurred."""
    return {fate: number for fate in UNTESTED if (number := fates.get(fate, 0))}


def pruned_of(fates: Mapping[Fate, int]) -> int:
    """How many of the tested programs were not extended, because nothing below them can be needed."""
    return sum(fates.get(fate, 0) for fate in PRUNING)
