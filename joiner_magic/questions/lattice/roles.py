"""Which rules of a lattice matter most: those of the hypothesis, their generalisations, and the best of each size.

The lattice of a run may have a million rules. Its picture opens on these.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.lattice.rules import LatticeRules
from joiner_magic.search.fate import Fate
from joiner_magic.search.record.record import RecordFilter
from joiner_magic.search.stages.parts import Part

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_MOST_ANCESTORS = 1_000
_BEST = 4  # rules of each size
_GOOD = (  # fates of whole rules
    Fate.JOINABLE,
    Fate.DOMINATED,
    Fate.CONSISTENT,
    Fate.CONSISTENT_FRAGMENT,
    Fate.SUBSUMED,
)


class Roles:
    """The rules that matter, by what they matter for.

    `whole` are the rules of the hypothesis, `joins` pairs of a fragment and the rule that it was joined into, and
    `solution` both the rules and their fragments. `ancestors` are generalisations of these, nearest first, and `best`
    the rules of each size that tell positive and negative examples apart best.
    """

    def __init__(self, run: Run, rules: LatticeRules) -> None:
        self._rules = rules
        parts = _hypothesis_parts(run)
        writer = rules.problem.writer
        self.whole = tuple(rules.ids([writer.program([part]) for part in parts], Fate.SOLUTION))
        fragments = [rules.ids(part.conjunction.programs) for part in parts]
        joins: list[tuple[NodeId, NodeId]] = []
        for whole, of_whole in zip(self.whole, fragments, strict=True):
            joins += [(fragment, whole) for fragment in of_whole if fragment != whole]
        self.joins = tuple(joins)
        self.solution = tuple(dict.fromkeys([*self.whole, *chain.from_iterable(fragments)]))
        self.ancestors = tuple(self._find_ancestors())
        self.best = tuple(self._find_best())
        self._roles = {
            **dict.fromkeys(self.best, "best"),
            **dict.fromkeys(self.ancestors, "ancestor"),
            **dict.fromkeys(self.solution, "solution"),
        }

    def role(self, key: NodeId) -> str:
        """What a rule matters for: "solution", "ancestor" or "best"; otherwise empty."""
        return self._roles.get(key, "")

    def to_open(self, most: int) -> Iterator[NodeId]:
        """What a picture shows at first: some rules of each role, if not all fit.

        If there is room left, the best rules get their generalisations up to a single literal too.
        """
        room_for_best = min(len(self.best), most // 4)
        ancestors = self.ancestors[: max(0, most - len(self.solution) - room_for_best)]
        chains = chain.from_iterable(map(self._chain_above, self.best))
        return islice(dict.fromkeys([*self.solution, *ancestors, *self.best, *chains]), most)

    def _chain_above(self, key: NodeId) -> Iterator[NodeId]:
        """Generalisations up to a single literal: each time the one that tells examples apart best."""
        while above := self._rules.above(key):
            key = min(above, key=self._negative_balance)
            yield key

    def _find_ancestors(self) -> Iterator[NodeId]:
        """First a chain of generalisations from each rule or fragment, so that each has one; then all the others."""
        seen = set(self.solution)
        chains = chain.from_iterable(map(self._chain_above, self.solution))
        first = list(dict.fromkeys(key for key in chains if key not in seen))
        seen.update(first)
        yield from first
        queue = [*self.solution, *first]
        for key in queue:  # grows on the way
            for general in sorted(self._rules.above(key), key=self._negative_balance):
                if general not in seen and len(seen) < _MOST_ANCESTORS:
                    seen.add(general)
                    queue.append(general)
                    yield general

    def _negative_balance(self, key: NodeId) -> tuple[int, str]:
        """How many more negative examples than positive ones a rule covers: the lowest is the best."""
        node = self._rules.node(key)
        return (node.neg or 0) - (node.pos or 0), key

    def _find_best(self) -> Iterator[NodeId]:
        record = self._rules.record
        for size in sorted({size for size, _ in record.counts()}):
            _, numbers = record.page(RecordFilter((size,), _GOOD), order="balance", limit=_BEST)
            for number in numbers:
                if record[number].neg is not None:
                    yield NodeId.recorded(number)


def _hypothesis_parts(run: Run) -> tuple[Part, ...]:
    """The parts of the run's hypothesis; while the run goes on, of the best one so far."""
    if run.result:
        return run.result.parts
    improvements = run.progress.improvements
    if not improvements:
        return ()
    return improvements[-1].hypothesis.parts
