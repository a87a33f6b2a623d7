"""Join and combine where errors have a price: the cheapest set of rules, and a proof of how cheap it can be.

Without errors, conjunctions are joined first and combined afterwards. Where errors have a price, what a rule is worth depends
on the rules next to it, so both are one question. It is asked in three ways, each after the fragments of a size are known:

- *Local search* takes rules away and puts the best ones in their place. It gives a hypothesis within moments.
- The *closure* is a set of rules in which some cheapest hypothesis lies, of all rules that can be made of the fragments.
  Where there are too many of these, nothing is proven.
- The *linear program* (`solvers/cheapest_rules`) over the closure gives a bound, and mostly a hypothesis that meets it.

The propositions that the first two rest on are in core/priced/priced_pieces.hpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from joiner_magic import _core
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.problem import Problem
from joiner_magic.search.stages.fragments import Fragments
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.solvers.cheapest_rules import CheapestRules, RuleCost
from joiner_magic.solvers.interrupt import Interrupted, Stop

_MOST_RULES = 20_000  # of the closure
# The same, while more fragments are to come: what is proven of the rules so far ends the search only if no fragment that is
# still extended covers much, and a linear program over many rules takes longer than the local search that finds as much.
_MOST_RULES_MEANWHILE = 200
_WORK_OF_CLOSURE = 200_000_000  # words looked at: some tenths of a second, while more fragments are to come
_WORK_OF_LAST_CLOSURE = 2_000_000_000  # when they are all there
_WORK_OF_SEARCH = 400_000_000  # for each size; some tenths of a second
_ROUNDS = 400
_QUICK_ROUNDS = 3
WORTH = 1 << 12  # what stands for one unit of cost where worths are compared

# A rule as the core tells it: the numbers of its pieces, its number if it is whole, its size, and what it covers.
_Rule: TypeAlias = tuple[tuple[int, ...], int | None, int, int, int]


class PricedRules:
    """The rules that can be made by now, the cheapest hypothesis of them, and what is proven about others."""

    def __init__(self, problem: Problem, parts: Parts) -> None:
        assert problem.prices is not None, "errors have a price"
        self._problem = problem
        self._prices = problem.prices
        self._parts = parts
        self._fragments = Fragments(problem)
        self._offered: set[Program] = set()
        self._whole: dict[Part, int] = {}
        self._core = _core.PricedPieces(
            problem.required,
            problem.modes.demands,
            problem.prices.literal,
            list(problem.prices.missed),
            list(problem.prices.wrong),
        )
        self._rules: list[_Rule] = []  # of the cheapest hypothesis
        self._seed = 0
        self._searched_with = (
            -1,
            -1,
        )  # so many pieces and whole rules were there when rules were last looked for
        self._closed: list[_Rule] | None = None  # the closure of what was there the last time
        self._closed_with = (-1, -1)
        self._is_too_large = False
        self._proven_of: list[_Rule] | None = None  # the closure that `bound` is about
        self.bound = 0  # no hypothesis of the rules of the closure costs less
        self.worth: list[int] | None = (
            None  # by positive example, what covering it is worth by the proof of that bound
        )
        self._seen: dict[Part, None] = {}  # the rules of all hypotheses so far, in their order

    @property
    def fragments(self) -> Sequence[Program]:
        """Those that conjunctions are made of."""
        return self._fragments.programs

    @property
    def least_overlap(self) -> float:
        """Smaller conjunctions have the size that is counted."""
        return self._fragments.least_overlap

    @property
    def seen(self) -> Sequence[Part]:
        """The rules of every hypothesis that was found on the way, also of those that were given up for better ones."""
        return list(self._seen)

    @property
    def closed(self) -> Sequence[_Rule]:
        """The rules of the closure, if that is not too large; `as_parts` makes parts of them."""
        return self._closed or ()

    def offer(self, program: Program, evaluation: Evaluation) -> None:
        """A program that conjunctions can be made of."""
        if self._problem.join:
            self._offered.add(program)
            self._fragments.offer(program, evaluation)

    def improve(self, stop: Stop, *, quick: bool = False) -> list[Part]:
        """The cheapest rules that a local search finds; `quick` if more programs are to come in a moment."""
        self._admit(stop)
        known = self._known
        if quick and known == self._searched_with:
            return self.as_parts(self._rules)
        self._searched_with = known
        self._seed += 1
        rounds = _QUICK_ROUNDS if quick else _ROUNDS
        begin = [(rule[0], rule[1]) for rule in self._rules]
        try:
            self._rules, _ = self._core.cheaper(begin, rounds, _WORK_OF_SEARCH, self._seed, stop)
        except _core.Stopped:
            raise Interrupted from None
        return self._found()

    def prove(self, best: int, stop: Stop, *, last: bool) -> list[Part] | None:
        """Find the bound of the rules that can be made by now; the rules of a cheaper hypothesis than `best`, if there is one.

        The bound is 0 where there are too many rules to look at all of them. `last` if no more fragments are to come.
        """
        closed = self._closure(stop, last)
        if closed is None:
            self.bound, self.worth, self._proven_of = 0, None, None
            return None
        if closed == self._proven_of and self.bound >= best:
            return None
        self._proven_of = closed
        rules = [RuleCost(size, pos, neg) for _, _, size, pos, neg in closed]
        program = CheapestRules(rules, self._prices.of_errors, stop)
        proof = program.solve(best, stop)
        self.bound = proof.bound
        self.worth = program.worth(proof, WORTH)
        if proof.chosen is None:
            return None
        self._rules = [closed[number] for number in proof.chosen]
        return self._found()

    def bound_with_more(self, size: int, most_earned: int | None, best: int) -> int:
        """What every hypothesis costs at least, if rules of at least `size` literals are not known yet.

        One that has such a rule costs at least its literals. And by the duals of the linear program, one such rule lowers the
        bound by at most what it is worth beyond its size. `most_earned` is the most that one of them is worth, if that is
        known, in units of `WORTH`. So many of them as cost less than `best` can be in one hypothesis.
        """
        least = size * self._prices.literal
        with_unknown = least
        if most_earned is not None and self.worth is not None:
            gain = max(0, -(-most_earned // WORTH) - least)
            number = (best - 1) // least
            with_unknown = max(least, self.bound - gain * number)
        return min(self.bound, with_unknown)

    def as_parts(self, rules: Sequence[_Rule]) -> list[Part]:
        """Rules as the core tells them, as parts of a hypothesis."""
        whole = list(self._whole)
        parts = []
        for pieces, number, _, pos, neg in rules:
            if number is not None:
                parts.append(whole[number])
                continue
            conjunction = self._fragments.conjunction(pieces)
            parts.append(Part(conjunction, conjunction.size, pos, neg))
        return parts

    @property
    def _known(self) -> tuple[int, int]:
        return len(self._fragments.pieces), len(self._whole)

    def _admit(self, stop: Stop) -> None:
        """Hand over what was found since the last time: pieces of conjunctions, and rules that are taken as they are."""
        for piece in self._fragments.admit(stop):
            head = piece.head & self._problem.required
            self._core.add(piece.cost, piece.pos, piece.neg, head, piece.progress, piece.stuck)
        for part in self._parts:
            programs = part.conjunction.programs
            is_piece = len(programs) == 1 and len(programs[0].rules) == 1 and programs[0] in self._offered
            if not is_piece and part not in self._whole:
                self._whole[part] = len(self._whole)
                self._core.add_whole(part.size, part.pos, part.neg)

    def _closure(self, stop: Stop, last: bool) -> list[_Rule] | None:
        """The closure of all that is known; None if it is too large. What was too large once is tried again at the last."""
        self._admit(stop)
        if self._closed_with == self._known and not (last and self._closed is None):
            return self._closed
        if self._is_too_large and not last:
            return None
        work = _WORK_OF_LAST_CLOSURE if last else _WORK_OF_CLOSURE
        try:
            self._closed = self._core.closure(_MOST_RULES if last else _MOST_RULES_MEANWHILE, work, stop)
        except _core.Stopped:
            raise Interrupted from None
        self._closed_with = self._known
        self._is_too_large = self._closed is None
        return self._closed

    def _found(self) -> list[Part]:
        """The rules of the cheapest hypothesis by now; they are remembered."""
        parts = self.as_parts(self._rules)
        self._seen.update(dict.fromkeys(parts))
        return parts
