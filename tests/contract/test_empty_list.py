r"""`'[]'` in a text is the empty list, as in the field's texts, whichever engine reads it.

SWI-Prolog keeps the atom `'[]'` and the empty list `[]` apart since version 7; traditional systems, and the texts
written for them, do not. Here they are one constant, written `[]`: a text that means one of them with the other's
spelling is common, and one that tells them apart is not known.
"""

from __future__ import annotations

import pytest

from joiner_magic import learn, read_task
from joiner_magic.engines.choose import choose_engine
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import NIL, String
from joiner_magic.task.reader import read_program, read_term

SPELLINGS = ["[]", "'[]'", r"'\x5b\]'"]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_it_is_read_as_the_empty_list_and_written_so(spelling: str) -> None:
    assert read_term(spelling) == NIL
    assert render_term(read_term(f"f({spelling}, [a|{spelling}], g({spelling}))")) == "f([], [a], g([]))"
    assert read_term('"[]"') == String("[]")


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(
    "clause",
    [
        "q({0}).",
        "q(X) :- X = {0}.",
        "q(X) :- p(X), X == {0}.",
        "q(X) :- r(X,Y), Y == {0}.",
        "q(X) :- p(X), {0} == [].",
        "q(X) :- p(X), \\+ X \\== {0}.",
        "q(X) :- l(X,T), T = {0}.",
        'q(X) :- s(X), X \\== "{0}".',
    ],
)
def test_it_is_one_constant_in_facts_rules_and_examples(engine_name: str, clause: str, spelling: str) -> None:
    facts = f"p({spelling}). r([],{spelling}). l({spelling},[]). s([])."
    examples = f'pos(f([])). pos(f({spelling})). neg(f([[]])). neg(f("[]")).'
    task = read_task(f"{facts}\n{clause.format(spelling)}", examples, "head_pred(f,1). body_pred(q,1).")
    assert len(task.examples.pos) == 1, "the two are one example"
    with choose_engine(task, engine_name).engine as engine:
        (found,) = engine.evaluate([read_program("f(A) :- q(A).")])
        proof = engine.explain(read_program("f(A) :- q(A)."), read_term(f"f({spelling})")).proof
    assert (found.pos, found.neg) == (1, 0)
    assert proof is not None
    assert render_term(proof.atom) == "f([])"


@pytest.mark.prolog
@pytest.mark.parametrize("goal", ["is_list({0})", "{0} == []", "length({0},0)", "\\+ {0} = a", "atomic({0})"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_prolog_itself_takes_it_for_the_empty_list(goal: str, spelling: str) -> None:
    task = read_task(
        f"q(X) :- p(X), {goal.format(spelling)}. p(a).", "pos(f(a)).", "head_pred(f,1). body_pred(q,1)."
    )
    with choose_engine(task, "prolog").engine as engine:
        assert engine.evaluate([read_program("f(A) :- q(A).")])[0].pos == 1


def test_it_is_predicted_alike(engine_name: str) -> None:
    task = read_task("e('[]').", "pos(f([])). neg(f([a])).", "head_pred(f,1). body_pred(e,1).")
    result = learn(task, engine=engine_name, timeout=60)
    assert result.predict([*(f"f({spelling})" for spelling in SPELLINGS), "f([a])"]) == [
        True,
        True,
        True,
        False,
    ]
