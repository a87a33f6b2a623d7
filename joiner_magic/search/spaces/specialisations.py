"""Specialisations of a program that the hypothesis space has, whether a run has made them or not.

They are asked of the ASP programs that the space is defined by, so types, directions and users' constraints hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from itertools import permutations
from random import Random

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Program
from joiner_magic.logic.terms import Predicate
from joiner_magic.search.spaces.asp_space import (
    most_variables,
    numbers_matter,
    programs_of_several,
    redundant,
    single_rules,
)
from joiner_magic.solvers.generation import Programs, SpaceTooLarge
from joiner_magic.task.bias import Bias

_MOST_ADDED = 3  # literals, in a sample
_MOST_OF_A_SIZE = 2_000  # that a sample is drawn from
_MOST_IMMEDIATE = 5_000


class SpecialisationSpace:
    """Not for several threads at once."""

    def __init__(self, bias: Bias, *, splittable: bool = False, fragments: bool = True) -> None:
        """The same space in which the run searches, whatever made its programs."""
        self.head: Predicate = bias.head
        self._numbers_matter = numbers_matter(
            bias
        )  # then a specialisation may be allowed in another numbering only
        self._bias = replace(bias, max_vars=min(bias.max_vars, most_variables(bias)))
        self._splittable = splittable
        self._fragments = fragments

    def immediate(self, program: Program) -> list[Program] | None:
        """Those with one literal more, in canonical form, each once; None if they are too many, or some were missed."""
        if self._numbers_matter:
            return None
        found, complete = self._larger(program, 1, _MOST_IMMEDIATE)
        return found if complete else None

    def sample(
        self, program: Program, how_many: int, seed: int, wanted: Callable[[Program], bool]
    ) -> list[Program]:
        """Up to so many with a few literals more, in canonical form, each once. The same for the same seed."""
        found = [
            special
            for added in range(1, _MOST_ADDED + 1)
            for special in self._larger(program, added, _MOST_OF_A_SIZE)[0]
            if wanted(special)
        ]
        random = Random(seed)  # noqa: S311 (a sample, no secret)
        return random.sample(found, min(how_many, len(found)))

    def _larger(self, program: Program, added: int, most: int) -> tuple[list[Program], bool]:
        """With so many literals more in its rules, and whether these are all."""
        found: dict[Program, None] = {}
        complete = True
        for rules in permutations(program.rules):
            try:
                space = self._several if len(program.rules) > 1 else self._single
                larger = space.holding(Program(rules), program.size + added, most)
            except SpaceTooLarge:  # then nothing is known of them
                return [], False
            complete = complete and len(larger) < most
            for special in larger:
                if len(special.rules) == len(rules) and not (len(rules) > 1 and redundant(special)):
                    found[canonical(special, self.head)] = None
        return list(found), complete

    @cached_property
    def _single(self) -> Programs:
        """The programs of one rule."""
        return single_rules(
            self._bias, splittable=self._splittable, fragments=self._fragments, any_numbers=True
        )

    @cached_property
    def _several(self) -> Programs:
        """The programs of several rules, which are recursive or define predicates of their own."""
        return programs_of_several(self._bias, any_numbers=True)
