"""The layout of fragments and examples in two columns, with lines from each fragment to the examples that it covers.

The fragments, on the left, keep the order in which they are given, so nothing moves there when one is added. The
examples, on the right, are ordered so that few lines cross: first positive and then negative ones, among these by the
mean place of the fragments that cover them (the barycentre), and those next to each other that the same fragments cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

from joiner_magic.logic.dominance import bits, ones

Label: TypeAlias = Literal["pos", "neg"]
LABELS: tuple[Label, Label] = ("pos", "neg")

LETTER = 6.6  # the width of a letter of the fragments' texts
LINE = 15.0  # the height of one of their lines
ROW = 19.0  # of an example
_BESIDE = 40.0  # beside the text: what a fragment is chosen with, and where its lines begin
_LONGEST = 220.0  # line, from left to right
_HEAD = 26.0  # of a title
_GAP = 14.0  # between two fragments
_MARGIN = 6.0
_LINES = 4  # of a fragment's text
_ALIKE = 3  # examples of a sort, where not all are shown
_TOLD_APART = 10  # columns by which examples are sorted: each may double the number of sorts


@dataclass(frozen=True, slots=True)
class Example:
    """An example in the right column, by its label and its number among those of this label."""

    label: Label
    number: int
    alike: int = 0  # how many others, which are not shown, the same fragments cover


@dataclass(frozen=True, slots=True)
class FragmentBox:
    """A fragment in the left column: the lines of its text, and its place."""

    lines: tuple[str, ...]
    y: float  # of its upper edge
    height: float

    @property
    def middle(self) -> float:
        """The height at which its lines begin."""
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """An example in the right column, and its place."""

    example: Example
    y: float  # of its middle


@dataclass(frozen=True, slots=True)
class TwoColumns:
    """The whole layout. Lines go from x = `start` to x = `end`, and the names of examples stand right of that."""

    width: float
    height: float
    start: float
    end: float
    left: tuple[FragmentBox, ...]
    right: tuple[ExampleRow, ...]
    titles: tuple[tuple[Label, float], ...]  # of the right column


def telling(columns: Sequence[tuple[int, int]], counts: tuple[int, int], most: int) -> list[Example]:
    """Examples that show how columns (bitsets of positives and negatives) differ; all of them if they are few.

    Examples that the same columns cover are alike. Of each sort some are taken in turn, first of those that
    about half of the columns cover.
    """
    positives = min(counts[0], max((most + 1) // 2, most - counts[1]))
    room = positives, min(counts[1], most - positives)
    chosen: list[Example] = []
    for side, label in enumerate(LABELS):
        sorts = _sorts([column[side] for column in columns[:_TOLD_APART]], counts[side])
        of_each = _ALIKE
        if counts[side] <= room[side]:
            of_each = room[side]
        for sort, taken in _taken(sorts, room[side], of_each):
            *first, last = taken
            chosen += [Example(label, number) for number in first]
            chosen.append(Example(label, last, sort.bit_count() - len(taken)))
    return chosen


def _sorts(covered: Sequence[int], count: int) -> list[int]:
    """The examples by which bitsets they are in, as bitsets; those that divide the bitsets come first."""
    sorts = [(ones(count), 0)]
    for bitset in covered:
        halves: list[tuple[int, int]] = []
        for sort, into in sorts:
            halves += [(sort & bitset, into + 1), (sort & ~bitset, into)]
        sorts = [half for half in halves if half[0]]
    sorts.sort(key=lambda sort: (abs(2 * sort[1] - len(covered)), -sort[0].bit_count()))
    return [sort for sort, _ in sorts if sort]


def _taken(sorts: Sequence[int], room: int, of_each: int) -> Iterator[tuple[int, list[int]]]:
    """The first examples of each sort: one of each sort in turn, as long as there is room."""
    firsts = [list(islice(bits(sort), of_each)) for sort in sorts[:room]]
    taken = [1] * len(firsts)
    left = room - len(firsts)
    for turn in range(1, of_each):
        for number, first in enumerate(firsts):
            if left and len(first) > turn:
                taken[number] += 1
                left -= 1
    for sort, first, number in zip(sorts, firsts, taken, strict=False):
        yield sort, first[:number]


def in_columns(
    texts: Sequence[Sequence[str]],
    columns: Sequence[tuple[int, int]],
    examples: Iterable[Example],
    width: float,
) -> TwoColumns:
    """Lay out fragments and examples on a page of this width.

    `texts` are the pieces of each fragment's text, which are not broken; `columns` is what each fragment covers.
    """
    wrapped = [_wrapped(pieces, int((width * 0.48 - _BESIDE) / LETTER)) for pieces in texts]
    longest = max((len(line) for lines in wrapped for line in lines), default=0)
    start = round(max(longest * LETTER + _BESIDE, width * 0.25))
    end = round(start + min(max(width * 0.22, 70), _LONGEST))
    heights = [LINE * (len(lines) + 1) for lines in wrapped]
    right, titles, right_height = _right(columns, list(examples))
    left_height = _HEAD + sum(heights) + _GAP * max(len(heights) - 1, 0)
    height = max(left_height, right_height) + _MARGIN
    # Spread over the height, but not so far that they seem to have nothing to do with each other.
    gap = _GAP + min((height - left_height) / (len(heights) + 1), 2 * LINE)
    y = _HEAD + (height - _HEAD - sum(heights) - gap * (len(heights) - 1)) / 2
    left = []
    for lines, tall in zip(wrapped, heights, strict=True):
        left.append(FragmentBox(lines, round(y, 1), tall))
        y += tall + gap
    return TwoColumns(width, round(height, 1), start, end, tuple(left), tuple(right), tuple(titles))


def _right(
    columns: Sequence[tuple[int, int]], examples: Sequence[Example]
) -> tuple[list[ExampleRow], list[tuple[Label, float]], float]:
    """The right column: its examples in order, its titles, and its height."""
    rows: list[ExampleRow] = []
    titles: list[tuple[Label, float]] = []
    y = 0.0
    for side, label in enumerate(LABELS):
        of_label = [example for example in examples if example.label == label]
        if not of_label:
            continue
        covered = [column[side] for column in columns]
        titles.append((label, y + _HEAD / 2))
        y += _HEAD
        for example in sorted(of_label, key=lambda each: (*_barycentre(covered, each.number), each.number)):
            rows.append(ExampleRow(example, y + ROW / 2))
            y += ROW
    return rows, titles, y


def _barycentre(covered: Sequence[int], number: int) -> tuple[float, tuple[int, ...]]:
    """The mean place of the fragments that cover an example; for equal means, the places of these fragments."""
    places = tuple(place for place, bitset in enumerate(covered) if bitset >> number & 1)
    if not places:
        return float(len(covered)), places
    return sum(places) / len(places), places


def _wrapped(pieces: Sequence[str], letters: int) -> tuple[str, ...]:
    """The lines of a text: pieces side by side as long as there is room, and too long ones cut."""
    lines = [""]
    for piece in pieces:
        longer = f"{lines[-1]} {piece}".strip()
        if len(longer) <= letters or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(piece)
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], f"{lines[_LINES - 1]} …"]
    return tuple(_cut(line, letters) for line in lines)


def _cut(line: str, letters: int) -> str:
    """A line that has at most so many letters."""
    if len(line) <= letters:
        return line
    return f"{line[: letters - 1]}…"
