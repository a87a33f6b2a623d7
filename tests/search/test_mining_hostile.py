"""Tasks in shapes that nobody plans for: both sources say the same of them, and nothing breaks."""

from __future__ import annotations

from random import Random

import pytest

from busy import within
from joiner_magic import Result, learn, read_task
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.search.spaces.mined_space import MinedSpace
from joiner_magic.task.task import Task
from search.mined_tasks import Yield

BINARY = "head_pred(f,1). body_pred(p,2). body_pred(q,1). max_body(3)."
UNARY = "head_pred(f,1). body_pred(q,1). body_pred(r,1). max_body(2)."

# Background knowledge, examples and bias.
TASKS = {
    "a head and literals without arguments": (
        "p. q(a). r(b).",
        "pos(f).",
        "head_pred(f,0). body_pred(p,0). body_pred(q,1). body_pred(r,1). max_body(3).",
    ),
    "a head without arguments and nothing to say": (
        "q(a). r(b).",
        "pos(f).",
        "head_pred(f,0). body_pred(q,1). body_pred(r,1). max_vars(1). max_body(2).",
    ),
    "literals without arguments next to others": (
        "p. q(a). q(b). r(b). s :- r(zz).",
        "pos(f(a)). neg(f(b)). neg(f(c)).",
        "head_pred(f,1). body_pred(p,0). body_pred(s,0). body_pred(q,1). body_pred(r,1). max_body(3).",
    ),
    "one example": ("p(a,b). p(b,c). q(a).", "pos(f(a)).", BINARY),
    "no negative example": ("p(a,b). p(b,c). q(b).", "pos(f(a)). pos(f(b)).", BINARY),
    "facts and examples said twice": (
        "p(a,b). p(a,b). p(b,c). q(b). q(b).",
        "pos(f(a)). pos(f(a)). neg(f(c)). neg(f(b)). neg(f(c)).",
        BINARY,
    ),
    "constants only in examples": (
        "p(a,b). p(b,c). q(b).",
        "pos(f(a)). pos(f(new)). neg(f(c)). neg(f(other)).",
        BINARY,
    ),
    "one variable, one literal": (
        "q(a). r(a). q(b). r(c).",
        "pos(f(a)). neg(f(b)). neg(f(c)).",
        "head_pred(f,1). body_pred(q,1). body_pred(r,1). max_vars(1). max_body(1).",
    ),
    "no fact": ("q(X) :- r(X). r(X) :- q(X).", "pos(f(a)). neg(f(b)).", UNARY),
    "no fact of a type": (
        "p(a,b). q(z) :- q(z).",
        "pos(f(a)). neg(f(b)).",
        BINARY + "type(f,(s,)). type(p,(s,t)). type(q,(u,)).",
    ),
    "compound terms and numbers": (
        "p(g(a),1). p(g(b),2). q(1). q(-1). q([1,2]).",
        "pos(f(g(a))). neg(f(g(b))). neg(f(g(g(a)))).",
        BINARY,
    ),
    "arity 5": (
        "t(a,b,c,d,e). t(b,b,c,d,d). q(e).",
        "pos(f(a,b)). neg(f(b,b)). neg(f(b,a)).",
        "head_pred(f,2). body_pred(t,5). body_pred(q,1). max_vars(5). max_body(2).",
    ),
    "70 predicates": (
        "".join(f"p{i}(a{i % 5}). " for i in range(70)),
        "pos(f(a1)). neg(f(a2)). neg(f(a0)).",
        "head_pred(f,1). max_vars(2). max_body(2)." + "".join(f"body_pred(p{i},1)." for i in range(70)),
    ),
}


def told(result: Result) -> tuple[str, int, int, str]:
    return result.status, result.size, result.confusion.tp, result.why


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("singletons", [False, True])
def test_both_sources_say_the_same(name: str, singletons: bool) -> None:
    task = read_task(*TASKS[name])
    for join, splittable in ((True, False), (False, False), (True, True)):
        native, asp = (
            learn(task, source=source, singletons=singletons, join=join, splittable=splittable, advise=False)
            for source in ("native", "asp")
        )
        assert told(native) == told(asp), f"{join=} {splittable=}"


@pytest.mark.parametrize("name", TASKS)
def test_both_sources_give_the_same(name: str) -> None:
    task = read_task(*TASKS[name])
    with DatalogEngine(task) as engine:
        gives = Yield(task, engine, splittable=True)
        expected = gives.asp(3)
        for bits in (True, False):
            assert gives.mined(3, bits=bits) == expected


def large_task(rng: Random, *, ternary: bool) -> Task:
    """10,000 constants; what is learnt is on the way from most of them."""
    count = 10_000
    red = "".join(f"red(c{i}). " for i in range(0, count, 7))
    steps = "".join(f"step(c{i},c{i + 1}). " for i in range(count))
    if ternary:
        triples = (f"t(c{i},c{i + 1},c{rng.randrange(count)}). " for i in range(count))
        steps = "".join([*triples, *(f"t(c{i},c{rng.randrange(count)},c{i}). " for i in range(count))])
    examples = [f"pos(f(c{i})).\n" for i in range(5, 1400, 7)] + [
        f"neg(f(c{i})).\n" for i in range(1, 1400, 7)
    ]
    body = "body_pred(t,3)." if ternary else "body_pred(step,2)."
    bias = f"head_pred(f,1). {body} body_pred(red,1). max_vars(4). max_body(3)."
    return read_task(red + steps, "".join(examples), bias)


@pytest.mark.parametrize("ternary", [False, True])
def test_many_constants(ternary: bool) -> None:
    task = large_task(Random(0), ternary=ternary)
    native, asp = (learn(task, source=source, advise=False) for source in ("native", "asp"))
    assert told(native) == told(asp)
    with DatalogEngine(task) as engine:
        gives = Yield(task, engine)
        assert gives.mined(3) == gives.asp(3)


def test_tables_that_would_be_too_large() -> None:
    """Of 1,000 examples each needs a table over two variables with 3,000 values."""
    rng = Random(0)
    facts = [f"t(a{rng.randrange(1000)},x{rng.randrange(3000)},x{rng.randrange(3000)})." for _ in range(9000)]
    facts += [f"red(x{i})." for i in range(0, 3000, 7)] + ["yes(y)."]
    examples = [f"{rng.choice(['pos', 'neg'])}(f(a{i},{rng.choice('yn')}))." for i in range(1000)]
    bias = (
        "head_pred(f,2). body_pred(t,3). body_pred(red,1). body_pred(yes,1). max_vars(4). max_body(3)."
        "type(f,(a,b)). type(t,(a,x,x)). type(red,(x,)). type(yes,(b,))."
    )
    task = read_task("\n".join(facts), "\n".join(examples), bias)
    with DatalogEngine(task) as engine:
        space = MinedSpace.of(task.bias, splittable=False, fragments=True)
        assert not engine.miner(space, memory=10**9).as_bits
        gives = Yield(task, engine)
        assert gives.mined(4) == gives.asp(4)


def test_a_wide_head() -> None:
    args, types = "a,b,c,d,e,g,h,i", "ta,tb,tc,td,te,tg,th,ti"
    task = read_task(
        f"p({args}). q(a). q(b).",
        f"pos(f({args})). neg(f(b,b,c,d,e,g,h,i)).",
        "head_pred(f,8). body_pred(p,8). body_pred(q,1). max_vars(9). max_body(2)."
        f"type(f,({types})). type(p,({types})). type(q,(ta,)).",
    )
    result = learn(task, source="native")
    assert (result.status, result.size) == ("optimal", 2)
    args += ",j"
    task = read_task(f"p({args}).", f"pos(f({args})).", "head_pred(f,9). body_pred(p,9). max_vars(9).")
    result = learn(task, source="native")
    assert (result.status, result.size) == ("optimal", 2)


def test_many_variables() -> None:
    """Stars of many leaves, which only their order tells apart: there are few, and they are looked at once."""
    leaves = " ".join(f"e(x,t{i})." for i in range(30))
    task = read_task(
        f"n(a,x). n(b,y). n(c,x). e(y,t1). {leaves}",
        "pos(f(a)). neg(f(b)). neg(f(c)).",
        "head_pred(f,1). body_pred(n,2). body_pred(e,2). type(f,(a,)). type(n,(a,s)). type(e,(s,t))."
        "direction(n,(in,out)). direction(e,(in,out)). allow_singletons. max_vars(13). max_body(11).",
    )
    result = learn(task, source="native", advise=False, timeout=10)
    assert result.shortfall
    assert result.shortfall.exhausted


def test_more_orders_of_arguments_than_anyone_can_wait_for() -> None:
    """Over a million ways to add one literal: a deadline is kept in the middle of them."""
    rows = [
        "abcdefgh"[i:] + "abcdefgh"[:i] for i in range(8)
    ]  # everything is everywhere: one literal tells nothing
    task = read_task(
        "".join(f"p({','.join(row)}).\n" for row in rows),
        "pos(f(a)). neg(f(b)).",
        "head_pred(f,1). body_pred(p,8). max_vars(16). max_body(3). allow_singletons.",
    )
    with within(2.5):
        result = learn(task, advise=False, timeout=1)
    assert "the time was up" in result.why
