"""The hypothesis lattice of a run: the rules that it tested, by size, and which rule specialises which.

An edge leads from a rule to one that has one literal more. A run may record a million rules, so the lattice gives a
few of them at a time: `opening` gives those that matter most, `expand` the neighbours of one, `search` a page of those
that somebody looks for, and `detail` everything about one. All this can be asked while the run goes on and from any
thread; the answers are then about what is recorded so far.

If the facts allow to exchange two arguments of a predicate, the record has only one of the rules that become equal
(docs/explanation/native-core.md). Edges hold up to such exchanges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

from joiner_magic.logic.terms import Predicate
from joiner_magic.questions.constraints.fates import fates_by_size
from joiner_magic.questions.lattice.graph import (
    OUTCOMES,
    Edge,
    Graph,
    Node,
    NodeDetail,
    NodePage,
)
from joiner_magic.questions.lattice.node_detail import node_detail
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.lattice.roles import Roles
from joiner_magic.questions.lattice.rules import LatticeRules
from joiner_magic.questions.lattice.surroundings import HypothesisSurroundings
from joiner_magic.questions.rule_ids import read_written_rule, rule_ids_of
from joiner_magic.search.fate import Fate
from joiner_magic.search.record.record import RecordFilter
from joiner_magic.task.notes import counted

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

__all__ = ["OUTCOMES", "Edge", "Graph", "Lattice", "Node", "NodeDetail", "NodePage"]


class Lattice:
    """The lattice of one run. A node is named by its id, which may be given as a text."""

    def __init__(self, run: Run) -> None:
        """The lattice of what this run has tested itself; `Lattice.of` is the one that the run shows."""
        self.run = run
        self._rules = LatticeRules(run)
        self._known_roles: tuple[object, Roles] | None = None

    @classmethod
    def of(cls, run: Run) -> Lattice:
        """The lattice of the search that a run shows, which may be the search of an earlier run."""
        return cls(run.shown)

    @property
    def positives(self) -> int:
        """How many positive examples there are."""
        return len(self.run.task.examples.pos)

    @property
    def negatives(self) -> int:
        """How many negative examples there are."""
        return len(self.run.task.examples.neg)

    @property
    def predicates(self) -> tuple[str, ...]:
        """The names of predicates that may occur in bodies."""
        return tuple(dict.fromkeys(predicate.name for predicate in self.run.task.bias.body))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of programs that were tested."""
        return tuple(sorted({size for size, _ in self.counts}))

    @property
    def counts(self) -> Mapping[tuple[int, Fate], int]:
        """How many programs of each size had each fate, as search/fate.py counts them."""
        counts: dict[tuple[int, Fate], int] = {}
        for size in fates_by_size(self.run):
            for fate, number in size.tested.items():
                counts[size.size, fate] = number
        return counts

    @property
    def solutions(self) -> int:
        """How many parts the hypothesis has, whether they were tested as a whole or joined from fragments."""
        return len(self._roles.whole)

    @property
    def missing(self) -> str:
        """A sentence about tested programs that cannot be listed, and why; empty if all can be."""
        if self._rules.missing:
            return self._rules.missing
        missed = self._rules.record.missed
        if not missed:
            return ""
        return f"{counted(missed, 'program')} more were tested when the record was full, and are not listed."

    def opening(self, most: int = 150) -> Graph:
        """What matters most: the hypothesis, its fragments and their generalisations, the best rules of each size, and
        stubs for what was cut off below these.
        """
        chosen = list(self._roles.to_open(2 * most // 3))
        stubs = Counter[NodeId]()
        for key in chosen:
            for stub, count in self._rules.stubs(key).items():
                if stub.cut_kind is not Fate.UNFINISHED:
                    stubs[stub] += count
        chosen += [stub for stub, _ in stubs.most_common(most - len(chosen))]
        return self._graph(chosen, ())

    def expand(self, key: str, *, shown: Collection[str], most: int = 40) -> Graph:
        """Neighbours of a node that are not shown yet, and all edges among these and what is shown.

        Of a recorded rule these are its stubs, then generalisations and specialisations, those that cover most first.
        Of a rule that is not recorded they are its generalisations, and of a stub the first of the rules that it stands
        for; both are evaluated here if need be.
        """
        node = self._rules.require_id(key)
        neighbours = dict.fromkeys(self._neighbours(node, shown, most))
        visible = {node, *self._parse_ids(shown)}
        new = [other for other in neighbours if other not in visible]
        return self._graph(new[:most], visible)

    def _neighbours(self, node: NodeId, shown: Collection[str], most: int) -> list[NodeId]:
        """The neighbours of a node, as `expand` lists them; some may be shown already."""
        rules = self._rules
        if node.is_stub:
            never_made = rules.record.never_made(node.number, node.cut_kind, most)
            return rules.ids(never_made, node.cut_kind)
        if node.is_evaluated:
            not_shown = (p for p in rules.generalisations(node) if rules.known_id(p) not in shown)
            return rules.ids(islice(not_shown, most))
        made = [NodeId.recorded(number) for number in rules.below(node).made]
        return [*rules.stubs(node), *sorted([*rules.above(node), *made], key=self._most_covering_first)]

    def _parse_ids(self, texts: Iterable[str]) -> list[NodeId]:
        """Those of some texts that are ids of nodes."""
        parsed = map(self._rules.parse_id, texts)
        return [key for key in parsed if key is not None]

    def reach(self, key: str, *, shown: Collection[str]) -> Graph:
        """A node with a chain of its generalisations, up to one that is shown, or to a single literal."""
        visible = set(self._parse_ids(shown))
        chain = [self._rules.require_id(key)]
        while (above := self._rules.above(chain[-1])) and visible.isdisjoint(above):
            chain.append(min(above, key=self._most_covering_first))
        return self._graph([node for node in chain if node not in visible], visible)

    @property
    def joins(self) -> tuple[Edge, ...]:
        """Edges from each fragment to the rule of the hypothesis that it was joined into."""
        return tuple(Edge(fragment, whole) for fragment, whole in self._roles.joins)

    def search(
        self,
        text: str = "",
        *,
        predicates: Collection[str] = (),
        outcomes: Collection[str] = (),
        sizes: Collection[int] = (),
        offset: int = 0,
        limit: int = 50,
    ) -> NodePage:
        """A page of the rules that meet all conditions, those that cover most positive examples first.

        `text` is a whole rule, or words: for each word a predicate of the rule has a name that begins with it.
        `predicates` all occur in the rule, and it has one of the `sizes` and one of the `outcomes`, if any are given.
        An outcome is a fate or "solution"; a rule of the hypothesis that was tested has both.
        """
        if ":-" in text:
            return self._page_of_rule(text)
        groups = self._wanted_predicates(text, predicates)
        if not all(groups):
            return NodePage(0, ())
        # Rules of the hypothesis are few. They come first, and not a second time among the recorded rules.
        first = [key for key in self._roles.whole if self._fits(key, groups, outcomes, sizes)]
        page = first[offset : offset + limit]
        fates = [outcome for outcome in OUTCOMES if outcome in outcomes and outcome is not Fate.SOLUTION]
        total = 0
        found: list[int] = []
        if fates or not outcomes:
            which = RecordFilter(
                sizes,
                fates=fates,
                predicates=groups,
                without=[key.number for key in first if key.is_recorded],
            )
            offset = max(0, offset - len(first))
            total, found = self._rules.record.page(
                which, order="positives", offset=offset, limit=limit - len(page)
            )
        nodes = map(self._node, [*page, *map(NodeId.recorded, found)])
        return NodePage(total + len(first), tuple(nodes))

    def find(self, rule: str) -> NodeId | None:
        """The node of a rule; None if the lattice has none. The rule is given by its id in any view, or as a text."""
        node = self._rules.parse_id(rule)
        if node is not None:
            return node
        key = NodeId.parse(rule)
        if key is None:
            found = self.search(rule, limit=1).nodes
            return next((node.id for node in found), None)
        program = rule_ids_of(self.run).program(key)
        if program is None:
            return None
        return self._rules.find(program)

    def matching(
        self,
        keys: Iterable[str],
        text: str = "",
        *,
        predicates: Collection[str] = (),
        outcomes: Collection[str] = (),
    ) -> list[NodeId]:
        """Those of some nodes that a search with these conditions would find."""
        if ":-" in text:
            wanted = set(keys)
            return [node.id for node in self._page_of_rule(text).nodes if node.id in wanted]
        groups = self._wanted_predicates(text, predicates)
        if not all(groups):
            return []
        rules = [key for key in self._parse_ids(keys) if not key.is_stub]
        return [key for key in rules if self._fits(key, groups, outcomes, ())]

    def _wanted_predicates(self, text: str, predicates: Collection[str]) -> list[list[Predicate]]:
        """Groups of predicates for a search: of each group at least one is to occur in a rule."""
        body = self.run.task.bias.body
        words = text.replace(",", " ").split()
        by_word = [[each for each in body if each.name.startswith(word)] for word in words]
        by_name = [[each for each in body if each.name == name] for name in predicates]
        return [*by_word, *by_name]

    def detail(self, key: str) -> NodeDetail:
        """Everything about a node. What it covers is found out now, with a bounded amount of work."""
        return node_detail(self._node(self._rules.require_id(key)), self._rules, self.run)

    @cached_property
    def surroundings(self) -> HypothesisSurroundings:
        """What each literal of the hypothesis is for, and what was searched size by size."""
        return HypothesisSurroundings.of(self.run)

    def __str__(self) -> str:
        """What was searched size by size, and what each literal of the hypothesis is for."""
        return str(self.surroundings)

    @property
    def _roles(self) -> Roles:
        """Which rules matter, found out anew whenever the run has got further."""
        run = self.run
        reached = run.state, len(self._rules.record), len(run.progress.improvements)
        if self._known_roles is None or self._known_roles[0] != reached:
            self._known_roles = reached, Roles(run, self._rules)
        return self._known_roles[1]

    def _node(self, key: NodeId, above: int = 0, below: int = 0) -> Node:
        """A node with its role; `above` and `below` count its neighbours that are not in the graph."""
        node = self._rules.node(key, self._roles.role(key), above=above, below=below)
        if key not in self._roles.whole:
            return node
        return replace(node, outcome=Fate.SOLUTION)

    def _most_covering_first(self, key: NodeId) -> tuple[int, int]:
        """A key for sorting: by positive examples covered, then by size."""
        node = self._rules.node(key)
        return -(node.pos or 0), node.size

    def _graph(self, new: Sequence[NodeId], shown: Iterable[NodeId]) -> Graph:
        """The new nodes, and the edges among them and what is shown."""
        together = dict.fromkeys([*sorted(shown), *new])
        above = {key: self._rules.above(key) for key in together}
        nodes = [self._node_in_graph(key, above[key], together) for key in new]
        edges: list[Edge] = []
        for key in together:
            edges += [Edge(general, key) for general in above[key] if general in together]
        return Graph(tuple(nodes), tuple(edges))

    def _node_in_graph(self, key: NodeId, above: Sequence[NodeId], together: Collection[NodeId]) -> Node:
        """A node that knows how many of its neighbours are not in the graph."""
        if key.is_stub:
            return self._node(key)
        generalisations = len(above)
        if not key.is_recorded:
            generalisations = self._rules.count_generalisations(key)
        specialisations = map(NodeId.recorded, self._rules.below(key).made)
        return self._node(
            key,
            above=generalisations - sum(other in together for other in above),
            below=sum(other not in together for other in specialisations),
        )

    def _fits(
        self,
        key: NodeId,
        groups: Sequence[Sequence[Predicate]],
        outcomes: Collection[str],
        sizes: Collection[int],
    ) -> bool:
        """Whether a rule meets all conditions of a search."""
        program, node = self._rules.program(key), self._node(key)
        literals = chain.from_iterable(rule.body for rule in program.rules)
        occurring = {literal.predicate for literal in literals}
        return (
            (not sizes or program.size in sizes)
            and (not outcomes or node.outcome in outcomes or node.fate in outcomes)
            and all(not occurring.isdisjoint(group) for group in groups)
        )

    def _page_of_rule(self, text: str) -> NodePage:
        """The page that a search for a whole rule gives: this rule, or nothing."""
        program = read_written_rule(text)
        if program is None:
            return NodePage(0, ())
        key = self._rules.find(program)
        if key is None:
            return NodePage(0, ())
        return NodePage(1, (self._node(key),))
