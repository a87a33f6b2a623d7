"""What a result says of itself, and what can be asked of it afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conftest import ROOT, field_task
from joiner_magic import (
    Result,
    learn,
    load_held_out,
    load_task,
    read_program,
    read_task,
    read_term,
)
from joiner_magic.errors import JoinerError, TaskError
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.running.ledger import STAGES

EXAMPLES = ROOT / "joiner_magic" / "examples"
GRAN = read_task(
    "parent(ann,bob). parent(bob,cat). parent(bob,dan).",
    "pos(gran(ann,cat)). pos(gran(ann,dan)). neg(gran(ann,bob)). neg(gran(bob,cat)).",
)
NOTHING = read_task("p(a). p(b).", "pos(f(a)). neg(f(b)).")


@pytest.fixture(scope="module")
def gran() -> Result:
    return learn(GRAN)


@pytest.fixture(scope="module")
def strings() -> Result:
    return learn(load_task(EXAMPLES / "strings"))


def test_it_reads_as_the_answer(gran: Result) -> None:
    said = str(gran)
    assert said.startswith("optimal solution")
    assert gran.rules == ["gran(A, B) :- parent(A, C), parent(C, B)."]
    assert f"  {gran.rules[0]}\n" in said
    assert "covers 2 of 2 positive and 0 of 2 negative examples" in said
    assert said in repr(gran)
    assert repr(gran).startswith("<Result optimal, size 3, ")


def test_what_it_holds(gran: Result) -> None:
    assert (gran.status, gran.optimal, gran.solved, gran.size) == ("optimal", True, True, 3)
    assert gran.confusion == Confusion(tp=2, fn=0, tn=2, fp=0)
    assert (gran.engine, gran.source, gran.bound, gran.shortfall) == ("datalog", "native", None, None)
    assert gran.counts["tested"] > 0
    assert gran.first_solution_seconds is not None
    assert 0 < gran.first_solution_seconds <= gran.seconds


def test_without_a_solution_it_says_no_and_why() -> None:
    result = learn(NOTHING)
    assert (result.status, result.solved, result.hypothesis, result.rules) == ("none", False, None, [])
    assert (result.size, result.to_prolog(), result.first_solution_seconds) == (0, "", None)
    assert str(result).startswith("no solution: ")
    assert result.shortfall
    assert str(result.shortfall) in str(result)
    assert result.predict(["f(a)", "f(b)"]) == [False, False]
    assert result.score("pos(f(a)). neg(f(b)).") == Confusion(tp=0, fn=1, tn=1, fp=0)


@pytest.mark.parametrize("name", ["family", "pyramids", "strings"])
def test_its_prolog_text_is_the_hypothesis(name: str) -> None:
    result = learn(load_task(EXAMPLES / name))
    read = read_program(result.to_prolog())
    assert read == result.hypothesis
    assert read.size == result.size
    assert read_program("\n".join(result.rules)) == read


def test_predictions_come_in_the_order_of_the_atoms(gran: Result) -> None:
    atoms = ["gran(ann,bob)", read_term("gran(ann,cat)"), "gran(ann,cat)", "gran(ann,bob)"]
    assert gran.predict(atoms) == [False, True, True, False]
    assert gran.predict([]) == []


def test_training_examples_are_predicted_as_they_are_labelled(strings: Result) -> None:
    examples = strings.task.examples
    assert all(strings.predict(examples.pos))
    assert not any(strings.predict(examples.neg))


def test_predictions_about_terms_the_task_never_mentions(gran: Result, strings: Result) -> None:
    assert gran.predict(["gran(zoe,cat)", "gran(zoe,yan)"]) == [False, False]
    new = ["f([a,d,a,b])", "f([b,a,a,a])", "f([])"]
    assert not {read_term(atom) for atom in new} & {*strings.task.examples.pos, *strings.task.examples.neg}
    assert strings.predict(new) == [True, False, False]


def test_explanations_of_terms_the_task_never_mentions(strings: Result) -> None:
    assert strings.explain("f([a,d,a,b])").covered
    assert not strings.explain("f([b,a,a,a])").covered


@pytest.mark.parametrize("atom", ["parent(ann,bob)", "gran(ann)", "gran(ann,X)", "gran", "42"])
def test_only_ground_atoms_of_the_head_are_predicted(atom: str, gran: Result) -> None:
    with pytest.raises(TaskError, match="is no atom to ask about"):
        gran.predict(["gran(ann,cat)", atom])


def test_an_atom_that_is_no_term_is_an_error_with_its_place(gran: Result) -> None:
    with pytest.raises(JoinerError, match=":1:"):
        gran.predict(["gran(ann,"])


def test_a_score_of_other_examples_on_the_same_background(gran: Result) -> None:
    score = gran.score("pos(gran(ann,cat)). pos(gran(bob,dan)). neg(gran(cat,ann)). neg(gran(ann,dan)).")
    assert score == Confusion(tp=1, fn=1, tn=1, fp=1)
    assert (score.accuracy, score.balanced_accuracy) == (0.5, 0.5)


def test_a_score_of_a_task_uses_its_background(gran: Result) -> None:
    other = read_task(
        "parent(eve,flo). parent(flo,gil). parent(x,y).",
        "pos(gran(eve,gil)). neg(gran(eve,flo)). neg(gran(x,y)).",
    )
    assert gran.score(other) == Confusion(tp=1, fn=0, tn=2, fp=0)
    assert gran.score(replace(other, background=GRAN.background)) == Confusion(tp=0, fn=1, tn=2, fp=0)


def test_a_predicate_the_held_out_background_never_mentions_does_not_hold(gran: Result) -> None:
    silent = read_task("person(eve).", "pos(gran(eve,gil)). neg(gran(eve,flo)).")
    assert gran.score(silent) == Confusion(tp=0, fn=1, tn=1, fp=0)


def test_examples_of_another_predicate_are_no_score(gran: Result) -> None:
    with pytest.raises(TaskError, match="examples of uncle/2"):
        gran.score("pos(uncle(ann,cat)).")


def test_a_perfect_score_has_accuracy_one() -> None:
    assert Confusion(tp=3, fn=0, tn=0, fp=0).accuracy == 1.0
    assert Confusion(tp=3, fn=0, tn=0, fp=0).balanced_accuracy == 1.0
    assert Confusion(tp=1, fn=0, tn=1, fp=8).accuracy == 0.2
    assert Confusion(tp=1, fn=0, tn=1, fp=7).balanced_accuracy == (1 + 1 / 8) / 2


def test_the_stages_account_for_the_time() -> None:
    result = learn(load_task(EXAMPLES / "pyramids"), source="asp")  # long enough for the start not to count
    assert tuple(result.timings) == STAGES
    assert all(seconds >= 0 for seconds in result.timings.values())
    # Before the first stage clingo grounds the space, and between stages whoever reads the events has the word.
    assert 0.2 * result.seconds < sum(result.timings.values()) <= result.seconds


@pytest.mark.parametrize("name", ["family", "pyramids", "strings"])
def test_two_runs_are_the_same(name: str) -> None:
    first, second = (learn(load_task(EXAMPLES / name)) for _ in range(2))
    assert first.rules == second.rules
    assert (first.status, first.why, first.counts) == (second.status, second.why, second.counts)


def test_the_bias_in_force_is_kept() -> None:
    result = learn(NOTHING, max_body=1, singletons=True, advise=False)
    assert (result.task.bias.max_body, result.task.bias.allow_singletons) == (1, True)
    assert (NOTHING.bias.max_body, NOTHING.bias.allow_singletons) != (1, True)


def test_held_out_examples_of_the_field() -> None:
    task = load_task(field_task("zendo1"))
    result = learn(task, timeout=60)
    score = result.score(load_held_out(field_task("zendo1") / "test", task))
    assert (score.tp, score.fn, score.tn, score.fp) == (1000, 0, 1000, 0)
