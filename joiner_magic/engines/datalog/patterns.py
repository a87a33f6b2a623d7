"""Facts with a pattern, such as `tail([_|T],T).`, which the native core turns into ground facts.

Tasks about lists consist of such facts, and lists have very many cells: sending them through clingo would take a
hundred times as long.
"""

from __future__ import annotations

from joiner_magic._core import Store
from joiner_magic.engines.datalog.clauses import NormalClause
from joiner_magic.engines.datalog.required_inputs import goal_terms, is_pattern
from joiner_magic.engines.datalog.translate import LIST
from joiner_magic.logic.programs import Argument, Literal
from joiner_magic.logic.terms import Compound, List, Term, Variable, is_ground, subterms


def intern_constants(clauses: tuple[NormalClause, ...], store: Store) -> None:
    """Add the ground terms of the clauses to the store, so that patterns are matched with them too."""
    for clause in clauses:
        for term in (*clause.args, *(term for goal in clause.goals for term in goal_terms(goal))):
            for part in subterms(term):
                if isinstance(part, (Compound, List)) and is_ground(part):
                    store.intern(part)


def project_patterns(clauses: tuple[NormalClause, ...], store: Store) -> tuple[NormalClause, ...]:
    """Let the core compute the facts of predicates that only take one term apart. The other clauses are returned."""
    patterns = {clause: projection(clause) for clause in clauses}
    needs_clingo = {clause.predicate for clause, found in patterns.items() if found is None}
    for clause, found in patterns.items():
        if found is not None and clause.predicate not in needs_clingo:
            store.project(*found)
    return tuple(clause for clause in clauses if clause.predicate in needs_clingo)


def projection(clause: NormalClause) -> tuple[Literal, Literal] | None:
    """Head and pattern of a fact with one pattern, one level deep, that binds all variables; None for other clauses."""
    shapes = [arg for arg in clause.args if is_pattern(arg)]
    if clause.goals or len(shapes) != 1:
        return None
    functor, parts = one_level(shapes[0])
    numbers: dict[str, int] = {}
    pattern: list[Argument] = []
    for part in parts:
        if is_pattern(part):
            return None
        if isinstance(part, Variable):
            pattern.append(numbers.setdefault(part.name, len(numbers) + 1))
        else:
            pattern.append(part)
    head: list[Argument] = []
    for arg in clause.args:
        if arg is shapes[0]:
            head.append(0)
        elif not isinstance(arg, Variable):
            head.append(arg)
        elif arg.name in numbers:
            head.append(numbers[arg.name])
        else:
            return None
    return Literal(clause.predicate.name, tuple(head)), Literal(functor, tuple(pattern))


def one_level(shape: Term) -> tuple[str, tuple[Term, ...]]:
    """Functor and arguments of a compound; of a list, its first cell."""
    if isinstance(shape, List):
        first, *others = shape.items
        rest = List(tuple(others), shape.tail) if others else shape.tail
        return LIST[0], (first, rest)
    assert isinstance(shape, Compound)
    return shape.functor, shape.args
