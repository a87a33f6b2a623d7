"""The background knowledge as ground facts in the native store.

Facts go straight from the reader to the store. Only rules that the bias's body predicates can
reach are closed: simple patterns by the core, everything else by clingo, together with the facts
it uses.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from joiner_magic._core import Store
from joiner_magic.engines.datalog.clauses import GET_PROLOG, Assign, Call, NormalClause, Normaliser
from joiner_magic.engines.datalog.modes import Inputs, plain_inputs, required_inputs
from joiner_magic.engines.datalog.patterns import intern_constants, project_patterns
from joiner_magic.engines.datalog.translate import Translation
from joiner_magic.errors import NeedsProlog
from joiner_magic.logic.terms import Predicate, Variable
from joiner_magic.solvers.grounding import Atoms, GroundingStopped, ground, ground_apart
from joiner_magic.task.background import Background

MOST_ARGUMENTS = 32
MOST_INSTANCES = 2_000_000  # of one clause whose variables range over all terms
QUICK = 300_000  # estimated instances up to which the grounding may run in this process
PATIENCE = 30.0  # seconds for a grounding in a process of its own


@dataclass(frozen=True, slots=True)
class Closure:
    """What was closed: predicates with rules, and the arguments each must be given."""

    clauses: tuple[NormalClause, ...]
    inputs: Inputs

    @property
    def predicates(self) -> frozenset[Predicate]:
        return frozenset(clause.predicate for clause in self.clauses)


def close_background(
    background: Background,
    wanted: Iterable[Predicate],
    directions: Mapping[Predicate, tuple[str, ...]],
    store: Store,
) -> Closure:
    """Fill the store with all facts, and with what the rules behind `wanted` imply.

    Raises NeedsProlog, naming the clause, when the embedded engine cannot take the rules.
    """
    clauses = reachable_clauses(background, wanted)
    load_facts(background, {clause.predicate for clause in clauses}, store)
    closure = Closure(clauses, required_inputs(clauses))
    if not clauses:
        return closure
    refuse_outputs(closure, directions)
    refuse_unstratified(clauses)
    intern_constants(clauses, store)
    rest = Closure(project_patterns(clauses, store), closure.inputs)
    if rest.clauses:
        translation = Translation(store)
        for clause in rest.clauses:
            translation.add(clause, rest.inputs)
        add_rows(store, translation, run(translation, rest))
    return closure


def load_facts(background: Background, closed: Container[Predicate], store: Store) -> None:
    """All facts, but of predicates whose rules are not closed: half of a predicate would be a wrong one."""

    def is_whole(predicate: Predicate) -> bool:
        return predicate in closed or not background.predicates[predicate].rules

    for source in background.sources:
        facts = [
            p for p, d in source.predicates.items() if d.facts and p.arity <= MOST_ARGUMENTS and is_whole(p)
        ]
        store.load(source.reading, facts)


def reachable_clauses(background: Background, wanted: Iterable[Predicate]) -> tuple[NormalClause, ...]:
    """The rules behind the wanted predicates, directly or through the predicates they call."""
    normaliser = Normaliser(frozenset(background.predicates))
    queue = list(dict.fromkeys(wanted))
    seen = set(queue)
    found: list[NormalClause] = []
    while queue:
        relation = background.predicates.get(queue.pop(0))
        for ref in relation.rules if relation else ():
            for clause in normaliser.normalise(ref):
                found.append(clause)
                for goal in clause.goals:
                    if isinstance(goal, Call) and goal.predicate not in seen:
                        seen.add(goal.predicate)
                        queue.append(goal.predicate)
    too_wide = next((c for c in found if c.predicate.arity > MOST_ARGUMENTS), None)
    if too_wide:
        why = f"this clause has more than {MOST_ARGUMENTS} arguments"
        raise NeedsProlog(why, place=too_wide.place, remedy=GET_PROLOG)
    return tuple(found)


def refuse_outputs(closure: Closure, directions: Mapping[Predicate, tuple[str, ...]]) -> None:
    """An argument the closure must be given cannot be an output of the hypothesis's literals."""
    for clause in closure.clauses:
        modes = directions.get(clause.predicate)
        wrong = [i for i in sorted(closure.inputs[clause.predicate]) if modes and modes[i] == "out"]
        if wrong:
            why = f"would build new terms for argument {wrong[0] + 1} of {clause.predicate}"
            raise NeedsProlog(f"this clause {why}", place=clause.place, remedy=GET_PROLOG)


def refuse_unstratified(clauses: tuple[NormalClause, ...]) -> None:
    reach = reachability(clauses)
    for clause in clauses:
        for goal in clause.goals:
            if isinstance(goal, Call) and goal.negated and clause.predicate in reach.get(goal.predicate, ()):
                why = f"negates {goal.predicate}, which depends on {clause.predicate} itself"
                raise NeedsProlog(
                    f"this clause {why}", place=clause.place, remedy="rewrite it without that loop"
                )


def reachability(clauses: tuple[NormalClause, ...]) -> dict[Predicate, set[Predicate]]:
    """For each predicate with rules, those it calls, directly or through others."""
    reach: dict[Predicate, set[Predicate]] = {clause.predicate: set() for clause in clauses}
    for clause in clauses:
        calls = {goal.predicate for goal in clause.goals if isinstance(goal, Call)}
        reach[clause.predicate] |= calls & reach.keys()
    for middle in reach:
        for reached in reach.values():
            if middle in reached:
                reached |= reach[middle]
    return reach


def calculates_in_recursion(clauses: tuple[NormalClause, ...]) -> bool:
    reach = reachability(clauses)
    return any(
        isinstance(goal, Assign) and clause.predicate in reach[clause.predicate]
        for clause in clauses
        for goal in clause.goals
    )


def run(translation: Translation, closure: Closure) -> Atoms:
    """Ground the translated rules with the facts they need."""
    store = translation.store
    refuse_endless_numbers(closure, translation)
    parts = [store.asp_facts(p.name, p.arity, name) for p, name in translation.names.items()]
    parts += [store.asp_terms(f, n, name) for (f, n), name in translation.structures.items()]
    if translation.ranges:
        parts += [store.asp_universe("u"), "ui(X) :- u(X), X < a.", *numbers_made(closure, translation)]
    parts += translation.lines
    names = {translation.names[p]: p.arity for p in closure.predicates if p in translation.names}
    wanted = {**names, "bad": 1}
    program = "\n".join(parts)
    if not calculates_in_recursion(closure.clauses) and estimate(closure, store) <= QUICK:
        return refuse_bad(translation, ground(program, wanted))
    try:
        return refuse_bad(translation, ground_apart(program, wanted, PATIENCE))
    except GroundingStopped as stopped:
        place = max(closure.clauses, key=lambda c: len(c.goals)).place
        raise NeedsProlog(
            f"closing the rules into facts {stopped}", place=place, remedy=GET_PROLOG
        ) from stopped


def estimate(closure: Closure, store: Store) -> float:
    """A generous guess at how many instances the rules have, to decide where to ground them."""
    terms = float(store.terms())
    sizes = {p: terms ** min(p.arity, 3) for p in closure.predicates}
    total = 0.0
    for clause in closure.clauses:
        instances = terms ** len(unbound_inputs(clause, closure.inputs))
        for goal in clause.goals:
            if isinstance(goal, Call) and not goal.negated:
                p = goal.predicate
                instances *= max(1.0, sizes.get(p, float(store.count(p.name, p.arity))))
        total += instances
    return total


def unbound_inputs(clause: NormalClause, inputs: Inputs) -> list[str]:
    """Inputs whose values come from no fact: they range over all terms, here or in what is called."""
    bound = {
        arg.name
        for goal in clause.goals
        if isinstance(goal, Call) and not goal.negated
        for i, arg in enumerate(goal.args)
        if isinstance(arg, Variable) and i not in inputs.get(goal.predicate, ())
    }
    return [name for name in plain_inputs(clause, inputs) if name not in bound]


def refuse_endless_numbers(closure: Closure, translation: Translation) -> None:
    """`B is A + 1` for any A gives a new B, which is an A again: that never ends."""
    terms = translation.store.terms()
    for clause in closure.clauses:
        ranging = unbound_inputs(clause, closure.inputs)
        makes_numbers = any(isinstance(g, Assign) and isinstance(g.target, Variable) for g in clause.goals)
        why = ""
        if ranging and makes_numbers:
            why = "makes a new number from any number"
        elif terms ** len(ranging) > MOST_INSTANCES:
            why = f"stands for {terms ** len(ranging):,} facts, one for each choice of {', '.join(ranging)}"
        if why:
            raise NeedsProlog(f"this clause {why}", place=clause.place, remedy=GET_PROLOG)


def numbers_made(closure: Closure, translation: Translation) -> list[str]:
    """Numbers that rules calculate are terms too: what ranges over all terms must see them."""
    lines = []
    for predicate in sorted(
        {c.predicate for c in closure.clauses if any(isinstance(g, Assign) for g in c.goals)}
    ):
        args = [f"X{i}" for i in range(predicate.arity)]
        atom = f"{translation.name(predicate)}({','.join(args)})"
        lines += [f"u({arg}) :- {atom}." for arg in args]
    return lines


def refuse_bad(translation: Translation, atoms: Atoms) -> Atoms:
    bad = sorted(int(atom.removeprefix("bad(").removesuffix(")")) for atom in atoms["bad"].split())
    if bad:
        raise translation.guards[bad[0]]
    return atoms


def add_rows(store: Store, translation: Translation, atoms: Atoms) -> None:
    for predicate, name in translation.names.items():
        store.add_asp(predicate.name, predicate.arity, atoms.get(name, ""))
