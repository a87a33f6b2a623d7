"""The part of the lattice that is in the picture: what it opened with, and what was asked for since.

There is a most that a person, and a browser, can look at. When more is asked for, what has been there longest gives
way, except what leads to the solution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from joiner_magic.questions.lattice.lattice import Edge, Graph, Node

MOST = 300
ON_THE_WAY = ("solution", "ancestor")  # roles of what leads to the solution
STUB = "s"  # ids of stubs begin with it


class VisibleGraph:
    def __init__(self, graph: Graph, most: int = MOST) -> None:
        self.nodes: dict[str, Node] = {}
        self.edges: dict[Edge, None] = {}  # a set that keeps the order
        self.gave_way = 0
        self._most = most
        self._asked: dict[str, list[str]] = {}  # for which node which others were added
        self._known: dict[
            str, tuple[int, int]
        ] = {}  # immediate generalisations and specialisations there are
        self.add(graph)
        self.latest: frozenset[str] = frozenset()  # what was asked for last

    def add(self, graph: Graph, asked: str = "") -> None:
        """More of the lattice, which somebody asked for at a node."""
        above, below = _degrees(graph.edges)
        new = {node.id: node for node in graph.nodes if node.id not in self.nodes}
        for key, node in new.items():
            self._known[key] = (node.above + above[key], node.below + below[key])
        self.nodes |= new
        self.edges |= dict.fromkeys(graph.edges)
        self.latest = frozenset(new)
        self._asked.setdefault(asked, []).extend(new)
        surplus = list(self._least_of_use())[: max(len(self.nodes) - self._most, 0)]
        self._remove(surplus)
        self.gave_way = len(surplus)

    def collapse(self, key: str) -> None:
        """Without what was added at a node, and at what was added there."""
        gone: set[str] = set()
        waiting = [key]
        while waiting:
            added = self._asked.pop(waiting.pop(), [])
            gone.update(added)
            waiting += added
        self._remove(gone)
        self.latest = frozenset()
        self.gave_way = 0

    def is_opened(self, key: str) -> bool:
        """Whether there is anything to collapse at a node."""
        return any(added in self.nodes for added in self._asked.get(key, ()))

    def hidden(self) -> dict[str, tuple[int, int]]:
        """How many immediate generalisations and specialisations of each are known, but not in the picture."""
        above, below = _degrees(self.edges)
        known = self._known
        return {
            key: (max(known[key][0] - above[key], 0), max(known[key][1] - below[key], 0))
            for key in self.nodes
        }

    def generals(self) -> dict[str, Node]:
        """For each that has one in the picture a generalisation: one on the way to the solution, or that covers most."""
        best: dict[str, Node] = {}
        for edge in self.edges:
            node, other = self.nodes[edge.general], best.get(edge.special)
            if other is None or _tells_more(node) > _tells_more(other):
                best[edge.special] = node
        return best

    def _least_of_use(self) -> Iterator[str]:
        """What gives way, the first first: the oldest, then if need be the end of what was asked for last."""
        for key, node in self.nodes.items():
            if key not in self.latest and node.role not in ON_THE_WAY:
                yield key
        yield from (key for key in reversed(self.nodes) if key in self.latest)

    def _remove(self, gone: Collection[str]) -> None:
        for key in gone:
            self.nodes.pop(key, None)
        self.edges = {
            edge: None for edge in self.edges if edge.general in self.nodes and edge.special in self.nodes
        }


def _degrees(edges: Iterable[Edge]) -> tuple[Counter[str], Counter[str]]:
    """How many generalisations each has among these, and how many specialisations; stubs count for none."""
    rules = [edge for edge in edges if not edge.special.startswith(STUB)]
    return Counter(edge.special for edge in rules), Counter(edge.general for edge in rules)


def _tells_more(node: Node) -> tuple[bool, int]:
    return node.role in ON_THE_WAY, node.pos or 0
