"""The hypothesis lattice of a run: what was tested, ranked by size, from rules to their immediate specialisations.

A million rules can be recorded, so the lattice gives a few at a time: it opens on what matters, and every node can be
expanded, searched for and looked at closely. It may be asked while the run goes on, from any thread; it then tells of
what is recorded so far. An edge is a literal that is added. Where arguments of a predicate can be exchanged by the
facts, the record has one of the equal rules (docs/explanation/native-core.md), and edges hold up to such exchanges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from joiner_magic.errors import JoinerError
from joiner_magic.logic.programs import Program
from joiner_magic.logic.terms import Predicate
from joiner_magic.questions.constraints.fates import fates_by_size
from joiner_magic.questions.lattice.graph import (
    OUTCOMES,
    Edge,
    Graph,
    Node,
    NodeDetail,
    NodePage,
    Outcome,
    outcome_of,
)
from joiner_magic.questions.lattice.node_detail import node_detail
from joiner_magic.questions.lattice.roles import Roles
from joiner_magic.questions.lattice.rules import LatticeRules, number_of
from joiner_magic.questions.lattice.surroundings import HypothesisSurroundings
from joiner_magic.search.record.fates import recorded_as
from joiner_magic.search.record.record import Which
from joiner_magic.task.notes import counted
from joiner_magic.task.reader import read_program

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

__all__ = ["OUTCOMES", "Edge", "Graph", "Lattice", "Node", "NodeDetail", "NodePage", "Outcome"]


class Lattice:
    def __init__(self, run: Run) -> None:
        self.run = run
        self._rules = LatticeRules(run)
        self._known_roles: tuple[object, Roles] | None = None

    @classmethod
    def of(cls, run: Run) -> Lattice:
        """Of the search that the run shows, which may be an earlier run's."""
        return cls(run.shown)

    @property
    def positives(self) -> int:
        return len(self.run.task.examples.pos)

    @property
    def negatives(self) -> int:
        return len(self.run.task.examples.neg)

    @property
    def predicates(self) -> tuple[str, ...]:
        """Names of predicates that bodies may have."""
        return tuple(dict.fromkeys(predicate.name for predicate in self.run.task.bias.body))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of which there are rules."""
        return tuple(sorted({size for size, _ in self.counts}))

    @property
    def counts(self) -> Mapping[tuple[int, str], int]:
        """How many programs were tested by size and fate, as search/record/fates.py counts them."""
        return {
            (size.size, fate): number
            for size in fates_by_size(self.run)
            for fate, number in size.tested.items()
        }

    @property
    def solutions(self) -> int:
        """How many rules and programs the hypothesis is made of, tested as such or joined."""
        return len(self._roles.whole)

    @property
    def missing(self) -> str:
        """Why what was tested cannot be listed, or not all of it, in a sentence; empty if it can."""
        missed = self._rules.record.missed
        full = f"{counted(missed, 'program')} more were tested when the record was full, and are not listed."
        return self._rules.missing or (full if missed else "")

    def opening(self, most: int = 150) -> Graph:
        """What the hypothesis is made of and its generalisations, the best rules of each size, and what was cut."""
        chosen = list(self._roles.to_open(2 * most // 3))
        stubs = Counter[str]()
        for key in chosen:
            stubs.update({s: n for s, n in self._rules.stubs(key).items() if not s.endswith(":unfinished")})
        chosen += [stub for stub, _ in stubs.most_common(most - len(chosen))]
        return self._graph(chosen, ())

    def expand(self, key: str, *, shown: Collection[str], most: int = 40) -> Graph:
        """Neighbours of a node that are not shown yet, the most covering first, and all edges among what is shown then.

        A stub gives the first of the rules that it stands for, evaluated here.
        """
        self._rules.check(key)
        if key.startswith("s"):
            kind = key.partition(":")[2]
            never_made = self._rules.record.never_made(number_of(key), kind, most)
            near = self._rules.ids(never_made, outcome_of(kind))
        elif key.startswith("p"):
            new = (p for p in self._rules.generalisations(key) if self._rules.known(p) not in shown)
            near = self._rules.ids(islice(new, most))
        else:
            stubs = list(self._rules.stubs(key))
            made = [f"r{number}" for number in self._rules.below(key).made]
            near = [*stubs, *sorted([*self._rules.above(key), *made], key=self._covering)]
        there = {key, *filter(self._rules.has, shown)}
        return self._graph([one for one in dict.fromkeys(near) if one not in there][:most], there)

    def reach(self, key: str, *, shown: Collection[str]) -> Graph:
        """A node, and a chain of its generalisations up to one that is shown, or to a single literal."""
        self._rules.check(key)
        there = set(filter(self._rules.has, shown))
        way = [key]
        while (above := self._rules.above(way[-1])) and there.isdisjoint(above):
            way.append(min(above, key=self._covering))
        return self._graph([one for one in way if one not in there], there)

    @property
    def joins(self) -> tuple[Edge, ...]:
        """From each fragment to the rule of the hypothesis that it was joined to."""
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
        """Rules that have all of this, the most covering first.

        `text` is a whole rule, or words that all begin the name of a predicate in the rule. An outcome is a fate, or
        "solution"; a rule of the hypothesis that was tested has both.
        """
        if ":-" in text:
            return self._page_of_rule(text)
        groups = self._groups(text, predicates)
        if not all(groups):
            return NodePage(0, ())
        # Rules of the hypothesis are few, and come first, once.
        first = [key for key in self._roles.whole if self._fits(key, groups, outcomes, sizes)]
        page = first[offset : offset + limit]
        others = [outcome for outcome in outcomes if outcome != "solution"]
        total = 0
        found: list[int] = []
        if others or not outcomes:
            which = Which(
                sizes,
                fates=list(map(recorded_as, others)),
                predicates=groups,
                without=[number_of(key) for key in first if key.startswith("r")],
            )
            offset = max(0, offset - len(first))
            total, found = self._rules.record.page(
                which, order="positives", offset=offset, limit=limit - len(page)
            )
        nodes = map(self._node, [*page, *(f"r{number}" for number in found)])
        return NodePage(total + len(first), tuple(nodes))

    def matching(
        self,
        keys: Iterable[str],
        text: str = "",
        *,
        predicates: Collection[str] = (),
        outcomes: Collection[str] = (),
    ) -> list[str]:
        """Those of some nodes that a search for this would find."""
        if ":-" in text:
            found = {node.id for node in self._page_of_rule(text).nodes}
            return [key for key in keys if key in found]
        groups = self._groups(text, predicates)
        if not all(groups):
            return []
        rules = (key for key in keys if self._rules.has(key) and not key.startswith("s"))
        return [key for key in rules if self._fits(key, groups, outcomes, ())]

    def _groups(self, text: str, predicates: Collection[str]) -> list[list[Predicate]]:
        """Of each set one predicate is to occur."""
        body = self.run.task.bias.body
        return [
            *([p for p in body if p.name.startswith(word)] for word in _words(text)),
            *([p for p in body if p.name == name] for name in predicates),
        ]

    def detail(self, key: str) -> NodeDetail:
        """Everything about a node. What it covers is evaluated, with a moderate amount of work."""
        self._rules.check(key)
        return node_detail(self._node(key), self._rules, self.run)

    @cached_property
    def surroundings(self) -> HypothesisSurroundings:
        return HypothesisSurroundings.of(self.run)

    def __str__(self) -> str:
        return str(self.surroundings)

    @property
    def _roles(self) -> Roles:
        run = self.run
        known = (
            run.state,
            len(self._rules.record),
            len(run.progress.improvements),
        )  # while it goes on, this grows
        if self._known_roles is None or self._known_roles[0] != known:
            self._known_roles = known, Roles(run, self._rules)
        return self._known_roles[1]

    def _node(self, key: str, above: int = 0, below: int = 0) -> Node:
        node = self._rules.node(key, self._roles.role(key), above=above, below=below)
        return replace(node, outcome="solution") if key in self._roles.whole else node

    def _covering(self, key: str) -> tuple[int, int]:
        one = self._rules.node(key)
        return -(one.pos or 0), one.size

    def _graph(self, new: Sequence[str], shown: Iterable[str]) -> Graph:
        """The new nodes, and the edges among them and what is shown."""
        together = dict.fromkeys([*sorted(shown), *new])
        above = {key: self._rules.above(key) for key in together}
        return Graph(
            tuple(self._placed(key, above[key], together) for key in new),
            tuple(Edge(general, key) for key in together for general in above[key] if general in together),
        )

    def _placed(self, key: str, above: Sequence[str], together: Collection[str]) -> Node:
        """The node with the number of its neighbours that are not in the graph."""
        if key.startswith("s"):
            return self._node(key)
        known = len(above) if key.startswith("r") else self._rules.generalisations_there_are(key)
        made = self._rules.below(key).made
        return self._node(
            key,
            above=known - sum(one in together for one in above),
            below=sum(f"r{number}" not in together for number in made),
        )

    def _fits(
        self,
        key: str,
        groups: Sequence[Sequence[Predicate]],
        outcomes: Collection[str],
        sizes: Collection[int],
    ) -> bool:
        program, node = self._rules.program(key), self._node(key)
        occurring = {literal.predicate for rule in program.rules for literal in rule.body}
        return (
            (not sizes or program.size in sizes)
            and (not outcomes or node.outcome in outcomes or node.fate in outcomes)
            and all(not occurring.isdisjoint(group) for group in groups)
        )

    def _page_of_rule(self, text: str) -> NodePage:
        program = _read(text)
        key = self._rules.find(program) if program else None
        return NodePage(1, (self._node(key),)) if key else NodePage(0, ())


def _words(text: str) -> Iterator[str]:
    return (word for word in text.replace(",", " ").split() if word)


def _read(text: str) -> Program | None:
    """A rule as a person writes it; None while it is not finished."""
    try:
        return read_program(text if text.rstrip().endswith(".") else f"{text}.")
    except JoinerError:
        return None
