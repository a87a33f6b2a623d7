"""The background knowledge as ground facts in the native store.

Facts go straight from the reader to the store. Only rules that the bias's body predicates can
reach are closed: simple patterns by the core, everything else by clingo, together with the facts
it uses.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from joiner_magic._core import Stopped, Store
from joiner_magic.engines.datalog.clauses import (
    GET_PROLOG,
    AssignmentGoal,
    CallGoal,
    NormalClause,
    Normaliser,
)
from joiner_magic.engines.datalog.patterns import intern_constants, project_patterns
from joiner_magic.engines.datalog.required_inputs import Inputs, plain_inputs, required_inputs
from joiner_magic.engines.datalog.translate import translate
from joiner_magic.engines.datalog.translation import NotNative, Translation
from joiner_magic.errors import NeedsProlog
from joiner_magic.logic.terms import Float, Integer, Predicate, Variable
from joiner_magic.solvers.clingo_arithmetic import read_number
from joiner_magic.solvers.grounding import (
    MEMORY,
    REFUSED,
    UNDECIDED,
    Atoms,
    GroundingStopped,
    ground,
    ground_in_child,
)
from joiner_magic.solvers.interrupt import Interrupted, Stop, never, stoppable
from joiner_magic.task.background import Background

MOST_ARGUMENTS = 63
NEW_NUMBER = re.compile(r'n\("([^"]*)"\)')  # one that neither clingo nor the store knows
MOST_INSTANCES = 2_000_000  # of one clause whose variables range over all terms
QUICK = 300_000  # estimated instances up to which the grounding may run in this process
QUICK_EXACT = 30_000  # the same where arithmetic is done in Python
PATIENCE = 30.0  # seconds for a grounding in a process of its own


@dataclass(frozen=True, slots=True)
class Closure:
    """The rules that are closed into facts, and for each predicate the arguments that must be given."""

    clauses: tuple[NormalClause, ...]
    inputs: Inputs

    @property
    def predicates(self) -> frozenset[Predicate]:
        """The predicates that have such rules."""
        return frozenset(clause.predicate for clause in self.clauses)


def close_background(
    background: Background,
    wanted: Iterable[Predicate],
    directions: Mapping[Predicate, tuple[str, ...]],
    store: Store,
    stop: Stop = never,
    memory: int = MEMORY,
) -> Closure:
    """Fill the store with all facts, and with what the rules behind `wanted` imply.

    Raises NeedsProlog, naming the clause, when the embedded engine cannot take the rules, and Interrupted when
    `stop` returns True.
    """
    clauses = reachable_clauses(background, wanted, stop)
    load_facts(background, {clause.predicate for clause in clauses}, store, stop)
    closure = Closure(clauses, required_inputs(clauses))
    if not clauses:
        return closure
    refuse_outputs(closure, directions)
    refuse_unstratified(clauses)
    intern_constants(clauses, store)
    rest = Closure(project_patterns(clauses, store), closure.inputs)
    if rest.clauses:
        close_rules(rest, store, stop, min(memory, MEMORY))
    return closure


def close_rules(closure: Closure, store: Store, stop: Stop = never, memory: int = MEMORY) -> None:
    """Add the facts that the rules imply, by clingo's own arithmetic if that is right, otherwise by exact arithmetic."""
    refuse_endless_numbers(closure, store)
    try:
        translation = translate(closure.clauses, closure.inputs, store, exact=False)
        add_rows(store, translation, ground_translation(translation, closure, stop, memory))
    except NotNative:
        translation = translate(closure.clauses, closure.inputs, store, exact=True)
        add_rows(store, translation, ground_translation(translation, closure, stop, memory))


def load_facts(
    background: Background, closed: Container[Predicate], store: Store, stop: Stop = never
) -> None:
    """Add all facts to the store, except those of predicates whose rules are not closed.

    Such a predicate would have only some of its facts, and programs that call it would mean something else.
    """

    def is_whole(predicate: Predicate) -> bool:
        return predicate in closed or not background.predicates[predicate].rules

    for source in background.sources:
        facts = [
            predicate
            for predicate, definition in source.predicates.items()
            if definition.facts and predicate.arity <= MOST_ARGUMENTS and is_whole(predicate)
        ]
        try:
            store.load(source.reading, facts, stop)
        except Stopped:
            raise Interrupted from None


def reachable_clauses(
    background: Background, wanted: Iterable[Predicate], stop: Stop = never
) -> tuple[NormalClause, ...]:
    """The rules of the wanted predicates, and of all predicates that these call, directly or through others."""
    normaliser = Normaliser(frozenset(background.predicates))
    queue = list(dict.fromkeys(wanted))
    seen = set(queue)
    found: list[NormalClause] = []
    while queue:
        relation = background.predicates.get(queue.pop(0))
        for ref in stoppable(relation.rules, stop) if relation else ():
            for clause in normaliser.normalise(ref):
                found.append(clause)
                for goal in clause.goals:
                    if isinstance(goal, CallGoal) and goal.predicate not in seen:
                        seen.add(goal.predicate)
                        queue.append(goal.predicate)
    too_wide = next((c for c in found if c.predicate.arity > MOST_ARGUMENTS), None)
    if too_wide:
        why = f"this clause has more than {MOST_ARGUMENTS} arguments"
        raise NeedsProlog(why, place=too_wide.place, remedy=GET_PROLOG)
    return tuple(found)


def refuse_outputs(closure: Closure, directions: Mapping[Predicate, tuple[str, ...]]) -> None:
    """Raise NeedsProlog if an argument that must be given is an output by the bias's directions."""
    for clause in closure.clauses:
        modes = directions.get(clause.predicate)
        wrong = [i for i in sorted(closure.inputs[clause.predicate]) if modes and modes[i] == "out"]
        if wrong:
            why = f"would build new terms for argument {wrong[0] + 1} of {clause.predicate}"
            raise NeedsProlog(f"this clause {why}", place=clause.place, remedy=GET_PROLOG)


def refuse_unstratified(clauses: tuple[NormalClause, ...]) -> None:
    """Raise NeedsProlog if a predicate depends on its own negation."""
    reach = reachability(clauses)
    for clause in clauses:
        for goal in clause.goals:
            if (
                isinstance(goal, CallGoal)
                and goal.negated
                and clause.predicate in reach.get(goal.predicate, ())
            ):
                why = f"negates {goal.predicate}, which depends on {clause.predicate} itself"
                raise NeedsProlog(
                    f"this clause {why}", place=clause.place, remedy="rewrite it without that loop"
                )


def reachability(clauses: tuple[NormalClause, ...]) -> dict[Predicate, set[Predicate]]:
    """For each predicate with rules, those it calls, directly or through others."""
    reach: dict[Predicate, set[Predicate]] = {clause.predicate: set() for clause in clauses}
    for clause in clauses:
        calls = {goal.predicate for goal in clause.goals if isinstance(goal, CallGoal)}
        reach[clause.predicate] |= calls & reach.keys()
    for middle in reach:
        for reached in reach.values():
            if middle in reached:
                reached |= reach[middle]
    return reach


def calculates_in_recursion(clauses: tuple[NormalClause, ...]) -> bool:
    """Whether a recursive predicate calculates numbers, so that there may be no end of them."""
    reach = reachability(clauses)
    return any(
        isinstance(goal, AssignmentGoal) and clause.predicate in reach[clause.predicate]
        for clause in clauses
        for goal in clause.goals
    )


def ground_translation(
    translation: Translation, closure: Closure, stop: Stop = never, memory: int = MEMORY
) -> Atoms:
    """Ground the translated rules with the facts they need; NotNative if they need exact arithmetic."""
    store = translation.store
    parts = [store.asp_facts(p.name, p.arity, name) for p, name in translation.names.items()]
    parts += [store.asp_terms(f, n, name) for (f, n), name in translation.structures.items()]
    parts += [*translation.universe(), *translation.lines]
    names = {translation.names[p]: p.arity for p in closure.predicates if p in translation.names}
    wanted = {**names, "bad": 1}
    program = "\n".join(parts)
    calculation = translation.calculation()
    quick = QUICK_EXACT if calculation else QUICK
    if not calculates_in_recursion(closure.clauses) and estimate(closure, store) <= quick:
        return refuse_bad(translation, closure, ground(program, wanted, calculation))
    try:
        atoms = ground_in_child(program, wanted, PATIENCE, stop, memory, calculation)
        return refuse_bad(translation, closure, atoms)
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
            if isinstance(goal, CallGoal) and not goal.negated:
                p = goal.predicate
                instances *= max(1.0, sizes.get(p, float(store.count(p.name, p.arity))))
        total += instances
    return total


def unbound_inputs(clause: NormalClause, inputs: Inputs) -> list[str]:
    """Arguments that must be given and that no fact gives a value: they range over all terms."""
    bound = {
        arg.name
        for goal in clause.goals
        if isinstance(goal, CallGoal) and not goal.negated
        for i, arg in enumerate(goal.args)
        if isinstance(arg, Variable) and i not in inputs.get(goal.predicate, ())
    }
    return [name for name in plain_inputs(clause, inputs) if name not in bound]


def refuse_endless_numbers(closure: Closure, store: Store) -> None:
    """Raise NeedsProlog for a clause that stands for endlessly many facts, or for too many.

    For instance `B is A + 1` for any A gives a new B, which is an A again.
    """
    terms = store.terms()
    for clause in closure.clauses:
        ranging = unbound_inputs(clause, closure.inputs)
        makes_numbers = any(
            isinstance(g, AssignmentGoal) and isinstance(g.target, Variable) for g in clause.goals
        )
        why = ""
        if ranging and makes_numbers:
            why = "makes a new number from any number"
        elif terms ** len(ranging) > MOST_INSTANCES:
            why = f"stands for {terms ** len(ranging):,} facts, one for each choice of {', '.join(ranging)}"
        if why:
            raise NeedsProlog(f"this clause {why}", place=clause.place, remedy=GET_PROLOG)


def refuse_bad(translation: Translation, closure: Closure, atoms: Atoms) -> Atoms:
    """The atoms, if none of them says that something went wrong; otherwise NotNative or NeedsProlog is raised."""
    bad = sorted(int(atom.removeprefix("bad(").removesuffix(")")) for atom in atoms["bad"].split())
    guards = [translation.guards[number] for number in bad]
    if any(guard.exactly for guard in guards):
        raise NotNative
    if guards:
        raise guards[0].refusal
    if open_ := [p for p, name in translation.names.items() if name in atoms.get(UNDECIDED, "").split()]:
        raise unstratified_error(closure, open_[0])
    if refused := atoms.get(REFUSED, "").split():
        raise translation.refusals[int(refused[0])]
    return atoms


def unstratified_error(closure: Closure, predicate: Predicate) -> NeedsProlog:
    """The error for a predicate with atoms that may hold or not.

    That happens where a negation ranges over all terms, and the numbers that depend on it are terms again.
    """
    clause = next(clause for clause in closure.clauses if clause.predicate == predicate)
    why = "this clause depends on a negation over numbers that it calculates itself"
    return NeedsProlog(why, place=clause.place, remedy=GET_PROLOG)


def add_rows(store: Store, translation: Translation, atoms: Atoms) -> None:
    """Add the facts that clingo has found to the store."""

    def intern(number: re.Match[str]) -> str:
        value = read_number(number[1])
        term = Float(value) if isinstance(value, float) else Integer(value)
        return f"t({store.intern(term)})"

    for predicate, name in translation.names.items():
        text = atoms.get(name, "")
        if translation.exact:
            text = NEW_NUMBER.sub(intern, text)
        store.add_asp(predicate.name, predicate.arity, text)
