"""The lattice as a static picture in SVG, and as a graph for Graphviz.

Both come from the same arrangement as the browser's picture, with fewer rules, as nobody can expand a static one. Shapes and colours are
those of all views; the legend below names them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from joiner_magic.questions.lattice.lattice import Edge, Node
from joiner_magic.views.drawing import FAINT, LINE, PAGE, SMALL, Svg, mark, named, page, piece, words
from joiner_magic.views.graphs import quoted
from joiner_magic.views.lattice.arrangement import LEFT, LETTERS, Arrangement, PlacedNode, curve, stub_label
from joiner_magic.views.lattice.labels import shortened
from joiner_magic.views.palette import BY_WORD, MARKS

_BAND = "#f5f6f8"
_TITLE = 90  # letters of a rule that is pointed at
_LEGEND = 22.0  # height of a row of it
_MONOSPACE = "ui-monospace, monospace"
_GRAPHVIZ = {  # what it calls the shapes of signs; others are circles
    "star": "star",
    "square": "square",
    "cross": "plain",
    "plus": "plain",
    "pentagon": "pentagon",
    "triangle": "triangle",
    "hexagon": "hexagon",
    "diamond": "diamond",
    "inverted triangle": "invtriangle",
    "ring": "doublecircle",
}


def lattice_svg(arrangement: Arrangement, title: str, tested: Mapping[int, int]) -> str:
    """The picture; `tested` says how many rules of each size were tested."""
    legend = list(_legend(arrangement))
    height = arrangement.height + _LEGEND * len(legend)
    inside = [*_bands(arrangement, tested), *_edges(arrangement)]
    inside += [_sign(drawn) for drawn in arrangement.drawn.values()]
    for number, row in enumerate(legend):
        inside.append(piece("g", *row, transform=f"translate(0 {arrangement.height + _LEGEND * number:.0f})"))
    return page(title, arrangement.width, height, inside)


def _bands(arrangement: Arrangement, tested: Mapping[int, int]) -> Iterator[Svg]:
    """A band across the page for each size, with its heading."""
    for band in arrangement.bands:
        y = band.top + band.height / 2
        yield piece("rect", y=band.top - 6, width=arrangement.width, height=band.height + 12, fill=_BAND)
        yield words(12, y, f"size {band.rank}", font_weight=600)
        if tested.get(band.rank):
            yield words(12, y + 14, f"{tested[band.rank]:,} tested", fill=FAINT, font_size=SMALL)


def _edges(arrangement: Arrangement) -> Iterator[Svg]:
    """All edges of a kind as one path: those that lead to the solution stand out, and those of joins are dashed."""
    drawn = arrangement.drawn
    ways: list[Edge] = []
    others: list[Edge] = []
    for edge in arrangement.edges:
        if arrangement.leads_to_solution(edge):
            ways.append(edge)
        else:
            others.append(edge)
    green = BY_WORD["solution"].light
    looks: tuple[tuple[Sequence[Edge], dict[str, object]], ...] = (
        (others, {"stroke": LINE}),
        (ways, {"stroke": green, "stroke_width": 1.5, "opacity": 0.6}),
        (arrangement.joins, {"stroke": green, "stroke_width": 2, "stroke_dasharray": "5 4"}),
    )
    for edges, look in looks:
        curves = "".join(curve(drawn[edge.general], drawn[edge.special]) for edge in edges)
        if curves:
            yield piece("path", d=curves, fill="none", **look)


def _sign(drawn: PlacedNode) -> Svg:
    """The sign of a node, with a title, and its label if it has one."""
    node, x, y = drawn.node, drawn.x, drawn.y
    told = [shortened(node.text, _TITLE), covered_in_words(node), f"({node.outcome})"]
    title = " ".join(filter(None, told))
    if node.stub:
        return named(title, *_pill(drawn))
    inside = [mark(node.outcome, x, y, drawn.radius)]
    if node.role == "solution":
        green = BY_WORD["solution"].light
        ring = piece("circle", cx=x, cy=y, r=drawn.radius + 3.5, fill=PAGE, stroke=green, stroke_width=1.5)
        inside.insert(0, ring)
    if drawn.label:
        halo = {"stroke": _BAND, "stroke_width": 3, "paint_order": "stroke"}  # over the links
        letters = {"font_family": _MONOSPACE, "font_size": LETTERS, "text_anchor": "middle"}
        inside.append(words(x, y + 26, drawn.label, **letters, **halo))
    return named(title, *inside)


def covered_in_words(node: Node) -> str:
    """How many examples a node covers. A body that is no rule yet may cover more than was counted
    (docs/explanation/native-core.md).
    """
    if node.pos is None or node.neg is None:
        return ""
    covered = f"+{node.pos:,} −{node.neg:,}"
    if node.whole:
        return covered
    return f"at least {covered}"


def _pill(drawn: PlacedNode) -> Iterator[Svg]:
    """The sign of a stub: how many rules it stands for."""
    left, wide = drawn.x - drawn.radius, 2 * drawn.radius
    yield piece("rect", x=left, y=drawn.y - 9, width=wide, height=18, rx=9, fill=PAGE, stroke=LINE)
    yield mark(drawn.node.outcome, left + 12, drawn.y, 4)
    yield words(left + 20, drawn.y + 4, stub_label(drawn.node), font_size=LETTERS, fill=FAINT)


def _legend(arrangement: Arrangement) -> Iterator[list[Svg]]:
    """Rows of the outcomes that are in the picture."""
    present = {drawn.node.outcome for drawn in arrangement.drawn.values()}
    row: list[Svg] = []
    x = LEFT
    for look in MARKS:
        if look.word not in present:
            continue
        wide = 26 + 7 * len(look.word)
        if x + wide > arrangement.width and row:
            yield row
            row, x = [], LEFT
        row += [mark(look.word, x + 6, 8, 5), words(x + 16, 12, look.word, fill=FAINT)]
        x += wide
    if row:
        yield row


def lattice_dot(arrangement: Arrangement, title: str) -> str:
    """The graph, with the rules of each size on one rank."""
    drawn = arrangement.drawn
    strong = f" [color={quoted(BY_WORD['solution'].light)} penwidth=2]"
    lines = [
        f"label={quoted(title)} labelloc=t fontname=Helvetica nodesep=0.6 ranksep=0.7",
        "node [fontname=Helvetica fontsize=10 style=filled]",
        f"edge [arrowhead=none color={quoted(LINE)}]",
    ]
    for band in arrangement.bands:
        nodes = "; ".join(_dot_node(drawn[key]) for key in band.order)
        lines.append(f"{{ rank=same; {nodes} }}")
    for edge in arrangement.edges:
        look = ""
        if arrangement.leads_to_solution(edge):
            look = strong
        lines.append(f"{quoted(edge.general)} -> {quoted(edge.special)}{look}")
    lines += [
        f"{quoted(edge.general)} -> {quoted(edge.special)} [style=dashed]" for edge in arrangement.joins
    ]
    body = "\n  ".join(lines)
    return f"digraph lattice {{\n  {body}\n}}\n"


def _dot_node(drawn: PlacedNode) -> str:
    """A node in the language of Graphviz."""
    node = drawn.node
    name = shortened(node.text, _TITLE)
    colour = quoted(BY_WORD[node.outcome].light)
    if node.stub:
        look = f"shape=box style=rounded color={colour} label={quoted(f'{stub_label(node)} {node.outcome}')}"
    else:
        shape = "circle"
        if sign := node.outcome.sign:
            shape = _GRAPHVIZ.get(sign.shape, shape)
        look = (
            f'shape={shape} fillcolor={colour} label="" width=0.35 height=0.35 xlabel={quoted(drawn.label)}'
        )
    return f"{quoted(node.id)} [{look} tooltip={quoted(f'{name} ({node.outcome})')}]"
