"""Join and combine as steps of the loop, where errors have a price.

After the programs of a size are known, cheaper rules are looked for, and a bound. Much of what is still to come is put off
meanwhile: by the proof of a bound, covering a positive example is worth so and so much, and a rule that is worth no more than
its literals does not weaken the bound. So the source goes on with those programs only that may become worth more
(`Source.focus`). What it puts off is no longer generated, unless a later proof, by which examples are worth something else,
asks for it. When nothing is left that the last proof asks for, no cheaper hypothesis exists in the whole space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from joiner_magic.search.running.events import Event, Improved
from joiner_magic.search.stages.bounds import PricedBounds
from joiner_magic.search.stages.hypothesis import Hypothesis
from joiner_magic.search.stages.parts import Part
from joiner_magic.search.state import SearchState

# If so many programs are to come, to put off those that are not needed saves more than the proof takes.
_MANY = 200_000


class PricedSearch:
    """What the loop does between sizes, where errors have a price."""

    def __init__(self, state: SearchState, improved: Callable[[Hypothesis], Improved]) -> None:
        """`improved` makes the event that tells of a better hypothesis."""
        assert state.priced is not None, "errors have a price"
        assert isinstance(state.bounds, PricedBounds), "and bounds know it"
        self._state = state
        self._improved = improved
        self._rules = state.priced
        self._bounds = state.bounds

    def up_to(self, size: int) -> Iterator[Event]:
        """Look for the cheapest rules that can be made by now, and for what every hypothesis costs at least.

        All programs of at most `size` literals are known, but for those that were put off.
        """
        before = self._state.combine.cost
        # If the last proof met the best cost, only rules that are new can be better, and the next one will ask for them.
        yield from self.improve(quick=before is not None and self._rules.bound >= before)
        cost = self._state.combine.cost
        if cost is None:
            return
        can_wait = cost != before or not self._is_worth_a_proof(size, cost)
        if can_wait and not self._bounds.exhausted:
            return
        yield from self._prove(size, last=self._bounds.exhausted)
        if self._is_stuck(size) and not self._bounds.exhausted:  # all that is to come has just been put off
            yield from self._prove(size, last=True)
        if self._is_stuck(size):
            yield from self._decide(size)

    def improve(self, *, quick: bool) -> Iterator[Event]:
        """Look for cheaper rules, for a while or for a moment."""
        with self._state.ledger.timed("join"):
            found = self._rules.improve(
                self._state.budget.stop, quick=quick, most_work=self._state.work_of_join
            )
        yield from self._take(found)

    def _prove(self, size: int, *, last: bool) -> Iterator[Event]:
        """Find a bound of the rules that are known, and put off what cannot weaken it; `last` if nothing else is to come."""
        state = self._state
        with state.ledger.timed("combine"):
            cheaper = self._rules.prove(
                self._cost,
                state.budget.stop,
                last=last,
                on_proof=lambda: self._note_bound(size),
            )
        yield from self._take(cheaper)
        with state.ledger.timed("bound"):
            self._note_bound(size)
            state.source.focus(size, self._rules.needed())

    def _decide(self, size: int) -> Iterator[Event]:
        """Try what may lie between the bound and the best cost: rules that are known, and what was put off."""
        state = self._state
        with state.ledger.timed("combine"):
            cheaper = self._rules.decide(self._cost, state.budget.stop)
        yield from self._take(cheaper)
        with state.ledger.timed("bound"):
            self._note_bound(size)
            if self._is_stuck(size):
                state.source.focus(size, self._rules.needed_below(self._cost))

    def _is_worth_a_proof(self, size: int, cost: int) -> bool:
        source = self._state.source
        if source.expected >= _MANY:
            return True
        unknown = source.most_to_earn(self._rules.missed, self._state.budget.stop)
        return self._rules.is_worth_a_proof(size + 1, unknown, cost)

    def _is_stuck(self, size: int) -> bool:
        """Whether the bound is below the best cost, and nothing is left to come by which it might rise."""
        lower = self._bounds.lower
        return (lower is None or lower < self._cost) and size >= self._state.source.largest

    @property
    def _cost(self) -> int:
        cost = self._state.combine.cost
        assert cost is not None, "to learn nothing has a cost, or there would be nothing to prove"
        return cost

    def _note_bound(self, size: int) -> None:
        """What every hypothesis costs at least, with the rules that are not known yet."""
        worth = self._rules.worth
        unknown = self._state.source.most_to_earn(worth or self._rules.missed, self._state.budget.stop)
        if self._bounds.exhausted and not unknown:
            unknown = ()
        elif worth is None:
            unknown = None  # nobody knows what they are worth
        self._bounds.prove(self._rules.bound_with_more(size + 1, unknown, self._cost))

    def _take(self, parts: Sequence[Part] | None) -> Iterator[Event]:
        """Keep the hypothesis of these parts if it is better than the best one."""
        if parts is None:
            return
        with self._state.ledger.timed("combine"):
            better = self._state.combine.take(parts)
        if better is not None:
            yield self._improved(better)
