"""Join and combine where errors have a price: the cheapest set of rules, and a proof of how cheap it can be.

Without errors, conjunctions are joined first and combined afterwards. Where errors have a price, what a rule is worth depends
on the rules next to it, so both are one question. It is asked in three ways, each after the fragments of a size are known:

- *Local search* takes rules away and puts the best ones in their place. It gives a hypothesis within moments.
- The *linear program* (`solvers/cheapest_rules`) proves a bound, and mostly finds a hypothesis that meets it. It begins with a
  few rules, and is given others as its duals ask for them (`priced_columns`).
- The *closure* is a set of rules in which some cheapest hypothesis lies, of all rules that can be made of the fragments. Where
  the bound is below the best cost, the closure of the rules that can lie between the two is listed, and the linear
  program decides among them, by branch and bound. Where there are too many, the bound stays as it is.

The propositions that this rests on are in core/priced/priced_pieces.hpp and underpriced.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf

from joiner_magic import _core
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.problem import Problem
from joiner_magic.search.spaces.source import Worth
from joiner_magic.search.stages.fragments import Fragments
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.search.stages.priced_columns import WORTH, ColumnProof, PricedColumns, Rule
from joiner_magic.solvers.cheapest_rules import CheapestRules
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.rule_groups import KnownCut, RuleCost

_MOST_RULES = 20_000  # of the closure
_WORK_OF_CLOSURE = 2_000_000_000  # words looked at: some seconds
_FEW_RULES, _WORK_OF_SMALL_CLOSURE = 2_000, 100_000_000
_FEW_PIECES = 40
_WAITING = 20  # conjunctions that wait to be listed, for each that is
_QUESTIONS = 400  # for rules that the linear program should have
_QUESTIONS_MEANWHILE = 40  # the same, while more fragments are to come
_HOPE = 3  # so many times its literals a rule may be worth, by that guess
_WORK_OF_SEARCH = 400_000_000  # for each size; some tenths of a second
_WORK_OF_QUICK_SEARCH = 100_000_000
_ROUNDS = 400
_QUICK_ROUNDS = 3


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
        self._rules: list[Rule] = []  # of the cheapest hypothesis
        self._seed = 0
        self._searched_with = (
            -1,
            -1,
        )  # so many pieces and whole rules were there when rules were last looked for
        # The rules and the cuts that the linear program had the last time.
        self._columns: list[Rule] = []
        self._cuts: Sequence[KnownCut] = ()
        # So many pieces and whole rules were there when a bound was last looked for, and whether that was for the last time.
        self._proven_with = (-1, -1), False
        self._decided_with = (-1, -1)  # so many were there when the closure was listed
        self._proof: ColumnProof | None = None  # of that bound
        self.bound = 0  # no hypothesis of the rules that could be made then costs less
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
    def worthwhile(self) -> Sequence[Rule]:
        """Rules that may be good, besides those of hypotheses: those that the linear program asked for, and the closure if
        that is small. `as_parts` makes parts of them.
        """
        closed = self._core.closure(_FEW_RULES, _WORK_OF_SMALL_CLOSURE, never)
        return [*self._columns, *(closed or ())]

    @property
    def worth(self) -> list[int] | None:
        """By positive example, what covering it is worth by the proof of the bound, in units of `WORTH`; None without one."""
        return self._proof.worth if self._proof else None

    def offer(self, program: Program, evaluation: Evaluation) -> None:
        """A program that conjunctions can be made of."""
        if self._problem.join:
            self._offered.add(program)
            self._fragments.offer(program, evaluation)

    def improve(self, stop: Stop, *, quick: bool = False, most_work: float = inf) -> list[Part]:
        """The cheapest rules that a local search finds; `quick` if more programs are to come in a moment.

        The search looks at no more than `most_work` words of coverage.
        """
        self._admit(stop)
        known = self._known
        if quick and known == self._searched_with:
            return self.as_parts(self._rules)
        self._searched_with = known
        self._seed += 1
        rounds, work = (_QUICK_ROUNDS, _WORK_OF_QUICK_SEARCH) if quick else (_ROUNDS, _WORK_OF_SEARCH)
        begin = [(rule[0], rule[1]) for rule in self._rules]
        try:
            self._rules, _ = self._core.cheaper(begin, rounds, int(min(work, most_work)), self._seed, stop)
        except _core.Stopped:
            raise Interrupted from None
        return self._found()

    def prove(self, best: int, stop: Stop, *, last: bool, on_proof: Callable[[], None]) -> list[Part] | None:
        """Find the bound of the rules that can be made by now; the rules of a cheaper hypothesis than `best`, if there is one.

        `last` if no more fragments are to come: then more questions are asked. `on_proof` is called after every better bound.
        """
        self._admit(stop)
        effort = self._known, last
        if self._proven_with == effort or (self._proven_with[0] == self._known and self.bound >= best):
            return None
        self._proven_with, self._proof, self.bound = effort, None, 0
        columns = PricedColumns(
            self._core,
            self._made_of(),
            self._prices.of_errors,
            self._columns or self._rules,
            self._cuts,
            self._most_rules,
        )
        for proof in columns.improve(best, stop, _QUESTIONS if last else _QUESTIONS_MEANWHILE):
            self._proof, self.bound = proof, proof.bound
            on_proof()
        self._columns, self._cuts = columns.rules, columns.cuts
        return self._chosen(columns.best(best))

    def decide(self, best: int, stop: Stop) -> list[Part] | None:
        """List all rules that can be in a cheaper hypothesis, by what is proven already, and decide between these.

        The rules of a cheaper hypothesis than `best`, if there is one.
        """
        if self.bound >= best or self._decided_with == self._known:
            return None
        self._decided_with = self._known
        proof = self._proof.against(best) if self._proof else None
        try:
            closed = self._core.closure(self._most_rules, _WORK_OF_CLOSURE, stop, proof)
        except _core.Stopped:
            raise Interrupted from None
        if closed is None:
            return None
        rules = [RuleCost(size, pos, neg) for _, _, size, pos, neg in closed]
        found = CheapestRules(rules, self._prices.of_errors, stop).solve(best, stop)
        self.bound = max(self.bound, found.bound)
        if found.chosen is None:
            return None
        return self._chosen([closed[number] for number in found.chosen])

    def _chosen(self, rules: list[Rule] | None) -> list[Part] | None:
        """Keep these rules as the cheapest ones, if there are any."""
        if rules is None:
            return None
        self._rules = rules
        return self._found()

    @property
    def _most_rules(self) -> int:
        """So many rules can be listed, and be in a linear program, in the memory that there is."""
        examples = self._problem.positives + self._problem.negatives
        # Bytes for each rule that is listed: of the conjunctions that wait to be listed, and in matrices.
        waiting = _WAITING * (examples // 4 + 300)
        in_matrices = 16 * examples
        return min(_MOST_RULES, self._problem.memory // (waiting + in_matrices))

    def _made_of(self) -> list[RuleCost]:
        """What all rules are made of, and the whole ones."""
        literal = self._prices.literal
        pieces = [RuleCost(piece.cost * literal, piece.pos, piece.neg) for piece in self._fragments.pieces]
        return [*pieces, *(RuleCost(part.size * literal, part.pos, part.neg) for part in self._whole)]

    def is_worth_a_proof(self, size: int, unknown: Sequence[tuple[int, int]] | None, best: int) -> bool:
        """Whether to look for a bound that holds also with rules of at least `size` literals, which are not known yet.

        There is one if these cost as much as the best hypothesis. There may be one if what each of them covers is not worth much more than
        its literals; `unknown` has the most that one of them covers, by the prices, in units of `WORTH`. What examples
        are worth is not known before the linear program is solved: about as much together as the best hypothesis costs.
        """
        least = size * self._prices.literal
        if least >= best:
            return True
        if len(self._fragments.pieces) <= _FEW_PIECES:
            return True  # then it takes a moment, and a weak bound is better than none
        if unknown is None:
            return False
        most_covered = max((most for _, most in unknown), default=0)
        return most_covered * best <= _HOPE * least * WORTH * sum(self._prices.missed)

    @property
    def missed(self) -> list[int]:
        """By positive example, the price of missing it, in units of `WORTH`."""
        return [price * WORTH for price in self._prices.missed]

    def bound_with_more(self, size: int, unknown: Sequence[tuple[int, int]] | None, best: int) -> int:
        """What every hypothesis costs at least, if some rules are not known yet.

        One that has no such rule costs at least the bound. One that has some costs at least the literals of one, and what
        follows from the linear program (`ColumnProof.bound_with_unknown`). `unknown` has their sizes, and the most that one
        of this size or a larger one is worth by the proof, in units of `WORTH`. If it is None, they may be worth anything, and
        have at least `size` literals. So many of them as cost less than `best` can be in one hypothesis.
        """
        literal = self._prices.literal
        if unknown is None:
            return min(self.bound, size * literal)
        if not unknown:
            return self.bound
        least = literal * min(size for size, _ in unknown)
        if self._proof is None:
            return min(self.bound, least)
        worths = [(size * literal, Fraction(most, WORTH)) for size, most in unknown]
        bound = self._proof.bound_with_unknown(worths, (best - 1) // least)
        return min(self.bound, max(least, self._prices.of_errors.rounded_up(bound)))

    def needed(self) -> Worth | None:
        """Which rules that are not known yet may weaken the bound: those that are worth more than their literals by the proof."""
        if self._proof is None:
            return None
        return Worth(self._prices.literal * WORTH, self._proof.worth)

    def needed_below(self, best: int) -> Worth | None:
        """Which of them may be in a hypothesis cheaper than `best`: those that cost little more than they are worth by the proof."""
        if self._proof is None:
            return None
        return Worth(self._prices.literal * WORTH, self._proof.worth, self._proof.slack_below(best))

    def as_parts(self, rules: Sequence[Rule]) -> list[Part]:
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

    def _found(self) -> list[Part]:
        """The rules of the cheapest hypothesis by now; they are remembered."""
        parts = self.as_parts(self._rules)
        self._seen.update(dict.fromkeys(parts))
        return parts
