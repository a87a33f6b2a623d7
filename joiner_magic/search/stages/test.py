"""The test stage: what each program covers, asked of the engine once and in batches."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Protocol

from joiner_magic.engines.protocol import Cancelled
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.reuse.recollection import Recollection
from joiner_magic.search.spaces.modes import Modes
from joiner_magic.search.spaces.source import Batch, EvaluatedBatch
from joiner_magic.search.stages.limits import NO_LIMITS, Limits, more
from joiner_magic.solvers.interrupt import Interrupted, Stop

_PATIENCE = 0.1  # seconds that a call of the engine should take: between two, the budget is looked at
_GENERATION = 100_000  # programs after which those remembered before are forgotten: memory is bounded


class Tester(Protocol):
    """What the stage needs of an engine."""

    def evaluate(
        self, programs: Sequence[Program], *, limit: int | None = None, lazy: bool = False
    ) -> list[Evaluation]:
        """What each program covers, in the same order: with `limit`, none may work longer; `lazy` leaves out the negative examples
        of programs that cover no positive one.
        """


class RetryingTester:
    """A tester whose calls can be cancelled: unless `stop` says so, what was cancelled is asked again."""

    def __init__(self, tester: Tester, stop: Stop) -> None:
        """Cancelled calls are made again unless `stop` says that the work is over."""
        self._tester = tester
        self._stop = stop

    def evaluate(
        self, programs: Sequence[Program], *, limit: int | None = None, lazy: bool = False
    ) -> list[Evaluation]:
        """What each program covers. A call that was cancelled because the run paused is made again, for half as many programs."""
        evaluations: list[Evaluation] = []
        asked = len(programs)
        while len(evaluations) < len(programs):
            part = programs[len(evaluations) :][:asked]
            try:
                evaluations += self._tester.evaluate(part, limit=limit, lazy=lazy)
            except Cancelled:
                if self._stop():
                    raise Interrupted from None
                # Of a call that takes longer than anyone waits, a part gets done each time.
                asked = (len(part) + 1) // 2
        return evaluations


class Coverage:
    """The coverage of programs in canonical form; nothing that is remembered is evaluated twice."""

    def __init__(
        self,
        engine: Tester,
        modes: Modes | None = None,
        limits: Limits = NO_LIMITS,
        recollection: Recollection | None = None,
        newly: Tester | None = None,
    ) -> None:
        """With `modes` the literals are put in an order that runs, for an engine that keeps to it.

        Of programs that are recollected from an earlier run only the new examples are evaluated, by `newly`.
        """
        self._engine = engine
        self._recollection = recollection
        self._newly = newly
        self._modes = modes
        self._limits = limits
        self._retried: dict[Program, Evaluation] = {}  # that needed more than the first limit
        self._known: dict[Program, Evaluation] = {}
        self._older: dict[Program, Evaluation] = {}
        self._chunk = 64
        self.tested = 0
        self.recalled = 0  # programs that were evaluated on new examples only
        self.longest = self.widest = (
            0  # of bodies that cover something: literals, variables; as a source says
        )

    def __iter__(self) -> Iterator[tuple[Program, Evaluation]]:
        """What is remembered, oldest first."""
        return chain(self._older.items(), self._known.items(), self._retried.items())

    def of_batch(self, batch: Batch, stop: Stop) -> Sequence[Evaluation]:
        """What the programs of a batch cover, unless the source has tested them itself."""
        if not isinstance(batch, EvaluatedBatch):
            return self.of(batch.programs, stop)
        self._forget()
        self._remember(batch.programs, batch.evaluations)
        self.tested += batch.tested
        self.longest = max(self.longest, batch.longest)
        self.widest = max(self.widest, batch.widest)
        return batch.evaluations

    def of(self, programs: Sequence[Program], stop: Stop) -> list[Evaluation]:
        """What programs cover; none is tested that is known. Tests come in chunks that take about a tenth of a second."""
        self._forget()
        new = [program for program in programs if self._recall(program) is None]
        done = 0
        while done < len(new):
            if stop():
                raise Interrupted
            chunk = new[done : done + self._chunk]
            started = time.monotonic()
            evaluations = self._evaluate_or_recall(chunk, self._limits.first)
            self._remember(chunk, evaluations)
            self.tested += len(chunk)
            self._adapt(time.monotonic() - started)
            done += len(chunk)
        return [known for program in programs if (known := self._recall(program))]

    def uncounted(self, programs: Sequence[Program], stop: Stop) -> list[Evaluation]:
        """What programs cover that are tested besides those of the source, and are not counted with them."""
        tested = self.tested
        try:
            return self.of(programs, stop)
        finally:
            self.tested = tested

    def _remember(self, programs: Sequence[Program], evaluations: Sequence[Evaluation]) -> None:
        """Keep what was found out."""
        self._known.update(zip(programs, evaluations, strict=True))

    def _forget(self) -> None:
        """Let go of what was not asked for in a long time."""
        # Sizes rise, and a source comes back to small programs least of all.
        if len(self._known) > _GENERATION:
            self._known, self._older = {}, self._known

    def _recall(self, program: Program) -> Evaluation | None:
        """What a program covers, if it was tested and not forgotten."""
        return self._retried.get(program) or self._known.get(program) or self._older.get(program)

    def again(self, programs: Sequence[Program], stop: Stop) -> list[Evaluation]:
        """What programs of earlier runs cover now. They do not count, and are not remembered.

        Of those that ran into the limit nothing is made use of: a source that comes to them has them tested.
        """
        evaluations: list[Evaluation] = []
        while len(evaluations) < len(programs):
            if stop():
                raise Interrupted
            done = len(evaluations)
            evaluations += self._evaluate_or_recall(programs[done : done + self._chunk], self._limits.usual)
        return evaluations

    def of_hypothesis(self, program: Program) -> Evaluation:
        """The whole program on all examples: what a claim rests on is never taken from memory.

        A union takes the work of all its parts, so it is granted more if it has to be.
        """
        limit = self._limits.usual
        (evaluation,) = self._engine.evaluate([program], limit=limit)
        if not evaluation.complete and limit is not None:
            return self.of_hypothesis_within(program, more(limit))
        return evaluation

    def of_hypothesis_within(self, program: Program, limit: int) -> Evaluation:
        """The whole program on all examples, with so much work."""
        (evaluation,) = self._engine.evaluate([program], limit=limit)
        return evaluation

    def within(self, program: Program, limit: int) -> Evaluation:
        """A program that was tested before, with another limit. It is not forgotten: that it took long is known then."""
        (evaluation,) = self._engine.evaluate(self._in_order([program]), limit=limit, lazy=True)
        self._retried[program] = evaluation
        return evaluation

    def _evaluate_or_recall(self, programs: Sequence[Program], limit: int | None) -> list[Evaluation]:
        """Test programs; of those that an earlier run has tested, only by the examples that are new."""
        recollection = self._recollection
        if recollection is None:
            return self._evaluate(programs, limit)
        recalled = [program for program in programs if program in recollection]
        new = [Evaluation(0, 0)] * len(recalled)
        if self._newly and recalled:
            new = self._newly.evaluate(self._in_order(recalled), limit=limit)
        known = {p: e for p, n in zip(recalled, new, strict=True) if (e := recollection.extended(p, n))}
        rest = iter(self._evaluate([program for program in programs if program not in known], limit))
        self.recalled += len(known)
        return [known[program] if program in known else next(rest) for program in programs]

    def _in_order(self, programs: Sequence[Program]) -> Sequence[Program]:
        """The programs with their literals in an order in which Prolog can run them."""
        if self._modes is None:
            return programs
        return [self._modes.program_in_order(program) for program in programs]

    def _evaluate(self, programs: Sequence[Program], limit: int | None) -> list[Evaluation]:
        """Have the engine test programs, by all examples."""
        return self._engine.evaluate(self._in_order(programs), limit=limit, lazy=True)

    def _adapt(self, seconds: float) -> None:
        """Make chunks larger or smaller, so that each takes about as long as one may wait."""
        if seconds > 2 * _PATIENCE:
            self._chunk = max(1, self._chunk // 2)
        elif seconds < _PATIENCE / 2:
            self._chunk = min(16_384, self._chunk * 2)
