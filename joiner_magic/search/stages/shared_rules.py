"""Parts that share rules: programs of several rules, put next to each other, are written with each rule once.

The size of a hypothesis is that of its text, so parts that share a rule are smaller together than the sum of their sizes.
Only recursive programs that keep the head's name share rules to any avail: whatever else two parts can have in common is
a rule that is a part by itself, or is called by another name in each.

**Clusters.** A *cluster* is a set of programs that hang together by shared rules. Its size is that of its rules, it
covers what its programs cover, and it is consistent if all its rules together are. Parts of a hypothesis that share a
rule belong to the same cluster, so a hypothesis is a union of clusters and of other parts, none of which share a
rule, and its size is the sum of their sizes. Hence once clusters are parts too, all that is said of sums of sizes
(`parts`, `bounds`, `constrain`, the cheapest cover) holds of hypotheses with shared rules: a part that covers no more than
another one, which is no larger, can be replaced by it; in a cluster it cannot, and clusters are made of all programs.

**Which programs.** What is said of a program's specialisations in `constrain` is said of them as parts, and a program that is
of no use as a part may share its rules with another. Therefore the programs of clusters are generated anew. Only those are
left out that are of no use in any cluster either: those that cover no positive example, with all their
specialisations; those that cover a negative one, and with a rule that does so without help all programs that have this
rule; and those that cover no more than they do without one of their rules, because what is left takes their place and
shares what they share. A cluster has three rules at least, and so one of two
literals or more besides those of each program: a cluster of at most k literals has programs of at most k - 2.

**Which sets of them.** A program whose coverage the others of a cluster have can be left out; what is left is a cluster, or
falls apart into several, and is no larger. So a cluster grows by programs that cover something new. One that
covers a negative example does not grow: all that has its rules covers it too.

**When.** With all clusters of at most k literals known, an unknown one is an unknown part of more than k literals, as the
bounds take it. Where they rest on what conjunctions can cover, all that are smaller than the best solution must be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.problem import Problem
from joiner_magic.search.spaces.asp_source import AspSource
from joiner_magic.search.stages.constrain import CoversNothing
from joiner_magic.search.stages.parts import Part, Parts
from joiner_magic.search.stages.test import Coverage
from joiner_magic.search.stages.unfinished import UnfinishedPrograms
from joiner_magic.solvers.interrupt import Interrupted, Stop

_LEAST_RULE = 2  # literals
_LEAST_CLUSTER = 3 * _LEAST_RULE
_MOST_CLUSTERS = 50_000  # beyond, it takes longer than the search did
_PER_POLL = 64  # clusters


_Shared: TypeAlias = (
    Rule | tuple[Program, Rule]
)  # a rule that can be shared, or one that is the program's own
_Rules: TypeAlias = frozenset[_Shared]


@dataclass(frozen=True, slots=True)
class _Member:
    """A program of clusters."""

    program: Program
    rules: _Rules  # those that mention invented predicates are its own
    pos: int


class SharedRules:
    """The clusters of a run. They become parts, size by size."""

    def __init__(
        self,
        problem: Problem,
        parts: Parts,
        coverage: Coverage,
        unfinished: UnfinishedPrograms,
        several: Callable[[], AspSource] | None,
    ) -> None:
        """`several` gives a source of programs of several rules; None if they cannot share any."""
        self._problem = problem
        self._parts = parts
        self._coverage = coverage
        self._unfinished = unfinished
        self._several = several
        self._source: AspSource | None = None
        self._generated = 1  # programs of at most this size are there
        self._members: dict[Program, _Member] = {}
        self._sharing: dict[_Shared, list[_Member]] = {}  # by rule
        self._tried: set[Rule] = set()  # by themselves, for negative examples
        self._covered: dict[Program, int | None] = {}  # positive examples; None where it is not known
        self._gave_up = False
        # Every cluster of at most this size is a part, or another part is as good.
        self.known: float = inf if several is None else _LEAST_CLUSTER - 1

    def reopen(self) -> None:
        """It has become known what further programs cover."""
        if self._several is not None:
            self._generated, self.known, self._gave_up = 1, _LEAST_CLUSTER - 1, False
            self._covered.clear()

    def up_to(self, size: int, stop: Stop) -> bool:
        """Make parts of the clusters of at most this size; whether one is new."""
        if size <= self.known or self._gave_up:
            return False
        self._generate(size - _LEAST_RULE, stop)
        new = self._grow(size, stop)
        if not self._gave_up:
            self.known = size
        return new

    def _generate(self, largest: int, stop: Stop) -> None:
        """The programs of at most this size."""
        assert self._several is not None, "there are programs to generate"
        if self._source is None:
            self._source = self._several()
        for size in range(self._generated + 1, min(largest, self._source.largest) + 1):
            useless: list[CoversNothing] = []
            spoilt: list[Rule] = []
            with closing(self._source.generate(size, stop)) as batches:
                for batch in batches:
                    useless += self._take(batch.programs, stop)
                    spoilt += self._spoilt(batch.programs, stop)
            if size < self._source.largest:
                self._source.constrain(useless, stop)
                self._source.leave_out(spoilt, stop)
            self._generated = size

    def _take(self, programs: Sequence[Program], stop: Stop) -> Iterator[CoversNothing]:
        """Keeps those that can be of use in a cluster, and gives those that cover nothing."""
        for program, evaluation in zip(programs, self._coverage.uncounted(programs, stop), strict=True):
            if not evaluation.complete:
                self._unfinished.add(program, evaluation)
            elif not evaluation.pos:
                yield CoversNothing(program)
            elif not evaluation.neg and program not in self._members:
                self._add(program, evaluation.pos, stop)

    def _spoilt(self, programs: Sequence[Program], stop: Stop) -> Iterator[Rule]:
        """Their rules that cover a negative example without help; each rule is tried once."""
        head = self._problem.task.bias.head
        for program in programs:
            for rule in program.rules:
                if rule in self._tried or rule.head.predicate != head:
                    continue
                self._tried.add(rule)
                if not _mentions(rule.body, program.defined) and self._covers_negatives(rule, stop):
                    yield rule

    def _covers_negatives(self, rule: Rule, stop: Stop) -> bool:
        if stop():
            raise Interrupted
        alone = self._problem.modes.program_in_order(Program((rule,)))
        return bool(self._coverage.of_hypothesis(alone).neg)

    def _add(self, program: Program, pos: int, stop: Stop) -> None:
        if self._has_a_rule_too_many(program, pos, stop):
            return
        invented = program.defined - {self._problem.task.bias.head}
        own = {rule for rule in program.rules if _mentions((rule.head, *rule.body), invented)}
        rules: _Rules = frozenset((program, rule) if rule in own else rule for rule in program.rules)
        member = self._members[program] = _Member(program, rules, pos)
        for rule in rules:
            if isinstance(rule, Rule):
                self._sharing.setdefault(rule, []).append(member)

    def _has_a_rule_too_many(self, program: Program, pos: int, stop: Stop) -> bool:
        """Whether it covers as much without one of its rules, and what is left is of the space."""
        head = self._problem.task.bias.head
        if self._problem.task.bias.constraints or program.defined != {head}:
            return False  # what is left might be forbidden
        for rule in program.rules:
            rest = tuple(other for other in program.rules if other is not rule)
            if any(not _mentions(other.body, program.defined) for other in rest):
                covered = self._positives(Program(rest), stop)
                if covered is not None and not pos & ~covered:
                    return True
        return False

    def _positives(self, program: Program, stop: Stop) -> int | None:
        if program not in self._covered:
            (evaluation,) = self._coverage.again([program], stop)
            self._covered[program] = evaluation.pos if evaluation.complete else None
        return self._covered[program]

    def _grow(self, size: int, stop: Stop) -> bool:
        """Clusters of at most this size, each by a program on top of a smaller one."""
        new = False
        seen: set[_Rules] = set()
        todo: list[tuple[tuple[_Member, ...], _Rules, int]] = [
            ((member,), member.rules, member.pos) for member in self._members.values()
        ]
        while todo:
            chosen, rules, pos = todo.pop()
            for member in self._next_to(rules, pos):
                bigger = rules | member.rules
                if bigger in seen or (together := sum(map(_size, bigger))) > size:
                    continue
                seen.add(bigger)
                if not len(seen) % _PER_POLL and stop():
                    raise Interrupted
                if len(seen) > _MOST_CLUSTERS:
                    self._gave_up = True
                    return new
                inside = self._inside(bigger, (*chosen, member))
                consistent, is_new = self._offer(inside, together)
                new |= is_new
                if consistent:
                    todo.append((inside, bigger, _covered(inside)))
        return new

    def _next_to(self, rules: _Rules, pos: int) -> Iterator[_Member]:
        """Those that share a rule and cover something new."""
        for rule in rules:
            for member in self._sharing.get(rule, ()):
                if member.pos & ~pos:
                    yield member

    def _inside(self, rules: _Rules, chosen: tuple[_Member, ...]) -> tuple[_Member, ...]:
        """The chosen programs, and all that these rules make up besides: they cost nothing."""
        others = (member for rule in rules for member in self._sharing.get(rule, ()))
        return tuple(dict.fromkeys([*chosen, *(member for member in others if member.rules <= rules)]))

    def _offer(self, members: tuple[_Member, ...], size: int) -> tuple[bool, bool]:
        """Whether the cluster covers no negative example, as far as is known, and whether it is a new part."""
        pos = _covered(members)
        if self._parts.subsuming(pos, size):
            return True, False
        conjunctions = tuple(self._problem.alone(member.program) for member in members)
        apart = [Part(c, c.size, member.pos) for c, member in zip(conjunctions, members, strict=True)]
        program = self._problem.writer.program(apart)
        assert program.size == size, "what is shared is written once"
        evaluation = self._coverage.of_hypothesis(program)
        if evaluation.neg:
            return False, False
        if not evaluation.complete:
            self._gave_up = True
            return True, False
        cluster = Part(Conjunction((program,)), program.size, pos, members=conjunctions)
        return True, self._parts.add(cluster)


def _covered(members: Sequence[_Member]) -> int:
    covered = 0
    for member in members:
        covered |= member.pos
    return covered


def _size(rule: _Shared) -> int:
    if isinstance(rule, Rule):
        return rule.size
    return rule[1].size


def _mentions(literals: Sequence[Literal], predicates: frozenset[Predicate]) -> bool:
    return any(literal.predicate in predicates for literal in literals)
