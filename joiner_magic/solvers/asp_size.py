"""How large the grounding of an ASP program can become, computed from its statements alone.

A rule has at most as many instances as there are choices of an atom for each positive literal of its body and of a
value for each interval and each pool, and a predicate has at most as many atoms as its rules have instances. The bound
is generous, because literals that share variables have fewer choices. A recursive predicate has no bound here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from joiner_magic.logic.terms import Predicate
from joiner_magic.solvers.asp_statements import Statement

_MOST = 1e18  # beyond it all numbers are the same to us


class Sizes:
    """Upper bounds on the instances of a program's statements.

    `given` has the number of atoms that a predicate gets from other programs.
    """

    def __init__(
        self, statements: Sequence[Statement], given: Mapping[Predicate, float] | None = None
    ) -> None:
        self._statements = statements
        self._given = given or {}
        self._definitions: dict[Predicate, list[Statement]] = {}
        for statement in statements:
            for head in statement.heads:
                self._definitions.setdefault(head, []).append(statement)
        self._known: dict[Predicate, float] = {}

    def of(self, selection: Iterable[int]) -> float:
        """An upper bound on the instances of these statements together."""
        return sum(self.of_statement(index) for index in selection)

    def of_statement(self, index: int) -> float:
        """An upper bound on the instances of one statement."""
        statement = self._statements[index]
        self._settle(_sources(statement))
        return self._instances(statement)

    def _settle(self, wanted: Iterable[Predicate]) -> None:
        """Compute bounds for these predicates, and before that for those that they are defined by.

        It uses a stack instead of recursion, since chains of definitions may be long.
        """
        todo = [(predicate, False) for predicate in wanted if predicate not in self._known]
        begun: set[Predicate] = set()
        while todo:
            predicate, ready = todo.pop()
            if ready:
                begun.discard(predicate)
                own = sum(map(self._instances, self._definitions.get(predicate, ())))
                # A recursive predicate was found to have no bound in the meantime.
                before = self._known.get(predicate, 0.0)
                self._known[predicate] = max(before, self._given.get(predicate, 0.0) + own)
            elif predicate in begun:
                self._known[predicate] = math.inf
            elif predicate not in self._known:
                begun.add(predicate)
                todo.append((predicate, True))
                for statement in self._definitions.get(predicate, ()):
                    todo.extend((source, False) for source in _sources(statement))

    def _instances(self, statement: Statement) -> float:
        """An upper bound on the instances of a statement, from what is known of the predicates in its body."""
        instances = statement.choices
        for alternatives in statement.sources:
            atoms = sum(self._known.get(predicate, 0.0) for predicate in alternatives)
            instances *= max(1.0, atoms)
        if instances == math.inf:
            return instances
        return min(instances, _MOST)


def _sources(statement: Statement) -> list[Predicate]:
    """The predicates whose atoms decide how many instances the statement has."""
    return [predicate for alternatives in statement.sources for predicate in alternatives]
