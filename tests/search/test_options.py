"""Options: what they override, and which values they take."""

from __future__ import annotations

from typing import Any

import pytest

from joiner_magic import Options, Task, learn, read_task
from joiner_magic.errors import TaskError
from joiner_magic.search import loop

# In each case the option makes the difference between a solution and none.
SINGLETONS = (
    "e(a,b). e(c,c).",
    "pos(f(a)). neg(f(b)).",
    "head_pred(f,1). body_pred(e,2). max_body(1). max_vars(2).",
)
CHAIN = ("e(a,b). e(b,c). p(c).", "pos(f(a)). neg(f(b)). neg(f(c)).")
CHAIN_BIAS = "head_pred(f,1). body_pred(e,2). body_pred(p,1). "
PATH = (
    "e(a,b). e(b,c). e(c,d). e(x,y). p(d).",
    "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). neg(f(x)). neg(f(y)).",
)
PATH_BIAS = CHAIN_BIAS + "max_vars(2). max_body(2). "


def solved(texts: tuple[str, str, str], **options: Any) -> bool:
    return learn(read_task(*texts), advise=False, **options).solved


def test_singletons_either_way() -> None:
    background, examples, bias = SINGLETONS
    allowed = (background, examples, bias + " allow_singletons.")
    assert not solved(SINGLETONS)
    assert solved(SINGLETONS, singletons=True)
    assert solved(allowed)
    assert not solved(allowed, singletons=False)


def test_recursion_either_way() -> None:
    plain, recursive = (*PATH, PATH_BIAS), (*PATH, PATH_BIAS + "enable_recursion.")
    assert not solved(plain)
    assert solved(plain, recursion=True)
    assert solved(recursive)
    assert not solved(recursive, recursion=False)


def test_recursion_needs_a_second_rule() -> None:
    plain = (*PATH, PATH_BIAS)
    assert not solved(plain, recursion=True, max_clauses=1)
    assert solved((*PATH, PATH_BIAS + "enable_recursion. max_clauses(1)."), max_clauses=2)


def test_max_vars_either_way() -> None:
    narrow, wide = (*CHAIN, CHAIN_BIAS + "max_vars(2)."), (*CHAIN, CHAIN_BIAS + "max_vars(3).")
    assert not solved(narrow)
    assert solved(narrow, max_vars=3)
    assert solved(wide)
    assert not solved(wide, max_vars=2)


def test_max_body_either_way() -> None:
    short, long = (
        (*CHAIN, CHAIN_BIAS + "max_vars(3). max_body(2)."),
        (*CHAIN, CHAIN_BIAS + "max_vars(3). max_body(3)."),
    )
    assert not solved(short)
    assert solved(short, max_body=3)
    assert solved(long)
    assert not solved(long, max_body=2)


def test_joining_writes_rules_beyond_max_body() -> None:
    texts = (
        "p(a). p(b). q(a). q(c).",
        "pos(f(a)). neg(f(b)). neg(f(c)).",
        "head_pred(f,1). body_pred(p,1). body_pred(q,1). max_body(1).",
    )
    assert solved(texts)
    assert not solved(texts, join=False)
    assert solved(texts, join=False, max_body=2)


def test_splittable_rules_are_tested_if_asked_for() -> None:
    task = read_task(
        "p(a). p(b). q(a). q(b).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1). body_pred(q,1)."
    )
    tested = [learn(task, splittable=allowed, advise=False).counts["tested"] for allowed in (False, True)]
    assert tested == [2, 3]


def test_a_limit_leaves_programs_unfinished_and_then_nothing_is_proven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was cut short might have covered more, unless it is tested again with more work."""
    task = read_task(*PATH, PATH_BIAS + "enable_recursion.")
    again = learn(task, limit=1, advise=False)
    monkeypatch.setattr(loop.Search, "_come_back", lambda search: False)
    result = learn(task, limit=1, advise=False)
    assert result.counts["unfinished"] > 0
    assert not result.optimal
    assert (again.counts["unfinished"], again.status) == (0, learn(task, advise=False).status)


def test_what_is_not_said_stays_as_the_bias_says() -> None:
    bias = read_task(*SINGLETONS).bias
    assert Options().bias(bias) == bias


def a_task() -> Task:
    return read_task("p(a). q(b).", "pos(f(a)). neg(f(b)).")


def learn_with(**options: Any) -> None:
    learn(a_task(), **options)


@pytest.mark.parametrize("name", ["max_vars", "max_body", "max_clauses", "limit"])
@pytest.mark.parametrize("value", [0, -1])
def test_numbers_below_one_are_refused(name: str, value: int) -> None:
    with pytest.raises(TaskError, match=f"{name} is {value}; give a whole number above 0"):
        learn_with(**{name: value})


@pytest.mark.parametrize("value", [-1, -0.5, float("nan")])
def test_a_timeout_is_a_number_of_seconds(value: float) -> None:
    with pytest.raises(TaskError, match=f"timeout is {value}"):
        learn(a_task(), timeout=value)


ODD_VALUES: list[tuple[str, Any]] = [
    ("limit", 10**30),
    ("limit", 2**63),
    ("limit", 1.5),
    ("limit", "3"),
    ("limit", True),
    ("timeout", True),
    ("timeout", "3"),
    ("timeout", 10**400),
    ("timeout", [1]),
    ("memory", -3),
    ("memory", 10**30),
    ("memory", None),
    ("jobs", 10**9),
    ("jobs", None),
    ("max_vars", 10**5000),
    ("max_body", 2**31),
    ("engine", ["datalog"]),
    ("engine", "x\ny"),
    ("engine", None),
    ("source", 3),
    ("join", "no"),
    ("join", None),
    ("splittable", 1),
    ("trusted", "false"),
    ("trusted", None),
    ("singletons", 1),
    ("recursion", "yes"),
    ("every_rule", 0),
    ("advise", "x" * 10_000),
]


@pytest.mark.parametrize(("name", "value"), ODD_VALUES, ids=lambda value: str(type(value).__name__))
def test_odd_values_are_refused_in_one_line(name: str, value: Any) -> None:
    with pytest.raises(TaskError) as caught:
        Options(**{name: value})
    assert caught.value.headline.startswith(f"{name} is ")
    assert caught.value.remedy
    assert "\n" not in caught.value.headline
    assert len(caught.value.headline) < 200


@pytest.mark.parametrize(
    "options",
    [
        {"limit": 10**15},
        {"jobs": 1_024},
        {"memory": 10**9},
        {"timeout": 1e300},
        {"timeout": float("inf")},
        {"max_clauses": 2**31 - 1},
    ],
)
def test_the_largest_values_that_are_taken(options: dict[str, Any]) -> None:
    assert learn(a_task(), **options).optimal


def test_fewer_variables_than_the_head_has_are_refused() -> None:
    task = read_task("e(a,b).", "pos(f(a,b)). neg(f(b,a)).")
    with pytest.raises(TaskError, match="max_vars"):
        learn(task, max_vars=1)


def test_the_native_source_can_be_insisted_on() -> None:
    recursive = read_task(*PATH, PATH_BIAS + "enable_recursion.")
    with pytest.raises(TaskError, match="because the bias allows recursion"):
        learn(recursive, source="native")


def test_changes_are_tried_with_the_source_that_can_try_them() -> None:
    result = learn(read_task(*PATH, PATH_BIAS), source="native")
    assert result.source == "native"
    assert result.shortfall
    assert "enable_recursion." in [advice.change for advice in result.shortfall.advice]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(TaskError, match="engine is 'swift'; take one of auto"):
        learn(a_task(), engine="swift")
    with pytest.raises(TypeError, match="max_size"):
        learn(a_task(), max_size=3)


@pytest.mark.parametrize("value", ["3", 2.5])
def test_bounds_are_whole_numbers(value: object) -> None:
    with pytest.raises(TaskError, match="give a whole number"):
        Options(max_vars=value)  # type: ignore[arg-type]


def test_more_variables_than_a_rule_can_connect_cost_nothing() -> None:
    task = read_task(
        "p(a). q(a). q(b).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1). max_body(2)."
    )
    result = learn(task, max_vars=100_000, timeout=20)
    assert (result.status, result.rules) == ("optimal", ["f(A) :- p(A)."])
