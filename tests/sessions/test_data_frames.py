"""DataFrames as facts and examples: what is written reads back to the same values."""

from __future__ import annotations

import sys
import time
from datetime import date
from fractions import Fraction
from typing import Any

import numpy
import pandas
import pytest

from joiner_magic.errors import MissingPart, TaskError
from joiner_magic.logic.terms import Compound, Float, Integer, List, Symbol, Term
from joiner_magic.sessions.data_frames import examples_text, facts_text
from joiner_magic.task.examples import read_examples
from joiner_magic.task.reader import PrologText
from joiner_magic.task.task import read_task


def facts(text: str) -> list[Term]:
    heads = [clause.head for clause in PrologText.read(text).clauses()]
    return [head for head in heads if head is not None]


def only_values(*values: Any, dtype: Any = None) -> list[Term]:
    """The arguments of the facts of a frame with one column."""
    frame = pandas.DataFrame({"x": pandas.Series(list(values), dtype=dtype)})
    found: list[Term] = []
    for fact in facts(facts_text(frame, "p")):
        assert isinstance(fact, Compound)
        found += fact.args
    return found


HOSTILE = [
    "New York", "it's", "Upper", "_x", "", "<script>alert(1)</script>", "a\\b", "two\nlines", "`${x}`", "ñandú",
    "日本", "\u202etfel-ot-thgir", "x" * 5_000, "p(X) :- q(X).", "% no comment", "/*", "[]", "{}", "-", "1", "\x07",
]  # fmt: skip


def test_texts_read_back_as_constants() -> None:
    assert only_values(*HOSTILE) == [Symbol(text) for text in HOSTILE]


def test_numbers_stay_numbers() -> None:
    assert only_values(1, -2, 10**30, dtype=object) == [Integer(1), Integer(-2), Integer(10**30)]
    assert only_values(1.5, -0.0, 1e22) == [Float(1.5), Float(-0.0), Float(1e22)]
    assert only_values(True, False) == [Symbol("true"), Symbol("false")]


def test_values_that_python_calls_equal_stay_apart() -> None:
    values = only_values(1, True, 1.0, "1", dtype=object)
    assert values == [Integer(1), Symbol("true"), Float(1.0), Symbol("1")]


@pytest.mark.parametrize(
    ("dtype", "values", "expected"),
    [
        ("category", ["b", "a", "b"], [Symbol("b"), Symbol("a"), Symbol("b")]),
        ("Int64", [1, 2], [Integer(1), Integer(2)]),
        ("boolean", [True, False], [Symbol("true"), Symbol("false")]),
        ("string", ["a", "B"], [Symbol("a"), Symbol("B")]),
        ("float32", [0.5], [Float(0.5)]),
        ("uint8", [255], [Integer(255)]),
    ],
)
def test_dtypes(dtype: str, values: list[Any], expected: list[Term]) -> None:
    assert only_values(*values, dtype=dtype) == expected


def test_values_of_numpy_in_a_column_of_objects() -> None:
    values = only_values(numpy.int64(3), numpy.bool_(True), numpy.float32(0.5), dtype=object)
    assert values == [Integer(3), Symbol("true"), Float(0.5)]


def test_dates_are_called_by_their_text_and_lists_are_lists() -> None:
    assert only_values(date(2024, 5, 1), dtype=object) == [Symbol("2024-05-01")]
    assert only_values(pandas.Timestamp("2024-05-01 10:00")) == [Symbol("2024-05-01 10:00:00")]
    assert only_values([1, "a"], (), dtype=object) == [
        List((Integer(1), Symbol("a")), Symbol("[]")),
        Symbol("[]"),
    ]


def test_columns_in_the_order_asked_for() -> None:
    frame = pandas.DataFrame({"a": [1], "b": [2], "c": [3]})
    assert facts_text(frame, "p") == "p(1, 2, 3).\n"
    assert facts_text(frame, "p", ["c", "a"]) == "p(3, 1).\n"
    assert facts_text(frame, "Odd name", "b") == "'Odd name'(2).\n"


@pytest.mark.parametrize("name", ["+", "dynamic", "[]", "p q", "<b>"])
def test_any_name_of_a_predicate_reads_back(name: str) -> None:
    (fact,) = facts(facts_text(pandas.DataFrame({"a": [1], "b": [2]}), name))
    assert fact == Compound(name, (Integer(1), Integer(2)))


@pytest.mark.parametrize(
    "labels",
    [
        [True, False],
        [1, 0],
        [1.0, 0.0],
        ["pos", "neg"],
        ["+", "-"],
        ["POS", " neg "],
        pandas.array([True, False]),
    ],
)
def test_labels(labels: Any) -> None:
    frame = pandas.DataFrame({"x": ["a", "B"], "label": labels})
    examples, _ = read_examples(examples_text(frame, "f", "label"))
    assert examples.pos == (Compound("f", (Symbol("a"),)),)
    assert examples.neg == (Compound("f", (Symbol("B"),)),)


def test_a_task_from_two_frames() -> None:
    parts = pandas.DataFrame({"whole": ["car", "car"], "part": ["wheel", "door"]})
    labelled = pandas.DataFrame({"ok": [1, 0], "thing": ["car", "tree"]})
    task = read_task(facts_text(parts, "has"), examples_text(labelled, "vehicle", "ok"))
    assert task.background.facts == 2
    assert (len(task.examples.pos), len(task.examples.neg)) == (1, 1)


@pytest.mark.parametrize("nothing", [None, float("nan"), pandas.NA, pandas.NaT])
def test_a_missing_value_is_named(nothing: Any) -> None:
    frame = pandas.DataFrame({"a": ["x", nothing]}, index=["first", "second"])
    with pytest.raises(TaskError, match=r"no value in row 1 \(index 'second'\), column 'a'"):
        facts_text(frame, "p")


@pytest.mark.parametrize("bad", ["maybe", 2, [1]])
def test_a_label_that_is_none_is_named(bad: Any) -> None:
    frame = pandas.DataFrame({"x": [1, 2], "y": pandas.Series([True, bad], dtype=object)})
    with pytest.raises(TaskError, match=r"in row 1, column 'y' is no label"):
        examples_text(frame, "f", "y")


def test_mistakes_are_named() -> None:
    frame = pandas.DataFrame({"colour": ["red"]})
    with pytest.raises(TaskError, match="did you mean colour"):
        facts_text(frame, "p", ["color"])
    with pytest.raises(TaskError, match="no column"):
        examples_text(frame, "p", "label")
    with pytest.raises(TaskError, match="not from list"):
        examples_text([1], "p", "label")
    with pytest.raises(TaskError, match="no column to take arguments from"):
        examples_text(frame, "p", "colour")
    with pytest.raises(TaskError, match="not the name"):
        facts_text(frame, "")
    with pytest.raises(TaskError, match="not from dict"):
        facts_text({"colour": ["red"]}, "p")
    twice = pandas.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(TaskError, match="2 columns 'a'"):
        facts_text(twice, "p")


def test_without_pandas_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPart, match=r"pip install joiner-magic\[frames\]"):
        facts_text(object(), "p")


def test_no_rows_make_no_facts() -> None:
    assert facts_text(pandas.DataFrame({"a": []}), "p") == ""


def test_many_rows_are_quick() -> None:
    rows = 100_000
    frame = pandas.DataFrame(
        {"id": range(rows), "name": [f"n{i % 1000}" for i in range(rows)], "x": [0.5] * rows}
    )
    began = time.process_time()
    text = facts_text(frame, "row")
    assert time.process_time() - began < 3  # about half a second where the machine is not busy
    assert text.count("\n") == rows


def test_a_column_of_weights_is_exact() -> None:
    frame = pandas.DataFrame({"x": ["a", "b", "c"], "w": [0.1, 2.0, 1e-3], "label": [1, 0, 1]})
    examples, _ = read_examples(examples_text(frame, "f", "label", weight="w"))
    assert examples.predicate.arity == 1  # the weight is no argument
    assert examples.pos_weights == (Fraction(1, 10), Fraction(1, 1000))
    assert examples.neg_weights == (Fraction(2),)
    whole = pandas.DataFrame({"x": ["a"], "w": [10**20 + 1], "label": [1]})
    assert read_examples(examples_text(whole, "f", "label", weight="w"))[0].pos_weights == (
        Fraction(10**20 + 1),
    )


@pytest.mark.parametrize("value", [0, -1, 0.0, -0.5, float("inf"), "3", True])
def test_what_is_no_weight_in_a_frame(value: object) -> None:
    frame = pandas.DataFrame({"x": ["a"], "w": [value], "label": [1]})
    with pytest.raises(TaskError, match=r"in row 0, column 'w' is (no number|not above 0)"):
        examples_text(frame, "f", "label", weight="w")
