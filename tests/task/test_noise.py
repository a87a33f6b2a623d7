"""The directive `noisy`: what errors cost, exactly as a bias says it."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest

from joiner_magic.errors import JoinerError, TaskError
from joiner_magic.sessions.session import Session
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.task.bias import BIAS_ORDERS
from joiner_magic.task.noise import BALANCED, Noise
from joiner_magic.task.orders import EQUAL
from joiner_magic.task.task import Task, read_task
from joiner_magic.task.task_json import task_from_json, task_to_json
from seeds import SEEDS
from task.mutations import check_refusal

BK = "q(a). q(b)."
BOTH = "pos(f(a)).\nneg(f(a)).\nneg(f(b))."
BIAS = "head_pred(f,1). body_pred(q,1).\n"


def read(noisy: str, examples: str = BOTH) -> Task:
    return read_task(BK, examples, BIAS + noisy)


@pytest.mark.parametrize(
    ("said", "noise", "written"),
    [
        ("noisy.", Noise(), "noisy."),
        ("noisy(1).", Noise(), "noisy."),
        ("noisy. noisy(1,1).", Noise(), "noisy."),
        ("noisy(2,3).", Noise(Fraction(2), Fraction(3)), "noisy(2,3)."),
        ("noisy(2147483647).", Noise(Fraction(2147483647), Fraction(2147483647)), "noisy(2147483647)."),
        (
            "noisy(99999999999.5,0.99999999999).",
            Noise(Fraction(199999999999, 2), Fraction("0.99999999999")),
            "noisy(99999999999.5,0.99999999999).",
        ),
        ("noisy( 0.1 , 12.75 ).", Noise(Fraction(1, 10), Fraction(51, 4)), "noisy(0.1,12.75)."),
        ('noisy("1/3").', Noise(Fraction(1, 3), Fraction(1, 3)), 'noisy("1/3").'),
        ('noisy("9999999999").', Noise(Fraction(9999999999), Fraction(9999999999)), 'noisy("9999999999").'),
        ("noisy(balanced).", BALANCED, "noisy(balanced)."),
        ("noisy(X) :- X = 2.", Noise(Fraction(2), Fraction(2)), "noisy(2)."),
    ],
)
def test_prices_are_read_and_written_exactly(said: str, noise: Noise, written: str) -> None:
    task = read(said)
    assert task.bias.noise == noise
    assert not task.notes
    assert written in task.bias.to_text().splitlines()
    again = task_from_json(json.loads(json.dumps(task_to_json(task))))
    assert (again.bias, again.examples) == (task.bias, task.examples)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("noisy(0).", "0 is not above 0"),
        ("noisy(0.0).", "0.0 is not above 0"),
        ("noisy(-1).", "-1 is not above 0"),
        ("noisy(1,0).", "0 is not above 0"),
        ("noisy(cheap).", "cheap is no number"),
        ("noisy(balanced,1).", "balanced is no number"),
        ("noisy(f(1)).", "is no number"),
        ('noisy("").', "is no number"),
        ('noisy("1e999999999").', "has too many digits"),
        ('noisy("1/0").', "is no number"),
        ("noisy(4294967298).", "a number above 2147483647"),
        ("noisy(1.5,99999999999999999999).", "a number above 2147483647"),
        ("noisy(1,2,3).", "noisy with 3 arguments"),
        ("noisy(1..2).", "noisy is given twice"),
        ("noisy.  noisy(2).", "noisy is given twice: noisy in line 2, here noisy(2)"),
        ("noisy(X).", "X is a variable"),
        ("noisy(0.5.1).", ""),
        ("noisy(.5).", ""),
        ("noisy(0.5", ""),
    ],
)
def test_what_is_no_price(said: str, problem: str) -> None:
    with pytest.raises(JoinerError) as caught:
        read(said)
    error = caught.value
    assert problem in error.message
    assert "\n" not in error.message
    assert error.place is not None
    assert error.place.line == 2
    assert said.splitlines()[0] in error.place.caret()  # the line as it was written


def test_large_numbers_elsewhere_are_refused_too() -> None:
    with pytest.raises(JoinerError, match="a number above 2147483647") as caught:
        read("max_body(4294967298).")  # clingo reads a 2
    assert str(caught.value.place) == "bias:2:10"
    read("% 4294967298\nx4294967298.", "pos(f(a)).")


def test_decimals_elsewhere_are_refused_as_before() -> None:
    with pytest.raises(JoinerError, match="is not expected here"):
        read("max_vars(0.5).")


def test_only_a_noisy_bias_takes_contradictory_examples() -> None:
    assert read("noisy.").examples.contradictions
    with pytest.raises(TaskError, match="f\\(a\\) is neg here but pos in line 1") as caught:
        read("")
    assert str(caught.value.place) == "exs:2:5"
    overridden = read_task(BK, BOTH, BIAS + "noisy.", overriding=AspText("noisy(3).", "run"))
    assert overridden.bias.noise == Noise(Fraction(3), Fraction(3))


def test_a_session_takes_a_contradiction_and_an_exact_run_refuses_it() -> None:
    session = Session()
    session.bk(BK)
    assert not session.examples("pos(f(a)). pos(f(a)).").notes[1:]
    reply = session.examples("\nneg(f(a)).")
    assert reply.totals == "1 positive, 1 negative"
    (note,) = reply.notes
    assert str(note) == "examples:2:5: f(a) is neg here but pos in line 1: this takes learning with noise"
    assert not session.examples("neg(f(b)).").notes  # which contradicts nothing
    for learn in (session.learn, session.task):
        with pytest.raises(TaskError, match="f\\(a\\) is neg here but pos in line 1") as caught:
            learn()
        assert str(caught.value.place) == "examples:2:5"
    assert not session.runs
    assert session.learn(noise=True).task.examples.pos_weights == (Fraction(2),)
    session.bias("noisy(2).")
    assert session.task().bias.noise == Noise(Fraction(2), Fraction(2))
    with pytest.raises(TaskError, match="f\\(a\\) is neg here"):
        session.learn(noise=False)


def test_held_out_examples_may_contradict_each_other_where_errors_are_allowed() -> None:
    session = Session()
    session.bk(BK + " r(c).")
    session.examples("pos(f(a)). pos(f(a)). pos(f(a)). neg(f(c)).")
    session.examples("pos(f(b)). neg(f(b)).", test=True)
    with pytest.raises(TaskError, match="f\\(b\\) is neg here but pos"):
        session.learn()
    test = session.learn(noise=True).test
    assert test is not None
    assert (test.tp, test.fp) == (1, 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_any_text_as_a_price_is_read_or_refused_in_one_line(seed: int) -> None:
    rng = Random(seed)
    pieces = [
        "0",
        "1",
        "9",
        ".",
        "e",
        "-",
        "/",
        ",",
        "(",
        ")",
        " ",
        "nan",
        "balanced",
        "X",
        '"',
        "é",
        "..",
        ";",
    ]
    for _ in range(300):
        price = "".join(rng.choices(pieces, k=rng.randint(1, 5)))
        text = f"{BIAS}noisy({price})."
        try:
            task = read_task(BK, BOTH, text)
        except JoinerError as error:
            check_refusal(text, error)
        else:
            assert task.bias.noise is not None


def test_balanced_prices_make_both_labels_as_dear() -> None:
    examples = read("noisy.", "pos(f(a),3). neg(f(b),0.5). neg(f(c),0.5).").examples
    missed, wrong = BALANCED.prices(examples)
    assert (missed, wrong) == (Fraction(2, 3), Fraction(2))
    assert missed * 3 + wrong * 1 == 4  # as at prices of 1
    assert BALANCED.prices(read("noisy.", "pos(f(a)).").examples) == (Fraction(1), Fraction(1))
    assert Noise(Fraction(2), Fraction(5)).prices(examples) == (Fraction(2), Fraction(5))


@pytest.mark.parametrize("price", [Fraction(0), Fraction(-1)])
def test_prices_are_above_zero(price: Fraction) -> None:
    with pytest.raises(ValueError, match="above 0"):
        Noise(price)
    with pytest.raises(ValueError, match="above 0"):
        Noise(wrong=price)


def test_runs_at_other_prices_are_not_compared() -> None:
    order = BIAS_ORDERS["noise"]
    assert order is EQUAL
    exact, noisy = read("", "pos(f(a)).").bias, read("noisy.").bias
    assert not order.is_narrower("noise", exact, noisy)
    assert order.is_narrower("noise", noisy, read("noisy(1).").bias)
