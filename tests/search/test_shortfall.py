"""The report without a solution: each of its lines, and that the advice it gives is right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from joiner_magic import Result, learn, read_task
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.outcome.shortfall import Advice, Shortfall, changes
from joiner_magic.task.bias import Bias
from joiner_magic.task.task import Task

CHAIN = "e(a,b). e(b,c). p(c)."
BACKWARDS = "e(b,a). e(c,b). p(c)."
FIRST_OF_THREE = "pos(f(a)). neg(f(b)). neg(f(c))."
LONG_CHAIN = "e(a,b). e(b,c). e(c,d). e(x,y). e(y,z). p(d)."
ALL_OF_IT = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). neg(f(x)). neg(f(y)). neg(f(z))."
EDGE_AND_P = "head_pred(f,1). body_pred(e,2). body_pred(p,1). "
P_AND_Q = "head_pred(f,1). body_pred(p,1). body_pred(q,1). max_vars(1). max_body(2). "


@dataclass(frozen=True, slots=True)
class Case:
    """A task without a solution, and a change that opens one: as advised, and as a user makes it."""

    background: str
    examples: str
    bias: str
    advised: str
    edited: str = ""  # the bias text with the change; where it only adds to the text, not needed

    @property
    def task(self) -> Task:
        return read_task(self.background, self.examples, self.bias)

    @property
    def changed(self) -> Task:
        return read_task(self.background, self.examples, self.edited or f"{self.bias} {self.advised}")


CASES = {
    "a variable that occurs once": Case(
        "e(a,b). e(c,c).",
        "pos(f(a)). neg(f(b)).",
        "head_pred(f,1). body_pred(e,2). max_vars(2). max_body(1).",
        "allow_singletons.",
    ),
    "one more variable": Case(
        CHAIN,
        FIRST_OF_THREE,
        EDGE_AND_P + "max_vars(2). max_body(3).",
        "max_vars(3).",
        EDGE_AND_P + "max_vars(3). max_body(3).",
    ),
    "one more literal": Case(
        CHAIN,
        FIRST_OF_THREE,
        EDGE_AND_P + "max_vars(3). max_body(2).",
        "max_body(3).",
        EDGE_AND_P + "max_vars(3). max_body(3).",
    ),
    "recursion": Case(
        LONG_CHAIN, ALL_OF_IT, EDGE_AND_P + "max_vars(2). max_body(2).", "enable_recursion."
    ),
    "one more rule": Case(
        LONG_CHAIN,
        ALL_OF_IT,
        EDGE_AND_P + "max_vars(2). max_body(2). enable_recursion. max_clauses(1).",
        "max_clauses(2).",
        EDGE_AND_P + "max_vars(2). max_body(2). enable_recursion. max_clauses(2).",
    ),
    "directions": Case(
        BACKWARDS,
        FIRST_OF_THREE,
        EDGE_AND_P + "max_vars(3). max_body(3). direction(f,(in,)). direction(e,(in,out)). direction(p,(in,)).",
        "without the directions",
        EDGE_AND_P + "max_vars(3). max_body(3).",
    ),
    "types": Case(
        "p(a). q(a). q(b).",
        "pos(f(a)). neg(f(b)).",
        P_AND_Q + "type(f,(s,)). type(p,(t,)). type(q,(s,)).",
        "without the types",
        P_AND_Q,
    ),
    "a constraint": Case(
        "p(a). q(a). q(b).",
        "pos(f(a)). neg(f(b)).",
        P_AND_Q + ":- body_literal(_,p,_,_).",
        "without your constraints",
        P_AND_Q,
    ),
    "a head variable left out": Case(
        "p(a).", "pos(f(a,b)). neg(f(b,a)).", "head_pred(f,2). body_pred(p,1). max_vars(2).", "non_datalog."
    ),
}  # fmt: skip


def shortfall_of(task: Task, **options: Any) -> Shortfall:
    result = learn(task, **options)
    assert result.status == "none"
    assert result.shortfall
    return result.shortfall


@pytest.mark.parametrize("name", CASES)
def test_the_advice_is_given_and_right(name: str) -> None:
    case = CASES[name]
    report = shortfall_of(case.task)
    assert report.exhausted
    advised = {advice.change: advice for advice in report.advice}
    assert advised[case.advised].solved
    assert f"try          {case.advised}: there is a solution" in str(report)
    assert learn(case.changed).status == "optimal"


@pytest.mark.parametrize("name", CASES)
def test_the_change_that_is_tried_is_the_one_that_is_named(name: str) -> None:
    case = CASES[name]
    biases = dict(changes(case.task.bias))
    assert biases[case.advised] == case.changed.bias


def test_advice_that_opens_more_but_no_solution() -> None:
    task = read_task(
        "e(a,b). e(c,c).",
        "pos(f(a)). pos(f(z)). neg(f(b)).",
        "head_pred(f,1). body_pred(e,2). max_vars(2). max_body(1).",
    )
    report = shortfall_of(task)
    (advice,) = [advice for advice in report.advice if advice.change == "allow_singletons."]
    assert (advice.covered, advice.solved) == (1, False)
    assert "try          allow_singletons.: covers 1 positive example" in str(report)


def test_no_advice_where_nothing_helps_or_none_is_wanted() -> None:
    same = read_task("p(a). p(b).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1).")
    assert shortfall_of(same).advice == ()
    assert "try" not in str(shortfall_of(same))
    assert shortfall_of(CASES["recursion"].task, advise=False).advice == ()


def test_every_change_opens_a_larger_space() -> None:
    """None is offered twice, and none that the bias has already."""
    plain = Bias(Predicate("f", 1), (Predicate("p", 1),))
    named = [change for change, _ in changes(plain)]
    assert len(named) == len(set(named))
    for change, bias in changes(plain):
        assert bias != plain
        assert change not in dict(changes(bias)) or change.startswith("max_")


@pytest.fixture(scope="module")
def partial() -> Result:
    """Nothing is known of z, and nothing of d that does not hold of the negative c too."""
    return learn(
        read_task(
            "p(a). p(b). q(b). q(c). q(d).",
            "pos(f(a)). pos(f(b)). pos(f(z)). pos(f(d)). neg(f(c)).",
            P_AND_Q,
        ),
        advise=False,
    )


def test_the_best_partial_hypothesis(partial: Result) -> None:
    assert partial.rules == ["f(A) :- p(A)."]
    assert (partial.confusion.tp, partial.confusion.fn, partial.confusion.fp) == (2, 2, 0)
    assert "no solution, " in str(partial)


@pytest.mark.parametrize(("searched", "said"), [(1, "up to 1 literal;"), (2, "up to 2 literals;")])
def test_sizes_are_counted_as_people_do(partial: Result, searched: int, said: str) -> None:
    assert partial.shortfall is not None
    assert said in str(replace(partial.shortfall, searched=searched))


def test_what_was_searched(partial: Result) -> None:
    assert partial.shortfall
    assert (partial.shortfall.searched, partial.shortfall.exhausted) == (3, True)
    assert "searched     all programs of up to 3 literals; the whole space was searched" in str(partial)
    stopped = learn(partial.task, timeout=0)
    assert "larger programs were not tried" in str(stopped.shortfall)
    assert "impossible" not in str(stopped.shortfall)


def test_what_is_uncovered_and_what_is_impossible(partial: Result) -> None:
    assert partial.shortfall
    assert [render_term(atom) for atom in partial.shortfall.uncovered] == ["f(z)", "f(d)"]
    assert [render_term(atom) for atom in partial.shortfall.impossible] == ["f(z)", "f(d)"]
    assert "uncovered    2: f(z), f(d)" in str(partial)
    assert "impossible   no rule covers these without a negative example: 2: f(z), f(d)" in str(partial)


def test_predicates_that_were_no_help() -> None:
    task = read_task(
        "p(a). q(c).",
        "pos(f(a)). pos(f(b)). neg(f(c)).",
        "head_pred(f,1). body_pred(p,1). body_pred(q,1). max_vars(1).",
    )
    report = shortfall_of(task, advise=False)
    assert report.idle == (Predicate("q", 1),)
    assert "no help      q/1" in str(report)


def test_bounds_that_were_hit() -> None:
    report = shortfall_of(CASES["recursion"].task, advise=False)
    assert report.bounds == ("max_body 2", "max_vars 2")
    assert "bounds hit   max_body 2, max_vars 2" in str(report)
    roomy = read_task("p(a). q(b).", "pos(f(a)). pos(f(z)). neg(f(b)).")
    assert shortfall_of(roomy, advise=False).bounds == ()


def test_the_bound_on_rules_is_hit_by_recursive_programs() -> None:
    """Both directions at once would need a third rule: y is reached from d only backwards."""
    examples = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). pos(f(y)). neg(f(x)). neg(f(z))."
    bias = EDGE_AND_P + "max_vars(2). max_body(2). enable_recursion."
    report = shortfall_of(read_task(LONG_CHAIN, examples, bias), advise=False)
    assert "max_clauses 2" in report.bounds


def test_few_examples_are_named() -> None:
    examples = " ".join(f"pos(f(x{number}))." for number in range(1200))
    report = shortfall_of(read_task("p(a).", f"{examples} neg(f(a))."), advise=False)
    assert "uncovered    1,200: f(x0), f(x1), f(x2), f(x3), f(x4) and 1,195 more" in str(report)


@pytest.mark.parametrize(
    ("covered", "told"), [(1, "covers 1 positive example"), (2, "covers 2 positive examples")]
)
def test_what_a_change_opens_is_told(covered: int, told: str) -> None:
    report = Shortfall(3, True, (), (), (), (), (Advice("max_body(3).", covered, solved=False),))
    assert str(report).splitlines()[-1].partition(": ")[2] == told


def test_a_solution_has_no_report() -> None:
    assert learn(CASES["recursion"].changed).shortfall is None
