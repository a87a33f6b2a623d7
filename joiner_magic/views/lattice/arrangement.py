"""Where each rule stands in the picture of the lattice, how large its sign is, and which rules have labels.

The browser and the static picture draw the same arrangement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from joiner_magic.questions.lattice.lattice import Edge, Node
from joiner_magic.views.lattice.labels import breadth, label
from joiner_magic.views.lattice.ranks import NOTHING_KEPT, Box, RankBand, laid_out
from joiner_magic.views.lattice.visible_graph import ON_THE_WAY, VisibleGraph

LEFT = 92.0  # for the headings of ranks
LETTERS = 11  # their size in labels
_LETTER = 0.61 * LETTERS
_MARGIN = 12.0
_SIGN = 28.0  # height and least width of what holds a sign
_LABEL = 15.0  # height
_RADIUS = (4.0, 10.5)  # of nothing covered, and of all positives
_STUB = (34.0, 20.0)
_NAMED = ("solution", "ancestor", "best")  # roles of rules that always have a label
_MOST_NAMED = 40  # rules that were just asked for, and have labels


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A node with its place in the picture."""

    node: Node
    x: float  # of the sign's centre
    y: float
    radius: float  # of a stub: half its width
    label: str  # "": it has none

    @property
    def top(self) -> float:
        """Above its sign: links end there."""
        if self.node.stub:
            return self.y - _STUB[1] / 2
        return self.y - self.radius

    @property
    def bottom(self) -> float:
        """Below its label: links begin there."""
        if self.node.stub:
            return self.y + _STUB[1] / 2
        if self.label:
            return self.y + (_SIGN / 2 + _LABEL)
        return self.y + self.radius


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The whole picture, laid out: nodes in bands by size, and the edges between them."""

    width: float
    height: float
    bands: tuple[RankBand, ...]
    drawn: Mapping[str, PlacedNode]
    edges: tuple[Edge, ...]
    joins: tuple[Edge, ...]  # from fragments to the rules that they were joined into

    @property
    def orders(self) -> dict[int, Sequence[str]]:
        """The order of nodes in each band, which the next arrangement keeps."""
        return {band.rank: band.order for band in self.bands}

    def leads_to_solution(self, edge: Edge) -> bool:
        """Whether both ends of an edge are in the hypothesis or above it."""
        return all(self.drawn[key].node.role in ON_THE_WAY for key in (edge.general, edge.special))


def arranged(
    shown: VisibleGraph,
    joins: Iterable[Edge],
    positives: int,
    width: float,
    kept: Mapping[int, Sequence[str]] = NOTHING_KEPT,
) -> Arrangement:
    """An arrangement of what is visible on a page of this width; `kept` are the orders of the arrangement before it."""
    edges = tuple(shown.edges)
    joins = tuple(edge for edge in joins if {edge.general, edge.special} <= shown.nodes.keys())
    labels = _labels(shown, joins, _letters(width))
    boxes = [_box(node, labels.get(node.id, "")) for node in shown.nodes.values()]
    links = [(edge.general, edge.special) for edge in (*edges, *joins)]
    layout = laid_out(boxes, links, width - LEFT - _MARGIN, kept)
    bands = tuple(RankBand(band.rank, band.top + _MARGIN, band.height, band.order) for band in layout.bands)
    drawn: dict[str, PlacedNode] = {}
    for key, node in shown.nodes.items():
        spot = layout.spots[key]
        y = spot.y + _MARGIN + _sign_height(node) / 2
        drawn[key] = PlacedNode(node, LEFT + spot.x, y, _radius(node, positives), labels.get(key, ""))
    width, height = LEFT + layout.width + _MARGIN, layout.height + 2 * _MARGIN
    return Arrangement(width, height, bands, drawn, edges, joins)


def _letters(width: float) -> int:
    """How many letters a label has at most on a page of this width."""
    if width < 640:
        return 15
    return 20


def _sign_height(node: Node) -> float:
    """The height of what holds the sign of a node."""
    if node.stub:
        return _STUB[1]
    return _SIGN


def curve(general: PlacedNode, special: PlacedNode) -> str:
    """An edge as a path of SVG, from below the one node to above the other."""
    start, end = general.bottom, special.top - 2
    middle = (start + end) / 2
    return (
        f"M{general.x:.0f} {start:.0f}C{general.x:.0f} {middle:.0f} {special.x:.0f} {middle:.0f}"
        f" {special.x:.0f} {end:.0f}"
    )


def stub_label(node: Node) -> str:
    """The label of a stub: how many rules it stands for."""
    return f"−{node.stub:,}"


def _labels(shown: VisibleGraph, joins: Iterable[Edge], letters: int) -> dict[str, str]:
    """Labels by node. Few nodes have one, so that the picture stays calm: rules that matter, rules that were just asked
    for, and rules at which the picture begins.
    """
    latest = shown.latest
    if len(latest) > _MOST_NAMED:
        latest = frozenset()
    generals = shown.generals()
    labels: dict[str, str] = {}
    for key, node in shown.nodes.items():
        general = None
        if key in generals:
            general = generals[key].program
        has_label = node.role in _NAMED or key in latest or key not in generals
        if node.program is not None and has_label:
            labels[key] = label(node.program, general, letters)
    for key, number in Counter(edge.special for edge in joins).items():
        labels[key] = f"{number} joined"
    return labels


def _radius(node: Node, positives: int) -> float:
    """The radius of the sign: the area grows with the positive examples that are covered."""
    if node.stub:
        return _stub_width(node) / 2
    least, most = _RADIUS
    return least + (most - least) * sqrt(min((node.pos or 0) / max(positives, 1), 1.0))


def _stub_width(node: Node) -> float:
    """The width of a stub, which grows with its label."""
    return _STUB[0] + (breadth(stub_label(node)) - 1) * _LETTER


def _box(node: Node, name: str) -> Box:
    """The room that a node takes, with its label."""
    if node.stub:
        return Box(node.id, node.size, _stub_width(node), _STUB[1])
    if not name:
        return Box(node.id, node.size, _SIGN - 4, _SIGN)
    return Box(node.id, node.size, max(breadth(name) * _LETTER, _SIGN), _SIGN + _LABEL)
