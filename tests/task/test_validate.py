"""What makes three texts a task, and what the user is told when they do not."""

from __future__ import annotations

import pytest

from joiner_magic.errors import JoinerError, TaskError
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.reader import PrologText
from joiner_magic.task.task import Task, read_task

BK = "p(a,b). p(b,c).\nq(a).\nr(X) :- p(X,_), \\+ q(X).\n"
EXS = "pos(f(a)).\nneg(f(b)).\n"
BIAS = "head_pred(f,1).\nbody_pred(p,2).\nbody_pred(q,1).\n"


def task(bk: str = BK, exs: str = EXS, bias: str | None = BIAS) -> Task:
    return read_task(bk, exs, bias)


def test_a_sound_task() -> None:
    read = task()
    assert (len(read.examples.pos), len(read.examples.neg)) == (1, 1)
    assert read.background.facts == 3
    assert read.background.constants == 3
    assert [rule.place.line for rule in read.background.rules()] == [3]
    assert not read.notes
    assert not read.builtins


def check_failure(error: JoinerError, where: str, message: str, remedy: str) -> None:
    assert message in error.message
    assert remedy in error.remedy
    assert str(error.place) == where
    assert error.place is not None
    assert "^" in error.place.caret()


@pytest.mark.parametrize(
    ("exs", "where", "message", "remedy"),
    [
        ("pos(f(a)).\nneg(f(a)).", "exs:2:5", "f(a) is neg here but pos in line 1",
         "keep one of them, or allow errors: noisy. in the bias"),
        ("pos(f(a)).\npos(f(X)).", "exs:2:7", "the variable X", "no variables"),
        ("pos(f([a|T])).", "exs:1:10", "the variable T", "no variables"),
        ("pos(f(a)).\npos(g(a)).", "exs:2:5", "two predicates, f/1 and g/1", "one predicate"),
        ("pos(f(a)).\nneg(f(a,b)).", "exs:2:5", "two predicates, f/1 and f/2", "one predicate"),
        ("neg(f(a)).", "exs:1:1", "no positive example", "pos(atom)."),
        ("", "exs:1:1", "no positive example", "pos(atom)."),
        ("pos(f(a)).\nf(b).", "exs:2:1", "f/1 is neither pos/1 nor neg/1", "pos(atom)."),
        ("poss(f(a)).", "exs:1:1", "poss/1 is neither", "did you mean pos?"),
        ("pos(f(a),f(b)).", "exs:1:10", "f(b) is no number", "a number above 0"),
        ("pos(f(a),1,2).", "exs:1:1", "pos holds one atom and perhaps its weight, not 3", "pos(atom)."),
        ("pos.", "exs:1:1", "pos holds one atom and perhaps its weight, not 0", "pos(atom)."),
        ("pos(f(X)) :- q(X).", "exs:1:1", "a fact, not a rule", "pos(atom)."),
        ("pos(3).", "exs:1:5", "3 is not an atom", "such as"),
        ("pos(\"f(a)\").", "exs:1:5", "\"f(a)\" is not an atom", "such as"),
        ("pos([f,a]).", "exs:1:5", "[f, a] is not an atom", "such as"),
        ("pos((f(a), f(b))).", "exs:1:", "is not an atom", "such as"),
        ("pos(X).", "exs:1:5", "X is not an atom", "such as"),
        ("pos(f(a).", "exs:1:", "", ""),
    ],
)  # fmt: skip
def test_examples_refused(exs: str, where: str, message: str, remedy: str) -> None:
    with pytest.raises(JoinerError) as caught:
        task(exs=exs)
    error = caught.value
    assert str(error.place).startswith(where)
    assert message in error.message
    assert remedy in error.remedy


@pytest.mark.parametrize(
    ("bias", "where", "message", "remedy"),
    [
        ("head_pred(f,2). body_pred(q,1).", "bias:1:1", "the examples are of f/1, but head_pred says f/2",
         "head_pred(f,1)."),
        ("head_pred(ff,1). body_pred(q,1).", "bias:1:1", "of f/1, but head_pred says ff/1", "head_pred(f,1)."),
        ("head_pred(f,1).\nbody_pred(p,3).", "bias:2:1", "defines p/2, but the bias says p/3", "correct the arity"),
        ("head_pred(f,1).\nbody_pred(s,1).", "bias:2:1", "does not define s/1", "define it"),
        ("head_pred(f,1). body_pred(q,1).\ntype(q,(t,u)).", "bias:2:1", "the type of q has length 2", "each argument"),
        ("head_pred(f,1). body_pred(q,1).\ntype(f,(t,u)).", "bias:2:1", "the type of f has length 2", "each argument"),
        ("head_pred(f,1). body_pred(p,2).\ndirection(p,(in,)).", "bias:2:1", "the direction of p has length 1",
         "each argument"),
        ("head_pred(f,1). body_pred(p,2).\ndirection(p,(in,ou)).", "bias:2:1", "ou of p/2 is neither in nor out",
         "did you mean out?"),
    ],
)  # fmt: skip
def test_bias_refused(bias: str, where: str, message: str, remedy: str) -> None:
    with pytest.raises(TaskError) as caught:
        task(bias=bias)
    check_failure(caught.value, where, message, remedy)


def test_a_head_too_wide_for_its_variables() -> None:
    with pytest.raises(TaskError) as caught:
        task(exs="pos(f(a,b,c)).", bias="head_pred(f,3). body_pred(q,1).\nmax_vars(2).")
    check_failure(caught.value, "bias:2:1", "f/3 has 3 variables in the head alone", "max_vars(5).")


def test_a_misspelt_body_predicate() -> None:
    with pytest.raises(TaskError) as caught:
        task("contact(a,b). piece(a).", bias="head_pred(f,1). body_pred(contcat,2).")
    check_failure(caught.value, "bias:1:17", "does not define contcat/2", "did you mean contact?")


@pytest.mark.parametrize(
    ("bk", "where", "message"),
    [
        ("q(a). p(a,b).\nf(a).", "bk:2:1", "defines f/1"),
        ("q(a). p(a,b).\nf(X) :- q(X).", "bk:2:1", "defines f/1"),
        ("q(a). p(a,b).\nr(X) :- q(X), f(X).", "bk:2:15", "calls f/1"),
        ("q(a). p(a,b).\nr(X) :- q(X), (true ; \\+ f(X)).", "bk:2:26", "calls f/1"),
        ("q(a). p(a,b).\nr(L) :- findall(X, (q(X), f(X)), L).", "bk:2:27", "calls f/1"),
    ],
)
def test_what_is_learnt_must_be_unknown_to_the_background(bk: str, where: str, message: str) -> None:
    with pytest.raises(TaskError) as caught:
        task(bk)
    check_failure(caught.value, where, message, "another name")


def test_the_learnt_name_may_occur_as_data_or_with_another_arity() -> None:
    task("q(a). p(a,b). r(f(a)). s(X) :- r(f(X)), t(f). f(a,b). t(f).")


def test_predicates_of_prolog_count_as_defined() -> None:
    read = task(bias=BIAS + "body_pred(succ,2). body_pred(append,3).")
    assert read.builtins == {Predicate("succ", 2), Predicate("append", 3)}


def test_the_tasks_own_definition_wins_over_prologs() -> None:
    assert not task(BK + "succ(1,2).", bias=BIAS + "body_pred(succ,2).").builtins


def test_no_predicate_to_use() -> None:
    with pytest.raises(TaskError, match="no predicate that a rule could use"):
        task("", bias=None)


def test_repeated_examples_count_once_and_are_noted() -> None:
    read = task(exs="pos(f(b)). pos(f(a)).\npos(f( b )). pos(f(a)). neg(f(c)).")
    assert [str(atom.args[0].name) for atom in read.examples.pos] == ["b", "a"]  # type: ignore[union-attr]
    (note,) = read.notes
    assert note.message.startswith("f(b) and 1 more given again")
    assert str(note.place) == "exs:2:5"


def test_directives_are_noted_once_for_each_text() -> None:
    read = task(":- style_check(-discontiguous).\n:- dynamic p/2.\n" + BK, exs=":- use_module(x).\n" + EXS)
    assert [str(note) for note in read.notes] == [
        "exs:1:1: this directive is not executed",
        "bk:1:1: this directive (and 1 more) is not executed",
    ]


def test_notes_on_types() -> None:
    read = task(
        "contact(a,b).", bias="head_pred(f,1). body_pred(contact,2). type(f,(t,)). type(contcat,(t,t))."
    )
    assert [note.message for note in read.notes] == [
        "a type for contcat/2, which is neither head nor body predicate; did you mean contact?",
        "no type is given for contact/2",
    ]


def test_several_texts_make_one_background() -> None:
    first, second = (
        PrologText.read("p(a,b). q(a).", "cell 1"),
        PrologText.read("p(b,c). r(X) :- q(X).", "cell 2"),
    )
    read = read_task([first, second], EXS, BIAS)
    assert read.background.predicates[Predicate("p", 2)].facts == 2
    assert [rule.source.name for rule in read.background.rules()] == ["cell 2"]
    assert read.background == read_task("p(a,b). q(a). p(b,c). r(X) :- q(X).", EXS, BIAS).background
    assert read.background != read_task("p(a,b). q(a). p(b,c). r(X) :- q(Y).", EXS, BIAS).background
