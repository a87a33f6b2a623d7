"""Which arguments of a background predicate must be given, for the closure to mean what Prolog means.

A clause such as `head([H|_], H).` stands for infinitely many facts. Called with its first argument
given, it only takes that term apart, so it is enough to have its facts for all terms of the task. Called
the other way round it would build new terms. So each predicate gets the smallest set of *inputs*
with which every clause can be run without building a term or needing a value that nothing gives:

- an argument is an input when it is a pattern with variables, or a variable the body does not bind;
- a goal can run when its own inputs are bound; it then binds its other variables.

Goals run from left to right and never change places: what a negation or a comparison means in Prolog
depends on what is bound when it is reached. Inputs of callees make inputs of callers, so the sets grow
to a fixpoint over all clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from joiner_magic.engines.datalog.clauses import (
    GET_PROLOG,
    AssignmentGoal,
    CallGoal,
    ComparisonGoal,
    EqualityGoal,
    Goal,
    NormalClause,
)
from joiner_magic.errors import NeedsProlog
from joiner_magic.logic.terms import Compound, List, Predicate, Term, Variable, variables

Inputs = Mapping[Predicate, frozenset[int]]


def required_inputs(clauses: Iterable[NormalClause]) -> dict[Predicate, frozenset[int]]:
    """The inputs of every predicate that has clauses; predicates with facts alone have none."""
    clauses = list(clauses)
    inputs: dict[Predicate, frozenset[int]] = {c.predicate: frozenset() for c in clauses}
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            missing = missing_inputs(clause, inputs)
            if missing:
                inputs[clause.predicate] |= missing
                changed = True
    return inputs


def missing_inputs(clause: NormalClause, inputs: Inputs) -> frozenset[int]:
    """The head arguments that must be given besides those that are already known: found by going through the goals."""
    given = inputs.get(clause.predicate, frozenset())
    bound = {name for i in given for name in variables(clause.args[i])}
    for goal in clause.goals:
        if not _can_run(goal, bound, clause, inputs):
            return _inputs_to_run(clause, given, goal, bound, inputs)
        if not (isinstance(goal, CallGoal) and goal.negated):
            bound |= {name for term in goal_terms(goal) for name in variables(term)}
    outputs = {i: arg for i, arg in enumerate(clause.args) if i not in given}
    unbound = {i for i, arg in outputs.items() if not bound.issuperset(variables(arg))}
    patterns = {i for i, arg in outputs.items() if is_pattern(arg)}
    return _patterns_first(patterns, unbound)


def goal_terms(goal: Goal) -> tuple[Term, ...]:
    """All terms of a goal."""
    match goal:
        case CallGoal(args=args):
            return args
        case EqualityGoal(left=left, right=right) | ComparisonGoal(left=left, right=right):
            return (left, right)
        case AssignmentGoal(target=target, value=value):
            return (target, value)


def is_pattern(term: Term) -> bool:
    """A compound term or list with variables inside."""
    return isinstance(term, (Compound, List)) and bool(variables(term))


def local_variables(goal: Goal, clause: NormalClause) -> set[str]:
    """Variables that occur in this goal alone; under a negation they mean "for any value"."""
    elsewhere = {name for arg in clause.args for name in variables(arg)}
    for other in clause.goals:
        if other is not goal:
            elsewhere |= {name for term in goal_terms(other) for name in variables(term)}
    return {name for term in goal_terms(goal) for name in variables(term)} - elsewhere


def _can_run(goal: Goal, bound: set[str], clause: NormalClause, inputs: Inputs) -> bool:
    """Whether a goal can run when these variables are bound. Raises NeedsProlog if it would build new terms."""

    def is_known(term: Term) -> bool:
        return bound.issuperset(variables(term))

    match goal:
        case CallGoal(predicate=predicate, args=args):
            if goal.negated:
                _refuse_building(clause, args)
                local = local_variables(goal, clause)
                _refuse_any_input(clause, (args[i] for i in inputs.get(predicate, frozenset())), local)
                return all(is_known(arg) or set(variables(arg)) <= local for arg in args)
            given = [args[i] for i in inputs.get(predicate, frozenset())]
            if not all(map(is_known, given)):
                return False
            _refuse_building(clause, given)
            return True
        case EqualityGoal(left=left, right=right):
            if not goal.binds:
                _refuse_building(clause, (left, right))
                return is_known(left) and is_known(right)
            return _unifiable(clause, left, right, is_known)
        case ComparisonGoal(left=left, right=right):
            return is_known(left) and is_known(right)
        case AssignmentGoal(value=value):
            return is_known(value)


def _unifiable(clause: NormalClause, left: Term, right: Term, is_known: Callable[[Term], bool]) -> bool:
    """Whether `left = right` can run: one side is known, and no pattern would be filled in."""
    if is_pattern(left) and is_pattern(right):
        raise _refusal(clause, "unifies two patterns")
    pattern, other = (left, right) if is_pattern(left) else (right, left)
    if not is_known(other):
        if not is_known(pattern):
            return False
        _refuse_building(clause, (pattern,))
    return True


def _refuse_building(clause: NormalClause, terms: Iterable[Term]) -> None:
    if any(is_pattern(term) for term in terms):
        raise _refusal(clause, "builds new terms")


def _refuse_any_input(clause: NormalClause, given: Iterable[Term], local: set[str]) -> None:
    r"""Refuse `\+ warm(_)`, which is an error in Prolog, and `\+ tail(_, T)`, which is about lists that do not exist yet."""
    if any(not local.isdisjoint(variables(term)) for term in given):
        raise _refusal(clause, "negates a goal without a value that it must be given")


def _inputs_to_run(
    clause: NormalClause, given: frozenset[int], goal: Goal, bound: set[str], inputs: Inputs
) -> frozenset[int]:
    """The head arguments that would have to be given for the goal to run."""
    lacking = {name for term in _needs(goal, inputs) for name in variables(term)} - bound
    culprits = {i for i, arg in enumerate(clause.args) if i not in given and lacking & set(variables(arg))}
    if not culprits:
        names = ", ".join(sorted(name.strip() for name in lacking))
        raise _refusal(clause, f"needs a value for {names} that no goal before it gives")
    if isinstance(goal, EqualityGoal) and goal.binds:
        culprits = {min(culprits)}  # one side gives the other its value
    return _patterns_first({i for i in culprits if is_pattern(clause.args[i])}, culprits)


def _needs(goal: Goal, inputs: Inputs) -> tuple[Term, ...]:
    """The terms that must be known before a goal can run."""
    match goal:
        case CallGoal(predicate=predicate, args=args, negated=False):
            return tuple(args[i] for i in inputs.get(predicate, frozenset()))
        case AssignmentGoal(value=value):
            return (value,)
        case _:
            return goal_terms(goal)


def _patterns_first(patterns: set[int], others: set[int]) -> frozenset[int]:
    """The patterns if there are any, since taking them apart may bind the other arguments; otherwise those."""
    return frozenset(patterns or others)


def _refusal(clause: NormalClause, why: str) -> NeedsProlog:
    return NeedsProlog(f"this clause {why}", place=clause.place, remedy=GET_PROLOG)


def input_variables(clause: NormalClause, inputs: Inputs) -> set[str]:
    """Variables whose values come from the caller."""
    given = inputs.get(clause.predicate, frozenset())
    return {name for i in given for name in variables(clause.args[i])}


def fallible_predicates(clauses: Iterable[NormalClause], inputs: Inputs) -> frozenset[Predicate]:
    """Predicates in which arithmetic meets values that the caller gives, directly or in what they call."""
    clauses = list(clauses)
    found: set[Predicate] = set()
    while True:
        new = {c.predicate for c in clauses if _may_fail(c, inputs, found)} - found
        if not new:
            return frozenset(found)
        found |= new


def _may_fail(clause: NormalClause, inputs: Inputs, fallible: set[Predicate]) -> bool:
    mine = input_variables(clause, inputs)
    for goal in clause.goals:
        match goal:
            case CallGoal(predicate=predicate, args=args):
                met = []
                if predicate in fallible:
                    met = [args[i] for i in inputs.get(predicate, frozenset())]
            case ComparisonGoal() | AssignmentGoal():
                met = list(_arithmetic_terms(goal))
            case EqualityGoal():
                met = []
        if any(not mine.isdisjoint(variables(term)) for term in met):
            return True
    return False


def _arithmetic_terms(goal: ComparisonGoal | AssignmentGoal) -> tuple[Term, ...]:
    """The terms of a goal that are calculated."""
    if isinstance(goal, ComparisonGoal):
        return (goal.left, goal.right)
    return (goal.value,)


def plain_inputs(clause: NormalClause, inputs: Inputs) -> list[str]:
    """Input arguments that are plain variables: unless the body binds them they range over all terms."""
    args = (clause.args[i] for i in sorted(inputs.get(clause.predicate, frozenset())))
    return list(dict.fromkeys(arg.name for arg in args if isinstance(arg, Variable)))
