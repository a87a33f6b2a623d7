"""Programs of the space by size: models of an ASP program (asp_space.py).

A rule that comes under several numberings of its variables is recognised by its canonical form.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.search.asp_space import most_variables, programs_of_several, redundant, single_rules
from joiner_magic.search.constrain import ConsistentFragment, Constraint
from joiner_magic.search.source import Batch, Known
from joiner_magic.solvers.generation import Nogood
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.task.bias import Bias

# Nogoods of one size. More cost minutes to ground, and a space where there are so many is not exhausted anyway.
_MOST_NOGOODS = 20_000


class AspSource:
    """Fragments or legal rules, and programs of several rules if the bias allows for them."""

    name = "asp"

    def __init__(self, bias: Bias, *, splittable: bool = False, fragments: bool = True) -> None:
        """With `fragments` a single rule may leave variables of the head out, and rely on their being bound."""
        bias = replace(bias, max_vars=min(bias.max_vars, most_variables(bias)))
        self._bias = bias
        self._known_literals: dict[Literal, Literal] = {}
        self._answer_sets = [single_rules(bias, splittable=splittable, fragments=fragments)]
        self._several = (bias.enable_recursion or bias.enable_pi) and bias.max_clauses > 1
        if self._several:
            self._answer_sets.append(programs_of_several(bias))

    record = None  # programs are judged elsewhere

    @property
    def largest(self) -> int:
        return (self._bias.max_clauses if self._several else 1) * (1 + self._bias.max_body)

    def generate(self, size: int, stop: Stop = never) -> Generator[Batch, None, None]:
        for answer_sets in self._answer_sets:
            seen: set[tuple[Rule, ...]] = set()
            # Closed here and not when it is collected: clingo's search must not outlive an interrupt.
            with closing(answer_sets.programs(size, stop)) as chunks:
                for chunk in chunks:
                    if new := list(self._new(chunk, seen)):
                        yield Batch(new)

    def inform(self, known: Known) -> None:
        """Programs are not left out in the middle of a size: constraints come between sizes."""

    def constrain(self, constraints: Sequence[Constraint], stop: Stop = never) -> None:
        nogoods = [
            Nogood(
                constraint.program, constraint.missing if isinstance(constraint, ConsistentFragment) else ()
            )
            for constraint in constraints[:_MOST_NOGOODS]
        ]
        for answer_sets in self._answer_sets:
            answer_sets.forbid(nogoods, stop)

    def _new(self, programs: Sequence[Program], seen: set[tuple[Rule, ...]]) -> Iterator[Program]:
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
