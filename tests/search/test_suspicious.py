"""Examples that the hypothesis gets wrong: labels that were flipped are found, with the reason."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from joiner_magic import Result, learn, load_result, read_task, save_result
from joiner_magic.errors import TaskError
from joiner_magic.generators.zendo import RULES, zendo
from joiner_magic.logic.render import render_rule, render_term
from joiner_magic.notebook.tradeoff_display import suspects_view
from joiner_magic.task.examples import read_examples
from joiner_magic.task.task import Task
from search.test_tradeoff import BACKGROUND, LABELS


def flipped(task: Task, share: float, seed: int) -> tuple[Task, set[str]]:
    """The task with some labels turned round, and the examples that have them."""
    rng = Random(seed)
    lines, turned = [], set()
    for label, other, atoms in (("pos", "neg", task.examples.pos), ("neg", "pos", task.examples.neg)):
        for atom in map(render_term, atoms):
            is_turned = rng.random() < share
            lines.append(f"{other if is_turned else label}({atom}).")
            if is_turned:
                turned.add(atom)
    return replace(task, examples=read_examples("\n".join(lines))[0]), turned


@pytest.mark.parametrize("seed", range(3))
def test_most_flipped_labels_are_found(seed: int) -> None:
    task, turned = flipped(zendo(RULES["touching"], scenes=100).made().task(), 0.08, seed)
    result = learn(task, noise=True, timeout=60)
    assert turned
    found = {render_term(suspect.example) for suspect in result.suspicious(len(turned))}
    assert len(found & turned) >= 0.8 * len(turned)


@pytest.fixture(scope="module")
def result() -> Result:
    return learn(read_task(BACKGROUND, LABELS), missed=2, wrong=2, timeout=60)


def test_each_has_its_reason(result: Result) -> None:
    missed, covered = result.suspicious()
    assert (render_term(missed.example), missed.label, missed.error) == ("g(d8)", "pos", "missed")
    assert missed.why == "fails at wet(d8): g(A) :- wet(A), warm(A)."
    assert (render_term(covered.example), covered.label, covered.error) == ("g(d4)", "neg", "wrongly covered")
    assert covered.why == "covered by g(A) :- wet(A), warm(A)."
    for suspect in (missed, covered):
        assert suspect.rule is not None
        assert render_rule(suspect.rule) == "g(A) :- wet(A), warm(A)."
        assert 1 <= suspect.wrong_in <= suspect.compared


def test_the_nearest_rule_is_the_one_with_the_fewest_literals_left() -> None:
    facts = "".join(f"a(x{i}). b(x{i}). " for i in range(9)) + "".join(
        f"c(y{i}). d(y{i}). " for i in range(9)
    )
    positives = "".join(f"pos(f(x{i})). pos(f(y{i})). " for i in range(9))
    negatives = "".join(f"neg(f({name}{i})). " for name in "zuvw" for i in range(9))
    spoilers = "".join(f"a(z{i}). b(u{i}). c(v{i}). d(w{i}). " for i in range(9))
    task = read_task(f"{facts} {spoilers} c(q).", f"{positives} {negatives} pos(f(q)).")
    result = learn(task, noise=True, timeout=60)
    (suspect,) = result.suspicious()
    assert len(result.rules) == 2
    assert suspect.why == "fails at d(q): f(A) :- c(A), d(A)."


def test_they_are_ranked_by_how_many_hypotheses_get_them_wrong_and_by_weight() -> None:
    labels = LABELS.replace("neg(g(d4)).", "neg(g(d4), 1.5).").replace("pos(g(d1)).", "pos(g(d1), 3).")
    suspects = learn(read_task(BACKGROUND, labels), noise=True, timeout=60).suspicious()
    ranks = [(suspect.wrong_in, suspect.weight) for suspect in suspects]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] == (2, Fraction(3, 2))


def test_the_table(result: Result) -> None:
    lines = str(result.suspicious()).splitlines()
    assert lines[0].split() == ["example", "label", "error", "wrong", "in", "why"]
    assert lines[1].startswith("g(d8)    pos    missed ")
    first = result.suspicious(1)
    assert (len(first), first.total) == (1, 2)
    assert str(first).splitlines()[-1] == "… and 1 more example"
    assert first[0] == result.suspicious()[0]


def test_a_solution_without_errors_has_none() -> None:
    suspects = learn(read_task("p(a). q(b).", "pos(f(a)). neg(f(b)).")).suspicious()
    assert not len(suspects)
    assert str(suspects) == "no example is known to be wrong: the hypothesis agrees with every label"


def test_a_saved_result_has_them_too(result: Result, tmp_path: Path) -> None:
    save_result(result, tmp_path / "result.json")
    stored = load_result(tmp_path / "result.json").suspicious()
    assert [suspect.why for suspect in stored] == [suspect.why for suspect in result.suspicious()]


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "3"])
def test_a_number_of_examples(n: Any, result: Result) -> None:
    with pytest.raises(TaskError, match="no number of examples"):
        result.suspicious(n)


def test_without_a_hypothesis_nothing_can_be_doubted() -> None:
    nothing = learn(read_task("p(a).", "pos(f(b)). neg(f(a)).", "head_pred(f,1). body_pred(p,1)."))
    with pytest.raises(TaskError, match="nothing was learnt"):
        nothing.suspicious()


def test_short_names_stay_in_one_line_of_a_table(result: Result) -> None:
    html = suspects_view(result.suspicious()).html
    assert 'white-space:nowrap"><bdi>g(d8)</bdi>' in html
    assert "wrongly covered" not in html  # no blank to break at
    assert "wrongly\N{NO-BREAK SPACE}covered" in html
