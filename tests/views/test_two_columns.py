"""Where fragments and examples stand: nothing overlaps, few lines cross, and nothing moves without need."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import pytest

from joiner_magic.views.coverage.two_columns import LINE, ROW, Example, TwoColumns, in_columns, telling


def random_columns(rng: Random, fragments: int, pos: int, neg: int) -> list[tuple[int, int]]:
    return [(rng.getrandbits(pos), rng.getrandbits(neg)) for _ in range(fragments)]


def laid_out(columns: list[tuple[int, int]], pos: int, neg: int, width: float = 700) -> TwoColumns:
    texts = [[f"p{number}(A, B),", "q(B)"] for number in range(len(columns))]
    return in_columns(texts, columns, telling(columns, (pos, neg), 30), width)


def crossings(columns: list[tuple[int, int]], examples: list[Example]) -> int:
    """Of the lines to the examples of a label, in this order."""
    edges = [
        (left, place, example.label)
        for left, (pos, neg) in enumerate(columns)
        for place, example in enumerate(examples)
        if (pos if example.label == "pos" else neg) >> example.number & 1
    ]
    return sum(
        one[2] == other[2] and (one[0] - other[0]) * (one[1] - other[1]) < 0
        for one, other in combinations(edges, 2)
    )


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("width", [340, 700, 1_000])
def test_nothing_overlaps_and_positives_stand_above_negatives(seed: int, width: float) -> None:
    rng = Random(seed)
    pos, neg = rng.randint(0, 60), rng.randint(0, 60)
    columns = random_columns(rng, rng.randint(1, 12), pos, neg)
    layout = laid_out(columns, pos, neg, width)
    assert 0 < layout.start < layout.end < layout.width
    for above, below in pairwise(layout.left):
        assert above.y + above.height < below.y
    assert all(left.height == LINE * (len(left.lines) + 1) for left in layout.left)
    rows = [(row.y, row.example.label) for row in layout.right] + [(y, "title") for _, y in layout.titles]
    rows.sort()
    assert all(below[0] - above[0] >= ROW for above, below in pairwise(rows))
    labels = [row.example.label for row in layout.right]
    assert labels == sorted(labels, reverse=True)
    last = max([left.y + left.height for left in layout.left] + [row.y for row in layout.right])
    assert last <= layout.height


@pytest.mark.parametrize("seed", range(20))
def test_examples_are_ordered_so_that_lines_cross_less(seed: int) -> None:
    rng = Random(seed)
    columns = random_columns(rng, 5, 15, 15)
    examples = telling(columns, (15, 15), 30)
    ordered = [row.example for row in laid_out(columns, 15, 15).right]
    assert sorted(ordered, key=examples.index) == examples
    assert crossings(columns, ordered) < crossings(columns, examples)


def test_a_fragment_more_leaves_the_others_in_their_order() -> None:
    columns = random_columns(Random(1), 4, 20, 20)
    before, after = (laid_out(shown, 20, 20) for shown in (columns[:3], columns))
    assert [left.lines for left in after.left][:3] == [left.lines for left in before.left]


def test_few_examples_are_all_shown() -> None:
    shown = telling([(0b101, 0b01)], (3, 2), 30)
    assert sorted((each.label, each.number) for each in shown) == [
        ("neg", 0), ("neg", 1), ("pos", 0), ("pos", 1), ("pos", 2),
    ]  # fmt: skip
    assert not any(each.alike for each in shown)


@pytest.mark.parametrize("counts", [(10_000, 10_000), (40, 0), (0, 40), (29, 3), (1, 500)])
def test_of_many_examples_each_sort_is_shown_and_counted(counts: tuple[int, int]) -> None:
    rng = Random(3)
    columns = random_columns(rng, 3, *counts)
    shown = telling(columns, counts, 30)
    assert len(shown) <= 30
    for side, label in enumerate(("pos", "neg")):
        of_label = [each for each in shown if each.label == label]
        assert len(of_label) + sum(each.alike for each in of_label) == counts[side]
        sorts = {tuple(column[side] >> number & 1 for column in columns) for number in range(counts[side])}
        assert {tuple(column[side] >> each.number & 1 for column in columns) for each in of_label} == sorts


def test_long_texts_are_cut_to_their_room() -> None:
    columns = in_columns([["p" * 500, "q" * 500]], [(1, 1)], [Example("pos", 0)], 400)
    assert all(len(line) < 40 for line in columns.left[0].lines)
    assert columns.start < 220
