"""Closing background rules into facts: what is derived, and what is left to Prolog."""

from __future__ import annotations

import pytest

from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.errors import NeedsProlog, TaskError
from joiner_magic.logic.programs import Evaluation
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.reader import read_program
from joiner_magic.task.task import read_task
from own_group import printed_by


def closed(background: str, predicate: str, *, example: str = "f(a)", bias: str = "") -> set[str]:
    """The facts of `name/arity` after closing, each as the text of its arguments."""
    name, arity = predicate.split("/")
    task = read_task(background, f"pos({example}).", f"head_pred(f,1). body_pred({name},{arity}). {bias}")
    with DatalogEngine(task) as engine:
        rows = engine.facts(Predicate(name, int(arity)), 1000)
    return {", ".join(render_term(term) for term in row) for row in rows}


FAMILY = "parent(ann,bob). parent(bob,cat). parent(cat,dan). male(bob). male(dan). "


@pytest.mark.parametrize(
    ("background", "predicate", "expected"),
    [
        ("q(X) :- p(X). p(1). p(2).", "q/1", {"1", "2"}),
        (FAMILY + "anc(X,Y) :- parent(X,Y). anc(X,Z) :- anc(X,Y), parent(Y,Z).", "anc/2",
         {"ann, bob", "ann, cat", "ann, dan", "bob, cat", "bob, dan", "cat, dan"}),
        (FAMILY + "person(X) :- parent(X,_). person(X) :- parent(_,X). woman(X) :- person(X), \\+ male(X).",
         "woman/1", {"ann", "cat"}),
        (FAMILY + "person(X) :- parent(X,_). person(X) :- parent(_,X). childless(X) :- person(X), \\+ parent(X,_).",
         "childless/1", {"dan"}),
        (FAMILY + "grand(X) :- parent(X,Y), \\+ (parent(Y,Z), male(Z)).", "grand/1", {"ann", "cat"}),
        (FAMILY + "sib(X,Y) :- parent(P,X), parent(P,Y), X \\= Y.", "sib/2", set()),
        ("p(1). p(5). p(9). big(X) :- p(X), X > 3, X =< 9.", "big/1", {"5", "9"}),
        ("p(1). p(5). r(X,Y) :- p(X), Y is X*2+1.", "r/2", {"1, 3", "5, 11"}),
        ("p(-7). p(7). r(X,Y,Z) :- p(X), Y is X // 2, Z is X mod 3.", "r/3", {"-7, -3, 2", "7, 3, 1"}),
        ("p(7). r(X,Y) :- p(X), Y is X mod -2.", "r/2", {"7, -1"}),
        ("p(3). p(-3). r(X,Y) :- p(X), Y is X mod -2147483647.", "r/2", {"3, -2147483644", "-3, -3"}),
        ("p(3). p(-3). r(X,Y) :- p(X), Y is X mod 2147483647.", "r/2", {"3, 3", "-3, 2147483644"}),
        ("p(3). r(X,Y) :- p(X), Y is X mod (1500000000 + X - X).", "r/2", {"3, 3"}),
        ("p(1). p(2). q(2). q(3). e(X) :- ( p(X) ; q(X) ).", "e/1", {"1", "2", "3"}),
        ("p(a). p(b). eq(X,Y) :- p(X), Y = X.", "eq/2", {"a, a", "b, b"}),
        ("p(a). p(b). n(X) :- p(X), X \\== a.", "n/1", {"b"}),
        ("p(a). never(X) :- p(X), fail.", "never/1", set()),
        ("p(1). p(2). even(X) :- 0 is X mod 2. e(X) :- p(X), even(X).", "e/1", {"2"}),
        ("size(p1,3). size(p2,4). size3(P) :- size(P,3).", "size3/1", {"p1"}),
        ("q(X) :- p(X). p(1.5). p(\"s\"). p([a,b]).", "q/1", {"1.5", '"s"', "[a, b]"}),
        ("wrap(X,s(X)). q(X) :- p(Y), wrap(Y,X). p(1). p(2). r(s(2)).", "q/1", {"s(2)"}),
        ("p(3000000000). q(X) :- p(X).", "q/1", {"3000000000"}),
        ("p(1). r(1,2). q(X) :- p(X), \\+ r(U,U).", "q/1", {"1"}),
        ("p(1). r(1,2). r(3,3). q(X) :- p(X), \\+ r(U,U).", "q/1", set()),
        ("p(1). p(2). r(1,7,7). r(2,7,8). q(X) :- p(X), \\+ r(X,U,U).", "q/1", {"2"}),
        ("p(1). p(4). q(X) :- X > 2, p(X).", "q/1", {"4"}),
        ("p(1). p(4). q(X) :- Y = X, X > 2, p(Y).", "q/1", {"4"}),
        ("eq(X,Y) :- X = Y. p(1). q(X) :- p(X), eq(X,1).", "q/1", {"1"}),
        ("flag. q(X) :- p(X), flag. p(1).", "q/1", {"1"}),
        ("f1(X,Y) :- g(X), Y = a. g(1).", "f1/2", {"1, a"}),
        ("t(a,30.5). t(b,12.5). warm(X) :- X > 20. hot(A) :- t(A,X), warm(X).", "hot/1", {"a"}),
        ("t(a,30.5). t(b,12.5). t(c,30). warm(X) :- X > 20.", "warm/1", {"30.5", "30"}),
        ("t(a,12.5). t(b,12). t(c,-1.0). out(A) :- t(A,X), \\+ (X > 0, X < 20).", "out/1", {"c"}),
        ("p(2000000000). q(X,Y) :- p(X), Y is X + 2000000000.", "q/2", {"2000000000, 4000000000"}),
        ("p(9223372036854775807). q(Y) :- p(X), Y is X * X.", "q/1", {str((2**63 - 1) ** 2)}),
        ("p(1). p(4). q(X,Y) :- p(X), Y is X / 2.", "q/2", {"1, 0.5", "4, 2"}),
        ("p(1). p(1.0). q(X) :- p(X), X =:= 1.", "q/1", {"1", "1.0"}),
        ("p(1). p(1.0). q(X) :- p(X), X == 1.", "q/1", {"1"}),
        ("p(0.0). p(-0.0). q(X) :- p(X), X =:= 0. r(X) :- q(X), X \\== 0.0.", "r/1", {"-0.0"}),
        ("p(0.5). p(0.75). q(Y) :- p(X), Y is X + 0.25. r(X) :- p(X), q(X).", "r/1", {"0.75"}),
        ('p("a"). p(e). p(1+2). p([7]). q(X) :- p(X), X > 2.5.', "q/1", {'"a"', "e", "1 + 2", "[7]"}),
        ("p([3.5]). p([1]). h([H|_]) :- H > 2.", "h/1", {"[3.5]"}),
        ("p(nan). p(inf). q(X) :- p(X), X > 1.", "q/1", {"inf"}),
    ],
)  # fmt: skip
def test_derived_facts(background: str, predicate: str, expected: set[str]) -> None:
    assert closed(background, predicate) == expected


LISTS = "head([H|_],H). tail([_|T],T). empty([]). "


@pytest.mark.parametrize(
    ("background", "predicate", "expected"),
    [
        (LISTS, "head/2", {"[a, b], a", "[b], b"}),
        (LISTS, "tail/2", {"[a, b], [b]", "[b], []"}),
        (LISTS, "empty/1", {"[]"}),
        (LISTS + "second(L,X) :- tail(L,T), head(T,X).", "second/2", {"[a, b], b"}),
        ("len([],0). len([_|T],N) :- len(T,M), N is M+1.", "len/2", {"[], 0", "[b], 1", "[a, b], 2"}),
        ("last([X],X). last([_,Y|T],X) :- last([Y|T],X).", "last/2", None),
        (LISTS + "known(X) :- tail([p,q],X).", "known/1", {"[q]"}),
        ("same([X|X],X).", "same/2", set()),
        ("first([a|_],yes). first([b|_],no).", "first/2", {"[a, b], yes", "[b], no"}),
        ("two([_,Y|_],Y).", "two/2", {"[a, b], b"}),
        ("mixed([H|_],H). mixed(X,X) :- empty(X). empty([]).", "mixed/2", {"[a, b], a", "[b], b", "[], []"}),
        ("mem(X,[X|_]). mem(X,[_|T]) :- mem(X,T).", "mem/2", {"a, [a, b]", "b, [a, b]", "b, [b]"}),
        ("p(t(1,leaf)). left(t(L,_),L).", "left/2", {"t(1, leaf), 1"}),
        ("pair([A,B]) :- A \\= B.", "pair/1", {"[a, b]"}),
        ("first(L,X) :- L = [X|_].", "first/2", {"[a, b], a", "[b], b"}),
    ],
)
def test_terms_are_taken_apart_over_the_terms_at_hand(
    background: str, predicate: str, expected: set[str] | None
) -> None:
    if expected is None:  # `last([Y|T],X)` hands a list on that the clause builds
        with pytest.raises(NeedsProlog, match="builds new terms"):
            closed(background, predicate, example="f([a,b])")
    else:
        assert closed(background, predicate, example="f([a,b])") == expected


@pytest.mark.parametrize(
    ("background", "reason", "line"),
    [
        ("p(1).\nq(X) :- p(X), !.", "uses a cut", 2),
        ("p(1).\nq(X) :- ( p(X) -> true ; fail ).", "->", 2),
        ("p(1).\nq(X) :- p(X), findall(Y, p(Y), _).", "findall/3", 2),
        ("p(a).\nq(X) :- p(X), atom_length(X, 1).", "atom_length/2", 2),
        ("p(1).\nq(X) :- p(X), call(X).", "call/1", 2),
        ("p(1).\nq(X) :- p(X), X.", "only known when it runs", 2),
        ("p(1).\nq(X) :- p(X), \\+ q(X).", "depends on q/1 itself", 2),
        ("p(a).\nq(X) :- p(X), X > 3.", "not a number", 2),
        ("p(0).\nq(X) :- p(X), 1 is 5 // X.", "divides by zero", 2),
        ("p(1).\nq(X) :- p(X), Y is sin(X), Y > 0.", "only Prolog can", 2),
        ("p(1).\nq(X) :- p(X), X > foo.", "only Prolog can", 2),
        ("p(1.0e308).\nq(X) :- p(X), Y is X * 10, Y > 0.", "runs over", 2),
        ("p(cputime).\nq(X) :- p(X), X > 1.", "only Prolog can", 2),
        ("p(9007199254740993). r(9007199254740992.0).\nq(X) :- p(X), r(Y), X > Y.", "only Prolog can", 2),
        ("w(X) :- X > 3. t(1,a).\nq(X) :- t(X,Y), w(Y).", "cannot calculate with", 2),
        ("w(X) :- X > 3. t(1,a).\nq(X) :- t(X,Y), \\+ w(Y).", "cannot calculate with", 2),
        ("w(X) :- X > 3. v(X) :- w(X). t(1,a).\nq(X) :- t(X,Y), v(Y).", "cannot calculate with", 2),
        ("w(X) :- X > 3. t(1,2).\nq(X) :- t(X,_), \\+ w(_).", "a value that it must be given", 2),
        ("tl([_|T],T). t(1,[]).\nq(X) :- t(X,Y), \\+ tl(_,Y).", "a value that it must be given", 2),
        ("p(1).\nq(X) :- p(X), \\+ r(_, Y), Y > 0.\nr(1,1).", "needs a value for Y", 2),
        (
            "nat(0).\nnat(N) :- nat(M), N is M+1.\nq(X) :- nat(X).",
            "took more than|needed more than|too large",
            2,
        ),
        ("q(X) :- r(X, _).\nr(X, Y) :- Y is X + 1.", "new number from any number", 2),
        ("wrap(X, s(X)).\nq(X) :- p(X), wrap(X, Y), wrap(Y, _).\np(1).", "needs a value for Y|builds", 2),
    ],
)
def test_what_the_closure_cannot_mean_is_refused_by_clause(
    background: str, reason: str, line: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("joiner_magic.engines.datalog.closure.PATIENCE", 3.0)
    with pytest.raises(NeedsProlog, match=reason) as refusal:
        closed(background, "q/1")
    assert refusal.value.place is not None
    assert refusal.value.place.line == line
    assert "joiner-magic[prolog]" in refusal.value.remedy or "rewrite" in refusal.value.remedy


def test_only_clauses_the_bias_can_reach_matter() -> None:
    background = "p(1). q(X) :- p(X). unused(X) :- p(X), !, shell(X). alsounused(X) :- nat(X), nat(X)."
    assert closed(background, "q/1") == {"1"}


def test_an_output_that_would_be_built_is_refused() -> None:
    with pytest.raises(NeedsProlog, match="build new terms for argument 1 of tail/2"):
        closed("tail([_|T],T).", "tail/2", bias="direction(tail,(out,in)).")


def test_without_directions_the_engine_notes_which_it_assumes() -> None:
    task = read_task("tail([_|T],T).", "pos(f([a])).", "head_pred(f,1). body_pred(tail,2).")
    with DatalogEngine(task) as engine:
        assert engine.directions == {Predicate("tail", 2): ("in", "out")}
        (note,) = engine.notes
    assert note.message == "tail/2 must be given its argument 1: direction(tail,(in, out)) is assumed"


def test_a_built_in_of_prolog_in_the_bias_needs_prolog() -> None:
    task = read_task("p(1).", "pos(f(1)).", "head_pred(f,1). body_pred(p,1). body_pred(succ,2).")
    with pytest.raises(NeedsProlog, match="succ/2 is built into Prolog"):
        DatalogEngine(task)


@pytest.mark.parametrize(("head", "body"), [(64, 1), (1, 64)])
def test_more_arguments_than_the_core_takes_need_prolog(head: int, body: int) -> None:
    def atom(name: str, arity: int) -> str:
        return f"{name}({','.join('a' * arity)})"

    bias = f"head_pred(f,{head}). body_pred(p,{body}). max_vars(70)."
    task = read_task(f"{atom('p', body)}.", f"pos({atom('f', head)}).", bias)
    with pytest.raises(NeedsProlog, match="more than 63 arguments"):
        DatalogEngine(task)


def test_a_predicate_whose_rules_are_not_closed_is_not_half_answered() -> None:
    """`e` has facts and a rule; the bias does not need it, so a program that calls it is refused."""
    task = read_task("p(1). p(2). e(1). e(X) :- p(X).", "pos(f(2)).", "head_pred(f,1). body_pred(p,1).")
    with DatalogEngine(task) as engine, pytest.raises(TaskError, match=r"add body_pred\(e,1\)"):
        engine.evaluate([read_program("f(A) :- e(A).")])
    with_e = read_task("p(1). p(2). e(1). e(X) :- p(X).", "pos(f(2)).", "head_pred(f,1). body_pred(e,1).")
    with DatalogEngine(with_e) as engine:
        assert engine.evaluate([read_program("f(A) :- e(A).")]) == [Evaluation(1, 0)]


# clingo enumerates what lies between the bounds that it infers for a variable, and never ends if the upper one is this number.
AT_THE_LARGEST_NUMBER = """
from joiner_magic import read_program, read_task
from joiner_magic.engines.datalog.engine import DatalogEngine

for rule in (
    "q(X) :- p(X), X =< 2147483647, X >= 2147483640.",
    "q(Y) :- p(X), Y is (X - X) + 2147483647.",
    "q(Y) :- p(X), Y is X*0 + 1000000000 + 1000000000 + 147483647.",
    "q(Y) :- p(X), Y = 2147483647, Y >= X.",
    "q(X) :- p(X), 2147483647 is X.",
):
    task = read_task(f"p(3). p(2147483647). {rule}", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(q,1).")
    programs = [read_program(f"f(A) :- q({value}).") for value in (3, 2147483647)]
    print([evaluation.pos for evaluation in DatalogEngine(task).evaluate(programs)])
"""


def test_bounds_at_the_largest_number_that_clingo_knows() -> None:
    assert printed_by(AT_THE_LARGEST_NUMBER).splitlines() == ["[0, 1]"] * 5
