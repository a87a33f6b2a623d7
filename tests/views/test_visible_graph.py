"""The part of the lattice that is in the picture."""

from __future__ import annotations

from joiner_magic.questions.lattice.lattice import Edge, Graph, Node
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.search.fate import Fate
from joiner_magic.views.lattice.visible_graph import VisibleGraph


def rule(key: str, size: int, role: str = "", pos: int = 1, above: int = 0, below: int = 0) -> Node:
    return Node(
        NodeId(key), size, f"f(A) :- {key}(A).", Fate.JOINABLE, pos, 0, role=role, above=above, below=below
    )


def edge(general: str, special: str) -> Edge:
    return Edge(NodeId(general), NodeId(special))


def opening() -> Graph:
    nodes = (rule("top", 2, "ancestor", below=3), rule("end", 3, "solution"), rule("other", 3))
    return Graph(nodes, (edge("top", "end"), edge("top", "other")))


def test_what_is_hidden_becomes_less_as_it_is_shown() -> None:
    shown = VisibleGraph(opening())
    assert shown.hidden()["top"] == (0, 3)
    shown.add(Graph((rule("new", 3),), (edge("top", "new"),)), "top")
    assert shown.hidden()["top"] == (0, 2)
    assert shown.hidden()["new"] == (0, 0)
    shown.add(
        Graph(
            (Node(NodeId("s1:subsumed"), 3, "7", Fate.SUBSUMED, None, None, stub=7),),
            (edge("top", "s1:subsumed"),),
        )
    )
    assert shown.hidden()["top"] == (0, 2)


def test_collapsing_takes_away_what_was_added_there_and_below() -> None:
    shown = VisibleGraph(opening())
    shown.add(Graph((rule("new", 3),), (edge("top", "new"),)), "top")
    shown.add(Graph((rule("newer", 4),), (edge("new", "newer"),)), "new")
    assert shown.is_opened("top")
    assert shown.is_opened("new")
    shown.collapse("top")
    assert list(shown.nodes) == ["top", "end", "other"]
    assert list(shown.edges) == [edge("top", "end"), edge("top", "other")]
    assert not shown.is_opened("top")


def test_the_oldest_give_way_except_on_the_way_to_the_solution() -> None:
    shown = VisibleGraph(opening(), most=4)
    shown.add(Graph((rule("a", 3), rule("b", 3)), (edge("top", "a"), edge("top", "b"))), "top")
    assert list(shown.nodes) == ["top", "end", "a", "b"]
    assert shown.gave_way == 1
    shown.add(Graph(tuple(rule(f"c{number}", 4) for number in range(9)), ()), "a")
    assert len(shown.nodes) == 4
    assert {"top", "end"} < shown.nodes.keys()


def test_a_rule_is_told_by_what_it_adds_on_the_way_to_the_solution() -> None:
    nodes = (rule("way", 2, "ancestor", pos=1), rule("wide", 2, pos=9), rule("below", 3))
    shown = VisibleGraph(Graph(nodes, (edge("wide", "below"), edge("way", "below"))))
    assert shown.generals()["below"].id == "way"
