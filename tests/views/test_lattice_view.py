"""The lattice view: what its scenes hold, how it grows, and what it looks like without a browser."""

from __future__ import annotations

import json
import time
from typing import Any
from xml.etree import ElementTree

import pytest

from joiner_magic.errors import CommandError, JoinerError
from joiner_magic.sessions.runs import Run
from joiner_magic.sessions.session import Session
from joiner_magic.views.lattice.view import LatticeView
from views.lattice_tasks import BIAS, BK, EXAMPLES, grown, learnt

JOINED = (
    "piece(p1, a). piece(p1, b). piece(p2, c). piece(p3, d). piece(p3, e). red(a). red(c). red(d). big(b). big(e)."
    " big(c). piece(p2, f). red(f). piece(p4, g). piece(p4, h). red(g). big(h). tall(b). tall(h). tall(d). piece(p5, i)."
)


@pytest.fixture(scope="module")
def large() -> Run:
    return learnt(BK, EXAMPLES, BIAS)


@pytest.fixture(scope="module")
def joined() -> Run:
    return learnt(JOINED, "pos(f(p1)). pos(f(p4)). neg(f(p2)). neg(f(p3)). neg(f(p5)).")


def ids(scene: dict[str, Any]) -> list[str]:
    return [node["id"] for node in scene["nodes"]]


def test_it_opens_on_the_solution_and_the_way_to_it(joined: Run) -> None:
    scene = LatticeView(joined).scene()
    assert joined.result is not None
    assert joined.result.hypothesis is not None
    roles = {node.get("role") for node in scene["nodes"]}
    assert {"solution", "ancestor"} <= roles
    assert {node["text"] for node in scene["nodes"] if node["outcome"] == "solution"}
    for general, special in scene["edges"]:
        assert scene["nodes"][general]["size"] < scene["nodes"][special]["size"]
        assert scene["nodes"][general]["bottom"] < scene["nodes"][special]["top"]


def test_arrow_keys_lead_along_links_and_along_a_rank(joined: Run) -> None:
    scene = LatticeView(joined).scene()
    nodes, linked = scene["nodes"], {tuple(edge) for edge in (*scene["edges"], *scene["joins"])}
    for number, node in enumerate(nodes):
        up, right, down, _ = node["beside"]
        assert up is None or (up, number) in linked
        assert down is None or (number, down) in linked
        if right is not None:
            assert nodes[right]["beside"][3] == number
            assert nodes[right]["size"] == node["size"]
    starts = [node for node in nodes if node["beside"][3] is None]
    assert len(starts) == len(scene["sizes"])


def test_the_last_edges_lead_to_the_solution(joined: Run) -> None:
    scene = LatticeView(joined).scene()
    roles = [{scene["nodes"][end].get("role") for end in edge} for edge in scene["edges"]]
    leads = [ends <= {"solution", "ancestor"} for ends in roles]
    assert leads == sorted(leads)
    assert sum(leads) == scene["ways"] > 0


def test_rules_below_others_are_labelled_with_what_they_add(joined: Run) -> None:
    nodes = LatticeView(joined).scene()["nodes"]
    labels = {node["label"] for node in nodes if node.get("label")}
    assert "piece(A,B)" in labels
    assert any(label.startswith("+ ") for label in labels)
    for node in nodes:
        if node.get("label", "").startswith("+ "):
            assert node["label"][2:] in node["text"].replace(", ", ",")


def test_fragments_are_linked_to_the_rule_they_were_joined_to() -> None:
    run = learnt(
        "p(1). p(2). p(3). q(1). q(2). q(4). r(1). r(5). r(2).",
        "pos(f(1)). pos(f(2)). neg(f(3)). neg(f(4)). neg(f(5)).",
    )
    scene = LatticeView(run).scene()
    nodes = scene["nodes"]
    joins = [(nodes[fragment], nodes[whole]) for fragment, whole in scene["joins"]]
    assert len(joins) == 2
    for fragment, whole in joins:
        assert whole["outcome"] == "solution"
        assert whole["label"] == "2 joined"
        assert fragment["size"] < whole["size"]


def test_expanding_adds_and_collapsing_takes_away_again(large: Run) -> None:
    view = LatticeView(large)
    before = view.scene()
    node = max(before["nodes"], key=lambda node: node.get("below", 0))
    after = view.expand(node["id"], "special")
    new = [each for each in after["nodes"] if each["id"] not in ids(before)]
    assert new
    assert all(each["size"] == node["size"] + 1 for each in new)
    assert set(ids(before)) < set(ids(after))
    still = next(each for each in after["nodes"] if each["id"] == node["id"])
    rules = [each for each in new if not each.get("stub")]
    assert still.get("below", 0) == node["below"] - len(rules)
    assert view.detail(node["id"])["collapses"]
    assert ids(view.collapse(node["id"])) == ids(before)
    assert not view.detail(node["id"])["collapses"]


def test_what_is_shown_keeps_its_order_when_more_is_shown(large: Run) -> None:
    view = LatticeView(large)
    before = view.scene()
    ranks = view._picture.orders
    view.expand(max(before["nodes"], key=lambda node: node.get("below", 0))["id"])
    for size, order in ranks.items():
        assert [key for key in view._picture.orders[size] if key in set(order)] == list(order)


def test_at_most_300_nodes_are_shown_and_the_solution_stays(large: Run) -> None:
    view = LatticeView(large)
    on_the_way = {
        node["id"] for node in view.scene()["nodes"] if node.get("role") in ("solution", "ancestor")
    }
    scene = grown(view)
    assert len(scene["nodes"]) <= 300
    assert "gave way" in scene["note"]
    assert on_the_way <= set(ids(scene))


def test_messages_are_small(large: Run) -> None:
    scene = grown(LatticeView(large))
    assert len(scene["nodes"]) > 250
    assert len(json.dumps(scene)) < 100_000


def test_a_search_comes_in_pages(large: Run) -> None:
    view = LatticeView(large)
    first = view.search("has_a has_b")
    second = view.search("has_a has_b", offset=len(first["rules"]))
    assert first["total"] == second["total"] > len(first["rules"]) == 20
    assert not {rule["id"] for rule in first["rules"]} & {rule["id"] for rule in second["rules"]}
    assert all("has_a(" in rule["text"] and "has_b(" in rule["text"] for rule in first["rules"])
    kept = view.search(predicates=["has_c"], outcomes=["joinable"], sizes=[4])
    assert kept["rules"]
    assert {(rule["outcome"], rule["size"]) for rule in kept["rules"]} == {("joinable", 4)}


def test_a_rule_that_is_found_is_opened_with_a_way_to_it(large: Run) -> None:
    view = LatticeView(large)
    shown = set(ids(view.scene()))
    rule = next(rule for rule in view.search(sizes=[5], offset=40)["rules"] if rule["id"] not in shown)
    scene = view.open([rule["id"]])
    linked = {scene["nodes"][special]["id"] for _, special in scene["edges"]}
    assert rule["id"] in linked
    assert ids(view.reveal(rule["text"])) == ids(scene)
    assert set(ids(view.reset())) == shown


def test_a_detail_names_the_examples(joined: Run) -> None:
    view = LatticeView(joined)
    solution = next(node for node in view.scene()["nodes"] if node["outcome"] == "solution")
    detail = view.detail(solution["id"])
    assert detail["rule"] == solution["text"]
    assert detail["covered"] == [2, 0]
    assert detail["positives"] == ["f(p1)", "f(p4)"]
    assert "hypothesis" in detail["why"]


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("arrange", {"width": "wide"}),
        ("arrange", {"width": 1e9}),
        ("expand", {"key": 7}),
        ("expand", {"key": "r99999999"}),
        ("expand", {"key": "r0", "to": "anything"}),
        ("detail", {"key": "x"}),
        ("search", {"offset": -1}),
        ("search", {"predicates": "red"}),
        ("open", {"keys": ["r99999999"]}),
        ("reveal", {"rule": "f(A) :- nowhere(A)."}),
    ],
)
def test_nonsense_is_told_of(joined: Run, question: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(JoinerError):
        LatticeView(joined).answer(question, arguments)


def test_a_page_of_another_width_is_filled(large: Run) -> None:
    view = LatticeView(large)
    for width in (320, 1400):
        scene = view.arrange(width)
        assert scene["width"] <= width
        assert all(0 < node["x"] < width for node in scene["nodes"])
    with pytest.raises(CommandError):
        view.arrange(10)


@pytest.mark.parametrize(
    ("bk", "examples", "bias"),
    [
        ("p(1). p(2).", "pos(f(1)). neg(f(2)).", ""),  # no hypothesis
        ("p(1).", "pos(f(1)).", ""),  # no negative example
        (
            "edge(1, 2). edge(2, 3). edge(3, 4).",
            "pos(f(1, 3)). pos(f(1, 4)). pos(f(1, 2)). neg(f(2, 1)). neg(f(4, 1)).",
            "enable_recursion. max_vars(3). max_body(2). max_clauses(2).",
        ),
    ],
)
def test_any_run_can_be_looked_at(bk: str, examples: str, bias: str) -> None:
    view = LatticeView(learnt(bk, examples, bias))
    scene = view.scene()
    for node in scene["nodes"]:
        assert view.detail(node["id"])["why"]
        view.expand(node["id"])
    ElementTree.fromstring(view.to_svg())
    assert view.to_html()
    assert view.to_text()
    assert "digraph" in view.to_dot()


def test_a_run_that_searched_nothing_shows_what_it_took_over() -> None:
    session = Session()
    session.bk("p(1). p(2). q(1).")
    session.examples("pos(f(1)). neg(f(2)).")
    session.learn()
    session.learn()
    nodes = LatticeView(session.runs[-1]).scene()["nodes"]
    assert "f(A) :- q(A)." in {node["text"] for node in nodes if node["outcome"] == "solution"}


def test_a_run_can_be_looked_at_while_it_goes_on(large: Run) -> None:
    """It may end meanwhile; what is shown then is only more."""
    run = Run(large.number + 1, large.task, large.options)
    run.start()
    view = LatticeView(run)
    try:
        while run.state == "running":
            scene = view.reset()
            assert len(scene["nodes"]) <= 300
            view.to_svg()
    finally:
        run.stop()
        run.wait()
    assert any(node["outcome"] == "solution" for node in view.reset()["nodes"])


def test_static_forms_are_bounded(large: Run) -> None:
    view = LatticeView(large)
    assert len(view.to_svg().encode()) < 60_000
    assert len(view.to_html().encode()) < 100_000
    assert "rank=same" in view.to_dot()


def test_long_names_are_cut_in_scenes_and_whole_in_details() -> None:
    name = "long" * 200
    run = learnt(f"{name}(1). {name}(2). q(1).", "pos(f(1)). pos(f(2)). neg(f(3)).")
    view = LatticeView(run)
    (solution,) = [node for node in view.scene()["nodes"] if node["outcome"] == "solution"]
    assert solution["cut"]
    assert len(solution["text"]) == 200
    assert view.detail(solution["id"])["rule"] == f"f(A) :- {name}(A)."


def big_rule_run(kinds: int, name: str) -> Run:
    """Scenes with a piece of each kind, or without one of them: the rule asks for them all, with two literals each."""
    facts, examples = [], []
    for scene in range(kinds + 4):
        examples.append(f"{'neg' if scene < kinds else 'pos'}(f(s{scene})).")
        facts += [
            f"has(s{scene},p{scene}_{kind}). {name}{kind if kind != scene else ''}(p{scene}_{kind})."
            for kind in range(kinds)
        ]
    session = Session()
    session.bk("\n".join(facts))
    session.examples("\n".join(examples))
    session.learn(max_body=2, max_vars=2, timeout=20.0, advise=False)
    return session.runs[-1]


@pytest.mark.parametrize("name", ["kind", "kind" * 50])
def test_rules_of_a_hundred_literals_stay_within_the_bounds(name: str) -> None:
    run = big_rule_run(50, name)
    assert run.result
    assert run.result.size == 101
    shown = LatticeView(run)
    (whole,) = (node for node in shown.scene()["nodes"] if node["outcome"] == "solution")
    began = time.process_time()
    scene = shown.answer("expand", {"key": whole["id"], "to": "general"})
    assert time.process_time() - began < 3.0
    assert len(json.dumps(scene)) < 200_000
    assert len(json.dumps(shown.answer("detail", {"key": whole["id"]}))) < 200_000
    assert len(shown.to_svg().encode()) <= 60_000
    assert len(shown.to_html().encode()) <= 100_000
