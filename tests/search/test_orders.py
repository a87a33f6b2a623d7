"""Every field that decides a space declares how, and each declaration is needed: without it a wrong answer gets through."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, make_dataclass, replace
from typing import Any

import pytest

from joiner_magic.logic.terms import Predicate
from joiner_magic.search.options import BEARINGS, Bearing, Options, bearings_of, overrides_of
from joiner_magic.search.outcome.result import Result
from joiner_magic.search.reuse.finding import Finding, carries_over
from joiner_magic.search.reuse.task_order import TASK_ORDERS, TaskOrder, belongs, is_narrower, is_same_task
from joiner_magic.sessions.session import Session
from joiner_magic.task.bias import BIAS_ORDERS, Bias
from joiner_magic.task.declarations import orders_of
from joiner_magic.task.noise import Noise
from joiner_magic.task.orders import NO_EFFECT
from joiner_magic.task.reader import read_program
from joiner_magic.task.task import Task, read_task


@dataclass(frozen=True)
class Pair:
    """Two biases that differ in one field, and a task that has a smaller solution in the wide space."""

    wide: str
    narrow: str
    bk: str = "p(a). p(b). r(c). s(a). s(c). q(a)."
    examples: str = "pos(f(a)). neg(f(b)). neg(f(c))."
    program: str = ""  # of the wide space and not of the narrow one

    def task(self, bias: str) -> Task:
        return read_task(self.bk, self.examples, bias)

    def learnt(self, session: Session, bias: str) -> Result:
        return session.learn(f"{bias}", advise=False)

    def session(self) -> Session:
        session = Session()
        session.bk(self.bk)
        session.examples(self.examples)
        return session


_THREE = "head_pred(f,1). body_pred(p,1). body_pred(s,1). body_pred(u,1). body_pred(e,2). body_pred(t,1). "
_OF_THREE = "p(a). p(b). p(c). s(a). s(b). s(d). u(a). u(c). u(d). e(a,z). e(b,y). e(c,y). e(d,y). t(z)."
_NOT_THREE = "pos(f(a)). neg(f(b)). neg(f(c)). neg(f(d))."
_CHAIN = "e(a,b). e(b,c). e(c,d). e(x,y). p(d). p(k1). u(a). u(b). v(c). u(k2). v(k3)."
_ON_CHAIN = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). neg(f(x)). neg(f(y))."
_OF_CHAIN = "head_pred(f,1). body_pred(e,2). body_pred(p,1). body_pred(u,1). body_pred(v,1). max_vars(2). max_body(2). "
_RECURSIVE = "f(A) :- p(A). f(A) :- e(A,B), f(B)."
_SIX = [f"u{i}" for i in range(6)]
_HOPS = (
    "head_pred(f,1). body_pred(e,2). body_pred(p,1). max_vars(2). max_body(2). max_clauses(2). "
    + " ".join(f"body_pred({name},1)." for name in _SIX)
)
_OF_HOPS = "e(a,b). e(b,c). p(c). p(k). " + " ".join(
    f"{name}({constant})."
    for i, name in enumerate(_SIX)
    for constant in ("a", *(f"n{j}" for j in range(6) if j != i))
)
_FIRST = "head_pred(f,1). body_pred(p,1). body_pred(s,1). body_pred(q,1). max_vars(2). max_body(2). "
_SINGLE = "head_pred(f,1). body_pred(p,1). body_pred(s,1). body_pred(e,2). max_vars(2). "
_PLAIN = "head_pred(f,2). body_pred(p,1). body_pred(s,1). max_vars(2). max_body(2). "

# The earlier run, in the narrow space, proves a size that is too large for the wide one.
PAIRS: dict[str, Pair] = {
    "body": Pair(_FIRST, _FIRST.replace("body_pred(q,1).", ""), program="f(A) :- q(A)."),
    "types": Pair(
        f"{_FIRST} type(f,(x,)). type(q,(x,)).",
        f"{_FIRST} type(f,(x,)). type(q,(y,)).",
        program="f(A) :- q(A).",
    ),
    "directions": Pair(
        f"{_SINGLE} allow_singletons. direction(e,(in,out)).",
        f"{_SINGLE} allow_singletons. direction(e,(in,out)). direction(f,(out,)).",
        bk="p(a). p(b). s(a). s(c). e(a,z).",
        program="f(A) :- e(A,B).",
    ),
    "max_vars": Pair(
        f"{_THREE} max_vars(2).", f"{_THREE} max_vars(1).", _OF_THREE, _NOT_THREE, "f(A) :- e(A,B), t(B)."
    ),
    "max_body": Pair(
        f"{_THREE} max_vars(2). max_body(2).",
        f"{_THREE} max_vars(2). max_body(1).",
        _OF_THREE,
        _NOT_THREE,
        "f(A) :- e(A,B), t(B).",
    ),
    "max_clauses": Pair(
        f"{_OF_CHAIN} enable_recursion. max_clauses(2).",
        f"{_OF_CHAIN} enable_recursion. max_clauses(1).",
        _CHAIN,
        _ON_CHAIN,
        _RECURSIVE,
    ),
    "enable_recursion": Pair(
        f"{_OF_CHAIN} enable_recursion. max_clauses(2).",
        f"{_OF_CHAIN} max_clauses(2).",
        _CHAIN,
        _ON_CHAIN,
        _RECURSIVE,
    ),
    "enable_pi": Pair(
        f"{_HOPS} enable_pi.", _HOPS, _OF_HOPS, "pos(f(a)). " + " ".join(f"neg(f(n{j}))." for j in range(6))
    ),
    "allow_singletons": Pair(
        f"{_SINGLE} allow_singletons.",
        _SINGLE,
        bk="p(a). p(b). s(a). s(c). e(a,z).",
        program="f(A) :- e(A,B).",
    ),
    "non_datalog": Pair(
        f"{_PLAIN} non_datalog.",
        _PLAIN,
        bk="p(a). p(c). s(b). s(a).",
        examples="pos(f(a,b)). neg(f(b,b)).",
        program="f(A,B) :- p(A).",
    ),
    "constraints": Pair(_FIRST, f"{_FIRST} :- body_literal(_,q,_,_).", program="f(A) :- q(A)."),
}
# The head is compared with that of the examples before anything else, and of constants only constraints speak, which
# are then compared with the whole bias; what errors cost is no matter of the space. Here no session answers wrongly,
# but the comparison of biases does.
OTHERS: dict[str, Any] = {"head": Predicate("g", 1), "constants": (("a", "t"),), "noise": Noise()}


def test_every_field_of_a_bias_has_its_pair() -> None:
    decided = {name for name, order in BIAS_ORDERS.items() if order is not NO_EFFECT}
    assert decided == PAIRS.keys() | OTHERS.keys()
    assert set(BIAS_ORDERS) - decided == {"places"}


def test_a_field_that_declares_nothing_is_an_error() -> None:
    wider = make_dataclass("Wider", [("more", int, field(default=0))], bases=(Bias,), frozen=True)
    with pytest.raises(TypeError, match="Wider does not say how it orders spaces by more"):
        orders_of(wider)
    more = make_dataclass(
        "More", [("more", int, field(default=0))], kw_only=True, bases=(Options,), frozen=True
    )
    with pytest.raises(TypeError, match="More does not say what these bear on: more"):
        bearings_of(more)
    undirected = field(default=None, metadata={"bearing": Bearing.BIAS, "overrides": ""})
    more = make_dataclass("More", [("more", int, undirected)], kw_only=True, bases=(Options,), frozen=True)
    with pytest.raises(TypeError, match="More does not say which directives these go before: more"):
        overrides_of(more)


@pytest.mark.parametrize("name", PAIRS)
def test_a_session_answers_wrongly_without_the_declaration(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = PAIRS[name]
    wide, narrow = pair.task(pair.wide).bias, pair.task(pair.narrow).bias
    assert is_narrower(narrow, wide) or name in ("types", "directions")
    assert not is_narrower(wide, narrow)

    def sizes() -> tuple[int, int]:
        session = pair.session()
        found = [session.learn(bias, advise=False) for bias in (pair.narrow, pair.wide)]
        assert all(result.optimal for result in found)
        return found[0].size, found[1].size

    before, after = sizes()
    assert after < before
    monkeypatch.setitem(BIAS_ORDERS, name, NO_EFFECT)
    assert is_narrower(wide, narrow), "the two differ in this field only"
    assert sizes() == (before, before), "what holds in the narrow space is claimed of the wide one"


@pytest.mark.parametrize("name", OTHERS)
def test_biases_are_compared_wrongly_without_the_declaration(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bias = read_task("p(a).", "pos(f(a)).", "head_pred(f,1). body_pred(p,1).").bias
    other = replace(bias, **{name: OTHERS[name]})
    assert not is_narrower(bias, other)
    monkeypatch.setitem(BIAS_ORDERS, name, NO_EFFECT)
    assert is_narrower(bias, other)


@pytest.mark.parametrize("name", [name for name, pair in PAIRS.items() if pair.program])
def test_a_program_is_taken_for_one_of_a_space_without_the_declaration(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = PAIRS[name]
    wide, narrow = pair.task(pair.wide).bias, pair.task(pair.narrow).bias
    program = read_program(pair.program)
    assert belongs(program, wide, wide)
    assert not belongs(program, wide, narrow)
    monkeypatch.setitem(BIAS_ORDERS, name, NO_EFFECT)
    assert belongs(program, wide, narrow)


def test_a_program_with_invented_predicates_belongs_to_no_other_space() -> None:
    bias = PAIRS["enable_pi"].task(PAIRS["enable_pi"].wide).bias
    program = read_program("f(A) :- e(A,B), inv1(B). inv1(A) :- e(A,B), p(B).")
    assert not belongs(program, bias, replace(bias, body=(*bias.body, Predicate("inv1", 1)), max_vars=3))


# Options


def test_every_option_says_what_it_bears_on() -> None:
    assert set(BEARINGS) == {option.name for option in fields(Options)}


def test_an_option_without_its_bearing_on_the_space(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rules without joining, one with it: what is proven of the one is not so of the other."""

    def sizes() -> list[int]:
        session = Session()
        session.bk(
            "p(a). p(b). p(n1). p(n2). s(a). s(b). s(n1). s(n3). u(a). u(b). u(n2). u(n3). "
            "v(a). v(n1). v(n3). w(a). w(n2). x(b). x(n1). x(n3). y(b). y(n2)."
        )
        session.examples("pos(f(a)). pos(f(b)). neg(f(n1)). neg(f(n2)). neg(f(n3)).")
        session.bias("max_vars(1). max_body(2).")
        return [session.learn(join=join, advise=False).size for join in (False, True)]

    assert sizes() == [6, 4]
    monkeypatch.setitem(BEARINGS, "join", Bearing.WORK)
    assert sizes() == [6, 6]


def test_an_option_without_its_bearing_on_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fragments of one literal are forbidden, splittable rules that are made of them are not."""

    def sizes() -> list[int]:
        session = Session()
        session.bk("p(a). p(b). s(a). s(c). e(a,z). e(b,y). e(c,x). t(z). t(y). w(z). w(x). p(k). s(k).")
        session.examples("pos(f(a)). neg(f(b)). neg(f(c)).")
        session.bias("max_vars(2). max_body(3). :- clause(C), body_size(C,1).")
        return [session.learn(splittable=splittable, advise=False).size for splittable in (False, True)]

    assert sizes() == [4, 3]
    monkeypatch.setitem(BEARINGS, "splittable", Bearing.WORK)
    assert sizes() == [4, 4]


OTHER_VALUES: dict[str, Any] = {
    "timeout": 3,
    "engine": "prolog",
    "trusted": True,
    "join": False,
    "splittable": True,
    "singletons": True,
    "recursion": True,
    "max_vars": 2,
    "max_body": 2,
    "max_clauses": 2,
    "source": "asp",
    "jobs": 2,
    "memory": 7,
    "every_rule": True,
    "limit": 5,
    "advise": False,
    "noise": True,
    "missed": 2,
    "wrong": 3,
}
# In words, so that a changed declaration is noticed: what a run with another value still shares with an earlier one.
SHARED: dict[Bearing, set[str]] = {
    Bearing.SPACE: {"join", "noise", "missed", "wrong"},
    Bearing.CLAIMS: {"engine", "trusted", "splittable"},
    Bearing.REQUEST: {"source", "limit"},
    Bearing.WORK: {"jobs", "memory", "every_rule", "advise"},
    Bearing.BIAS: {"singletons", "recursion", "max_vars", "max_body", "max_clauses"},
    Bearing.NOTHING: {"timeout"},
}


@pytest.mark.parametrize("name", OTHER_VALUES)
def test_what_runs_with_different_options_share(name: str) -> None:
    (bearing,) = [bearing for bearing, names in SHARED.items() if name in names]
    assert BEARINGS[name] is bearing
    finding, other = finding_of(Options()), Options(**{name: OTHER_VALUES[name]})
    assert finding.searches_as(other) is (bearing is not Bearing.SPACE)
    assert finding.claims_as(other) is (bearing not in (Bearing.SPACE, Bearing.CLAIMS))
    asked_for_more = bearing in (Bearing.SPACE, Bearing.CLAIMS, Bearing.REQUEST)
    assert (Options().about_search == other.about_search) is not asked_for_more
    assert (Options().about_work == other.about_work) is (bearing is not Bearing.WORK)
    bias = read_task("p(a).", "pos(f(a)).", "head_pred(f,1). body_pred(p,1).").bias
    assert (other.bias(bias) == bias) is (bearing is not Bearing.BIAS)


def test_every_option_is_tried() -> None:
    assert set(OTHER_VALUES) == set(BEARINGS)


# Tasks

_BIAS = "head_pred(f,1). body_pred(p,1). body_pred(q,1). max_vars(1)."
_TASK = read_task("p(a). q(b).", "pos(f(a)). neg(f(b)).", _BIAS)
OTHER_TASKS: dict[str, Task] = {
    "background": read_task("p(a). q(b). p(b).", "pos(f(a)). neg(f(b)).", _BIAS),
    "examples": read_task("p(a). q(b).", "pos(f(a)). neg(f(c)).", _BIAS),
    "bias": read_task("p(a). q(b).", "pos(f(a)). neg(f(b)).", f"{_BIAS} max_body(3)."),
    "builtins": replace(_TASK, builtins=frozenset({Predicate("between", 3)})),
}


def finding_of(options: Options) -> Finding:
    session = Session()
    session.bk("p(a). q(b).")
    session.examples("pos(f(a)). neg(f(b)).")
    session.learn(_BIAS + " max_body(2).", advise=False)
    finding = session.runs[-1].finding
    assert finding is not None
    return replace(finding, options=options)


@pytest.mark.parametrize("name", sorted({each.name for each in fields(Task)} - {"notes"}))
def test_a_task_that_differs_in_one_field(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    finding = finding_of(Options())
    before, other = replace(_TASK, bias=finding.result.task.bias), OTHER_TASKS[name]
    if name != "bias":
        other = replace(other, bias=before.bias)
    finding = replace(finding, result=replace(finding.result, task=before))
    assert carries_over(finding, before, Options())
    assert is_same_task(before, before)
    assert not carries_over(finding, other, Options())
    assert not is_same_task(before, other)
    monkeypatch.setitem(TASK_ORDERS, name, TaskOrder(lambda *_: True, lambda *_: True))
    if name != "builtins":  # what is seen asks for them as well
        assert carries_over(finding, other, Options())
    assert is_same_task(before, other)
