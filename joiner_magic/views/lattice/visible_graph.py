"""The part of the lattice that is in the picture: what it opened with, and what a person has asked for since.

A person and a browser can look at so many nodes only. When more are asked for, the nodes that have been there longest
are removed, except those that lead to the solution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from joiner_magic.questions.lattice.lattice import Edge, Graph, Node
from joiner_magic.questions.lattice.node_id import NodeId

MOST = 300
ON_THE_WAY = ("solution", "ancestor")  # roles of rules that lead to the solution


class VisibleGraph:
    """Nodes and edges in the picture. It changes with what a person expands and collapses.

    It remembers what each request has added, so that it can be taken back.
    """

    def __init__(self, graph: Graph, most: int = MOST) -> None:
        """A picture that opens with this graph, and never has more than `most` nodes."""
        self.nodes: dict[NodeId, Node] = {}
        self.edges: dict[Edge, None] = {}  # a set that keeps the order
        self.gave_way = 0  # how many nodes were removed for those that were added last
        self._most = most
        self._added_at: dict[str, list[NodeId]] = {}  # which nodes were added when a node was expanded
        # How many generalisations and specialisations of each node are known.
        self._degrees: dict[NodeId, tuple[int, int]] = {}
        self.add(graph)
        self.latest: frozenset[str] = frozenset()  # the nodes that were added last

    def add(self, graph: Graph, asked: str = "") -> None:
        """Add more of the lattice, which a person asked for at a node."""
        above, below = _degrees(graph.edges)
        new = {node.id: node for node in graph.nodes if node.id not in self.nodes}
        for key, node in new.items():
            self._degrees[key] = (node.above + above[key], node.below + below[key])
        self.nodes |= new
        self.edges |= dict.fromkeys(graph.edges)
        self.latest = frozenset(new)
        self._added_at.setdefault(asked, []).extend(new)
        surplus = list(self._first_to_remove())[: max(len(self.nodes) - self._most, 0)]
        self._remove(surplus)
        self.gave_way = len(surplus)

    def collapse(self, key: str) -> None:
        """Remove what was added at a node, and what was added at those nodes in turn."""
        gone: set[NodeId] = set()
        waiting: list[str] = [key]
        while waiting:
            added = self._added_at.pop(waiting.pop(), [])
            gone.update(added)
            waiting += added
        self._remove(gone)
        self.latest = frozenset()
        self.gave_way = 0

    def is_opened(self, key: str) -> bool:
        """Whether there is anything to collapse at a node."""
        return any(added in self.nodes for added in self._added_at.get(key, ()))

    def hidden(self) -> dict[str, tuple[int, int]]:
        """For each node how many immediate generalisations and specialisations are known, but not in the picture."""
        above, below = _degrees(self.edges)
        hidden: dict[str, tuple[int, int]] = {}
        for key in self.nodes:
            generalisations, specialisations = self._degrees[key]
            hidden[key] = max(generalisations - above[key], 0), max(specialisations - below[key], 0)
        return hidden

    def generals(self) -> dict[str, Node]:
        """For each node one of its generalisations in the picture, if it has any there.

        It is one that leads to the solution, if there is such a one, and among several the one that covers most.
        """
        best: dict[str, Node] = {}
        for edge in self.edges:
            node, other = self.nodes[edge.general], best.get(edge.special)
            if other is None or _importance(node) > _importance(other):
                best[edge.special] = node
        return best

    def _first_to_remove(self) -> Iterator[NodeId]:
        """Nodes in the order in which they are removed: the oldest first, and then the end of what was added last."""
        for key, node in self.nodes.items():
            if key not in self.latest and node.role not in ON_THE_WAY:
                yield key
        yield from (key for key in reversed(self.nodes) if key in self.latest)

    def _remove(self, gone: Collection[NodeId]) -> None:
        """Remove some nodes, and the edges that lead to them or from them."""
        for key in gone:
            self.nodes.pop(key, None)
        for edge in list(self.edges):
            if edge.general not in self.nodes or edge.special not in self.nodes:
                del self.edges[edge]


def _degrees(edges: Iterable[Edge]) -> tuple[Counter[str], Counter[str]]:
    """How many generalisations and how many specialisations each node has by these edges, stubs not counted."""
    rules = [edge for edge in edges if not edge.special.is_stub]
    return Counter(edge.special for edge in rules), Counter(edge.general for edge in rules)


def _importance(node: Node) -> tuple[bool, int]:
    """How much a node matters: whether it leads to the solution, and how many positive examples it covers."""
    return node.role in ON_THE_WAY, node.pos or 0
