"""The size of an optimal hypothesis, by exhaustive search straight from docs/reference/hypothesis-space.md.

Nothing of the learner is used but the values of rules. Every body over the task's literals is
enumerated and kept if it satisfies the written conditions; it then counts only by what can matter:
the head tuples it holds for, the head variables it mentions, what it does for the directions, and
its size. Each of these changes one way only with every further fragment of a conjunction, so the
smallest conjunction of each kind is enough. What is left is to cover the positives, by dynamic
programming; where recursive programs can interfere, sets of parts are tested as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property, reduce
from itertools import chain, combinations, islice, permutations, product
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from joiner_magic.logic.programs import Argument, Literal, Program, Rule
from joiner_magic.logic.terms import Predicate, Term

if TYPE_CHECKING:
    from joiner_magic import Result
    from search.learning_tasks import LearningTask

Args: TypeAlias = tuple[int, ...]
Body: TypeAlias = tuple[Literal, ...]
Model: TypeAlias = dict[Predicate, set[tuple[Argument, ...]]]
# For each set of head variables that may be bound at the start: those bound after running as much of
# a body as can be run, and whether that is all of it.
Flow: TypeAlias = tuple[tuple[int, bool], ...]


_LARGEST_JOINED = 7  # a body of a conjunction next to such programs has fewer literals
_MOST_UNIONS = 40_000  # of programs of several rules that are looked at, for each number of parts


def optimum(task: LearningTask, *, join: bool = True, splittable: bool = False) -> int | None:
    """The size of a smallest solution, None if there is none.

    With `splittable`, conjunctions may also be made of splittable rules: a user's constraint can
    allow these and forbid the fragments they consist of.
    """
    return _size(Search(Space(task), join=join, splittable=splittable).optimum())


def least_cost(
    task: LearningTask,
    missed: Fraction | int | None,
    wrong: Fraction | int | None,
    *,
    join: bool = False,
    weights: Mapping[tuple[Term, ...], Fraction] | None = None,
) -> Fraction | int | None:
    """The least cost of a set of rules, by the size of their text and the price of each error.

    Rules are whole ones, or with `join` conjunctions as well. `weights` are by the row of the example, 1 for those that have
    none. Nothing of the learner's objective is used. None for a price says that there may be no such error; None is given if
    no set of rules is without those.
    """
    space = Space(task)
    rules = Search(space, join=join).conjunctions(with_negatives=True)
    weight = weights or {}
    weight_of = {
        bit: weight.get(row, 1)
        for rows, every in ((task.pos, space.pos), (task.neg, space.neg))
        for row in rows
        for bit in [space.bit(row)]
        if every & bit
    }

    def priced(examples: int) -> Fraction | int:
        return sum(value for bit, value in weight_of.items() if examples & bit)

    smallest: dict[int, int] = {}
    for rule in rules:
        if wrong is not None or not rule.extension & space.neg:
            covered = rule.extension & (space.pos | space.neg)
            smallest[covered] = min(rule.size, smallest.get(covered, rule.size))
    # The least size for each set of examples that rules cover together. What is dearer than to learn nothing, even if it
    # missed no positive example any more, is not grown.
    most = math.inf if missed is None else missed * priced(space.pos)
    sizes = {0: 0}
    for extension, size in smallest.items():
        for covered, before in list(sizes.items()):
            union, both = covered | extension, size + before
            if both + (wrong or 0) * priced(union & space.neg) < most:
                sizes[union] = min(both, sizes.get(union, both))
    costs: list[Fraction | int] = []
    for covered, size in sizes.items():
        misses, wrongs = priced(space.pos & ~covered), priced(space.neg & covered)
        if missed is not None or not misses:
            costs.append(size + (missed or 0) * misses + (wrong or 0) * wrongs)
    return min(costs, default=None)


def least_cost_of_programs(
    task: LearningTask,
    cost: Callable[[int, int, int], Fraction | int | None],
    *,
    most_parts: int = 3,
) -> Fraction | int | None:
    """The least cost of a union of at most so many parts, where parts may be programs of several rules.

    `cost` is told the size, and the positive and the negative examples as bits by their numbers; None stands for errors that
    are not allowed. A union covers the positives that one of its parts covers alone, and the negatives of its least model.
    Rules that parts share are counted for each of them, long conjunctions are left out, and of very many unions only some are
    looked at. So a hypothesis may be cheaper than what is given here; but there is one at this cost, unless it is None.
    """
    search = Search(Space(task))
    space = search.space
    rows = [space.bit(row) for row in task.pos], [space.bit(row) for row in task.neg]

    def numbered(held: int, bits: Sequence[int]) -> int:
        return sum(1 << number for number, bit in enumerate(bits) if held & bit)

    def priced(size: int, covered: int, model: int) -> Fraction | int | None:
        return cost(size, numbered(covered, rows[0]), numbered(model, rows[1]))

    nothing = priced(0, 0, 0)
    least = nothing
    joined = search.conjunctions(whole=True, below=_LARGEST_JOINED, with_negatives=True)
    parts = _that_pay([*joined, *search.programs], nothing, priced)
    unions: dict[tuple[int, int, frozenset[Step]], int] = {(0, 0, frozenset()): 0}
    for _ in range(most_parts):
        grown: dict[tuple[int, int, frozenset[Step]], int] = {}
        for ((covered, base, steps), before), part in islice(product(unions.items(), parts), _MOST_UNIONS):
            gained = part.extension & space.pos & ~covered
            size = before + part.size
            all_steps, all_bases = steps | part.steps, base | part.base
            known = (covered | gained, all_bases, all_steps)
            if not gained or size >= grown.get(known, math.inf):
                continue
            # If it missed none of the positives any more, would it be cheap enough?
            model = search.model(all_bases, all_steps)
            if not _is_cheaper(priced(size, space.pos, model), least):
                continue
            grown[known] = size
            total = priced(size, covered | gained, model)
            if _is_cheaper(total, least):
                least = total
        unions = grown
    return least


def _is_cheaper(one: Fraction | int | None, other: Fraction | int | None) -> bool:
    """Whether it is allowed, and costs less if the other is allowed too."""
    return one is not None and (other is None or one < other)


def _that_pay(
    parts: Iterable[Part],
    nothing: Fraction | int | None,
    priced: Callable[[int, int, int], Fraction | int | None],
) -> list[Part]:
    """The parts that may be in a cheapest union: each saves more than its literals, and none can take its place."""
    kept: list[Part] = []
    for part in sorted(parts, key=lambda part: (part.size, part.extension.bit_count())):
        saved = priced(0, part.extension, 0)
        if nothing is not None and saved is not None and nothing - saved <= part.size:
            continue
        if not any(_replaces(other, part) for other in kept):
            kept.append(part)
    return kept


def _replaces(one: Part, other: Part) -> bool:
    """Whether the one, which is no larger, holds for the same and adds nothing to what others derive."""
    return (
        one.extension == other.extension and one.base | other.base == other.base and one.steps <= other.steps
    )


def relaxed(task: LearningTask, *, join: bool = True, splittable: bool = False) -> int | None:
    """What the optimum would be if recursion never reached from one part of a hypothesis into another."""
    return _size(Search(Space(task), join=join, splittable=splittable).relaxed)


def lies_outside(result: Result) -> bool:
    """Whether it covers a positive example only by recursion that reaches from one part into another.

    Then it is none of the space's solutions, and may be smaller than all of them.
    """
    covered = reduce(or_, (part.pos for part in result.parts), 0)
    return covered.bit_count() < len(result.task.examples.pos)


def _size(size: float) -> int | None:
    return None if size == math.inf else int(size)


def coverages(task: LearningTask) -> set[tuple[int, int]]:
    """Positives (bits by example) and size of the legal conjunctions that cover no negative.

    Those are left out that another one covers with at most their size.
    """
    space = Space(task)
    found: dict[int, int] = {}
    for part in Search(space).plain:
        pos = sum(1 << i for i, bit in enumerate(space.examples) if part.extension & bit)
        found[pos] = min(part.size, found.get(pos, part.size))
    return {
        (pos, size)
        for pos, size in found.items()
        if not any(pos | other == other and found[other] <= size for other in found if other != pos)
    }


def evaluate(task: LearningTask, program: Program) -> tuple[int, int]:
    """The positive and the negative examples that a program covers, as bits, by its least model.

    It shares nothing with the search below: a rule holds for a row if its body can be proven.
    """
    model: Model = {predicate: set() for predicate in program.defined}
    for name, args in task.facts:
        model.setdefault(Predicate(name, len(args)), set()).add(args)
    before = -1
    while (size := sum(map(len, model.values()))) > before:
        before = size
        for rule in program.rules:
            rows = product(task.domain, repeat=len(rule.head.args))
            bindings = (dict(zip(rule.head.args, row, strict=True)) for row in rows)
            new = {tuple(binding.values()) for binding in bindings if provable(rule.body, binding, model)}
            model[rule.head.predicate] |= new
    held = model[task.head]
    pos, neg = (sum(1 << i for i, row in enumerate(rows) if row in held) for rows in (task.pos, task.neg))
    return pos, neg


def provable(body: Body, binding: Mapping[Argument, Argument], model: Model) -> bool:
    """Whether some values of the other variables make the body true; the literal known best comes first."""
    if not body:
        return True
    first = min(body, key=lambda literal: sum(arg not in binding for arg in literal.args))
    rest = tuple(literal for literal in body if literal is not first)
    for row in model[first.predicate]:
        longer = dict(binding)
        matches = all(longer.setdefault(a, value) == value for a, value in zip(first.args, row, strict=True))
        if matches and provable(rest, longer, model):
            return True
    return False


class Candidate(NamedTuple):
    """A rule that satisfies 1 to 4 and 7, and 5 if all head variables are bound."""

    body: Body
    mask: int  # assignments under which the literals that are no calls hold
    calls: frozenset[Args]  # of what the program itself defines
    mentioned: int  # head variables
    flow: Flow


class Space:
    """The rules of a task, and what they hold for.

    Sets of assignments are bitsets: an assignment of constants to variables is a number whose digits,
    in base len(domain), are the constants' numbers, variable 0 being the last digit. A body is the
    intersection of its literals; head tuples are the numbers below len(domain) ** arity.
    """

    def __init__(self, task: LearningTask) -> None:
        self.task, self.arity, self.count, self.base = task, task.head.arity, task.max_vars, len(task.domain)
        self.tuples = [digits[::-1] for digits in product(range(self.base), repeat=self.arity)]
        number = {constant: i for i, constant in enumerate(task.domain)}
        self.rows: dict[Predicate, list[Args]] = {}
        for name, args in sorted(task.facts, key=str):
            self.rows.setdefault(Predicate(name, len(args)), []).append(tuple(number[arg] for arg in args))
        self.examples = [1 << self.tuples.index(tuple(number[term] for term in row)) for row in task.pos]
        self.pos = sum(self.examples)
        self.neg = sum(1 << self.tuples.index(tuple(number[term] for term in row)) for row in task.neg)
        modes = task.directions.get(task.head, ("in",) * self.arity)
        self.given = sum(1 << v for v, mode in enumerate(modes) if mode == "in")
        self.every = (1 << self.arity) - 1
        self.starts = [start for start in range(self.every + 1) if start | self.given == start]
        self._extensions: dict[int, int] = {}

    def bit(self, row: Sequence[Term]) -> int:
        """The head tuple of an example, as a set of one."""
        return 1 << self.tuples.index(tuple(list(self.task.domain).index(term) for term in row))

    @cached_property
    def equal(self) -> list[list[int]]:
        """By variable and constant: the assignments that give the one the other."""
        table = []
        for variable in range(self.count):
            width, period = self.base**variable, self.base ** (variable + 1)
            turns = sum(1 << turn * period for turn in range(self.base ** (self.count - variable - 1)))
            table.append([turns * ((1 << width) - 1) << value * width for value in range(self.base)])
        return table

    def where(self, args: Args, rows: Iterable[Args]) -> int:
        """The assignments that give the variables `args` one of these rows."""
        everything = (1 << self.base**self.count) - 1
        found = 0
        for row in rows:
            found |= reduce(and_, (self.equal[v][c] for v, c in zip(args, row, strict=True)), everything)
        return found

    def extension(self, mask: int) -> int:
        """The head tuples of these assignments: the other variables are projected away, one by one."""
        if mask not in self._extensions:
            left = mask
            for variable in reversed(range(self.arity, self.count)):
                width = self.base**variable
                left = reduce(or_, (left >> value * width for value in range(self.base))) & (1 << width) - 1
            self._extensions[mask] = left
        return self._extensions[mask]

    def rules(self, called: Predicate | None = None, *, covering: bool = False) -> Iterator[Candidate]:
        """Each rule once up to renaming; with `covering` only those that cover a positive example.

        With `called`, the rules that call this predicate, which the program itself defines.
        """
        preds = (*self.task.body, *([called] if called else []))
        literals = [Literal(p.name, v) for p in preds for v in permutations(range(self.count), p.arity)]
        literals = [x for x in literals if x != Literal(self.task.head.name, tuple(range(self.arity)))]
        masks = [
            -1 if x.predicate == called else self.where(_args(x), self.rows[x.predicate]) for x in literals
        ]
        order = {literal: i for i, literal in enumerate(literals)}

        def grow(body: Body, mask: int, start: int) -> Iterator[Candidate]:
            for i in range(start, len(literals)):
                longer, held = (*body, literals[i]), mask & masks[i]
                # Neither becomes better with more literals.
                if not typed(self.task, longer) or (covering and not self.extension(held) & self.pos):
                    continue
                if self.allowed(longer, order) and (not called or literals[i].predicate == called):
                    calls = frozenset(_args(x) for x in longer if x.predicate == called)
                    mentioned = sum(1 << v for v in range(self.arity) if any(v in x.args for x in longer))
                    flow = tuple(self.run(longer, bound) for bound in self.starts)
                    yield Candidate(longer, held, calls, mentioned, flow)
                if len(longer) < self.task.max_body:
                    yield from grow(longer, held, i + 1)

        return grow((), (1 << self.base**self.count) - 1, 0)

    def allowed(self, body: Body, order: Mapping[Literal, int]) -> bool:
        """Conditions 3, 4, 5 with all head variables bound, and 7; and the first of its renamings."""
        task, arity = self.task, self.arity
        rule = Rule(Literal(task.head.name, tuple(range(arity))), body)
        return (
            (task.allow_singletons or not has_singleton(arity, body))
            and connected(arity, body)
            and self.run(body, self.every)[1]
            and (task.constraint is None or task.constraint.allows(rule))
            and all(
                [order[x] for x in body] <= sorted(order[x] for x in renamed)
                for renamed in renamings(arity, self.count, body)
            )
        )

    def run(self, body: Body, bound: int) -> tuple[int, bool]:
        """The head variables bound after running what can be run of the body, and whether all of it can."""
        known = {v for v in range(self.arity) if bound >> v & 1}
        left = list(body)
        while ready := [x for x in left if self.inputs(x) <= known]:
            known.update(v for x in ready for v in _args(x))
            left = [x for x in left if x not in ready]
        return sum(1 << v for v in range(self.arity) if v in known), not left

    def inputs(self, literal: Literal) -> set[int]:
        if not self.task.directions:
            return set()
        modes = self.task.directions.get(literal.predicate, ())
        return {v for v, mode in zip(_args(literal), modes, strict=False) if mode == "in"}

    def legal(self, mentioned: int, flow: Flow) -> bool:
        """Conditions 5 and 6, where each fragment may bind head variables for the others."""
        bound = self.given
        while (more := bound | flow[self.starts.index(bound)][0]) != bound:
            bound = more
        return flow[self.starts.index(bound)][1] and (self.task.non_datalog or mentioned == self.every)


def _args(literal: Literal) -> Args:
    return cast("Args", literal.args)  # no rule of the space has constants


def typed(task: LearningTask, body: Body) -> bool:
    """No variable has two types."""
    if not task.types:
        return True
    kinds: dict[int, str] = {}
    for literal in (Literal(task.head.name, tuple(range(task.head.arity))), *body):
        for variable, kind in zip(_args(literal), task.types.get(literal.predicate, ()), strict=False):
            if kinds.setdefault(variable, kind) != kind:
                return False
    return True


def connected(arity: int, body: Body) -> bool:
    reached, before = set(range(arity)), -1
    while len(reached) > before:
        before = len(reached)
        reached.update(v for x in body if reached.intersection(x.args) for v in _args(x))
    return arity == 0 or all(reached.issuperset(x.args) for x in body)


def has_singleton(arity: int, body: Body) -> bool:
    body_only = [v for x in body for v in _args(x) if v >= arity]
    return any(body_only.count(v) == 1 for v in body_only)


def is_splittable(arity: int, body: Body) -> bool:
    """Whether some literals can be set apart: grow the set around the first by shared body-only variables."""
    together, before = [body[0]], 0
    while len(together) > before:
        before = len(together)
        inside = {v for x in together for v in _args(x) if v >= arity}
        together = [x for x in body if x is body[0] or inside.intersection(x.args)]
    return len(together) < len(body)


def renamings(arity: int, count: int, body: Body) -> Iterator[Body]:
    """The same rule in all numberings of its body-only variables."""
    used = sorted({v for x in body for v in _args(x) if v >= arity})
    for numbers in permutations(range(arity, count), len(used)):
        number = dict(zip(used, numbers, strict=True))
        yield tuple(Literal(x.name, tuple(number.get(v, v) for v in _args(x))) for x in body)


class Kind(NamedTuple):
    """All that matters of a conjunction besides its size."""

    extension: int  # head tuples it holds for, as far as they are relevant
    mentioned: int
    flow: Flow

    def joined(self, other: Kind) -> Kind:
        flow = self.flow
        if flow != other.flow:
            pairs = zip(flow, other.flow, strict=True)
            flow = tuple((one[0] | two[0], one[1] and two[1]) for one, two in pairs)
        return Kind(self.extension & other.extension, self.mentioned | other.mentioned, flow)


class Step(NamedTuple):
    """What a rule derives from what it calls."""

    mask: int
    calls: frozenset[Args]


class Part(NamedTuple):
    extension: int  # on its own
    size: int
    base: int  # what its rules without recursion hold for
    steps: frozenset[Step] = frozenset()  # its recursive rules
    rules: frozenset[Step] = frozenset()  # those that it may share with other parts


class Search:
    """The parts of a task's hypotheses, and the smallest set of them that is a solution."""

    def __init__(self, space: Space, *, join: bool = True, splittable: bool = False) -> None:
        self.space, self.task, self.join = space, space.task, join
        # Without a constraint, all that a splittable rule gives to a conjunction its fragments give as well.
        self.splittable = splittable and space.task.constraint is not None
        self.model = cache(self._model)
        self.held = cache(self._held)

    def optimum(self) -> float:
        without = self.covers(self.plain)(self.space.pos)
        if self.relaxed < without and any(part.steps for part in self.alone):
            known = [*self.alone, *self.conjunctions(whole=True, below=without)]
            # Clusters below the relaxed sum may not be enough where parts interfere.
            enough = self.together(
                [*known, *self.cheap], self.covers([*self.plain, *self.alone, *self.cheap]), without
            )
            clusters = self.clusters(enough)
            return self.together(
                [*known, *clusters], self.covers([*self.plain, *self.alone, *clusters]), enough
            )
        return self.relaxed

    @cached_property
    def relaxed(self) -> float:
        return self.covers([*self.plain, *self.alone, *self.cheap])(self.space.pos)

    @cached_property
    def cheap(self) -> list[Part]:
        """The clusters that are smaller than any hypothesis without."""
        return self.clusters(self.covers([*self.plain, *self.alone])(self.space.pos))

    def clusters(self, most: float) -> list[Part]:
        """Programs that share rules, as one part whose rules are counted once, smaller than `most`.

        Of rules that derive the same the smallest is taken: it can stand for the others wherever they are needed. And
        a program that covers nothing new is not needed.
        """
        if not self.task.enable_recursion or most == math.inf:
            return []
        costs = self.costs
        programs = [part for part in self.recursive if not part.extension & self.space.neg]
        found: dict[frozenset[Step], Part] = {}
        todo = programs
        while todo:
            grown: dict[frozenset[Step], Part] = {}
            for one, other in product(todo, programs):
                rules = one.rules | other.rules
                size = sum(costs[rule] for rule in rules)
                if not one.rules & other.rules or rules in found or rules in grown or size >= most:
                    continue
                if not other.extension & self.space.pos & ~one.extension:
                    continue
                inside = [part.extension for part in programs if part.rules <= rules]
                base, steps = one.base | other.base, one.steps | other.steps
                if not self.model(base, steps) & self.space.neg:
                    grown[rules] = Part(reduce(or_, inside), size, base, steps, rules)
            found.update(grown)
            todo = list(grown.values())
        return list(found.values())

    @cached_property
    def costs(self) -> dict[Step, int]:
        """The size of a smallest rule that derives what a step does."""
        rules = {**rules_by_step(self.space, None), **rules_by_step(self.space, self.task.head)}
        return {step: 1 + len(bodies[0]) for step, bodies in rules.items()}

    @cached_property
    def plain(self) -> list[Part]:
        return self.conjunctions()

    @cached_property
    def alone(self) -> list[Part]:
        return [part for part in self.programs if not part.extension & self.space.neg]

    def conjunctions(
        self, *, whole: bool = False, below: float = math.inf, with_negatives: bool = False
    ) -> list[Part]:
        """Legal ones without negatives, unless asked for; `whole` tells apart all head tuples, not only the examples.

        A program called under a new name is one too: unlike the program as it is, it stays apart.
        """
        space = self.space
        relevant = -1 if whole else space.pos | space.neg
        pieces: dict[Kind, int] = {}
        for rule in space.rules(covering=True):
            if not self.join or self.splittable or not is_splittable(space.arity, rule.body):
                kind = Kind(space.extension(rule.mask) & relevant, rule.mentioned, rule.flow)
                pieces[kind] = min(len(rule.body), pieces.get(kind, len(rule.body)))
        for part in self.programs:
            kind = self.called(part.extension & relevant)
            pieces[kind] = min(part.size + 1, pieces.get(kind, part.size + 1))
        return [
            Part(kind.extension, 1 + cost, kind.extension)
            for kind, cost in (self.closure(pieces, below) if self.join else pieces).items()
            if (with_negatives or not kind.extension & space.neg) and space.legal(kind.mentioned, kind.flow)
        ]

    def called(self, extension: int) -> Kind:
        """A call of a program binds and mentions all head variables."""
        return Kind(extension, self.space.every, ((self.space.every, True),) * len(self.space.starts))

    def closure(self, pieces: Mapping[Kind, int], below: float) -> dict[Kind, int]:
        """The least cost of each kind of conjunction that covers a positive example."""
        closed: dict[Kind, int] = {}
        for piece, cost in sorted(pieces.items(), key=lambda item: item[1]):
            covered = piece.extension & self.space.pos
            for known, known_cost in [*closed.items(), (piece, 0)]:
                total = known_cost + cost
                if known.extension & covered and total < below:
                    kind = known.joined(piece)
                    closed[kind] = min(total, closed.get(kind, total))
        return closed

    def covers(self, parts: Iterable[Part]) -> Callable[[int], float]:
        """The least size of parts that together cover a set of positives, if they do not interfere."""
        sizes: dict[int, int] = {}
        for part in parts:
            pos = part.extension & self.space.pos
            sizes[pos] = min(part.size, sizes.get(pos, part.size))

        @cache
        def least(uncovered: int) -> float:
            first = uncovered & -uncovered
            rest = (size + least(uncovered & ~pos) for pos, size in sizes.items() if pos & first)
            return min(rest, default=math.inf) if uncovered else 0

        return least

    def together(self, parts: Sequence[Part], least: Callable[[int], float], best: float) -> float:
        """The size of a smallest set of parts, if below `best`, that is a solution as a whole."""

        def choose(uncovered: int, base: int, steps: frozenset[Step], size: int, best: float) -> float:
            if size + least(uncovered) >= best or self.model(base, steps) & self.space.neg:
                return best
            first = uncovered & -uncovered
            for part in parts if uncovered else ():
                if part.extension & first:
                    rest = uncovered & ~part.extension
                    best = choose(rest, base | part.base, steps | part.steps, size + part.size, best)
            return best if uncovered else size

        return choose(self.space.pos, 0, frozenset(), 0, best)

    def _model(self, base: int, steps: frozenset[Step]) -> int:
        """The least model of rules, the recursive ones being `steps`."""
        held, before = base, -1
        while held != before:
            before = held
            for step in steps:
                held |= self.derived(step, held)
        return held

    def derived(self, step: Step, held: int) -> int:
        masks = (self.held(args, held) for args in step.calls)
        return self.space.extension(reduce(and_, masks, step.mask))

    def _held(self, args: Args, held: int) -> int:
        """The assignments under which a call holds."""
        tuples = product(range(self.space.base), repeat=len(args))
        return self.space.where(args, (x[::-1] for i, x in enumerate(tuples) if held >> i & 1))

    @cached_property
    def programs(self) -> list[Part]:
        """Programs of several rules that cover a positive example, the smallest of each kind."""
        recursive = self.recursive if self.task.enable_recursion else ()
        inventive = self.inventive_programs() if self.task.enable_pi else ()
        covering = (part for part in chain(recursive, inventive) if part.extension & self.space.pos)
        by_size = sorted(covering, key=lambda part: -part.size)
        return list({(part.base, part.steps): part for part in by_size}.values())

    @cached_property
    def recursive(self) -> list[Part]:
        """Recursive programs that cover a positive example."""
        return [part for part in self.recursive_programs() if part.extension & self.space.pos]

    def recursive_programs(self) -> Iterator[Part]:
        bases = rules_by_step(self.space, None)
        steps = rules_by_step(self.space, self.task.head)
        for count in range(2, self.task.max_clauses + 1):
            for recursive in range(1, count):
                chosen = product(combinations(bases, count - recursive), combinations(steps, recursive))
                for some, others in chosen:
                    bodies = [*(bases[step] for step in some), *(steps[step] for step in others)]
                    if size := smallest(self.space.arity, bodies):
                        base = reduce(or_, (step.mask for step in some))
                        extension = self.model(base, frozenset(others))
                        yield Part(extension, size, base, frozenset(others), frozenset([*some, *others]))

    def inventive_programs(self) -> Iterator[Part]:
        """One rule that calls an invented predicate, and one for that, with any types and directions."""
        task = self.task
        assert task.max_clauses == 2, "only the smallest programs are worth an exhaustive search"
        assert not task.enable_recursion
        kinds = sorted({kind for words in task.types.values() for kind in words})
        for arity in range(1, max(p.arity for p in (task.head, *task.body)) + 1):
            invented = Predicate("inv1", arity)
            for words in product(kinds, repeat=arity) if kinds else [()]:
                for modes in product(("in", "out"), repeat=arity) if task.directions else [()]:
                    wider = replace(
                        task,
                        types={**task.types, invented: words},
                        directions={**task.directions, invented: modes} if modes else task.directions,
                    )
                    yield from self._calling(wider, invented)

    def _calling(self, task: LearningTask, invented: Predicate) -> Iterator[Part]:
        if invented.arity > task.max_vars:
            return
        definitions = rules_by_step(Space(replace(task, head=invented, pos=(), neg=())), None)
        for step, bodies in rules_by_step(Space(task), invented).items():
            for definition, defining in definitions.items():
                extension = self.derived(step, definition.mask)
                yield Part(extension, 2 + len(bodies[0]) + len(defining[0]), extension)


def rules_by_step(space: Space, called: Predicate | None) -> dict[Step, list[Body]]:
    """The rules that satisfy 1 to 7 on their own, smallest first, by what they derive."""
    found: dict[Step, list[Body]] = {}
    for rule in sorted(space.rules(called), key=lambda rule: len(rule.body)):
        if space.legal(rule.mentioned, rule.flow):
            step = Step(rule.mask if called else space.extension(rule.mask), rule.calls)
            found.setdefault(step, []).append(rule.body)
    return found


def smallest(arity: int, choices: Sequence[Sequence[Body]]) -> int | None:
    """The least size of a program with a rule from each choice, none of which contains another."""
    for bodies in sorted(product(*choices), key=lambda bodies: sum(map(len, bodies))):
        pairs = permutations(bodies, 2)
        if not any(contains(arity, one, other) for one, other in pairs):
            return sum(1 + len(body) for body in bodies)
    return None


def contains(arity: int, one: Body, other: Body) -> bool:
    """Whether the one has all literals of the other, in some numbering of its body-only variables."""
    count = 1 + max((v for x in (*one, *other) for v in _args(x)), default=-1)
    return len(other) <= len(one) and any(
        set(renamed) <= set(one) for renamed in renamings(arity, count, other)
    )
