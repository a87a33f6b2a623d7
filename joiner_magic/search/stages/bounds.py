"""Lower bounds: what a part must cover to be of use in a hypothesis better than the best one.

All parts of at most `complete` literals that are of use are known; others may be. Let a better hypothesis, of
at most B - 1 literals, have a part of at least s literals that is not known.

**Requirements.** If its other parts are all known, they are a union of known parts of at most B - 1 - s literals,
and the part must cover what one such union leaves. Only maximal unions matter: they leave the least.

*How many parts are unknown?* Each other one has more than `complete` literals, so with m of them
B - 1 - s - (m - 1)(`complete` + 1) literals are left for the known ones. That excludes most m.
When no more fragments are to come, so do *conflicts*: pairs of positive examples that no conjunction covers
together. If every union of known parts within what is left leaves m + 1 examples that are pairwise in
conflict, m unknown parts cannot cover these. Then too what no conjunction covers is not required of one.

**Cheaper unions.** If known parts of fewer literals cover all that the part covers, they can take its place,
and make the hypothesis smaller: no optimal hypothesis has such a part. This needs no solution.

**The end.** When nothing is required of a part any more, no better hypothesis has an unknown one. Otherwise,
when no more fragments are to come, the cheapest cover by known parts at their size and by what conjunctions
can cover at all at `complete` + 1 literals each is a lower bound: a cover by real parts is at least as dear.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Protocol

from joiner_magic import _core
from joiner_magic.search.spaces.source import Known
from joiner_magic.search.stages.parts import Parts
from joiner_magic.solvers.covering import Unions, cheapest_cover
from joiner_magic.solvers.interrupt import Stop, never

_MOST_COVERAGES = 2_000  # beyond, the relaxed cover costs more than the sizes it saves
_ANYTHING = (0,)  # the requirement that every part meets


class Reach(Protocol):
    """What conjunctions of the fragments that are there can cover, whatever their size."""

    def can_cover(self, examples: int, stop: Stop) -> bool: ...
    def conflicts(self, stop: Stop) -> list[int]: ...
    def coverages(self, most: int, stop: Stop) -> list[int] | None: ...


class Bounds:
    def __init__(self, everything: int, parts: Parts, join: Reach | None, stop: Stop = never) -> None:
        """`everything` is the set of all positive examples; `join` is None if nothing is joined."""
        self._everything = everything
        self._parts = parts
        self._join = join
        self._stop = stop
        self._judging: tuple[int, int | None] | None = None  # the size of programs, and of the best solution
        self._too_large: dict[int, bool] = {}  # by coverage
        self._cheaper = _core.Front(everything.bit_length())  # unions of known parts
        self._united: list[tuple[int, int]] = []  # size and coverage of the parts in `_unions_of`
        self._unions_of = Unions(self._united)
        self._settled = 0  # the size of a best solution for which nothing is required of a part any more
        self._conflicts: Sequence[int] | None = None  # sets of examples that are pairwise in conflict
        self._maximal: list[int] | None = None
        self._tried_maximal = False
        self.complete = 1  # every part of at most this size is known, if it can be of use
        self.exhausted = False  # whether no more fragments are to come
        # What the coverage of a program of the size that was started must be like for a conjunction with it, or
        # a specialisation of it, to be of use: it contains one of `required`, and is inside no cheaper union.
        self.required: Sequence[int] = _ANYTHING
        self.lower: int | None = None  # no better solution is smaller; None before there is a solution

    def reopen(self) -> None:
        """Programs of sizes that were done have become known: conjunctions with them are not."""
        self._judging = None
        self._too_large.clear()
        self._settled = 0
        self._conflicts = None
        self._maximal, self._tried_maximal = None, False
        self.complete = 1
        self.lower = None

    def start_size(self, size: int, best: int | None) -> None:
        """Before programs of a size are judged: what a conjunction with one of them must cover."""
        if self._judging == (size, best):
            return
        self._judging = size, best
        self._too_large.clear()
        # The program is no part by itself: a conjunction with it, and a specialisation of it, has at
        # least one literal more.
        self.required = _ANYTHING if best is None else self.requirements(size + 1, best)
        # What meets a requirement is in no cheaper union: with it the known parts would be a better solution.
        self._cheaper = _core.Front(self._everything.bit_length())
        if self.required == _ANYTHING:
            for union in self._unions(size) or ():
                self._cheaper.add(0, union)

    def known(self, size: int, best: int | None) -> Known:
        """What a source that judges programs of this size by itself needs to know."""
        covered = [(part.size, part.pos) for part in self._parts]
        if best is None:
            required = None
        else:
            required = self.requirements(size, best), self.requirements(size + 1, best)
        if required is None or _ANYTHING in required:
            for budget in (size - 1, size):
                covered += [(budget, union) for union in self._unions(budget) or ()]
        return Known(covered, required)

    def too_large(self, pos: int) -> bool:
        """Whether a program of this size that covers `pos` is of no use for a better solution."""
        verdict = self._too_large.get(pos)
        if verdict is None:
            verdict = self._too_large[pos] = all(required & ~pos for required in self.required)
        return verdict

    def has_cheaper_union(self, pos: int) -> bool:
        """Whether known parts that are no larger together than a program of this size cover `pos`."""
        return self._cheaper.dominates(0, pos)

    def requirements(self, size: int, best: int) -> Sequence[int]:
        """Sets of positive examples, one of which a part of at least this size must cover to be of use."""
        rest = best - 1 - size  # what is left for the other parts
        if rest < 0 or (self.exhausted and not self._join) or best <= self._settled:
            return ()
        if not self._is_alone(rest):
            return _ANYTHING
        unions = self._unions(rest)
        if unions is None:
            required = [
                self._everything & ~self._parts.covered_within(rest)
            ]  # no affordable part covers these
        else:
            required = [self._everything & ~union for union in unions]
        if self.exhausted and self._join:
            required = [examples for examples in required if self._join.can_cover(examples, self._stop)]
            if not required and size == self.complete + 1:
                self._settled = best
        return tuple(required)

    def excludes_better(self, size: int, best: int) -> bool:
        """Whether no solution smaller than `best` has a part of at least `size` literals."""
        self.lower = min(best, size)
        if self.lower < best and self.exhausted:
            self.lower = self._exhausted_bound(size, best)
        return self.lower >= best

    def _exhausted_bound(self, size: int, best: int) -> int:
        required = self.requirements(size, best)
        if not required or not self._join:
            return best
        if self._join.can_cover(self._everything, self._stop):
            return size
        # A part that covers everything is excluded: there is a second one.
        lower = min(best, size + min([size, *(part.size for part in self._parts)]))
        return max(lower, self._relaxed(size, best)) if required == _ANYTHING else lower

    def _is_alone(self, rest: int) -> bool:
        """Whether next to an unknown part that leaves `rest` literals all parts are known."""
        for others in count(1):
            left = rest - others * (self.complete + 1)
            if left < 0:
                return True
            if not self.exhausted:
                return False
            unions = self._unions(left)
            if unions is None or not all(self._in_conflict(union, others + 2) for union in unions):
                return False
        raise AssertionError("unreachable: what is left becomes negative")

    def _in_conflict(self, covered: int, number: int) -> bool:
        """Whether so many examples outside of `covered` are known to be pairwise in conflict."""
        assert self._join is not None, "only conjunctions are unknown when all programs were generated"
        if self._conflicts is None:
            self._conflicts = self._join.conflicts(self._stop)
        return any((apart & ~covered).bit_count() >= number for apart in self._conflicts)

    def _unions(self, budget: int) -> list[int] | None:
        """What known parts of at most so many literals can cover together, without what is inside another."""
        parts = [(part.size, part.pos) for part in self._parts]
        if parts != self._united:
            self._united, self._unions_of = parts, Unions(parts)
        return self._unions_of.within(budget, self._stop)

    def _relaxed(self, size: int, best: int) -> int:
        if not self._tried_maximal:
            self._tried_maximal = True
            self._maximal = self._join.coverages(_MOST_COVERAGES, self._stop) if self._join else []
        if self._maximal is None:
            return 0
        parts = [(part.size, part.pos) for part in self._parts]
        parts += [(size, coverage) for coverage in self._maximal]
        chosen = cheapest_cover(self._everything, parts, below=best, stop=self._stop)
        return best if chosen is None else sum(parts[number][0] for number in chosen)
