"""The lattice view: rules by size, edges from each rule to its immediate specialisations, and what became of them.

A run may have tested a million rules, so the picture holds at most a few hundred at a time. It opens on those that
matter most, and grows where a person asks for more. The results of a search come page by page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from joiner_magic.errors import CommandError
from joiner_magic.questions.lattice.lattice import OUTCOMES, Graph, Lattice, Node
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.rule_ids import rule_ids_of
from joiner_magic.search.fate import Fate
from joiner_magic.task.notes import counted
from joiner_magic.views.lattice.arrangement import Arrangement, arranged
from joiner_magic.views.lattice.picture import lattice_dot, lattice_svg
from joiner_magic.views.lattice.scene import (
    literals_table,
    sent_arrangement,
    sent_detail,
    sent_outcomes,
    sent_rule,
)
from joiner_magic.views.lattice.table import lattice_table
from joiner_magic.views.lattice.visible_graph import MOST, VisibleGraph
from joiner_magic.views.markup import Html, joined, quiet, text
from joiner_magic.views.output import ROWS, shortened
from joiner_magic.views.view import Scene, View

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_WIDTH, _NARROW, _WIDE = 760.0, 300.0, 2400.0  # of the page: at first, at least, at most
_STATIC_WIDTH, _STATIC_NODES = 960.0, 60
_OPENING = 80  # nodes at first
_STUBS = 5  # at first at most one in so many
_NEIGHBOURS = 40  # that are added at once
_PAGE = 20  # rules that a search gives at once


@dataclass(slots=True)
class _OpenPicture:
    """The picture that is open in a browser: its nodes, and in which order they were drawn last."""

    shown: VisibleGraph
    orders: Mapping[int, Sequence[str]] = field(default_factory=dict)  # by size


class LatticeView(View):
    """The picture of the lattice, which a person expands, collapses and searches.

    A *stub* stands for rules that are not shown one by one: for those that were never made it says how many there are, and why.
    A rule is expanded to see its neighbours, collapsed to remove them, opened from the results of a search, and selected for
    all views of the run.
    """

    name: ClassVar[str] = "lattice"
    title: ClassVar[str] = "Hypothesis lattice"
    twin_order: ClassVar[int] = 2
    questions: ClassVar[frozenset[str]] = frozenset(
        {"arrange", "expand", "collapse", "search", "detail", "open", "reveal", "reset", "without"}
    )

    def __init__(self, run: Run) -> None:
        """The view of a run's lattice; the picture is opened when it is first asked for."""
        super().__init__(run)
        self._width = _WIDTH
        self._kept: _OpenPicture | None = None
        self._lattice = Lattice.of(run)

    @property
    def lattice(self) -> Lattice:
        """The lattice of the search that the run shows. It can be asked from Python too."""
        if self._lattice.run is not self.run.shown:  # which may become known only when the run ends
            self._kept, self._lattice = None, Lattice.of(self.run)
        return self._lattice

    @property
    def _picture(self) -> _OpenPicture:
        """The picture that is open; at first, of the rules that matter most."""
        if self._kept is None:
            self._kept = _OpenPicture(_opening(self.lattice, _OPENING))
        return self._kept

    def scene(self) -> Scene:
        """What the browser draws: the arrangement of the picture, the outcomes that occurred, and remarks."""
        lattice = self.lattice
        picture = self._picture
        shown = picture.shown
        arrangement = arranged(shown, lattice.joins, lattice.positives, self._width, picture.orders)
        picture.orders = arrangement.orders
        self._note_rules(shown.nodes.values())
        counts = lattice.counts
        return {
            **sent_arrangement(arrangement, shown, _tested(counts)),
            "outcomes": sent_outcomes(counts, lattice.solutions),
            "title": self._title(),
            "whence": self.run.whence,
            "explained": lattice.run.result is not None,
            "predicates": list(lattice.predicates),
            "examples": [lattice.positives, lattice.negatives],
            "note": self._note(),
        }

    def arrange(self, width: object) -> Scene:
        """The picture for a page of another width."""
        if not isinstance(width, int | float) or not _NARROW <= width <= _WIDE:
            raise CommandError(f"a page cannot be {width!r} wide")
        self._width = float(width)
        return self.scene()

    def expand(self, key: object, to: object = "") -> Scene:
        """Add neighbours of a rule: those that are more "general", those that are more "special", or both."""
        if to not in ("", "general", "special"):
            raise CommandError(f"a rule cannot be expanded to {to!r}")
        key, shown = _text(key), self._picture.shown
        graph = self.lattice.expand(key, shown=list(shown.nodes), most=_NEIGHBOURS)
        expanded = shown.nodes.get(NodeId(key))
        if to and expanded is not None:
            size = expanded.size
            nodes = tuple(node for node in graph.nodes if (node.size < size) is (to == "general"))
            graph = Graph(nodes, graph.edges)
        shown.add(graph, key)
        return self.scene()

    def collapse(self, key: object) -> Scene:
        """Remove the rules that were added when a rule was expanded."""
        self._picture.shown.collapse(_text(key))
        return self.scene()

    def search(
        self,
        text: object = "",
        predicates: object = (),
        outcomes: object = (),
        sizes: object = (),
        offset: object = 0,
    ) -> Scene:
        """A page of the rules that meet all conditions, and which rules in the picture do.

        Conditions are combined: a rule has to contain all of the words and predicates, and have one of the outcomes and sizes.
        """
        if not isinstance(offset, int) or offset < 0:
            raise CommandError(f"no page begins at {offset!r}")
        page = self.lattice.search(
            _text(text),
            predicates=_texts(predicates),
            outcomes=_texts(outcomes),
            sizes=[size for size in _items(sizes) if isinstance(size, int)],
            offset=offset,
            limit=_PAGE,
        )
        lit = self.lattice.matching(
            self._picture.shown.nodes,
            _text(text),
            predicates=_texts(predicates),
            outcomes=_texts(outcomes),
        )
        self._note_rules(page.nodes)
        return {
            "total": page.total,
            "said": counted(page.total, "rule"),
            "rules": [sent_rule(node) for node in page.nodes],
            "lit": [str(key) for key in lit],
        }

    def without(self) -> Scene:
        """What each literal of the hypothesis is for: how many examples are covered without it."""
        return {"told": literals_table(self.lattice.surroundings)}

    def detail(self, key: object) -> Scene:
        """Everything about one rule."""
        detail = self.lattice.detail(_text(key))
        self._note_rules([detail.node])
        return sent_detail(detail, collapses=self._picture.shown.is_opened(detail.node.id))

    def open(self, keys: object) -> Scene:
        """Add some rules, each with the rules between it and one in the picture, or a single literal."""
        shown, wanted = self._picture.shown, _texts(keys)
        if len(wanted) > MOST:
            raise CommandError(f"at most {MOST} rules are shown at a time")
        for key in wanted:
            shown.add(self.lattice.reach(key, shown=list(shown.nodes)), key)
        return self.scene()

    def reveal(self, rule: object) -> Scene:
        """Add a rule that was selected, given by its id in any view or by its text; `found` is its id here."""
        found = self.lattice.find(_text(rule))
        if found is None:
            raise CommandError("the run has not tested this rule, so it is not in the lattice")
        return {**self.open([found]), "found": str(found)}

    def _note_rules(self, nodes: Iterable[Node]) -> None:
        """Note what the ids of these rules stand for, because the browser will select rules by their ids."""
        ids = rule_ids_of(self.run)
        for node in nodes:
            if not node.stub:
                ids.note(node.id, node.text, node.program)

    def reset(self) -> Scene:
        """Open the picture again, with all that is recorded now."""
        self._kept, self._lattice = None, Lattice.of(self.run)
        return self.scene()

    def _note(self) -> str:
        """Sentences about where the picture comes from, and what is not in it."""
        gone = self._picture.shown.gave_way
        remarks = self._remarks()
        if gone:
            remarks.append(f"{counted(gone, 'older rule')} gave way: at most {MOST} are shown at a time.")
        return " ".join(remarks)

    def _title(self) -> str:
        """The title of the panel that is shown before a rule is selected."""
        of = ""
        if self.run.whence:
            of = f" of {self.lattice.run.name}"
        if self.lattice.solutions:
            return f"The hypothesis{of}"
        if self.run.state == "running":
            return "No hypothesis yet"
        return f"No hypothesis was found{of}"

    def _remarks(self) -> list[str]:
        """Sentences about the picture as a whole."""
        remarks = []
        if self.run.whence:
            remarks.append(f"{self.run.name}, {self.run.whence}.")
        if self.lattice.missing:
            remarks.append(self.lattice.missing)
        return remarks

    def to_svg(self) -> str:
        """The rules that matter most, as a picture."""
        arrangement = self._static()
        return lattice_svg(arrangement, f"{self.title} of {self.run.name}", _tested(self.lattice.counts))

    @property
    def summary(self) -> str:
        """How many programs met which fate."""
        outcomes = Counter[str]()
        for (_, outcome), number in self.lattice.counts.items():
            outcomes[outcome] += number
        counts = ", ".join(f"{outcomes[outcome]:,} {outcome}" for outcome in OUTCOMES if outcomes[outcome])
        tested = "no program was tested"
        if counts:
            tested = f"{counted(outcomes.total(), 'program')} tested"
        found = f"{counted(self.lattice.solutions, 'rule')} of the hypothesis"
        remarks = (said.rstrip(".") for said in self._remarks())
        return "; ".join([f"{tested} by size, {found}", *filter(None, [counts]), *remarks])

    def to_dot(self) -> str:
        """The rules that matter most, as a graph."""
        return lattice_dot(self._static(), f"{self.title} of {self.run.name}")

    def _static(self) -> Arrangement:
        """The arrangement of the static pictures, which have fewer rules than the browser shows."""
        shown = _opening(self.lattice, _STATIC_NODES)
        return arranged(shown, self.lattice.joins, self.lattice.positives, _STATIC_WIDTH)

    def to_text(self) -> str:
        """What was searched size by size, and what each literal of the hypothesis is for."""
        return shortened("\n".join([*self._remarks(), str(self.lattice)]), ROWS)

    def to_table(self) -> Html:
        """What was searched size by size, and what each literal of the hypothesis is for."""
        remarks = [quiet(text(said)) for said in self._remarks()]
        return joined([*remarks, lattice_table(self.lattice.surroundings, ROWS)])


def _opening(lattice: Lattice, most: int) -> VisibleGraph:
    """What the picture opens on. Of the stubs only the largest are in it: the others appear when their rules are expanded."""
    graph = lattice.opening(most)
    stubs = [node.id for node in graph.nodes if node.stub]
    left_out = set(stubs[most // _STUBS :])
    nodes = tuple(node for node in graph.nodes if node.id not in left_out)
    edges = tuple(edge for edge in graph.edges if edge.special not in left_out)
    return VisibleGraph(Graph(nodes, edges))


def _tested(counts: Mapping[tuple[int, Fate], int]) -> Counter[int]:
    """How many programs of each size were tested."""
    tested = Counter[int]()
    for (size, _), number in counts.items():
        tested[size] += number
    return tested


def _text(value: object) -> str:
    """A text that a browser has sent. Raises CommandError for anything else."""
    if not isinstance(value, str):
        raise CommandError(f"{value!r} is no text")
    return value


def _texts(value: object) -> list[str]:
    """A list of texts that a browser has sent."""
    return [_text(item) for item in _items(value)]


def _items(value: object) -> Sequence[object]:
    """A list that a browser has sent. Raises CommandError for anything else."""
    if not isinstance(value, list | tuple):
        raise CommandError(f"{value!r} is no list")
    return value
