"""Each pruning by the facts, alone: it strikes, and nothing of use is lost with what it leaves out.

The tasks are made so that the pruning has something to say, and most of them so that its argument would be wrong
if one of its conditions were forgotten: the rule that is lost then is the only one that tells the examples apart.
"""

from __future__ import annotations

from random import Random

import pytest

from joiner_magic import learn
from joiner_magic._core import PRUNINGS
from joiner_magic.engines.datalog.engine import DatalogEngine
from search.mined_tasks import Merit, Yield
from search.mining_shapes import Row, Shape, related

SINGLETONS = "allow_singletons."


def rows(text: str) -> list[Row]:
    """Rows written as words, their values put together by dots."""
    return [tuple(word.split(".")) for word in text.split()]


def made(head: int, pos: str, neg: str, *flags: str, max_vars: int, max_body: int, **relations: str) -> Shape:
    """A task without types and directions."""
    shape = Shape(head, rows(pos), rows(neg), max_vars=max_vars, max_body=max_body, flags=flags)
    for name, text in relations.items():
        shape.add(name, rows(text), ())
        shape.arities[name] = len(shape.facts[name][0])
    return shape


def fronts(shape: Shape, prunings: tuple[str, ...], **ways: bool) -> tuple[list[set[Merit]], int, int]:
    """What is mined with the prunings, how many bodies were tested for it, and how many were implied."""
    task = shape.task()
    with DatalogEngine(task) as engine:
        gives = Yield(task, engine, **ways)
        found = gives.mined(1 + task.bias.max_body, prunings=prunings)
        implied = gives.tally["implied"] + gives.tally["repeats itself"]
        return gives.conjoined(found), gives.tally["tested"], implied


def same_with_and_without(shape: Shape, pruning: str, **ways: bool) -> tuple[int, int]:
    """How many bodies the pruning spares, and how many it implied; what is of use is the same."""
    expected, tested, _ = fronts(shape, (), **ways)
    found, fewer, implied = fronts(shape, (pruning,), **ways)
    assert found == expected, f"{pruning} {ways}\n{shape}"
    return tested - fewer, implied


def assert_solved(shape: Shape, size: int) -> None:
    """Both sources find the solution, and prove that it is a smallest one."""
    for source in ("native", "asp"):
        result = learn(shape.task(), source=source, advise=False)
        assert (result.status, result.size) == ("optimal", size), f"{source}\n{shape}"


# Where the order of two arguments says nothing, a literal is made in one order only.


def test_exchange_strikes() -> None:
    shape = made(1, "a b", "c", SINGLETONS, max_vars=4, max_body=3, p="a.b b.a b.c c.b c.d d.c", q="a b")
    spared, _ = same_with_and_without(shape, "exchange")
    assert spared > 0


def test_an_order_counts_as_an_occurrence_where_singletons_are_forbidden() -> None:
    """p(A,B), p(B,A) is the only way to say that there is a B."""
    shape = made(1, "a b", "c", max_vars=2, max_body=2, p="a.b b.a")
    same_with_and_without(shape, "exchange")
    assert_solved(shape, 3)


def test_an_order_counts_where_a_pattern_of_the_user_names_it() -> None:
    shape = made(1, "a b", "c d", SINGLETONS, max_vars=3, max_body=2, p="a.x x.a b.y y.b c.d d.c", q="x y")
    shape.flags = [SINGLETONS, ":- body_literal(C,p,2,(A,B)), body_literal(C,q,1,(B,))."]
    spared, _ = same_with_and_without(shape, "exchange")
    assert spared == 0
    assert_solved(shape, 3)


def test_arguments_of_different_directions_are_not_exchanged() -> None:
    shape = made(1, "a b", "c d", SINGLETONS, max_vars=3, max_body=3, p="a.x x.a b.y y.b c.d d.c", q="x y")
    shape.directions = {"p": ("in", "out"), "q": ("in",)}
    same_with_and_without(shape, "exchange")
    assert_solved(shape, 3)


# Where one argument follows from the others, two literals make variables equal.

CHAIN = {"n": "z1.a z2.b z3.c z4.d z2.c z3.b", "p": "a.y1 b.y2 c.y3 d.y4", "q": "y1 y2", "r": "y1 y3"}


def test_repeat_strikes() -> None:
    shape = made(1, "z1", "z2 z3 z4", SINGLETONS, max_vars=4, max_body=4, **CHAIN)
    spared, implied = same_with_and_without(shape, "repeat")
    assert spared > 0
    assert implied > 0


def test_equal_variables_of_different_types_cannot_become_one() -> None:
    shape = made(1, "z1", "z2 z3 z4", SINGLETONS, max_vars=4, max_body=5, **CHAIN)
    shape.types = {"q": ("s",), "r": ("t",)}
    same_with_and_without(shape, "repeat")
    assert_solved(shape, 6)


def test_equal_variables_may_be_all_that_links_a_third_where_singletons_are_forbidden() -> None:
    """q(Y,W), q(Z,W) with equal Y and Z is the only way to say that there is a W."""
    relations = {"p": "a.y1 b.y2 c.y3", "q": "y1.w1 y1.w2 y2.w1", "n": "z1.a z2.b z3.c"}
    shape = made(1, "z1 z2", "z3", max_vars=6, max_body=5, **relations)
    shape.types = {"f": ("z",), "n": ("z", "x"), "p": ("x", "y"), "q": ("y", "w")}
    same_with_and_without(shape, "repeat")
    assert_solved(shape, 6)


def test_equal_variables_can_be_in_one_literal_where_facts_are_reflexive() -> None:
    relations = {"n": "z1.a z2.b z3.c", "p": "a.y1 b.y2 c.y3", "r": "y1.y1 y2.y3 y3.y2"}
    shape = made(1, "z1", "z2 z3", SINGLETONS, max_vars=4, max_body=4, **relations)
    same_with_and_without(shape, "repeat")
    assert_solved(shape, 5)


def test_an_equal_head_variable_splits_the_body_and_the_conjunction_is_as_good() -> None:
    relations = {"n": "z1.a z2.b z3.c", "p": "a.y1 b.y2 c.y3", "q": "y1 y2", "t": "y1.u y2.w y3.u", "u": "u"}
    shape = made(2, "z1.y1", "z1.y2 z2.y2 z3.y3", SINGLETONS, max_vars=5, max_body=5, **relations)
    for splittable in (False, True):
        _, implied = same_with_and_without(shape, "repeat", splittable=splittable)
        assert implied > 0


# A literal that follows from the rest of the body is left out.


def test_imply_strikes() -> None:
    shape = made(1, "a", "b", SINGLETONS, max_vars=4, max_body=3, p="a.x b.y", q="a.x b.y a.y", r="x y")
    spared, implied = same_with_and_without(shape, "imply")
    assert spared > 0
    assert implied > 0


def test_an_implied_literal_is_not_left_out_where_it_is_a_second_occurrence() -> None:
    """q(B) follows from p(A,B), but without it B is a singleton."""
    shape = made(1, "a b", "c", max_vars=2, max_body=2, p="a.x b.y", q="x y z")
    same_with_and_without(shape, "imply")
    assert_solved(shape, 3)


def test_an_implied_literal_is_not_left_out_where_it_binds_a_variable() -> None:
    """bind(B) follows from p(A,B), which cannot be run before it."""
    shape = made(1, "a b", "c", SINGLETONS, max_vars=2, max_body=3, p="a.x b.y", bind="a.x b.y c.x c.y")
    shape.directions = {"p": ("in", "in"), "bind": ("in", "out")}
    same_with_and_without(shape, "imply")
    assert_solved(shape, 3)


def test_an_implied_literal_is_not_left_out_where_the_head_asks_for_it() -> None:
    relations = {"p": "a.x b.y c.y", "bind": "a.x a.y b.y c.x", "q": "x"}
    shape = made(2, "a.x", "b.y c.x c.y", SINGLETONS, max_vars=3, max_body=3, **relations)
    shape.directions = {"f": ("in", "out"), "p": ("in", "in"), "bind": ("in", "out"), "q": ("in",)}
    results = [learn(shape.task(), source=source, advise=False) for source in ("native", "asp")]
    assert len({(result.status, result.size) for result in results}) == 1


# All of them, on random tasks in which they strike.


def striking_shape(rng: Random, pruning: str) -> Shape:
    """Relations of the kind that the pruning looks for, with limits that are met."""
    kind = {"exchange": "symmetric", "repeat": "functional", "imply": "inside"}[pruning]
    shape = Shape(rng.choice([0, 1, 1, 2]), max_vars=rng.choice([3, 4]), max_body=rng.choice([3, 3, 4]))
    values = [f"v{i}" for i in range(rng.randint(4, 9))]
    for number, arity in enumerate(rng.choice([(2, 2), (2, 2, 1), (2, 1), (3, 2)])):
        known = shape.facts.get(f"p{number - 1}", ())
        drawn = related(rng, kind, [values] * arity, ())
        if kind == "inside" and rng.random() < 0.8:  # the later literal is the one that follows
            drawn |= {row for row in known if len(row) == arity}
        shape.add(f"p{number}", drawn, ("s",) * arity)
        if rng.random() < 0.2:
            shape.directions[f"p{number}"] = tuple(rng.choice(["in", "out"]) for _ in range(arity))
    shape.types["f"] = ("s",) * shape.head
    typed = rng.choice([0.0, 0.6, 1.0])
    shape.types = {name: kinds for name, kinds in shape.types.items() if rng.random() < typed}
    examples = sorted({tuple(rng.choice(values) for _ in range(shape.head)) for _ in range(12)})
    rng.shuffle(examples)
    cut = rng.randint(1, len(examples))
    shape.pos, shape.neg = examples[:cut], examples[cut:]
    shape.flags = [SINGLETONS] if rng.random() < 0.6 else []
    if rng.random() < 0.2:
        shape.flags = [*shape.flags, ":- body_literal(C,p0,_,(A,B,)), body_literal(C,p1,_,(A,B,))."]
    return shape


WAYS = [{}, {}, {"splittable": True}, {"splittable": True, "fragments": False}]


@pytest.mark.parametrize("pruning", PRUNINGS)
def test_random_tasks(pruning: str) -> None:
    spared = 0
    for seed in range(60):
        rng = Random(seed)
        shape = striking_shape(rng, pruning)
        spared += same_with_and_without(shape, pruning, **rng.choice(WAYS))[0]
    assert spared > 300, "so that the comparison says something"
