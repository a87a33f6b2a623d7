"""Which rules of a lattice matter: those of the hypothesis, their generalisations, and the best of each size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from joiner_magic.questions.lattice.rules import LatticeRules
from joiner_magic.search.record.record import Which
from joiner_magic.search.stages.parts import Part

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_MOST_ANCESTORS = 1_000
_BEST = 4  # of each size
_GOOD = ("fragment", "dominated", "consistent", "consistent fragment", "subsumed")  # fates of whole rules


class Roles:
    def __init__(self, run: Run, rules: LatticeRules) -> None:
        self._rules = rules
        parts = _parts(run)
        writer = rules.problem.writer
        self.whole = tuple(rules.ids([writer.program([part]) for part in parts], "solution"))
        fragments = [rules.ids(part.conjunction.programs) for part in parts]
        self.joins = tuple(
            (fragment, whole)
            for whole, of_whole in zip(self.whole, fragments, strict=True)
            for fragment in of_whole
            if fragment != whole
        )
        self.solution = tuple(dict.fromkeys([*self.whole, *chain.from_iterable(fragments)]))
        self.ancestors = tuple(self._ancestors())
        self.best = tuple(self._best())
        self._roles = {
            **dict.fromkeys(self.best, "best"),
            **dict.fromkeys(self.ancestors, "ancestor"),
            **dict.fromkeys(self.solution, "solution"),
        }

    def role(self, key: str) -> str:
        return self._roles.get(key, "")

    def to_open(self, most: int) -> Iterator[str]:
        """What to show first; of each role some, if not all fit. If there is room, the best rules get a way up too."""
        ancestors = self.ancestors[: max(0, most - len(self.solution) - min(len(self.best), most // 4))]
        chains = chain.from_iterable(map(self._chain, self.best))
        return islice(dict.fromkeys([*self.solution, *ancestors, *self.best, *chains]), most)

    def _chain(self, key: str) -> Iterator[str]:
        """Generalisations up to a single literal, each time the one that tells examples apart best."""
        while above := self._rules.above(key):
            key = min(above, key=self._balance)
            yield key

    def _ancestors(self) -> Iterator[str]:
        """First a chain from each rule or fragment, so that each has one; then all the others."""
        seen = set(self.solution)
        chains = chain.from_iterable(map(self._chain, self.solution))
        queue = list(dict.fromkeys(one for one in chains if one not in seen))
        seen.update(queue)
        yield from queue
        queue = [*self.solution, *queue]
        for key in queue:  # grows on the way
            for general in sorted(self._rules.above(key), key=self._balance):
                if general not in seen and len(seen) < _MOST_ANCESTORS:
                    seen.add(general)
                    queue.append(general)
                    yield general

    def _balance(self, key: str) -> tuple[int, str]:
        node = self._rules.node(key)
        return (node.neg or 0) - (node.pos or 0), key

    def _best(self) -> Iterator[str]:
        record = self._rules.record
        for size in sorted({size for size, _ in record.counts()}):
            _, numbers = record.page(Which((size,), _GOOD), order="balance", limit=_BEST)
            yield from (f"r{number}" for number in numbers if record[number].neg is not None)


def _parts(run: Run) -> tuple[Part, ...]:
    """Of the best hypothesis there is, also while the run goes on."""
    if run.result:
        return run.result.parts
    improvements = run.progress.improvements
    return improvements[-1].hypothesis.parts if improvements else ()
