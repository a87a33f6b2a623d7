"""The lattice in the form in which a browser gets it: small values for JSON, without entries that are empty.

Keys of nodes are sent as texts, and come back in the questions of the browser.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from joiner_magic.questions.lattice.lattice import OUTCOMES, Node, NodeDetail
from joiner_magic.questions.lattice.surroundings import HypothesisRule, HypothesisSurroundings
from joiner_magic.search.fate import Fate
from joiner_magic.views.lattice.arrangement import Arrangement, PlacedNode
from joiner_magic.views.lattice.picture import covered_in_words
from joiner_magic.views.lattice.visible_graph import VisibleGraph
from joiner_magic.views.markup import more
from joiner_magic.views.output import brief
from joiner_magic.views.tree import Tree, code, node
from joiner_magic.views.view import Scene

_HOW_TO_LOOK = (
    "General rules are at the top, special ones below; a larger sign covers more positive examples. Choose a rule to see"
    " what it covers and why it was kept or cut. A double click shows its neighbours; arrow keys move."
)
_MOST_RULES, _MOST_LITERALS = 12, 20  # rules, and literals of each, in the table of what each literal is for
_MOST_LETTERS = 200  # of a rule among many; the whole text is in its detail


def literals_table(around: HypothesisSurroundings) -> Tree:
    """A table of the rules of the hypothesis, with how many examples each covers without one of its literals."""
    rows: list[Tree] = []
    for rule in around.rules[:_MOST_RULES]:
        rows += _rule_rows(rule)
    if not rows:
        return node("div")
    return node("table", node("caption", "what each literal is for"), *rows, class_="without")


def _rule_rows(rule: HypothesisRule) -> Iterator[Tree]:
    """A row for a rule, and one for the rule without each of its literals."""
    yield node("tr", node("td", code(brief(rule.text))), _signed(rule.pos, rule.neg))
    for above in rule.above[:_MOST_LITERALS]:
        literal = node("td", "without ", code(brief(above.without)))
        yield node("tr", literal, _signed(above.pos, above.neg), class_="faint")
    if left := more(_MOST_LITERALS, len(rule.above), "literals"):
        yield node("tr", node("td", left), class_="faint")


def _signed(pos: int, neg: int) -> Tree:
    """A cell that says how many examples are covered."""
    return node("td", f"+{pos:,} −{neg:,}", class_="n")


def sent_arrangement(arrangement: Arrangement, shown: VisibleGraph, tested: Mapping[int, int]) -> Scene:
    """The picture for the browser: its nodes with their places, and its edges as pairs of numbers of nodes.

    The edges that lead to the solution come last, `ways` of them, so that they are drawn on top.
    """
    edges = sorted(arrangement.edges, key=arrangement.leads_to_solution)
    numbers = {key: number for number, key in enumerate(arrangement.drawn)}
    hidden = shown.hidden()
    beside = _beside(arrangement)

    def sent(key: str, drawn: PlacedNode) -> Scene:
        """One node with its place, and with the numbers of the nodes to which the arrow keys lead."""
        above, below = hidden[key]
        return {
            **sent_rule(drawn.node),
            "x": round(drawn.x, 1),
            "y": round(drawn.y, 1),
            "r": round(drawn.radius, 1),
            "top": round(drawn.top, 1),
            "bottom": round(drawn.bottom, 1),
            "beside": [numbers.get(other) for other in beside[key]],
            **_filled({"label": drawn.label, "above": above, "below": below}),
        }

    return {
        "width": round(arrangement.width),
        "height": round(arrangement.height),
        "sizes": [
            [band.rank, round(band.top), round(band.height), tested.get(band.rank, 0)]
            for band in arrangement.bands
        ],
        "nodes": [sent(key, drawn) for key, drawn in arrangement.drawn.items()],
        "edges": [[numbers[edge.general], numbers[edge.special]] for edge in edges],
        "ways": sum(map(arrangement.leads_to_solution, edges)),
        "joins": [[numbers[edge.general], numbers[edge.special]] for edge in arrangement.joins],
        "how_to_look": _HOW_TO_LOOK,
    }


def _beside(arrangement: Arrangement) -> dict[str, list[str]]:
    """Where the arrow keys lead from each node: up, right, down and left; "" for nowhere."""
    drawn = arrangement.drawn
    above: dict[str, list[str]] = {key: [] for key in drawn}
    below: dict[str, list[str]] = {key: [] for key in drawn}
    for edge in (*arrangement.edges, *arrangement.joins):
        above[edge.special].append(edge.general)
        below[edge.general].append(edge.special)

    def nearest(key: str, others: Sequence[str]) -> str:
        """The one of some nodes that stands nearest, from left to right; "" if there is none."""
        return min(others, key=lambda other: abs(drawn[other].x - drawn[key].x), default="")

    beside = {}
    for band in arrangement.bands:
        row = ["", *sorted(band.order, key=lambda key: (drawn[key].x, drawn[key].y)), ""]
        for left, key, right in zip(row, row[1:], row[2:], strict=False):
            beside[key] = [nearest(key, above[key]), right, nearest(key, below[key]), left]
    return beside


def sent_outcomes(counts: Mapping[tuple[int, Fate], int], solutions: int) -> list[list[object]]:
    """The outcomes that occurred, how often, and what they mean.

    Rules of the hypothesis are counted as solutions, and by their fates too.
    """
    sums = Counter[Fate]({Fate.SOLUTION: solutions})
    for (_, outcome), number in counts.items():
        sums[outcome] += number
    return [[outcome, sums[outcome], outcome.meaning] for outcome in OUTCOMES if sums[outcome]]


def sent_rule(node: Node) -> Scene:
    """A rule among many: `cut` says that its text is longer than what is sent."""
    return {
        "id": str(node.id),
        "size": node.size,
        "text": node.text[:_MOST_LETTERS],
        "outcome": node.outcome,
        "counts": _counts(node),
        **_filled({"stub": node.stub, "role": node.role, "cut": len(node.text) > _MOST_LETTERS}),
    }


def _counts(node: Node) -> str:
    """How many examples a rule covers, in words."""
    if node.stub:
        return "never made"
    return covered_in_words(node) or "not counted"


def sent_detail(detail: NodeDetail, *, collapses: bool) -> Scene:
    """Everything about one rule; `collapses` says that it was expanded, and can be collapsed."""
    return {
        **sent_rule(detail.node),
        "rule": detail.node.text,
        "program": detail.program,
        "positives": list(detail.positives),
        "negatives": list(detail.negatives),
        "covered": [detail.positives_covered, detail.negatives_covered],
        "why": detail.why,
        "constraint": detail.constraint,
        "forbids": detail.forbids,
        "conjunctions": list(detail.conjunctions),
        "collapses": collapses,
    }


def _filled(values: Scene) -> Scene:
    """Only the entries that are not empty."""
    return {name: value for name, value in values.items() if value}
