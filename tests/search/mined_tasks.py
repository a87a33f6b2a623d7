"""What a source of single rules is good for: the comparison that two of them must stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from joiner_magic._core import PRUNINGS
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.problem import Problem
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.spaces.mined_space import MinedSpace
from joiner_magic.search.spaces.mining_source import MiningSource
from joiner_magic.search.spaces.source import EvaluatedBatch, JudgedBatch, SourceHints
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.task.task import Task


class Merit(NamedTuple):
    """What a rule gives to a conjunction; `alone` if it is a rule of a hypothesis by itself."""

    cost: int
    pos: int
    neg: int
    head: int
    progress: int
    stuck: int
    alone: bool

    def dominates(self, other: Merit) -> bool:
        if self.cost > other.cost or other.pos & ~self.pos:
            return False
        if self.alone and not self.neg:
            return True  # no conjunction with the other is of use
        return (
            not self.neg & ~other.neg
            and not other.head & ~self.head
            and not other.progress & ~self.progress
            and not self.stuck & ~other.stuck
        )


def front(merits: Iterable[Merit]) -> set[Merit]:
    """Those that no other dominates."""
    kept: list[Merit] = []
    for merit in sorted(
        set(merits), key=lambda m: (m.cost, -m.pos.bit_count(), m.neg.bit_count(), -m.alone, m)
    ):
        if not any(other.dominates(merit) for other in kept):
            kept.append(merit)
    return {one for one in kept if not any(other.dominates(one) for other in kept if other != one)}


def conjoined(merits: Iterable[Merit], required: int, most: int) -> set[Merit]:
    """The front of all conjunctions of at most this cost, where the head has no outputs."""
    kept = front(merits)
    while True:
        pairs = ((one, other) for one in kept for other in kept)
        both = {
            Merit(cost, pos, one.neg & other.neg, head, 0, 0, not required & ~head)
            for one, other in pairs
            if (cost := one.cost + other.cost) <= most and (pos := one.pos & other.pos)
            for head in (one.head | other.head,)
        }
        before, kept = kept, front(kept | both)
        if kept == before:
            return kept


class Yield:
    """What a source gives size by size, on one task; `tally` is what the native one counted."""

    def __init__(
        self, task: Task, engine: DatalogEngine, *, splittable: bool = False, fragments: bool = True
    ) -> None:
        self._task, self._engine = task, engine
        self._splittable, self._fragments = splittable, fragments
        self._problem = Problem.of(task, engine.name)
        self.tally: Counter[str] = Counter()

    def conjoined(self, fronts: Sequence[set[Merit]]) -> list[set[Merit]]:
        required = self._problem.required
        return [conjoined(merits, required, cost) for cost, merits in enumerate(fronts, 1)]

    @property
    def demands(self) -> int:
        return self._problem.modes.demands

    def asp(self, largest: int, stop: Stop = never) -> list[set[Merit]]:
        """As far as it comes, but the first size at least."""
        source = AspSource(self._task.bias, splittable=self._splittable, fragments=self._fragments)
        merits: list[Merit] = []
        fronts = []
        with suppress(Interrupted):
            for size in range(2, largest + 1):
                for batch in source.generate(size, stop if size > 2 else never):
                    evaluations = self._engine.evaluate(batch.programs)
                    merits += self._merits(zip(batch.programs, evaluations, strict=True))
                fronts.append(front(merits))
        return fronts

    def mined(
        self,
        largest: int,
        *,
        every: bool = False,
        jobs: int = 1,
        memory: int = 10**9,
        prunings: Sequence[str] = PRUNINGS,
        bits: bool = True,
    ) -> list[set[Merit]]:
        self.tally.clear()
        space = MinedSpace.of(
            self._task.bias,
            splittable=self._splittable,
            fragments=self._fragments,
            prunings=prunings,
            bits=bits,
        )
        source = MiningSource(
            self._task.bias,
            self._engine,
            space,
            memory=memory,
            jobs=jobs,
            every=every,
        )
        merits: list[Merit] = []
        fronts = []
        for size in range(2, largest + 1):
            source.inform(SourceHints((), None))
            for batch in source.generate(size):
                assert isinstance(batch, EvaluatedBatch)
                checked = self._engine.evaluate(batch.programs, lazy=True)
                assert list(batch.evaluations) == checked
                if isinstance(batch, JudgedBatch):
                    self.tally.update(batch.tally.fates)
                self.tally.update(made=batch.made, tested=batch.tested)
                merits += self._merits(zip(batch.programs, batch.evaluations, strict=True))
            fronts.append(front(merits))
        return fronts

    def _merits(self, tested: Iterable[tuple[Program, Evaluation]]) -> Iterable[Merit]:
        problem = self._problem
        for program, evaluation in tested:
            if evaluation.pos:
                progress, stuck = problem.modes.profile(program)
                mentioned = problem.mentioned(program) & problem.required
                alone = problem.is_legal(program)
                yield Merit(
                    program.size - 1, evaluation.pos, evaluation.neg or 0, mentioned, progress, stuck, alone
                )
