"""Programs of the space by size: models of an ASP program (asp_space.py).

A rule that comes under several numberings of its variables is recognised by its canonical form.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.search.spaces.asp_space import (
    MEMORY,
    most_literals,
    most_variables,
    programs_of_several,
    redundant,
    single_rules,
)
from joiner_magic.search.spaces.source import Batch, MemoryUsedUp, SourceHints, Worth
from joiner_magic.search.stages.constrain import ConsistentFragment, Constraint
from joiner_magic.solvers.generation import Programs, SpaceTooLarge
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.solvers.nogoods import Nogood
from joiner_magic.task.bias import Bias

# Nogoods of one size. More cost minutes to ground, and a space where there are so many is not exhausted anyway.
_MOST_NOGOODS = 20_000
# Up to these bounds one ASP program serves all sizes.
_BODY_AT_ONCE = 16
_CLAUSES_AT_ONCE = 8


class AspSource:
    """Fragments or legal rules, and programs of several rules if the bias allows for them."""

    name = "asp"

    def __init__(
        self,
        bias: Bias,
        *,
        splittable: bool = False,
        fragments: bool = True,
        single: bool = True,
        memory: int = MEMORY,
    ) -> None:
        """With `fragments` a single rule may leave variables of the head out, and rely on their being bound.

        Without `single` there are programs of several rules only. `memory` bounds what clingo may use, in bytes.
        """
        self._bias = bias
        self._known_literals: dict[Literal, Literal] = {}
        rules = partial(single_rules, splittable=splittable, fragments=fragments, memory=memory)
        self._makers: list[Callable[..., Programs]] = [rules] if single else []
        self._several = (bias.enable_recursion or bias.enable_pi) and bias.max_clauses > 1
        if self._several:
            self._makers.append(partial(programs_of_several, memory=memory))
        self._made: list[Programs] = []
        self._made_for: Bias | None = None
        self._nogoods: list[Nogood] = []  # of all sizes, where answer sets are made anew for larger ones
        self._left_out: list[Rule] = []  # likewise

    record = None  # programs are judged elsewhere

    @property
    def largest(self) -> int:
        """Literals of the largest program of the space, or more. No body is longer than there are different literals."""
        body = self._bias.max_body
        if body > _BODY_AT_ONCE:  # a body is a set of literals
            body = min(body, most_literals(self._bias))
        return (self._bias.max_clauses if self._several else 1) * (1 + body)

    def generate(self, size: int, stop: Stop = never) -> Generator[Batch, None, None]:
        """The programs of one size that are new, in batches; two ways of writing one program count once.

        Single rules and programs of several take turns: of the one kind there may be many more than of the other.
        """
        with ExitStack() as to_close:
            # Closed here and not when it is collected: clingo's search must not outlive an interrupt.
            turns = [
                (to_close.enter_context(closing(answer_sets.programs(size, stop))), set[tuple[Rule, ...]]())
                for answer_sets in self._answer_sets(size, stop)
            ]
            while turns:
                chunks, seen = turn = turns.pop(0)
                if (chunk := _next(chunks)) is None:
                    continue
                turns.append(turn)
                if new := list(self._new(chunk, seen)):
                    yield Batch(new)

    expected = 0  # nobody knows

    def most_to_earn(self, worth: Sequence[int], stop: Stop) -> None:
        """What programs of larger sizes cover is not known before they are made."""

    def focus(self, size: int, worth: Worth | None) -> None:
        """Nothing is put off."""

    def owes(self, size: int) -> bool:
        return False

    def conclude(self) -> None:
        """Nothing was put off."""

    def inform(self, known: SourceHints) -> None:
        """Programs are not left out in the middle of a size: constraints come between sizes."""

    def constrain(self, constraints: Sequence[Constraint], stop: Stop = never) -> None:
        """Forbid what the constraints exclude, in models that are made already and in those that are still to be made."""
        nogoods = [
            Nogood(
                constraint.program, constraint.missing if isinstance(constraint, ConsistentFragment) else ()
            )
            for constraint in constraints[:_MOST_NOGOODS]
        ]
        if self._made_for != self._bounded(self.largest):
            self._nogoods += nogoods
        with _within_memory():
            for answer_sets in self._made:
                answer_sets.forbid(nogoods, stop)

    def leave_out(self, rules: Sequence[Rule], stop: Stop = never) -> None:
        """Make no more programs of several rules that have one of these."""
        rules = rules[:_MOST_NOGOODS]
        if self._made_for != self._bounded(self.largest):
            self._left_out += rules
        with _within_memory():
            for answer_sets in self._made:
                answer_sets.leave_out(rules, stop)

    def _answer_sets(self, size: int, stop: Stop) -> list[Programs]:
        """Those that have all programs of this size.

        They are made when they are asked for: that takes a while, and a proven solution needs none.
        """
        bias = self._bounded(size)
        if self._made_for != bias:
            with _within_memory():
                made = [make(bias, stop=stop) for make in self._makers]
                for answer_sets in made:
                    answer_sets.forbid(self._nogoods, stop)
                    answer_sets.leave_out(self._left_out, stop)
            self._made, self._made_for = made, bias
        return self._made

    def _bounded(self, size: int) -> Bias:
        """The bias with bounds that are large enough for programs of this size.

        Bounds that a search can reach stay what they are. With larger ones, programs that nobody will ever come to
        would be prepared; a body has fewer literals than the program, and a rule at least two of them.
        """
        bias = self._bias
        body, clauses = bias.max_body, bias.max_clauses
        if body > _BODY_AT_ONCE:
            body = min(body, _doubled(_BODY_AT_ONCE, size - 1))
        if clauses > _CLAUSES_AT_ONCE:
            clauses = min(clauses, _doubled(_CLAUSES_AT_ONCE, size // 2))
        bias = replace(bias, max_body=body, max_clauses=clauses)
        return replace(bias, max_vars=min(bias.max_vars, most_variables(bias)))

    def _new(self, programs: Sequence[Program], seen: set[tuple[Rule, ...]]) -> Iterator[Program]:
        """The programs in canonical form that were not seen yet, without those that have a literal too many."""
        for program in programs:
            found = self._interned(canonical(program, self._bias.head))
            known = len(seen)
            seen.add(found.rules)
            if len(seen) > known and (len(found.rules) == 1 or not redundant(found)):
                yield found

    def _interned(self, program: Program) -> Program:
        """The program made of literals that exist once: of rules there are very many, of literals few."""
        known = self._known_literals.setdefault
        return Program(
            tuple(
                Rule(head, tuple([known(literal, literal) for literal in body]))
                for head, body in program.rules
            )
        )


def _doubled(first: int, wanted: int) -> int:
    """The first number, doubled until it is as large as wanted."""
    while first < wanted:
        first *= 2
    return first


def _next(chunks: Iterator[list[Program]]) -> list[Program] | None:
    """The next programs, None at the end; MemoryUsedUp where clingo needs more than it may use."""
    with _within_memory():
        return next(chunks, None)


@contextmanager
def _within_memory() -> Iterator[None]:
    """What clingo says of memory inside, as the error that ends a search."""
    try:
        yield
    except (SpaceTooLarge, MemoryError) as large:
        raise MemoryUsedUp(str(large)) from None
