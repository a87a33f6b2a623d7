"""Lower bounds: what a part must cover to be of use in a hypothesis better than the best one.

All parts of at most `complete` literals that are of use are known. A hypothesis better than the best, of B
literals, that has a part of k literals, spends at most B - 1 - k on its other parts. So the part must cover
what those cannot: a *requirement*.

- If the other parts are known (B - 1 - k <= `complete`), each union of known parts of so many literals leaves a set
  of positive examples; the part must cover one of these sets.
- Otherwise it must cover at least the examples that no part of so few literals covers.

This bounds the fragments that are still worth joining and specialising, and the conjunctions worth looking for.

When no more fragments are to come, what conjunctions can cover at all is known too. Then the cheapest cover by
known parts at their size and by those coverages at `complete` + 1 literals each is a lower bound: a
cover by real parts is at least as dear.
"""

from __future__ import annotations

from collections.abc import Sequence

from joiner_magic.search.join import Join
from joiner_magic.search.parts import Part, Parts
from joiner_magic.search.problem import Problem
from joiner_magic.solvers.covering import cheapest_cover
from joiner_magic.solvers.interrupt import Stop

_MOST_COVERAGES = 2_000  # beyond, the relaxed cover costs more than the sizes it saves
_MOST_UNIONS = 5_000  # likewise for requirements


class Bounds:
    def __init__(self, problem: Problem, parts: Parts, join: Join | None) -> None:
        self._problem = problem
        self._parts = parts
        self._join = join
        self._requirements: list[int] | None = None
        self._verdicts: dict[int, bool] = {}
        self._maximal: list[int] | None = None
        self._tried_maximal = False
        self.complete = 1  # every part of at most this size is known, if it can be of use
        self.lower: int | None = None  # no better solution is smaller; None before there is a solution

    def start_size(self, size: int, best: int | None) -> None:
        """Before programs of a size are judged: what a conjunction with one of them must cover."""
        # The program is no part by itself: a conjunction with it, and a specialisation of it, has at
        # least one literal more.
        self._requirements = None if best is None else self.requirements(size + 1, best)
        self._verdicts.clear()

    def too_large(self, pos: int) -> bool:
        """Whether a program of this size that covers `pos` is of no use for a better solution."""
        if self._requirements is None:
            return False
        verdict = self._verdicts.get(pos)
        if verdict is None:
            verdict = all(required & ~pos for required in self._requirements)
            self._verdicts[pos] = verdict
        return verdict

    def requirements(self, size: int, best: int) -> list[int]:
        """Sets of positive examples, one of which a part of at least this size must cover to be of use."""
        everything = self._problem.everything
        rest = best - 1 - size  # what is left for the other parts
        if rest < 0:
            return []
        if rest <= self.complete:
            known = [part for part in self._parts if part.size <= rest]
            unions = _unions(known, rest, _MOST_UNIONS)
            if unions is not None:
                return _minimal([everything & ~union for union in unions])
        costs = self._parts.costs(self.complete + 1)
        return [sum(1 << example for example, cost in enumerate(costs) if cost > rest)]

    def excludes_better(self, size: int, best: int, exhausted: bool, stop: Stop) -> bool:
        """Whether no solution smaller than `best` has a part of at least `size` literals."""
        cheapest = min([size, *(part.size for part in self._parts)])
        self.lower = min(best, size if self._can_cover_all(exhausted) else size + cheapest)
        if self.lower < best and exhausted:
            self.lower = max(self.lower, self._relaxed(size, best, stop))
        return self.lower >= best

    def _can_cover_all(self, exhausted: bool) -> bool:
        """Whether an unknown part might cover all positive examples."""
        if not exhausted:
            return True
        return self._join is not None and self._join.can_cover_all()

    def _relaxed(self, size: int, best: int, stop: Stop) -> int:
        if not self._tried_maximal:
            self._tried_maximal = True
            self._maximal = self._join.coverages(_MOST_COVERAGES, stop) if self._join else []
        if self._maximal is None:
            return 0
        parts = [(part.size, part.pos) for part in self._parts]
        parts += [(size, coverage) for coverage in self._maximal]
        chosen = cheapest_cover(self._problem.everything, parts, below=best, stop=stop)
        return best if chosen is None else sum(parts[number][0] for number in chosen)


def _unions(parts: Sequence[Part], budget: int, most: int) -> set[int] | None:
    """What sets of parts with at most so many literals cover together; None beyond `most` of them."""
    unions = {0: budget}  # a union, and the most that is left of the budget
    for part in sorted(parts, key=lambda part: -part.size):
        for union, left in list(unions.items()):
            if left >= part.size:
                # Several unions may become the same one: the cheapest way to it counts.
                grown, rest = union | part.pos, left - part.size
                unions[grown] = max(rest, unions.get(grown, rest))
        if len(unions) > most:
            return None
    return set(unions)


def _minimal(sets: Sequence[int]) -> list[int]:
    """Those that contain none of the others."""
    minimal: list[int] = []
    for candidate in sorted(set(sets), key=int.bit_count):
        if all(smaller & ~candidate for smaller in minimal):
            minimal.append(candidate)
    return minimal
