"""A task with some of its examples, as cross-validation wants it."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from sklearn.model_selection import StratifiedKFold

from joiner_magic import JoinerError, learn, read_task

TASK = read_task(
    "red(a). red(b). red(c). blue(x). blue(y). blue(z).",
    "pos(f(a)). neg(f(x)). pos(f(b)). neg(f(y)). pos(f(c)). neg(f(z)).",
)


def test_positive_examples_are_numbered_before_negative_ones() -> None:
    assert TASK.examples.labels == (True, True, True, False, False, False)
    assert TASK.subset([4, 2]).examples.to_text() == "pos(f(c)).\nneg(f(y)).\n"


def test_an_example_is_taken_once() -> None:
    assert TASK.subset([0, 3, 0]) == TASK.subset([0, 3])


@pytest.mark.parametrize("number", [6, -1])
def test_a_number_that_no_example_has_is_an_error(number: int) -> None:
    with pytest.raises(JoinerError, match=f"there is no example {number}; they are numbered 0 to 5"):
        TASK.subset([0, number])


@pytest.mark.parametrize(
    "mask", [[True, False, False, True, False, False], numpy.array([True] * 6), [1.5], "12"]
)
def test_a_mask_is_not_taken_for_numbers(mask: Any) -> None:
    with pytest.raises(JoinerError, match="is no number of an example; give whole numbers, and no mask"):
        TASK.subset(mask)


def test_negative_examples_alone_measure_but_teach_nothing() -> None:
    negative = TASK.subset([3, 4])
    assert learn(TASK).score(negative).tn == 2
    with pytest.raises(JoinerError, match="there is no positive example to learn from"):
        learn(negative)


def test_a_splitter_of_scikit_learn_makes_tasks_to_learn_from_and_to_measure_on() -> None:
    labels = TASK.examples.labels
    measured = []
    for seen, kept in StratifiedKFold(3).split(labels, labels):
        result = learn(TASK.subset(seen))
        measured += [result.score(TASK.subset(kept))]
        assert len(TASK.subset(seen).examples.pos) == 2
    assert [(each.tp, each.tn, each.accuracy) for each in measured] == [(1, 1, 1.0)] * 3
