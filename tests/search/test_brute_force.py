"""The exhaustive search finds what can be found by hand, and evaluates as the plain definition does."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.terms import Predicate, Symbol
from joiner_magic.task.task import read_task
from search.brute_force import Search, Space, coverages, evaluate, optimum, rules_by_step
from search.learning_tasks import (
    LearningTask,
    Row,
    apart,
    counted,
    forbidden,
    ordered,
    random_learning_task,
)


def row(text: str) -> Row:
    return tuple(Symbol(name) for name in text.split(",") if name)


def task(facts: str, pos: str, neg: str = "", *, arity: int = 1, **bias: object) -> LearningTask:
    """A task from words: facts such as `e(a,b)`, examples such as `a,b`; a nullary example is a comma."""
    atoms = [fact.rstrip(")").partition("(") for fact in facts.split()]
    known = frozenset((name, row(args)) for name, _, args in atoms)
    rows = [tuple(map(row, examples.split())) for examples in (pos, neg)]
    constants = {term for args in (*(args for _, args in known), *rows[0], *rows[1]) for term in args}
    body = sorted({Predicate(name, len(args)) for name, args in known})
    domain = tuple(sorted(constants, key=str))
    made = LearningTask(Predicate("f", arity), tuple(body), known, domain, rows[0], rows[1])
    return replace(made, **bias)  # type: ignore[arg-type]


def words(**by_name: str) -> dict[Predicate, tuple[str, ...]]:
    """Types or directions: `e="in out"`."""
    return {Predicate(name, len(said.split())): tuple(said.split()) for name, said in by_name.items()}


P, Q, E = Predicate("p", 1), Predicate("q", 1), Predicate("e", 2)
CHAIN = "e(a,b) e(b,c) e(c,d) e(x,y) e(y,z) p(d)"
BOTH_WAYS = task("p(a) p(b) q(a) q(c)", "a", "b c", max_body=1)
GIVEN_OUT = words(f="in out", e="in out", r="in in")

# f(A) holds where m and d both are among the letters of a list; only the first two are in sight of a rule.
LETTERS = task(
    "t(xmd,md) t(md,d) t(xdm,dm) t(dm,m) t(xmm,mm) t(mm,m) t(xdd,dd) t(dd,d)"
    " m(md) m(mm) m(m) d(dm) d(dd) d(d)",
    "xmd xdm",
    "xmm xdd",
    max_vars=2,
    max_body=2,
    max_clauses=2,
    enable_recursion=True,
)
# Recursion for a, b and c reaches y from x, which another rule covers.
INTERFERING = task(
    "e(a,b) e(b,c) p(c) q(x) e(y,x)",
    "a b c x",
    "y",
    max_vars=2,
    max_body=2,
    max_clauses=2,
    enable_recursion=True,
)
INVENTIVE = task(
    "e(a,b) e(x,y) r(b,c) r(y,z) p(c)", "a", "x", max_vars=2, max_body=2, max_clauses=2, enable_pi=True
)

BY_HAND = {
    "one literal": (task("p(a) q(b)", "a", "b"), 2, 2),
    "a union": (task("p(a) q(b)", "a b", "c"), 4, 4),
    "a conjunction is longer than max_body": (BOTH_WAYS, 3, None),
    "a splittable rule": (replace(BOTH_WAYS, max_body=2), 3, 3),
    "a union of conjunctions": (
        task("p(a) p(b) q(a) q(c) r(b) r(d) s(c) s(d)", "a d", "b c", max_body=1), 6, None,
    ),
    "nothing tells them apart": (task("p(a) p(b)", "a", "b"), None, None),
    "a chain": (task(CHAIN, "b", "x a", max_vars=3), 4, 4),
    "a chain needs its variables": (task(CHAIN, "b", "x a", max_vars=2), None, None),
    "singletons forbidden": (task("e(a,b) e(c,c)", "a", "b"), None, None),
    "singletons allowed": (task("e(a,b) e(c,c)", "a", "b", allow_singletons=True), 2, 2),
    "types keep apart": (
        task("p(a) q(a) q(b)", "a", "b", types=words(f="s", p="t", q="s")), None, None,
    ),
    "types of a fragment, not of a conjunction": (
        replace(BOTH_WAYS, max_body=2, types=words(p="s", q="t")), 3, None,
    ),
    "a head variable is missing": (task("p(a)", "a,b", "b,a", arity=2), None, None),
    "unless it may be": (task("p(a)", "a,b", "b,a", arity=2, non_datalog=True), 2, 2),
    "fragments complete each other": (task("p(a) q(b)", "a,b", "b,a a,a", arity=2, max_body=1), 3, None),
    "a head without variables": (task("p(a) q(b) q(a)", ",", arity=0, max_body=2), 3, 3),
    "and a fact without any": (task("p(a) r", ",", arity=0, max_body=2), 2, 2),
    "an input nothing binds": (
        task("r(a,b) r(b,b) r(c,b)", "a,b", "b,a", arity=2, directions=GIVEN_OUT), None, None,
    ),
    "an input another fragment binds": (
        task("e(a,b) e(a,c) r(a,b) r(b,c)", "a,b", "a,c b,c", arity=2, max_body=1, directions=GIVEN_OUT),
        3,
        None,
    ),
    "a chain run forwards": (
        task("e(a,b) e(b,c) p(c)", "a", "b c", max_vars=3, directions=words(e="in out", p="in")), 4, 4,
    ),
    "no chain run backwards": (
        task("e(b,a) e(c,b) p(c)", "a", "b c", max_vars=3, directions=words(e="in out")), 4, 4,
    ),
    "nor if nothing starts it": (
        task("e(b,a) e(c,b) p(c)", "a", "b c", max_vars=3, directions=words(e="in out", p="in")), None, None,
    ),
    "a forbidden predicate": (replace(BOTH_WAYS, constraint=forbidden(P)), None, None),
    "predicates kept apart": (replace(BOTH_WAYS, max_body=2, constraint=apart(P, Q)), 3, None),
    "variables that must rise": (task("e(a,b)", "a,b", "b,a", arity=2, constraint=ordered(E)), 2, 2),
    "variables that cannot": (task("e(a,b)", "b,a", "a,b", arity=2, constraint=ordered(E)), None, None),
    "recursion": (
        task(CHAIN, "a b c d", "x y", max_vars=2, max_body=2, max_clauses=2, enable_recursion=True), 5, 5,
    ),
    "recursion needs two rules": (task(CHAIN, "a b c d", "x y", max_vars=2, max_body=2), None, None),
    "a conjunction of recursive programs": (LETTERS, 13, None),
    "recursive programs that stay apart": (INTERFERING, 9, 9),
    "and where nothing interferes": (replace(INTERFERING, neg=()), 7, 7),
    "invention": (
        task(CHAIN, "b", "x a c", max_vars=2, max_body=2, max_clauses=2, enable_pi=True), 6, 6,
    ),
    "invention with types": (replace(INVENTIVE, types=words(e="s s", r="s u", p="u")), 6, 6),
    "an invented predicate has one type": (replace(INVENTIVE, types=words(e="s s", r="t u", p="u")), None, None),
    "invention with directions": (replace(INVENTIVE, directions=words(e="in out", r="in out", p="in")), 6, 6),
    "nothing binds an input of an invented rule": (
        replace(INVENTIVE, directions=words(e="in out", r="out in", p="in")), None, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_the_optimum_by_hand(name: str) -> None:
    known, joined, unjoined = BY_HAND[name]
    assert (optimum(known), optimum(known, join=False)) == (joined, unjoined)


def test_a_constraint_may_allow_a_rule_and_not_its_fragments() -> None:
    """A rule of three variables consists of fragments of two."""
    known = task(
        "e(a,x) p(x) g(a,y) q(y) e(b,x) g(c,y)", "a", "b c", max_vars=3, max_body=4, constraint=counted(3)
    )
    assert optimum(known) is None
    assert optimum(known, splittable=True) == 5
    assert optimum(replace(known, constraint=None)) == 5


def test_coverages_that_matter() -> None:
    """p & q covers a with three literals, s covers a and b with two, and r adds nothing."""
    known = task("p(a) p(d) q(a) q(c) s(a) s(b) r(c) r(d) r(a)", "a b c", "d", max_body=1)
    assert coverages(known) == {(0b011, 2), (0b101, 2)}
    assert coverages(replace(BOTH_WAYS, neg=(row("b"),))) == {(1, 2)}
    assert coverages(BOTH_WAYS) == {(1, 3)}


@pytest.mark.parametrize("seed", range(30))
def test_extensions_are_what_the_least_model_says(seed: int) -> None:
    rng = Random(seed)
    known = random_learning_task(rng, recursion=seed % 2 == 1)
    space = Space(known)
    head = Literal("f", tuple(range(space.arity)))
    everything = replace(known, pos=tuple(tuple(known.domain[i] for i in x) for x in space.tuples), neg=())
    rules = list(space.rules())
    for rule in rng.sample(rules, min(10, len(rules))):
        held, _ = evaluate(everything, Program((Rule(head, rule.body),)))
        assert held == space.extension(rule.mask)
    bases, steps = (list(rules_by_step(space, called).items()) for called in (None, known.head))
    for _ in range(10 if bases and steps else 0):
        (base, bodies), (step, calling) = rng.choice(bases), rng.choice(steps)
        program = Program((Rule(head, bodies[0]), Rule(head, calling[0])))
        held, _ = evaluate(everything, program)
        assert held == Search(space).model(base.mask, frozenset([step]))


@pytest.mark.parametrize("seed", range(60))
def test_random_tasks_can_be_read_as_they_are_meant(seed: int) -> None:
    made = random_learning_task(Random(seed), recursion=seed % 3 == 1, invention=seed % 3 == 2)
    read = read_task(made.background, made.examples, made.bias)
    bias = read.bias
    assert (bias.head, set(bias.body), bias.types, bias.directions) == (
        made.head, set(made.body), made.types, made.directions,
    )  # fmt: skip
    for name in ("max_vars", "max_body", "max_clauses", "enable_recursion", "enable_pi"):
        assert getattr(bias, name) == getattr(made, name)
    assert (bias.allow_singletons, bias.non_datalog) == (made.allow_singletons, made.non_datalog)
    assert (len(read.examples.pos), len(read.examples.neg)) == (len(made.pos), len(made.neg))


def test_random_tasks_are_worth_learning() -> None:
    """Most have a solution, many of several rules or joined, and some have none."""
    tasks = [random_learning_task(Random(seed)) for seed in range(50)]
    optima = [optimum(known) for known in tasks]
    assert 3 <= optima.count(None) <= 20
    assert sum(size is not None and size > 4 for size in optima) >= 8
    assert sum(size != optimum(known, join=False) for known, size in zip(tasks, optima, strict=True)) >= 3
