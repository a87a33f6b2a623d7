"""Single rules from the native core, which enumerates them, tests them and judges what they are good for.

Only what can still matter crosses to Python: rules that are parts of a hypothesis by themselves, and
fragments that no other dominates. How the core works is in docs/explanation/native-core.md.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Protocol

from joiner_magic._core import Miner, OutOfMemory, Stopped
from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Evaluation, Literal, Program, Rule
from joiner_magic.search.fate import OF_CORE
from joiner_magic.search.objective import PriceList
from joiner_magic.search.record.native_record import NativeRecord
from joiner_magic.search.spaces.mined_space import MOST_LITERALS, MinedSpace
from joiner_magic.search.spaces.source import Batch, EvaluatedBatch, MemoryUsedUp, SourceHints, Tally, Worth
from joiner_magic.search.stages.constrain import Constraint
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.task.bias import Bias

_OFTEN = 256  # rules between two questions to `stop`


def _tally(made: int, tested: int, fates: Sequence[int]) -> Tally:
    """What the core has counted, by the numbers of its fates."""
    return Tally(made, tested, dict(zip(OF_CORE, fates, strict=True)))


class MiningEngine(Protocol):
    """What an engine offers that tests rules in the core."""

    def miner(self, space: MinedSpace, memory: int) -> Miner: ...


class MiningSource:
    name = "native"

    def __init__(
        self,
        bias: Bias,
        engine: MiningEngine,
        space: MinedSpace,
        *,
        memory: int,
        jobs: int = 1,
        every: bool = False,
        prices: PriceList | None = None,
    ) -> None:
        """`memory` bounds what the core may use, in bytes; with `every` all legal rules cross, not only a few.

        With `prices` of errors, rules are left out that cannot pay.
        """
        self._bias = bias
        self._make_miner = partial(engine.miner, replace(space, recorded=0) if every else space, memory)
        self._jobs = jobs
        self._every = every
        self._prices = prices
        self._literals: dict[tuple[int, tuple[int, ...]], Literal] = {}
        self._largest = 1 + bias.max_body
        self._tested_per_body = 0.0

    @cached_property
    def _miner(self) -> Miner:
        # Laying the facts out takes a while, and a run that begins with a proven solution needs no rules.
        try:
            miner = self._make_miner()
        except (OutOfMemory, MemoryError):
            raise MemoryUsedUp from None
        if self._prices is not None:
            miner.set_prices(self._prices.literal, list(self._prices.missed))
        return miner

    @property
    def record(self) -> NativeRecord | None:
        """What the core has tested and judged; with `every` the judge is whoever asked for all rules."""
        begun = "_miner" in self.__dict__ and not self._every
        return self._native_record if begun else None

    @cached_property
    def _native_record(self) -> NativeRecord:
        return NativeRecord(self._miner.record, self._bias)

    @property
    def largest(self) -> int:
        """Of a bound beyond what the core takes, less as soon as no body is left to be extended."""
        return self._largest

    def inform(self, known: SourceHints) -> None:
        self._miner.inform(known.covered, known.required)

    def generate(self, size: int, stop: Stop = never) -> Generator[Batch, None, None]:
        """Rules of this size, and of smaller ones those that were put off and are needed by now."""
        tested = extended = 0
        while (length := self._miner.next_length) is not None and length <= size - 2:
            extended += self._miner.start_level(length)
            for batch in self._extended(length, stop):
                tested += batch.tested
                yield batch
        self._tested_per_body = tested / max(extended, 1)
        self._note_end(size)

    def _extended(self, length: int, stop: Stop) -> Iterator[EvaluatedBatch]:
        """The rules that are made by extending the bodies of one length."""
        done = False
        while not done:
            if stop():
                raise Interrupted
            try:
                done, rules, tally, widest = self._miner.step(self._jobs, self._every, stop)
            except Stopped:
                raise Interrupted from None
            except (OutOfMemory, MemoryError):
                raise MemoryUsedUp from None
            programs = list(self._programs((literals for literals, _, _ in rules), stop))
            evaluations = [Evaluation(pos, neg) for _, pos, neg in rules]
            longest = length + 1 if widest else 0
            batch = EvaluatedBatch(
                programs, self._miner.share, evaluations=evaluations, longest=longest, widest=widest
            )
            # With `every` all of them are here, and are judged like those of a source that does not judge.
            yield batch if self._every else batch.judged(_tally(*tally))

    @property
    def expected(self) -> int:
        """As many for each body that waits as the bodies before gave."""
        return int(self._miner.waiting * self._tested_per_body)

    def most_to_earn(self, worth: Sequence[int], stop: Stop = never) -> list[tuple[int, int]]:
        """By the bodies that wait to be extended: what is made of them covers no more, and has two literals more, with the head."""
        try:
            return [(length + 2, most) for length, most in self._miner.most_to_earn(worth, stop)]
        except Stopped:
            raise Interrupted from None

    def focus(self, size: int, worth: Worth | None) -> None:
        """Bodies are put off that are not needed by what covering is worth; without it none is."""
        self._miner.set_worth(worth)
        self._note_end(size)

    def owes(self, size: int) -> bool:
        length = self._miner.next_length
        return self._prices is not None and length is not None and length <= size - 2

    def conclude(self) -> None:
        if self._prices is not None and "_miner" in self.__dict__:
            self._miner.exclude_waiting()

    def _note_end(self, size: int) -> None:
        """Note whether there are larger rules than those of this size, where that can be known before the bound of the bias.

        Where bodies may be longer than the core takes, it leaves out those that cannot become legal with so few literals as it
        takes. One of L literals has at most L times as many variables that occur once as a literal has arguments, and each
        literal to come can end that for as many: up to half of what the core takes, none is left out that longer bodies could
        be made of.
        """
        are_too_long = self._bias.max_body > MOST_LITERALS
        if self._prices is None and not are_too_long:
            return
        is_over = self._miner.next_length is None
        if is_over and (not are_too_long or size - 1 <= MOST_LITERALS // 2):
            self._largest = size
        elif are_too_long and size - 1 == MOST_LITERALS:
            raise MemoryUsedUp
        else:
            self._largest = 1 + self._bias.max_body

    def constrain(self, constraints: Sequence[Constraint], stop: Stop = never) -> None:
        """The core draws the conclusions itself, from what it tests and what it is informed of."""

    def _programs(
        self, rules: Iterator[Sequence[tuple[int, tuple[int, ...]]]], stop: Stop
    ) -> Iterator[Program]:
        head = Literal(self._bias.head.name, tuple(range(self._bias.head.arity)))
        for number, literals in enumerate(rules):
            if number % _OFTEN == _OFTEN - 1 and stop():  # with `every` they are tens of thousands
                raise Interrupted
            program = Program((Rule(head, tuple([self._literal(literal) for literal in literals])),))
            # The core has its own canonical form; for a few rules of thousands a second one would take longer
            # than finding them. Those of a hypothesis get it when they are written (hypothesis.Writer).
            yield canonical(program, self._bias.head) if self._every else program

    def _literal(self, literal: tuple[int, tuple[int, ...]]) -> Literal:
        known = self._literals.get(literal)
        if known is None:
            number, args = literal
            known = self._literals[literal] = Literal(self._bias.body[number].name, args)
        return known
