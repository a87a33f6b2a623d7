"""Size against errors: each point is counted anew by an engine, and none is dominated."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from joiner_magic import Result, choose_engine, learn, load_result, load_task, read_task, save_result
from joiner_magic.errors import TaskError
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.outcome.tradeoff import Tradeoff, TradeoffPoint
from joiner_magic.search.outcome.tradeoff_plot import plot_tradeoff
from search.learning_tasks import random_learning_task
from search.priced_tasks import PricedTask

EXAMPLES = Path(__file__).parents[2] / "joiner_magic" / "examples"
BACKGROUND = """
wet(d1). warm(d1). wet(d2). warm(d2). wet(d3). warm(d3). wet(d4). warm(d4). wet(d5). cold(d5). dry(d6). warm(d6).
dry(d7). cold(d7). dry(d8). cold(d8).
"""
LABELS = "pos(g(d1)). pos(g(d2)). pos(g(d3)). neg(g(d4)). neg(g(d5)). neg(g(d6)). neg(g(d7)). pos(g(d8))."


def check(result: Result) -> Tradeoff:
    """Count every point by an engine, and compare it with those before it and with the result."""
    tradeoff = result.tradeoff()
    told = f"{result}\n{tradeoff}"
    first, *others = tradeoff
    assert (first.size, first.hypothesis, first.wrong) == (0, None, 0), told
    sizes = [point.size for point in tradeoff]
    assert sizes == sorted(set(sizes)), told
    for point in others:
        recount(result, point)
    errors = [dearness(result, point) for point in tradeoff]
    assert errors == sorted(set(errors), reverse=True), told
    if result.hypothesis is not None and result.cost is not None:
        known = tradeoff[result.size]
        assert known.cost is not None, told
        assert known.cost <= result.cost, told
    return tradeoff


def recount(result: Result, point: TradeoffPoint) -> None:
    """What a point claims is what an engine counts of its program."""
    assert point.hypothesis is not None
    assert point.hypothesis.size == point.size
    examples = result.task.examples
    with choose_engine(result.task, result.engine).engine as engine:
        (evaluation,) = engine.evaluate([point.hypothesis])
    pos, neg = evaluation.pos, evaluation.neg or 0
    assert (point.confusion.tp, point.wrong) == (pos.bit_count(), neg.bit_count()), point
    missed = sum(weight for i, weight in enumerate(examples.pos_weights) if not pos >> i & 1)
    wrong = sum(weight for i, weight in enumerate(examples.neg_weights) if neg >> i & 1)
    assert point.cost == result.objective.cost(point.size, missed, wrong), point
    assert point.cost is None or point.price == point.cost - point.size


def dearness(result: Result, point: TradeoffPoint) -> tuple[int, Fraction | int]:
    """Errors that are not allowed first, and then what the others cost."""
    forbidden = 0 if result.objective.allows_missed else point.missed
    forbidden += 0 if result.objective.allows_wrong else point.wrong
    if forbidden:
        weight = result.objective.wrong or 0
        assert weight in (0, 1), "what the test counts itself"
        return forbidden, point.wrong * weight
    return 0, point.price or 0


@pytest.mark.parametrize("seed", range(40))
def test_points_with_prices_and_weights(seed: int) -> None:
    priced = PricedTask.random(Random(seed))
    check(learn(priced.task(), timeout=60, **priced.prices))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("options", [{}, {"wrong": 1}])
def test_points_of_exact_runs_and_of_runs_in_which_all_must_be_covered(
    seed: int, options: dict[str, Any]
) -> None:
    made = random_learning_task(Random(seed), recursion=seed % 4 == 0)
    task = read_task(made.background, made.examples, made.bias)
    result = learn(task, timeout=60, advise=False, **options)
    tradeoff = check(result)
    if not options:
        assert not any(point.wrong for point in tradeoff)


@pytest.mark.parametrize("name", ["family", "pyramids", "strings"])
def test_points_of_the_examples(name: str) -> None:
    result = learn(load_task(EXAMPLES / name), timeout=60)
    tradeoff = check(result)
    assert tradeoff[result.size].missed == 0


def test_what_is_known_to_be_best_of_each_size() -> None:
    result = learn(read_task(BACKGROUND, LABELS), missed=2, wrong=2, timeout=60)
    tradeoff = check(result)
    by_size = [(point.size, point.missed, point.wrong) for point in tradeoff]
    assert by_size == [(0, 4, 0), (2, 1, 2), (3, 1, 1)]
    assert [point.is_result for point in tradeoff] == [False, False, True]


def test_two_questions_have_the_same_answer() -> None:
    task = load_task(EXAMPLES / "pyramids")
    first, second = (learn(task, noise=True, timeout=60) for _ in range(2))
    assert first.tradeoff() == first.tradeoff() == second.tradeoff()


def test_choosing_a_point() -> None:
    result = learn(read_task(BACKGROUND, LABELS), missed=2, wrong=2, timeout=60)
    tradeoff = result.tradeoff()
    assert tradeoff[1].hypothesis is None
    assert tradeoff[2].rules == ["g(A) :- wet(A)."]
    assert tradeoff[2].to_prolog() == "g(A) :- wet(A).\n"
    assert tradeoff[100].rules == result.rules
    assert tradeoff[2].predict(["g(d5)", "g(d6)"]) == [True, False]
    assert result.predict(["g(d5)", "g(d6)"]) == [False, False]
    score = tradeoff[2].score("pos(g(d5)). neg(g(d6)).")
    assert (score.tp, score.tn) == (1, 1)
    assert tradeoff[0].predict(["g(d5)"]) == [False]
    assert str(tradeoff[2]).startswith("2 literals, cost 8: covers 3 of 4")


@pytest.mark.parametrize("literals", [-1, 1.5, "3", True, None])
def test_a_point_is_chosen_by_a_number_of_literals(literals: Any) -> None:
    tradeoff = learn(read_task(BACKGROUND, LABELS), noise=True, timeout=60).tradeoff()
    with pytest.raises(TaskError, match="no number of literals"):
        tradeoff[literals]


def test_the_table_and_the_picture() -> None:
    tradeoff = learn(read_task(BACKGROUND, LABELS), missed=2, wrong=2, timeout=60).tradeoff()
    lines = str(tradeoff).splitlines()
    assert lines[0].split() == ["literals", "missed", "wrong", "cost", "rules"]
    assert lines[3].split(maxsplit=5)[:5] == ["*", "3", "1", "1", "7"]
    assert lines[-1] == "the best known of each size, not proven; * is the result"
    svg = tradeoff.to_svg()
    assert svg.startswith("<svg ")
    assert svg.count("<circle ") == len(tradeoff)


def test_a_table_is_bounded_and_has_the_result() -> None:
    """Each positive example needs a rule of its own."""
    facts = "".join(f"p{i}(x{i}). " for i in range(40))
    positives = "".join(f"pos(f(x{i})). " for i in range(40))
    preds = "".join(f"body_pred(p{i},1). " for i in range(40))
    task = read_task(facts, f"{positives} neg(f(y)).", f"head_pred(f,1). max_vars(1). max_body(1). {preds}")
    tradeoff = check(learn(task, timeout=60, advise=False))
    assert len(tradeoff) == 41
    lines = str(tradeoff).splitlines()
    assert len(lines) < 70
    assert any(line.split()[:2] == ["*", "80"] for line in lines)
    assert "… and 21 more points" in lines


def test_a_saved_result_says_that_the_rules_were_not_kept(tmp_path: Path) -> None:
    result = learn(read_task(BACKGROUND, LABELS), missed=2, wrong=2, timeout=60)
    save_result(result, tmp_path / "result.json")
    stored = load_result(tmp_path / "result.json")
    tradeoff = check(stored)
    assert [point.size for point in tradeoff] == [0, 3]
    assert "was saved" in tradeoff.note
    assert tradeoff.note in str(tradeoff)
    assert not result.tradeoff().note


def test_without_a_hypothesis_there_is_the_empty_one() -> None:
    result = learn(read_task("p(a).", "pos(f(b)). neg(f(a)).", "head_pred(f,1). body_pred(p,1)."))
    tradeoff = check(result)
    assert len(tradeoff) == 1
    assert str(tradeoff).endswith("the best known of each size, not proven")


def test_it_takes_a_moment() -> None:
    result = learn(load_task(EXAMPLES / "pyramids"), noise=True, timeout=60)
    began = time.monotonic()
    result.tradeoff()
    assert time.monotonic() - began < 5  # a tenth of a second, unless the machine is busy


def test_the_numbers_of_the_result_are_always_in_the_picture() -> None:
    """Those of neighbours that would run into them are left out."""
    nothing = Confusion(tp=0, fn=50, tn=50, fp=0)
    points = [
        TradeoffPoint(
            size, replace(nothing, tp=size, fn=50 - size), 50 - size, 50, None, is_result=size == 21
        )
        for size in (0, 20, 21, 22, 40)
    ]
    svg = plot_tradeoff(points)
    for shown in ("50", "0", "29", "21", "10", "40"):
        assert f">{shown}</text>" in svg
    for left_out in ("30", "20", "28", "22"):
        assert f">{left_out}</text>" not in svg
