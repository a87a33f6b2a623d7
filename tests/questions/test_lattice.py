"""The lattice of a run: it opens on what matters, and whatever it shows is so."""

from __future__ import annotations

import gc
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from benchmarks.growth_tasks import graph
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.errors import TaskError
from joiner_magic.generators.zendo import RULES, zendo
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.render import render_term
from joiner_magic.questions.lattice.lattice import OUTCOMES, Edge, Graph, Lattice, Node
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.naming import Naming
from joiner_magic.search.record.record import RecordFilter
from joiner_magic.sessions.session import Session
from joiner_magic.task.reader import read_program

FAMILY = """
    parent(ann,bob). parent(ann,cid). parent(bob,dan). parent(cid,eve). parent(dan,fay). parent(eve,gus).
    parent(hal,ann). parent(hal,ida). parent(ida,jan). male(bob). male(cid). male(dan). male(gus). male(hal).
    female(ann). female(eve). female(fay). female(ida). female(jan). tall(ann). tall(cid). tall(eve). tall(jan).
"""


@pytest.fixture
def session() -> Session:
    """Of tall grandmothers or so: the rule has two fragments."""
    session = Session()
    session.bk(FAMILY)
    session.examples(
        "pos(f(ann)). neg(f(hal)). neg(f(bob)). neg(f(cid)). neg(f(ida)). neg(f(jan)). neg(f(eve))."
    )
    session.bias("max_vars(4). max_body(4). head_pred(f,1). body_pred(parent,2).")
    session.bias("body_pred(male,1). body_pred(female,1). body_pred(tall,1).")
    session.bias("body_pred(older,2).")
    session.bk("older(hal,ann). older(ann,bob). older(bob,dan). older(ida,jan). older(cid,eve).")
    return session


@pytest.fixture(params=["native", "asp"])
def lattice(session: Session, request: pytest.FixtureRequest) -> Lattice:
    session.learn(source=request.param)
    return Lattice.of(session.runs[-1])


@pytest.fixture
def long() -> Session:
    """Arbitrary labels: nothing simple tells them apart, and the search takes a while."""
    made = graph(examples=40, nodes=200)
    rng = Random(1)
    session = Session()
    session.bk(made.background)
    atoms = re.findall(r"(?:pos|neg)\((.*)\)\.", made.examples)
    session.examples(" ".join(f"{rng.choice(['pos', 'neg'])}({atom})." for atom in atoms))
    session.bias(made.bias)
    return session


def rule(text: str) -> Rule:
    (one,) = read_program(text).rules
    return one


def subsumes(general: Rule, special: Rule) -> bool:
    """Whether some assignment of variables makes every literal of the one a literal of the other."""

    def matches(rest: tuple[Literal, ...], assigned: dict[object, object]) -> bool:
        if not rest:
            return True
        for literal in special.body:
            if literal.predicate != rest[0].predicate:
                continue
            extended = dict(assigned)
            fits = all(
                extended.setdefault(a, b) == b for a, b in zip(rest[0].args, literal.args, strict=True)
            )
            if fits and matches(rest[1:], extended):
                return True
        return False

    heads = zip(general.head.args, special.head.args, strict=True)
    return matches(general.body, dict(heads))


def rules_of(lattice: Lattice) -> tuple[Rule, ...]:
    """Of the hypothesis."""
    assert lattice.run.result is not None
    assert lattice.run.result.hypothesis is not None
    return lattice.run.result.hypothesis.rules


def check(graph: Graph, others: dict[NodeId, Node] | None = None) -> None:
    """Ids are different; each edge adds a literal; a rule has the coverage of one that specialises it, at least."""
    nodes = {**(others or {}), **{node.id: node for node in graph.nodes}}
    assert len({node.id for node in graph.nodes}) == len(graph.nodes)
    assert len(set(graph.edges)) == len(graph.edges)
    for edge in graph.edges:
        general, special = nodes[edge.general], nodes[edge.special]
        assert special.size == general.size + 1
        if not special.stub:
            assert subsumes(rule(general.text), rule(special.text))
        if general.pos is not None and special.pos is not None:
            assert special.pos <= general.pos
    for node in nodes.values():
        assert node.outcome in OUTCOMES
        assert bool(node.stub) == node.id.startswith("s")
        if not node.stub:
            assert node.size == 1 + len(rule(node.text).body)


def test_it_opens_on_the_solution_and_what_leads_to_it(lattice: Lattice) -> None:
    graph = lattice.opening()
    check(graph)
    assert len(graph.nodes) <= 150
    assert lattice.run.result is not None
    whole = [node.text for node in graph.nodes if node.outcome == "solution"]
    assert whole == list(lattice.run.result.rules)  # a reader has just seen them, written so
    programs = [p for part in lattice.run.result.parts for p in part.conjunction.programs]
    assert len([node for node in graph.nodes if node.role == "solution"]) >= len(programs)
    ancestors = [node for node in graph.nodes if node.role == "ancestor"]
    best = [node for node in graph.nodes if node.role == "best"]
    assert best
    below = {edge.general for edge in graph.edges}
    assert all(node.id in below for node in ancestors)
    above = {edge.special for edge in graph.edges}
    for node in graph.nodes:
        if node.role == "ancestor" and node.size > 2 and lattice.run.options.source == "native":
            assert node.id in above  # up to a single literal
    assert {node.outcome for node in graph.nodes if node.stub} <= set(OUTCOMES) - {"unfinished", "solution"}


def test_a_joined_rule_is_written_as_in_the_result() -> None:
    session = Session()
    zendo(RULES["three ways"]).made().into(session)
    result = session.learn()
    lattice = Lattice.of(session.runs[-1])
    (node,) = (node for node in lattice.opening().nodes if node.outcome == "solution")
    assert [node.text] == list(result.rules)
    assert " ".join(lattice.detail(node.id).program.split()) == node.text


@pytest.mark.parametrize("most", [1, 5, 20])
def test_an_opening_is_bounded(lattice: Lattice, most: int) -> None:
    graph = lattice.opening(most)
    assert len(graph.nodes) <= most
    check(graph)


def test_stubs_are_counted_and_expand_to_rules_that_were_never_made(session: Session) -> None:
    session.learn(source="native")
    lattice = Lattice.of(session.runs[-1])
    graph = lattice.opening(300)
    stubs = [node for node in graph.nodes if node.stub]
    assert stubs
    known = {node.text for node in lattice.search(limit=100_000).nodes}
    with DatalogEngine(lattice.run.task) as engine:
        for stub in stubs[:5]:
            made = lattice.expand(stub.id, shown=[node.id for node in graph.nodes], most=1_000)
            assert len(made.nodes) == stub.stub
            for node in made.nodes:
                assert node.size == stub.size
                assert node.text not in known
                # Below what is no rule yet, a rule does cover nothing.
                assert node.outcome == stub.outcome or (node.outcome, node.pos) == ("covers nothing", 0)
                ((pos, neg, _),) = engine.evaluate([Program((rule(node.text),))])
                assert (node.pos, node.neg) == (pos.bit_count(), (neg or 0).bit_count())
            assert stub.outcome == lattice.detail(stub.id).constraint
            assert lattice.detail(stub.id).forbids.endswith(", …")


def test_expanding_gives_what_is_new_and_in_the_end_everything(lattice: Lattice) -> None:
    opening = lattice.opening(10)
    nodes = {node.id: node for node in opening.nodes}
    waiting = [node.id for node in opening.nodes if node.id.startswith("r")]
    while waiting:
        key = waiting.pop()
        graph = lattice.expand(key, shown=nodes, most=1_000)
        assert not {node.id for node in graph.nodes} & set(nodes)
        check(graph, nodes)
        nodes.update((node.id, node) for node in graph.nodes)
        waiting += [node.id for node in graph.nodes if node.id.startswith("r")]
        again = lattice.expand(key, shown=nodes)
        assert again.nodes == ()
    assert lattice.run.record is not None
    if lattice.run.options.source == "native":  # each has a parent
        single = {f"r{one}" for one in lattice.run.record.page(RecordFilter(sizes=[2]), limit=1_000)[1]}
        reached = {key for key in nodes if key.startswith("r")}
        assert len(reached | single) == len(lattice.run.record)


def test_neighbours_come_most_covering_first_and_are_counted(session: Session) -> None:
    session.learn(source="native")
    lattice = Lattice.of(session.runs[-1])
    (first, *_) = lattice.search("parent", sizes=[2]).nodes
    graph = lattice.expand(first.id, shown=[], most=12)
    rules = [node for node in graph.nodes if not node.stub]
    assert [node.pos or 0 for node in rules] == sorted((node.pos or 0 for node in rules), reverse=True)
    few = lattice.expand(first.id, shown=[], most=3)
    assert [node.id for node in few.nodes] == [node.id for node in graph.nodes][:3]
    for node in rules:
        with_all = lattice.expand(node.id, shown=[first.id], most=10_000)
        less = sum(other.size < node.size for other in with_all.nodes)
        more = sum(other.size > node.size and not other.stub for other in with_all.nodes)
        alone = lattice.expand(first.id, shown=[x.id for x in rules if x.id != node.id], most=10_000)
        (same,) = [x for x in alone.nodes if x.id == node.id]
        assert same.above <= less
        assert same.below <= more


def test_a_joined_rule_expands_to_the_rule_without_a_literal(lattice: Lattice) -> None:
    opening = lattice.opening()
    (node,) = [node for node in opening.nodes if node.outcome == "solution"]
    assert node.id.startswith("p")
    shown = sum(
        edge.special == node.id for edge in opening.edges
    )  # a fragment may be the rule but for a literal
    assert node.above == len(rule(node.text).body) - shown
    graph = lattice.expand(node.id, shown=[node.id])
    check(graph, {node.id: node})
    assert len(graph.nodes) == len(rule(node.text).body) == len(graph.edges)


def test_searching_is_a_filter(lattice: Lattice) -> None:
    nodes = lattice.search(limit=100_000).nodes
    assert lattice.search(limit=0).total == len(nodes)
    assert Counter((node.size, node.fate) for node in nodes if node.fate) == lattice.counts
    assert sum(node.outcome == "solution" for node in nodes) == lattice.solutions
    assert set(lattice.sizes) == {node.size for node in nodes if node.fate}
    rng = Random(2)
    for _ in range(50):
        words = rng.sample(["pa", "parent", "male", "t", "fem", "o"], rng.randint(0, 2))
        names = rng.sample(lattice.predicates, rng.randint(0, 1))
        outcomes = rng.sample(OUTCOMES, rng.randint(0, 3))
        sizes = rng.sample(range(2, 6), rng.randint(0, 2))
        expected = {
            node.id
            for node in nodes
            for used in [{literal.name for literal in rule(node.text).body}]
            if all(any(name.startswith(word) for name in used) for word in words)
            and used >= set(names)
            and (not outcomes or node.outcome in outcomes or node.fate in outcomes)
            and (not sizes or node.size in sizes)
        }
        page = lattice.search(" ".join(words), predicates=names, outcomes=outcomes, sizes=sizes, limit=10_000)
        assert page.total == len(page.nodes) == len(expected)
        assert {node.id for node in page.nodes} == expected
        parts = [
            lattice.search(
                " ".join(words), predicates=names, outcomes=outcomes, sizes=sizes, offset=o, limit=7
            )
            for o in range(0, page.total, 7)
        ]
        assert tuple(node for part in parts for node in part.nodes) == page.nodes


def test_a_rule_is_found_in_whatever_way_it_is_written(session: Session) -> None:
    session.learn(source="native")
    lattice = Lattice.of(session.runs[-1])
    (found,) = lattice.search("f(X) :- male(Kid), parent(X,Kid)").nodes
    assert found.text == "f(A) :- parent(A, B), male(B)."
    for nonsense in (
        "f(X) :- male(",
        ":-",
        "f(X) :- nobody(X).",
        "nobody",
        "f(a) :- male(b).",
        "%",
        "a " * 99,
    ):
        assert lattice.search(nonsense).total == 0


def test_details_are_what_the_engine_says(lattice: Lattice) -> None:
    task = lattice.run.task
    graph = lattice.opening()
    with DatalogEngine(task) as engine:
        for node in graph.nodes:
            detail = lattice.detail(node.id)
            assert detail.why.endswith((".", "…"))
            if node.stub:
                continue
            ((pos, neg, _),) = engine.evaluate([Program((rule(node.text),))])
            assert detail.positives_covered == pos.bit_count()
            assert detail.negatives_covered == (neg or 0).bit_count()
            named = [render_term(atom) for i, atom in enumerate(task.examples.pos) if pos >> i & 1]
            assert list(detail.positives) == named[:50]
            assert node.pos in (None, detail.positives_covered)
            assert node.neg in (None, detail.negatives_covered)
            assert bool(detail.forbids) == bool(detail.constraint)
            assert " ".join(detail.program.split()) == node.text
    assert (lattice.positives, lattice.negatives) == (len(task.examples.pos), len(task.examples.neg))


def test_fragments_know_their_conjunctions(session: Session) -> None:
    session = Session()
    session.bk("red(a). red(b). red(c). big(a). big(b). big(d).")
    session.examples("pos(f(a)). pos(f(b)). neg(f(c)). neg(f(d)).")
    result = session.learn()
    lattice = Lattice.of(session.runs[-1])
    fragments = [n for n in lattice.opening().nodes if n.role == "solution" and n.outcome == "joinable"]
    assert {node.text for node in fragments} == {"f(A) :- red(A).", "f(A) :- big(A)."}
    for node in fragments:
        assert lattice.detail(node.id).conjunctions == tuple(result.rules)
    (whole,) = [node for node in lattice.opening().nodes if node.outcome == "solution"]
    edges = {(edge.general, edge.special) for edge in lattice.opening().edges}
    assert {(node.id, whole.id) for node in fragments} <= edges


def test_unknown_nodes_are_refused(lattice: Lattice) -> None:
    for key in (
        "",
        "r",
        "r-1",
        "r99999999",
        "p5000",
        "x1",
        "r1; drop",
        "s99999999:subsumed",
        "s0:x",
        "s0",
        "r0:x",
        "r²",
        "r" + "1" * 5_000,
    ):
        with pytest.raises(TaskError, match="no node"):
            lattice.detail(key)
        with pytest.raises(TaskError, match="no node"):
            lattice.expand(key, shown=[])
    lattice.expand("r0", shown=["r99999999", "nonsense"])


def test_a_run_that_searched_nothing_opens_on_what_is_known(session: Session) -> None:
    session.learn()
    session.learn("max_body(4).")  # settled by the first
    lattice = Lattice.of(session.runs[-1])
    assert "nothing was searched" in session.runs[-1].reused
    graph = lattice.opening()
    check(graph)
    whole = [node.text for node in graph.nodes if node.outcome == "solution"]
    assert whole == list(map(Naming(lattice.run.task.bias), (Program((one,)) for one in rules_of(lattice))))
    assert lattice.sizes
    assert lattice.detail(graph.nodes[0].id).positives_covered


def test_without_a_result_there_is_nothing_yet(session: Session) -> None:
    from joiner_magic.search.options import Options
    from joiner_magic.sessions.runs import Run

    lattice = Lattice.of(Run(1, session.task(), Options()))
    assert lattice.opening() == Graph((), ())
    assert lattice.search().total == 0
    assert lattice.counts == {}


def test_a_lattice_outlives_the_record_of_its_run(session: Session) -> None:
    session.learn()
    lattice = Lattice.of(session.runs[-1])
    before = lattice.opening()
    for _ in range(6):
        session.learn(fresh=True)
    gc.collect()
    assert [run.record is None for run in session.runs] == [True, False, False, False, False, False, False]
    assert lattice.opening() == before
    session.reset("runs")
    assert lattice.detail(before.nodes[0].id).program


def test_a_repeated_run_has_the_record_of_the_first(session: Session) -> None:
    session.examples("pos(f(zoe)).")  # whom no fact knows: there is no solution
    session.learn()
    session.learn()
    first, second = session.runs
    assert first.record is not None
    assert second.record is not None
    assert len(first.record) == len(second.record)


def test_it_can_be_looked_at_while_the_run_goes_on(long: Session) -> None:
    run = long.start("max_vars(6). max_body(7).", timeout=20.0, advise=False)
    lattice = Lattice.of(run)
    looked = 0
    while run.state == "running" and looked < 10:
        graph = lattice.opening(40)
        check(graph)
        for node in graph.nodes[:3]:
            lattice.detail(node.id)
            lattice.expand(node.id, shown=[other.id for other in graph.nodes])
        lattice.search("parent")
        looked += 1
    assert looked > 1
    run.stop()
    run.wait()
    check(lattice.opening())


def test_programs_of_several_rules_are_there_with_their_neighbours() -> None:
    session = Session()
    session.bk("edge(a,b). edge(b,c). edge(c,d). edge(e,f).")
    session.examples(
        "pos(reach(a,b)). pos(reach(a,d)). pos(reach(b,d)). neg(reach(a,e)). neg(reach(d,a)). neg(reach(a,f))."
    )
    result = session.learn("enable_recursion. max_vars(3). max_body(2).", timeout=30.0)
    assert len(result.rules) == 2
    lattice = Lattice.of(session.runs[-1])
    (whole,) = [node for node in lattice.opening().nodes if node.outcome == "solution"]
    assert whole.size == result.size
    assert whole.text.count(":-") == 2
    (stub,) = lattice.expand(whole.id, shown=[]).nodes
    assert (stub.outcome, stub.stub) == ("consistent", 1)
    never_made = lattice.expand(stub.id, shown=[whole.id])
    (below,) = never_made.nodes
    assert below.text.count(":-") == 2
    assert Edge(whole.id, below.id) in never_made.edges
    detail = lattice.detail(whole.id)
    assert detail.positives_covered == 3
    assert len(detail.program.splitlines()) == 2
    assert lattice.search(f"{whole.text}").nodes == (replace(whole, above=0, below=0),)


def test_a_run_that_goes_on_shows_what_came_since(long: Session) -> None:
    long.learn("max_vars(6). max_body(7).", timeout=0.3, advise=False)
    lattice = Lattice.of(long.runs[-1])
    before = lattice.search().total
    lattice.opening()
    long.resume(timeout=1.5).wait()
    assert lattice.search().total > before
    check(lattice.opening())


def whys(lattice: Lattice) -> dict[str, str]:
    return {node.id: lattice.detail(node.id).why for node in lattice.search(limit=1_000).nodes}


@pytest.mark.parametrize("source", ["native", "asp"])
def test_without_the_join_nothing_is_said_to_be_kept_for_it(session: Session, source: str) -> None:
    session.learn(source=source, join=False)
    lattice = Lattice.of(session.runs[-1])
    assert lattice.search(outcomes=["joinable"]).total
    assert not any("the join" in why for why in whys(lattice).values())
    record = session.runs[-1].record
    assert record is not None
    for number in range(len(record)):
        assert (record[number].fate == "partial") <= (not record[number].legal)


def test_nothing_is_said_to_be_kept_that_was_never_made(session: Session) -> None:
    session.learn(source="native")
    lattice = Lattice.of(session.runs[-1])
    graph = lattice.opening()
    for stub in [node for node in graph.nodes if node.stub]:
        graph = lattice.expand(stub.id, shown=[])
        for node in (
            *graph.nodes,
            *(one for n in graph.nodes for one in lattice.expand(n.id, shown=[]).nodes),
        ):
            why = lattice.detail(node.id).why
            assert node.id.startswith("p") is (node.outcome != "solution" and "has no record" in why)
            assert not (node.id.startswith("p") and "kept" in why)


@pytest.mark.parametrize("source", ["native", "asp"])
def test_why_a_fragment_that_is_consistent_is_no_rule(source: str) -> None:
    session = Session()
    session.bk("p(a,x). p(b,y). p(c,x). q(x). r(1,x). r(2,y). r(3,x).")
    session.examples("pos(f(a,1)). pos(f(a,3)). pos(f(c,1)). neg(f(b,1)). neg(f(b,2)).")
    session.learn(source=source)
    lattice = Lattice.of(session.runs[-1])
    details = [lattice.detail(node.id) for node in lattice.search(limit=1_000).nodes]
    kept = [detail for detail in details if detail.node.outcome == "joinable" and detail.node.neg == 0]
    fragments = [detail for detail in details if detail.constraint == "consistent fragment"]
    assert kept if source == "native" else fragments
    assert all("leaves B out. It was kept" in detail.why for detail in kept)
    assert all("no further head variable" in detail.why for detail in fragments)
    assert all(detail.forbids.endswith("unless B is in the body") for detail in fragments)


def test_a_rule_that_is_typed_may_be_of_any_shape(lattice: Lattice) -> None:
    stars = ", ".join(f"parent(A,B{number})" for number in range(300))
    assert lattice.search(f"f(A) :- {stars}.").total == 0
    assert lattice.search(" ".join(["parent"] * 300)).total == lattice.search("parent").total > 0
    assert lattice.search(sizes=[2**70, -1], offset=2**70).total == 0


def test_subsumption_of_the_tests_is_one() -> None:
    one, two = rule("f(A) :- p(A,B)."), rule("f(A) :- p(A,B), q(B).")
    assert subsumes(one, two)
    assert not subsumes(two, one)
    for a, b in combinations([rule("f(A) :- q(A)."), rule("f(A) :- p(B,A)."), one], 2):
        assert not subsumes(a, b)
