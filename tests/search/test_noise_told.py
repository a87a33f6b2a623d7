"""What a result says of itself where errors have a price: cost, scores, errors by name, and why nothing was learnt."""

from __future__ import annotations

from typing import Any

import pytest

from joiner_magic import learn, read_task
from joiner_magic.engines.narrate import narrate
from joiner_magic.search.outcome.prediction import measured
from joiner_magic.search.outcome.result import Result
from search.noisy_task import RULE, noisy_task

TOO_FEW = read_task("red(a). red(b). blue(c).", "pos(f(a)). pos(f(b)). neg(f(c)).")
OUT_OF_REACH = read_task("red(a). q(z).", "pos(f(a)). neg(f(z)).", "head_pred(f,1). body_pred(q,1).")


@pytest.fixture(scope="module")
def result() -> Result:
    return learn(noisy_task(), noise=True)


def test_the_cost_and_the_score_are_told(result: Result) -> None:
    first, rule, training = str(result).splitlines()
    assert first.startswith("optimal solution, 1 rule, 3 literals, cost 5: ")
    assert rule.strip() == RULE
    assert training.startswith(
        "covers 7 of 8 positive and 1 of 8 negative examples; accuracy 87.5%, balanced 87.5%; "
    )


def test_held_out_scores_are_told_of_partial_hypotheses_too(result: Result) -> None:
    held_out = read_task(noisy_task().background.sources, "pos(grows(d2)). neg(grows(d9)). neg(grows(d8)).")
    score = "held out: covers 1 of 1 positive and 1 of 2 negative examples; accuracy 66.7%, balanced 75.0%"
    assert score in str(measured(result, held_out)).splitlines()
    partial = learn(
        read_task("red(a). red(b). blue(c). blue(d).", "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)).")
    )
    assert partial.status == "none"
    elsewhere = read_task("red(a). red(b). blue(c). blue(d).", "pos(f(a)). pos(f(c)). neg(f(d)).")
    assert "accuracy 66.7%, balanced 75.0%" in str(measured(partial, elsewhere))
    assert "accuracy 75.0%, balanced 83.3%; " in str(partial)  # on the examples it was learnt from


@pytest.mark.parametrize(
    ("atom", "told"),
    [
        ("grows(d8)", "grows(d8) is covered, although it is a negative example:"),
        ("grows(d16)", "grows(d16) is not covered, although it is a positive example:"),
        ("grows(d1)", "grows(d1) is covered:"),
        ("grows(d9)", "grows(d9) is not covered:"),
        ("grows(d17)", "grows(d17) is not covered:"),
    ],
)
def test_an_explanation_says_that_the_hypothesis_is_wrong(result: Result, atom: str, told: str) -> None:
    first, second, *_ = narrate(result.explain(atom)).splitlines()
    assert first == told
    assert RULE in second


@pytest.mark.parametrize(
    ("prices", "wanted", "also"),
    [
        ({"noise": True}, "its literals and errors", "try          a higher price"),
        ({"missed": 1}, "a rule may cover no negative example", "try          a price for covered negative"),
    ],
)
def test_nothing_pays(prices: dict[str, Any], wanted: str, also: str) -> None:
    told = str(learn(TOO_FEW, **prices))
    assert told.startswith("nothing learnt: no hypothesis of the space is cheaper than to learn nothing")
    assert "to learn nothing costs 2; no hypothesis costs less" in told
    assert wanted in told
    assert also in told
    assert ": there is 2 for all 2 positive examples" in told
    for untrue in ("no help", "impossible", "were not tried"):
        assert untrue not in told


def test_few_positives_among_many_negatives_need_balanced_prices() -> None:
    facts = "".join(f"red(a{i}). " for i in range(8)) + "".join(f"blue(b{i}). " for i in range(40))
    labels = "pos(f(a0)). pos(f(a1)). pos(f(a2)). pos(f(a3)). neg(f(a4)). neg(f(a5)). neg(f(a6)). "
    task = read_task(facts, labels + "".join(f"neg(f(b{i})). " for i in range(40)))
    advice = "try          --noise balanced: there are far more negative than positive examples"
    assert advice in str(learn(task, noise=True, timeout=60)).splitlines()
    assert learn(task, noise="balanced", timeout=60).rules == ["f(A) :- red(A)."]
    assert advice not in str(learn(TOO_FEW, noise=True, timeout=60))


def test_what_no_rule_covers_is_told_without_a_word_about_negatives() -> None:
    result = learn(OUT_OF_REACH, wrong=1, advise=False)
    told = str(result)
    assert told.startswith("no solution: no rule of the space covers 1 positive example\n")
    assert "impossible   no rule covers these: 1: f(a)" in told
