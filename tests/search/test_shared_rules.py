"""A rule that several parts of a hypothesis share is counted once, in the search and in what it claims.

Random tasks whose hidden hypothesis has recursive programs with rules in common, against an exhaustive search that counts
the size of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from random import Random

import pytest

from contract.naive import Atom
from joiner_magic import Result, Session, choose_engine, learn, read_program, read_task
from joiner_magic.generators.strings import strings
from joiner_magic.logic.programs import Program, Rule
from joiner_magic.logic.terms import Predicate, Symbol
from joiner_magic.search.running.events import Event, SizeFinished
from joiner_magic.search.stages import shared_rules
from joiner_magic.search.stages.constrain import CoversNothing
from joiner_magic.search.stages.shared_rules import SharedRules
from joiner_magic.solvers.interrupt import Stop
from search.brute_force import Search, Space, Step, evaluate, lies_outside
from search.learning_tasks import LearningTask
from seeds import FIXED, NEW, SEEDS

UNARY = " ".join(f"{name}(a{i})." for name in "uvw" for i in (1, 2, 3))
TWO_WAYS = (
    "e(a3,a2). e(a2,a1). e(a1,b). e(b,c1). e(c1,c2). e(c2,c3). p(b). e(z1,z2). e(z2,z3). e(z3,z1). "
    f"{UNARY} u(z1). v(z1). u(z2). w(z2). v(z3). w(z3)."
)
LABELS = (
    " ".join(f"pos(f({x}))." for x in ("a1", "a2", "a3", "b", "c1", "c2", "c3"))
    + " "
    + " ".join(f"neg(f(z{i}))." for i in (1, 2, 3))
)
BIAS = "head_pred(f,1). body_pred(e,2). body_pred(p,1). max_vars(2). max_body(2). enable_recursion. max_clauses(2)."
WIDER = BIAS + " body_pred(u,1). body_pred(v,1). body_pred(w,1)."


@pytest.mark.parametrize("bias", [BIAS, WIDER])
@pytest.mark.parametrize("join", [True, False])
def test_a_wider_space_has_no_larger_optimum(bias: str, join: bool) -> None:
    result = learn(read_task(TWO_WAYS, LABELS, bias), join=join)
    assert (result.status, result.size, len(result.rules)) == ("optimal", 8, 3)


def test_nothing_is_proven_where_clusters_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_rules, "_MOST_CLUSTERS", 0)
    result = learn(read_task(TWO_WAYS, LABELS, WIDER))
    assert result.status == "best"
    assert "share rules" in result.why


def test_nothing_is_proven_where_fragments_share_literals() -> None:
    """p, q, r and s are five literals with the head, but three fragments of two literals each are counted as seven."""
    known = {"p": "axyz", "q": "axy", "r": "axz", "s": "ayz"}
    facts = "".join(f"{name}({x}). " for name, some in known.items() for x in some)
    bias = "head_pred(f,1). max_vars(1). max_body(2)." + "".join(f" body_pred({name},1)." for name in known)
    two = " :- clause(C), #count{P : body_literal(C,P,_,_)} != 2. :- clause(C), not body_literal(C,p,_,_)."
    task = read_task(facts, "pos(f(a)). neg(f(x)). neg(f(y)). neg(f(z)).", bias + two)
    result = learn(task, splittable=True, advise=False)
    assert (result.status, result.size, result.bound) == ("best", 5, 4)


def test_programs_with_a_rule_that_covers_negatives_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One size tells that the rule covers them, and no larger program has it."""
    made: dict[Rule, set[int]] = {}
    take = SharedRules._take

    def noting(self: SharedRules, programs: Sequence[Program], stop: Stop) -> Iterator[CoversNothing]:
        for program in programs:
            for rule in program.rules:
                if all(literal.name != "f" for literal in rule.body):
                    made.setdefault(rule, set()).add(program.size)
        yield from take(self, programs, stop)

    monkeypatch.setattr(SharedRules, "_take", noting)
    task = strings(count=20).task()
    assert learn(task).optimal
    with choose_engine(task, "datalog").engine as engine:
        spoilt = [rule for rule in made if engine.evaluate([Program((rule,))])[0].neg]
    assert len(spoilt) > 2
    assert all(len(made[rule]) == 1 for rule in spoilt)
    assert any(len(sizes) > 1 for rule, sizes in made.items() if rule not in spoilt)


def test_what_shares_rules_is_of_use_to_later_runs() -> None:
    session = Session()
    session.bk(TWO_WAYS)
    session.examples(LABELS)
    session.bias(WIDER)
    first = session.learn()
    session.examples("neg(f(nothing)).")
    again = session.learn()
    assert (first.size, again.size, again.status) == (8, 8, "optimal")
    assert "still is one" in again.reused


def sharing_task(rng: Random) -> LearningTask:
    """Arms that recursive rules walk along from one or two roots, and negative examples that look like them."""
    facts: set[Atom] = set()
    properties = "uvw"[: rng.randint(0, 3)]
    roots = [Symbol(f"r{i}") for i in range(rng.randint(1, 2))]
    facts |= {("pq"[i], (root,)) for i, root in enumerate(roots)}
    nodes = [*roots]
    for number in range(rng.randint(2, 4)):
        arm = [Symbol(f"a{number}{i}") for i in range(rng.randint(1, 3))]
        relation, backwards = rng.choice("eed"), rng.random() < 0.5
        for one, other in pairwise([rng.choice(roots), *arm]):
            facts.add((relation, (other, one) if backwards else (one, other)))
        nodes += arm
    others = [Symbol(f"z{i}") for i in range(rng.randint(2, 4))]
    facts |= {(rng.choice("ed"), pair) for pair in pairwise([*others, others[0]])}
    if rng.random() < 0.3:
        facts.add((rng.choice("ed"), (rng.choice(nodes), rng.choice(others))))
    facts |= {(x, (node,)) for x in properties for node in (*nodes, *others) if rng.random() < 0.4}
    arities = {name: len(args) for name, args in facts}
    few = sum(2 if arity == 2 else 1 for arity in arities.values()) < 6
    return LearningTask(
        Predicate("f", 1),
        tuple(Predicate(*known) for known in sorted(arities.items())),
        frozenset(facts),
        (*nodes, *others),
        tuple((node,) for node in rng.sample(nodes, min(len(nodes), 8))),
        tuple((node,) for node in others),
        max_vars=2,
        max_body=2,
        max_clauses=3 if few and rng.random() < 0.3 else 2,
        enable_recursion=True,
        allow_singletons=rng.random() < 0.2,
    )


def _either(steps: list[Step]) -> int:
    mask = 0
    for step in steps:
        mask |= step.mask
    return mask


def by_texts(task: LearningTask) -> float:
    """The least size of a text of recursive programs next to other parts, by trying all sets of rules.

    Recursion may not reach a negative example within the text, but where the other parts help it, as in `relaxed`.
    """
    search = Search(Space(task))
    least = search.covers(search.plain)
    programs = [part for part in search.recursive if not part.extension & search.space.neg]
    costs = search.costs
    rules = sorted({rule for part in programs for rule in part.rules}, key=costs.__getitem__)
    best: float = least(search.space.pos)

    def grow(text: frozenset[Step], size: int, start: int) -> None:
        nonlocal best
        covered = 0
        for part in programs:
            if part.rules <= text:
                covered |= part.extension
        best = min(best, size + least(search.space.pos & ~covered))
        for number in range(start, len(rules)):
            longer, larger = text | {rules[number]}, size + costs[rules[number]]
            if larger >= best:
                return
            steps = frozenset(rule for rule in longer if rule.calls)
            if (
                not search.model(_either([rule for rule in longer if not rule.calls]), steps)
                & search.space.neg
            ):
                grow(longer, larger, number + 1)

    grow(frozenset(), 0, 0)
    return best


def check(made: LearningTask, engine: str = "datalog", *, join: bool = True) -> tuple[Result, bool]:
    """Whether sharing makes a difference is told as well."""
    events: list[Event] = []
    task = read_task(made.background, made.examples, made.bias)
    result = learn(task, engine=engine, join=join, advise=False, listeners=[events.append])
    search = Search(Space(made), join=join)
    told = f"{result}\n{made}"
    # No solution is smaller than this, and one that is as small is optimal.
    relaxed = search.relaxed
    assert (result.status == "none") == (relaxed == inf), told
    smaller = result.size < relaxed and lies_outside(result)
    assert result.status != "optimal" or result.size == relaxed or smaller, told
    assert result.status != "best" or result.size > relaxed, told
    for bound in (result.bound, *(event.bound for event in events if isinstance(event, SizeFinished))):
        assert bound is None or bound <= relaxed or bound <= search.optimum(), told
    if result.hypothesis:
        assert result.size == read_program(result.to_prolog()).size, told
        pos, neg = evaluate(made, result.hypothesis)
        assert not neg, told
        assert result.status == "none" or pos == (1 << len(made.pos)) - 1, told
    sum_of_sizes = search.covers([*search.plain, *search.alone])(search.space.pos)
    return result, relaxed < sum_of_sizes


@pytest.mark.parametrize("seed", SEEDS)
def test_random_tasks_with_shared_rules(seed: int) -> None:
    rng = Random(seed)
    found = [check(sharing_task(rng), join=number % 3 > 0) for number in range(150)]
    assert sum(shared for _, shared in found) >= 15
    assert sum(shared and result.optimal for result, shared in found) >= 10


@pytest.mark.prolog
def test_random_tasks_with_shared_rules_on_prolog() -> None:
    rng = Random(NEW)
    for _ in range(8):
        check(sharing_task(rng), "prolog")


def test_the_exhaustive_search_counts_texts() -> None:
    rng = Random(FIXED)
    for _ in range(12):
        made = sharing_task(rng)
        search = Search(Space(made))
        assert search.relaxed <= by_texts(made) <= search.optimum(), str(made)


def test_a_union_that_covers_more_than_its_parts_may_be_smaller_than_any_solution_of_the_space() -> None:
    facts = """
        d(a10,r0). d(z0,z1). d(z2,z0). e(a00,a01). e(a01,a02). e(a02,z2). e(a20,r1). e(a21,a20). e(r1,a00). e(z1,z2).
        p(r0). q(r1). u(a02). u(a10). u(z0). u(z1). u(z2). v(z0). w(a02). w(a10). w(a20). w(a21). w(z2).
    """
    examples = (
        "pos(f(a21)). pos(f(a02)). pos(f(r1)). pos(f(a01)). pos(f(a20)). pos(f(r0)). pos(f(a00)). pos(f(a10)). "
        "neg(f(z0)). neg(f(z1)). neg(f(z2))."
    )
    bias = (
        "head_pred(f,1). body_pred(d,2). body_pred(e,2). body_pred(p,1). body_pred(q,1). body_pred(u,1). body_pred(v,1). "
        "body_pred(w,1). max_vars(2). max_body(2). max_clauses(2). enable_recursion."
    )
    result = learn(read_task(facts, examples, bias), advise=False)
    assert result.optimal
    assert result.size == 17  # the space has nothing below 19
    assert all(result.predict(result.task.examples.pos))
    assert lies_outside(result)  # f(a01) by `e(A, B), f(B)`, of another part f(a02)
