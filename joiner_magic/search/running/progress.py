"""How far a run is: a reader of its events that can be asked from another thread at any time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from joiner_magic.search.fate import Fate, pruned_of
from joiner_magic.search.objective import EXACT, Objective, Price, price_text
from joiner_magic.search.running.events import (
    Constrained,
    Evaluated,
    Event,
    Finished,
    Improved,
    Joined,
    SizeFinished,
    SizeStarted,
    Started,
)
from joiner_magic.search.stages.hypothesis import Hypothesis

if TYPE_CHECKING:
    from joiner_magic.search.running.ledger import Ledger

# An estimate of what is left rests on so many seconds, and on so large a share of the work.
_LEAST_SECONDS, _LEAST_SHARE = 0.3, 0.02


@dataclass(frozen=True, slots=True)
class FinishedSize:
    """What is written down about a size."""

    size: int
    tested: int
    fragments: int
    parts: int
    fates: Mapping[Fate, int]
    seconds: float  # since the start
    made: int = 0  # with those that needed no test


@dataclass(frozen=True, slots=True)
class CurrentSize:
    """What is known of a size that is not done. A new value each time: another thread may be reading."""

    size: int
    began: float  # seconds since the start
    seconds: float  # since the start, at the last word
    tested: int = 0
    made: int = 0
    fates: Mapping[Fate, int] = field(default_factory=dict)
    share: float | None = None  # of its programs that have been made, if the source can tell

    def after(self, event: Evaluated, seconds: float) -> CurrentSize:
        fates = dict(Counter(self.fates) + Counter(event.fates))
        return replace(
            self,
            seconds=seconds,
            tested=self.tested + event.tested,
            made=self.made + event.made,
            fates=fates,
            share=event.share,
        )

    @property
    def rest(self) -> float | None:
        """Seconds from the last word until all its programs are made, None where nobody can tell."""
        spent = self.seconds - self.began
        if self.share is None or self.share < _LEAST_SHARE or spent < _LEAST_SECONDS:
            return None
        return spent * (1 - self.share) / self.share


@dataclass(frozen=True, slots=True)
class Improvement:
    """A better hypothesis, and when it was found."""

    hypothesis: Hypothesis
    solution: bool
    seconds: float
    cost: Price | None = None  # of a solution, in literals


@dataclass(frozen=True, slots=True)
class ProvenBound:
    """What was proven that every solution costs at least, and when."""

    cost: Price
    seconds: float


class Progress:
    def __init__(self) -> None:
        self._began = time.monotonic()
        self._before = 0.0  # seconds of earlier goes
        self._ended: float | None = None
        self._ledger: Ledger | None = None  # while somebody is at work
        self._timings: Mapping[str, float] = {}  # when nobody is
        self.at_hand: CurrentSize | None = None
        self.positives = self.negatives = 0
        self.size = 0  # at hand
        self.largest = 0  # no generated program is larger
        self.tested = 0
        self.engine = self.source = ""
        self.objective: Objective = EXACT  # what errors cost
        self.bounds: tuple[ProvenBound, ...] = ()  # each is higher than the one before
        self.sizes: tuple[FinishedSize, ...] = ()
        self.improvements: tuple[Improvement, ...] = ()

    @property
    def seconds(self) -> float:
        """Of work; a run that was stopped and gone on with does not count the time in between."""
        return self._before + (self._ended or time.monotonic()) - self._began

    @property
    def ended(self) -> bool:
        """Whether nobody is at work any more."""
        return self._ended is not None

    @property
    def generated(self) -> tuple[FinishedSize, ...]:
        """The sizes that are done, but for those of which there are no programs, only conjunctions to be joined."""
        return tuple(size for size in self.sizes if size.size <= self.largest)

    @property
    def begun(self) -> tuple[FinishedSize | CurrentSize, ...]:
        """The sizes of programs that are done, and the one at hand."""
        at_hand, done = self.at_hand, self.generated  # in this order: it may be done in between
        if at_hand is None or at_hand.size > self.largest or (done and done[-1].size >= at_hand.size):
            return done
        return (*done, at_hand)

    @property
    def fates(self) -> Mapping[Fate, int]:
        """Programs by what became of them."""
        return dict(sum((Counter(size.fates) for size in self.begun), Counter()))

    @property
    def pruned(self) -> int:
        """Programs that let others be left out."""
        return pruned_of(self.fates)

    @property
    def stage(self) -> str:
        """The one at work; empty if nobody is."""
        ledger = self._ledger
        return ledger.stage if ledger else ""

    @property
    def timings(self) -> Mapping[str, float]:
        """Seconds by stage."""
        ledger = self._ledger
        if ledger:
            return ledger.timings
        return self._timings

    @property
    def rest(self) -> float | None:
        """Seconds until the programs of the size at hand are made, if that can be told and takes a while."""
        at_hand = self.at_hand
        if at_hand is None or at_hand.rest is None or self._ended is not None:
            return None
        return max(at_hand.rest - (self.seconds - at_hand.seconds), 0.0) or None

    @property
    def best(self) -> Improvement | None:
        if not self.improvements:
            return None
        return self.improvements[-1]

    @property
    def bound(self) -> Price | None:
        """What every solution costs at least, as far as it is proven by now; without errors the cost is the size."""
        if not self.bounds:
            return None
        return self.bounds[-1].cost

    @property
    def cost_in_words(self) -> str:
        """What the best solution costs and what is proven about that, where errors have a price; empty without one."""
        best = self.best
        if best is None or best.cost is None or self.objective.is_exact:
            return ""
        cost = f"cost {price_text(best.cost)}"
        if self.bound is None:
            return cost
        if self.bound >= best.cost:
            return f"{cost}, the least"
        return f"{cost}, at least {price_text(self.bound)}"

    def follow(self, ledger: Ledger) -> None:
        """Somebody is at work, and writes down where the time goes."""
        self._ledger = ledger

    def go_on(self) -> None:
        """The run is taken up again."""
        if self._ended is not None:
            self._before = self.seconds
            self._began, self._ended = time.monotonic(), None

    def end(self) -> None:
        """Nobody is at work any more."""
        self._ended = time.monotonic()
        self._timings, self._ledger = self.timings, None

    def hear(self, event: Event) -> None:
        match event:
            case Started(positives, negatives, largest, engine, source, objective):
                self.positives, self.negatives, self.largest = positives, negatives, largest
                self.engine, self.source, self.objective = engine, source, objective
            case SizeStarted(size):
                self.size = size
                self.at_hand = CurrentSize(size, self.seconds, self.seconds)
            case Evaluated(tested=tested):
                self.tested += tested
                if self.at_hand:
                    self.at_hand = self.at_hand.after(event, self.seconds)
            case Improved(hypothesis, solution, seconds, cost):
                self.improvements = (*self.improvements, Improvement(hypothesis, solution, seconds, cost))
            case SizeFinished(size, tested, fragments, parts, bound, _, fates):
                self._prove(bound)
                made = self.at_hand.made if self.at_hand else tested
                done = FinishedSize(size, tested, fragments, parts, fates, self.seconds, made)
                self.sizes = (*self.sizes, done)
                self.at_hand = None
            case Finished(result):
                self._prove(result.cost if result.optimal else result.bound)
                self.end()
            case Joined() | Constrained():
                pass

    def _prove(self, bound: Price | None) -> None:
        """Take note of a bound, if it is news."""
        if bound is not None and (self.bound is None or bound > self.bound):
            self.bounds = (*self.bounds, ProvenBound(bound, self.seconds))

    def __str__(self) -> str:
        """One line."""
        best = self.best
        if best is None:
            found = "nothing found" if self.ended else "nothing found yet"
        elif best.solution and self.cost_in_words:
            found = self.cost_in_words
        elif best.solution:
            found = f"best solution has {best.hypothesis.size} literals"
        else:
            covered = best.hypothesis.evaluation.pos.bit_count()
            found = f"best covers {covered:,} of {self.positives:,} positive examples"
        return (
            f"size {self.size}, {self.tested:,} programs tested, {self.pruned:,} pruned, {found},"
            f" {self.seconds:.1f} s"
        )
