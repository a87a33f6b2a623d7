"""Examples with weights, exactly as texts give them, and examples that contradict each other."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from joiner_magic.errors import JoinerError, TaskError
from joiner_magic.logic.terms import Compound, Predicate, Symbol
from joiner_magic.task.exact_numbers import ONE, NotExact, read_exact, write_exact
from joiner_magic.task.examples import Examples, collect_examples, read_examples, refuse_contradictions
from joiner_magic.task.folder import load_task, save_task
from joiner_magic.task.held_out import load_held_out
from joiner_magic.task.reader import PrologText
from joiner_magic.task.task import read_task
from joiner_magic.task.task_json import task_from_json, task_to_json
from seeds import SEEDS
from task.mutations import check_refusal

A, B, C = (Compound("f", (Symbol(name),)) for name in "abc")
F = Predicate("f", 1)
BK = "q(a). q(b)."
CONTRADICTORY = "pos(f(a)).\npos(f(b)).\n neg(f(a)).\nneg(f(b))."


@pytest.mark.parametrize(
    ("written", "weight"),
    [
        ("3", Fraction(3)),
        ("0.5", Fraction(1, 2)),
        ("0.1", Fraction(1, 10)),
        ("0.30000000000000004", Fraction(30000000000000004, 10**17)),
        ("1.50e2", Fraction(150)),
        ("1.0E-3", Fraction(1, 1000)),
        ("1e3", Fraction(1000)),
        ("1_000.5", Fraction(2001, 2)),
        ("1/3", Fraction(1, 3)),
        ("(0.1)", Fraction(1, 10)),
        ("0x10", Fraction(16)),
        ("123456789012345678901234567890", Fraction(123456789012345678901234567890)),
    ],
)
def test_a_weight_is_the_number_that_is_written(written: str, weight: Fraction) -> None:
    text = f"% é\npos(f('é'), 2). pos(f(a),\n\t{written}).\r\nneg(f(b), {written})."
    examples, _ = read_examples(text)
    assert examples.pos_weights == (Fraction(2), weight)
    assert examples.neg_weights == (weight,)
    assert all(isinstance(each, Fraction) for each in examples.pos_weights)
    assert read_examples(examples.to_text())[0] == examples


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("0", "0 is not above 0"),
        ("0.0", "0.0 is not above 0"),
        ("-1", "-1 is not above 0"),
        ("-0.5", "-0.5 is not above 0"),
        ("- 2", "is no number"),
        ("-0.0", "-0.0 is not above 0"),
        ("1/0", "is no number"),
        ("-1/3", "is not above 0"),
        ("1.0Inf", "is no number"),
        ("1.5NaN", "is no number"),
        ("X", "X is no number"),
        ("many", "many is no number"),
        ('"3"', '"3" is no number'),
        ("[1]", "[1] is no number"),
        ("1+1", "is no number"),
        ("f(a)", "f(a) is no number"),
        ("1.0e-999999999", "has too many digits"),
        ("1.0e300", "has too many digits"),
        ("9" * 61, "has too many digits"),
        ("0." + "1" * 300, "has too many digits"),
    ],
)
def test_what_is_no_weight(written: str, problem: str) -> None:
    with pytest.raises(TaskError) as caught:
        read_examples(f"pos(f(a)).\npos(f(b), {written}).")
    error = caught.value
    assert problem in error.message
    assert "\n" not in error.message
    assert len(error.message) < 150
    assert "above 0" in error.remedy
    assert error.place is not None
    assert str(error.place) in ("exs:2:11", "exs:2:13")  # that of -1/3 is its operator's argument
    assert "^" in error.place.caret()


def test_repeated_examples_count_as_often_as_they_are_said() -> None:
    examples, notes = read_examples("pos(f(a)). pos(f(b),0.5). neg(f(c)). pos(f(a),0.25). pos(f(a)).")
    assert examples.pos == (A, B)
    assert examples.neg == (C,)
    assert examples.pos_weights == (Fraction(9, 4), Fraction(1, 2))
    assert examples.neg_weights == (ONE,)
    assert [note.message for note in notes] == [
        "f(a) and 1 more given again: each example counts once",
        "weights count only where errors are allowed: noisy. in the bias, or the option noise",
    ]
    assert str(notes[1].place) == "exs:1:21"
    assert read_examples("pos(f(a)). pos(f(a)).", noise=True)[1] == ()


def test_a_sum_with_too_many_digits_is_refused() -> None:
    text = "".join(f"pos(f(a), 1/{10**50 + number}).\n" for number in (1, 3))
    with pytest.raises(TaskError, match="taken together, has too many digits") as caught:
        read_examples(text)
    assert str(caught.value.place) == "exs:2:5"


def test_examples_without_weights_are_as_before() -> None:
    examples, notes = read_examples("pos(f(a)). neg(f(b)).")
    assert examples == Examples((A,), (B,), F)
    assert examples.weights == ()
    assert (examples.pos_weights, examples.neg_weights) == ((ONE,), (ONE,))
    assert examples.to_text() == "pos(f(a)).\nneg(f(b)).\n"
    assert not notes


def test_weights_that_are_all_one_make_no_difference() -> None:
    assert Examples((A,), (B,), F, weights=(Fraction(1), Fraction(1))) == Examples((A,), (B,), F)
    assert read_examples("pos(f(a),1). neg(f(b),1.0).")[0] == Examples((A,), (B,), F)
    assert Examples((A,), (B,), F, weights=(Fraction(2), Fraction(1))) != Examples((A,), (B,), F)


@pytest.mark.parametrize("weights", [(Fraction(1),), (Fraction(2), Fraction(0)), (Fraction(-1), Fraction(1))])
def test_weights_must_fit_the_examples(weights: tuple[Fraction, ...]) -> None:
    with pytest.raises(ValueError, match="weight"):
        Examples((A,), (B,), F, weights=weights)


def test_a_subset_keeps_its_weights() -> None:
    examples, _ = read_examples("pos(f(a),2). pos(f(b),3). neg(f(c),4).")
    chosen = examples.subset([1, 2])
    assert (chosen.pos, chosen.pos_weights, chosen.neg_weights) == ((B,), (Fraction(3),), (Fraction(4),))


def test_files_keep_weights(tmp_path: Path) -> None:
    task = read_task(BK, "pos(f(a),0.1). neg(f(b),1/3). neg(f(b)).")
    assert task.examples.neg_weights == (Fraction(4, 3),)
    assert task_from_json(json.loads(json.dumps(task_to_json(task)))).examples == task.examples
    save_task(task, tmp_path)
    assert load_task(tmp_path).examples == task.examples


def test_contradictory_examples_are_refused_unless_errors_are_allowed(tmp_path: Path) -> None:
    for read in (read_examples, lambda text: read_task(BK, text)):
        with pytest.raises(TaskError, match="f\\(a\\) is neg here but pos in line 1") as caught:
            read(CONTRADICTORY)
        assert str(caught.value.place) == "exs:3:6"
    task = read_task(BK, CONTRADICTORY, noise=True)
    assert task.examples.pos == task.examples.neg == (A, B)
    (tmp_path / "bk.pl").write_text(BK)
    (tmp_path / "exs.pl").write_text(CONTRADICTORY)
    with pytest.raises(TaskError, match="f\\(a\\) is neg here"):
        load_task(tmp_path)
    assert load_task(tmp_path, noise=True) == task
    with pytest.raises(TaskError, match="f\\(a\\) is neg here"):
        load_held_out(tmp_path, task)
    assert load_held_out(tmp_path, task, noise=True).examples == task.examples


def test_a_task_for_noise_is_refused_where_errors_are_not_allowed() -> None:
    task = read_task(BK, CONTRADICTORY, noise=True)
    with pytest.raises(TaskError) as caught:
        refuse_contradictions(task.examples)
    assert str(caught.value.place) == "exs:3:6"
    assert "noisy." in caught.value.remedy
    with pytest.raises(TaskError) as caught:
        refuse_contradictions(task.examples.subset([0, 1, 3]))  # without the negative f(a)
    assert str(caught.value.place) == "exs:4:5"
    refuse_contradictions(task.examples.subset([0, 3]))
    with pytest.raises(TaskError, match="f\\(b\\) is both pos and neg"):
        refuse_contradictions(Examples((A, B), (C, B), F))


def test_texts_that_contradict_each_other_name_both() -> None:
    sources = [PrologText.read("pos(f(a)).", "one"), PrologText.read("neg(f(a)).", "two")]
    with pytest.raises(TaskError, match="f\\(a\\) is neg here but pos in line 1 of one"):
        collect_examples(sources)
    found, _ = collect_examples(sources, noise=True)
    assert [(each.label, each.atom) for each in found.values()] == [("pos", A), ("neg", A)]


@pytest.mark.parametrize("seed", SEEDS)
def test_exact_numbers_are_written_and_read_back(seed: int) -> None:
    rng = Random(seed)
    for _ in range(300):
        number = Fraction(
            rng.randint(1, 10 ** rng.randint(1, 20)), rng.choice([1, 2, 10, 125, 10**9, 3, 7, 640])
        )
        assert read_exact(write_exact(number)) == number


@pytest.mark.parametrize("seed", SEEDS)
def test_any_text_is_a_number_above_zero_or_refused(seed: int) -> None:
    rng = Random(seed)
    taken = 0
    for _ in range(3000):
        text = "".join(rng.choice("0123456789.eE+-/ _x٣") for _ in range(rng.randint(0, 8)))
        try:
            number = read_exact(text)
        except NotExact:
            continue
        assert number > 0
        assert number == Fraction(text.replace(" ", ""))
        taken += 1
    assert taken > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_any_text_as_a_weight_is_read_or_refused_in_one_line(seed: int) -> None:
    rng = Random(seed)
    pieces = [
        "0",
        "1",
        "9",
        "12",
        ".",
        "e",
        "E",
        "+",
        "-",
        "/",
        "_",
        " ",
        "nan",
        "inf",
        "X",
        "'",
        '"',
        "é",
        "0x",
        "0'",
    ]
    for _ in range(1_000):
        weight = "".join(rng.choices(pieces, k=rng.randint(1, 5)))
        text = f"pos(f(a)).\npos(f(b), {weight})."
        try:
            examples, _ = read_examples(text)
        except JoinerError as error:
            check_refusal(text, error)
        else:
            assert examples.pos_weights[-1] > 0
