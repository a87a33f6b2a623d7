"""Directions: whether the literals of a body can be run one after another, and in which order.

An `in` argument must be bound before its literal runs, and a literal that has run binds all its
variables. Nothing is ever unbound again, so running whatever can be run is the best strategy:
if it gets stuck, every order does.

A fragment may rely on a head variable that another fragment of the conjunction binds. What matters
of it is therefore how it fares for every set of head variables that are still unbound: `demands`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from joiner_magic.errors import TaskError
from joiner_magic.logic.programs import Literal, Program, Rule
from joiner_magic.logic.terms import Predicate
from joiner_magic.task.bias import Bias

_MOST_OUTPUTS = 10  # of the head: what a fragment needs is asked for each set of them


class Modes:
    """The directions of a bias, asked of rules."""

    def __init__(self, bias: Bias) -> None:
        """Raises TaskError for a head with more outputs than can be searched for."""
        self._head = bias.head
        self._inputs: dict[Predicate, tuple[int, ...]] = {
            predicate: places
            for predicate, directions in bias.directions.items()
            if (places := tuple(i for i, direction in enumerate(directions) if direction == "in"))
        }
        outputs = [i for i, d in enumerate(bias.directions.get(bias.head, ())) if d == "out"]
        if len(outputs) > _MOST_OUTPUTS:
            raise TaskError(
                f"{bias.head} has {len(outputs)} outputs, and at most {_MOST_OUTPUTS} can be searched for",
                place=bias.place("direction", bias.head),
                remedy="make some of them in, or leave the direction of the head out",
            )
        # Ordered, so that the number of a demand means the same set of variables everywhere.
        self.unbound = [
            frozenset(chosen)
            for length in range(1, len(outputs) + 1)
            for chosen in combinations(outputs, length)
        ]

    @property
    def demands(self) -> int:
        """How many sets of head variables may be unbound at some point."""
        return len(self.unbound)

    def profile(self, program: Program) -> tuple[int, int]:
        """For which demands the program makes progress, and for which it gets stuck, as bitsets.

        A program of several rules, called in a conjunction, needs the head's inputs only and
        binds all the rest.
        """
        if not self.unbound:
            return 0, 0
        if len(program.rules) > 1:
            return (1 << len(self.unbound)) - 1, 0
        progress = stuck = 0
        (rule,) = program.rules
        for number, unbound in enumerate(self.unbound):
            bound = {variable for variable in range(self._head.arity) if variable not in unbound}
            _, rest = self._run(rule.body, bound)
            progress |= (not unbound.isdisjoint(bound)) << number
            stuck |= bool(rest) << number
        return progress, stuck

    def stands_alone(self, rule: Rule) -> bool:
        """Whether the rule can be run with only the head's inputs bound."""
        return not self.unbound or self.in_order(rule) is not None

    def in_order(self, rule: Rule) -> Rule | None:
        """The rule with its body in an order in which it can be run; None if there is none."""
        directions = self.unbound[-1] if self.unbound and rule.head.predicate == self._head else ()
        bound = {arg for i, arg in enumerate(rule.head.args) if isinstance(arg, int) and i not in directions}
        done, rest = self._run(rule.body, bound)
        if rest:
            return None
        return Rule(rule.head, tuple(done))

    def program_in_order(self, program: Program) -> Program:
        """The program as it is run when its head is called with values for all variables, as examples are.

        A rule that can be run with the head's inputs alone has the order in which it will be written. Another one is a
        fragment: it relies on outputs of the head.
        """
        return Program(tuple(self.in_order(rule) or self._fragment_in_order(rule) for rule in program.rules))

    def _fragment_in_order(self, rule: Rule) -> Rule:
        """The rule in an order in which it can be run if all head variables are bound; as it is if there is none."""
        done, rest = self._run(rule.body, {arg for arg in rule.head.args if isinstance(arg, int)})
        return Rule(rule.head, (*done, *rest))

    def merged_in_order(self, program: Program) -> Program:
        """The same for the head's rules alone: those of renamed predicates are in order already."""
        return Program(
            tuple(
                (rule.head.predicate == self._head and self.in_order(rule)) or rule for rule in program.rules
            )
        )

    def _run(self, body: Sequence[Literal], bound: set[int]) -> tuple[list[Literal], list[Literal]]:
        """The literals that can be run, in order, and the rest. `bound` grows with what they bind.

        Of those that can be run, the one with the fewest unbound variables goes first: tests
        before generators, and what is connected before what is not.
        """
        done: list[Literal] = []
        rest = list(body)
        while rest:
            ready = [literal for literal in rest if self._is_ready(literal, bound)]
            if not ready:
                break
            literal = min(ready, key=lambda literal: _unbound_variables(literal, bound))
            rest.remove(literal)
            done.append(literal)
            bound.update(arg for arg in literal.args if isinstance(arg, int))
        return done, rest

    def _is_ready(self, literal: Literal, bound: Collection[int]) -> bool:
        """Whether all inputs of the literal are bound, so that it can be run."""
        args = literal.args
        for place in self._inputs.get(Predicate(literal.name, len(args)), ()):
            arg = args[place]
            if isinstance(arg, int) and arg not in bound:
                return False
        return True


def _unbound_variables(literal: Literal, bound: Collection[int]) -> tuple[bool, int]:
    """How many variables a literal would have to bind, and before that whether it has bound ones at all: the least comes first."""
    unbound = sum(1 for arg in literal.args if isinstance(arg, int) and arg not in bound)
    # A literal over unbound variables alone is connected to nothing yet.
    return bool(literal.args) and unbound == len(literal.args), unbound
