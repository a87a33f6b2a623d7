"""The embedded engine, which is the default: it evaluates programs in the native core, over facts.

It needs no system package. `limit` counts the rows of facts that a program may try. A recursive program always ends, so
the limit only keeps one program that takes very long from holding up the others.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType

from joiner_magic._core import Miner, Stopped, Store
from joiner_magic.engines.datalog.clauses import GET_PROLOG
from joiner_magic.engines.datalog.closure import MOST_ARGUMENTS, Closure, close_background
from joiner_magic.engines.datalog.required_inputs import Inputs
from joiner_magic.engines.protocol import Cancelled, Explanation, Failure, Proof, explainable
from joiner_magic.errors import EngineError, NeedsProlog, TaskError
from joiner_magic.logic.programs import Argument, Evaluation, Literal, Program, Rule
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Compound, Predicate, Symbol, Term, Variable, arguments_of, predicate_of
from joiner_magic.solvers.grounding import MEMORY
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.task.bias import Bias
from joiner_magic.task.notes import Note, did_you_mean
from joiner_magic.task.task import Task


class DatalogEngine:
    """Evaluates programs over the facts that follow from the background knowledge, which are computed once.

    Raises NeedsProlog when the background knowledge cannot be turned into facts.
    """

    name = "datalog"
    limit = None
    first_limit = None

    def __init__(self, task: Task, stop: Stop = never, memory: int = MEMORY) -> None:
        """Load a task. That can take long: Interrupted is raised when `stop` returns True.

        `memory` is how many bytes clingo may use for it in a child process, at most `MEMORY`.
        """
        refuse_unfit_predicates(task)
        self._store = Store()
        self._lock = threading.Lock()
        examples = task.examples
        head = examples.predicate
        # Examples first: rules that take terms apart are closed over the terms known so far.
        self._store.set_examples(
            head.name,
            head.arity,
            [arguments_of(e) for e in examples.pos],
            [arguments_of(e) for e in examples.neg],
        )
        body = [predicate for predicate in task.bias.body if predicate.arity <= MOST_ARGUMENTS]
        closure = close_background(task.background, body, task.bias.directions, self._store, stop, memory)
        for predicate in body:
            self._store.declare(predicate.name, predicate.arity)
        self._inputs = closure.inputs
        self.directions = needed_directions(task.bias, closure.inputs)
        directions = {**self.directions, **task.bias.directions}
        self.independent = is_independent(replace(task.bias, directions=directions), closure)
        self._known = frozenset(map(str, (*body, *task.background.predicates)))
        self.notes = tuple(
            Note(
                f"{p} must be given {given_arguments(directions)}: direction({p.name},{directions_text(directions)}) is assumed"
            )
            for p, directions in sorted(self.directions.items())
            if p not in task.bias.directions and p != head
        )

    def evaluate(
        self, programs: Sequence[Program], *, limit: int | None = None, lazy: bool = False
    ) -> list[Evaluation]:
        """What each program covers, in one call of the core for many programs."""
        with self._asking():
            return self._store.evaluate(programs, limit, lazy, Evaluation)

    def explain(self, program: Program, example: Term) -> Explanation:
        """A proof of the example, or how far each rule for its predicate gets."""
        predicate = explainable(program, example)
        proof = self._prove(program, example)
        if proof is not None:
            return Explanation(example, proof)
        rules = [rule for rule in program.rules if rule.head.predicate == predicate]
        return Explanation(example, None, tuple(self._failure(program, rule, example) for rule in rules))

    def is_local(self, program: Program) -> bool:
        """Whether it is certain that other examples do not matter for what this program covers.

        It is, if the literals of each rule can be run in an order, beginning with the values of the head, in which each
        predicate that takes terms apart or calculates is given the arguments that it needs. Then the rule meets only
        parts of the example's own terms and of the facts. A call of a predicate that the program defines itself must be
        given all arguments.
        """
        needed = {p: places for p, places in self._inputs.items() if places}
        if not any(literal.predicate in needed for rule in program.rules for literal in rule.body):
            return True
        own = {p: frozenset(range(p.arity)) for p in program.defined}
        return all(runs_forward(rule, {**needed, **own}) for rule in program.rules)

    def miner(self, space: object, memory: int) -> Miner:
        """The native miner, which enumerates the rules of a space and tests them on this task."""
        return self._store.miner(space, memory)

    def facts(self, predicate: Predicate, most: int) -> list[tuple[Term, ...]]:
        """Up to `most` facts of a predicate, also those that follow from its rules."""
        return self._store.facts(predicate.name, predicate.arity, most)

    def cancel(self) -> None:
        """End the call that another thread is in."""
        self._store.cancel()

    def close(self) -> None:
        """Nothing is held that others would wait for; a call in another thread ends."""
        self.cancel()

    def __enter__(self) -> DatalogEngine:
        """To be closed at the end of the `with` statement."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the engine, however the statement has ended."""
        self.close()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """One question to the store at a time; its exceptions become those of the protocol."""
        with self._lock:
            try:
                yield
            except Stopped:
                raise Cancelled from None
            except KeyError as unknown:
                raise self._unknown_predicate(unknown.args[0]) from None

    def _prove(self, program: Program, atom: Term) -> Proof | None:
        """A proof of the atom; None if the program does not derive it."""
        predicate = predicate_of(atom)
        assert predicate is not None
        with self._asking():
            try:
                steps = self._store.prove(program, predicate.name, arguments_of(atom), None)
            except MemoryError:
                raise EngineError(
                    f"explaining {render_term(atom)} takes more memory than the engine may use"
                ) from None
        proofs: list[Proof] = []
        for number, values, premises in steps or ():
            rule = program.rules[number]
            bindings = tuple(value if value is not None else Variable("_") for value in values)
            below = tuple(
                Proof(ground_atom(literal, bindings)) if step is None else proofs[step]
                for literal, step in zip(rule.body, premises, strict=True)
            )
            proofs.append(Proof(ground_atom(rule.head, bindings), rule, bindings, below))
        if not proofs:
            return None
        return proofs[-1]

    def _failure(self, program: Program, rule: Rule, example: Term) -> Failure:
        """How far a rule gets on an example: ever shorter beginnings of its body are tested as rules of their own."""
        probe = "longest prefix"  # no predicate that was read can be confused with it
        atom: Term = Symbol(probe)
        if arguments_of(example):
            atom = Compound(probe, arguments_of(example))
        count = 1 + max(
            (a for lit in (rule.head, *rule.body) for a in lit.args if isinstance(a, int)), default=-1
        )
        for holds in range(len(rule.body) - 1, -1, -1):
            prefix = Rule(Literal(probe, rule.head.args), rule.body[:holds])
            proof = self._prove(Program((*program.rules, prefix)), atom)
            if proof is not None:
                bindings = [value if not isinstance(value, Variable) else None for value in proof.bindings]
                return Failure(rule, holds, tuple(bindings) + (None,) * (count - len(bindings)))
        return Failure(rule, -1, (None,) * count)

    def _unknown_predicate(self, text: str) -> TaskError:
        """The error for a program that calls a predicate which the store does not know."""
        if text in self._known:
            name, _, arity = text.rpartition("/")
            why = f"the program calls {text}, which has rules that no body predicate of the bias needs"
            return TaskError(why, remedy=f"add body_pred({name},{arity}). to the bias")
        guess = did_you_mean(text, self._known)
        return TaskError(f"the program calls {text}, which the task does not define", remedy=guess)


def needed_directions(bias: Bias, inputs: Inputs) -> dict[Predicate, tuple[str, ...]]:
    """Directions for the body predicates that must be given arguments, and for the head if rules can call it.

    An argument that is not given would range over all terms of the task, where Prolog makes up new terms or raises an
    error.
    """

    def directions(predicate: Predicate, places: Collection[int]) -> tuple[str, ...]:
        return tuple("in" if i in places else "out" for i in range(predicate.arity))

    needed = {p: directions(p, inputs[p]) for p in bias.body if inputs.get(p)}
    undeclared = needed.keys() - bias.directions.keys()
    if undeclared and calls_anything(bias):
        needed[bias.head] = directions(bias.head, range(bias.head.arity))
    return needed


def calls_anything(bias: Bias) -> bool:
    """Whether programs may call predicates that they define themselves without giving them values."""
    return (bias.enable_recursion or bias.enable_pi) and bias.head not in bias.directions


def runs_forward(rule: Rule, needed: Inputs) -> bool:
    """Whether the body can be run in some order, beginning with the values of the head's variables.

    Nothing is ever unbound again, so running whatever can be run is the best strategy.
    """
    bound = {arg for arg in rule.head.args if isinstance(arg, int)}
    waiting = list(rule.body)
    while waiting:
        ready = [literal for literal in waiting if _variables_needed(literal, needed) <= bound]
        if not ready:
            return False
        bound.update(arg for literal in ready for arg in literal.args if isinstance(arg, int))
        waiting = [literal for literal in waiting if literal not in ready]
    return True


def _variables_needed(literal: Literal, needed: Inputs) -> set[int]:
    """The variables of a literal that must have values before it can run."""
    places = needed.get(literal.predicate, frozenset())
    return {arg for i, arg in enumerate(literal.args) if i in places and isinstance(arg, int)}


def given_arguments(directions: tuple[str, ...]) -> str:
    """The arguments with direction `in` in words, such as "its arguments 1, 3"."""
    places = [str(i + 1) for i, direction in enumerate(directions) if direction == "in"]
    return f"its argument{'s' if len(places) > 1 else ''} {', '.join(places)}"


def directions_text(directions: tuple[str, ...]) -> str:
    """Directions as a bias writes them, such as "(in, out)"."""
    if len(directions) > 1:
        return f"({', '.join(directions)})"
    return f"({directions[0]},)"


def is_independent(bias: Bias, closure: Closure) -> bool:
    """Whether what a program of the space covers of an example is the same whatever other examples there are.

    Rules that take terms apart are closed over all terms that there are, those of other examples included.

    Proposition. A program meets only terms of the background knowledge and those that it reaches from its own example,
    if (1) every predicate with such rules has directions, (2) so has the head where rules can call it, and (3) rules that
    can be called leave none of their head variables out.

    Proof, by induction along a derivation of the example. A rule's literals can be put in an order in which the inputs of
    each are bound before, by the inputs of the rule's head or by earlier literals. A predicate with such rules is thus given
    its inputs, and takes apart what it is given. A call of the head or of an invented predicate is given its inputs as well,
    by (2), or because invented predicates always have directions where others have; and all its outputs occur in
    the body of the rule that answers it, by (3), which binds them to terms that it has reached. Without (2) a call f(B)
    binds B to any term of any example, without (3) f(A,B) :- p(A) does so too.

    Where no such rules are, other examples only add constants that no fact mentions. Whatever can be derived with such a
    constant can be derived with any other constant in its place.
    """
    taking_apart = [p for p in closure.predicates & frozenset(bias.body) if closure.inputs[p]]
    if not taking_apart:
        return True
    calls = bias.enable_recursion or bias.enable_pi
    return (
        all(p in bias.directions for p in taking_apart)
        and (not bias.enable_recursion or bias.head in bias.directions)
        and not (calls and bias.non_datalog)
    )


def refuse_unfit_predicates(task: Task) -> None:
    """Raise NeedsProlog for a predicate of the bias that cannot be a set of facts."""
    for predicate in sorted(task.builtins):
        place = task.bias.place("body_pred", predicate)
        raise NeedsProlog(f"{predicate} is built into Prolog", place=place, remedy=GET_PROLOG)
    for directive, predicate in (("head_pred", task.bias.head), *(("body_pred", p) for p in task.bias.body)):
        # A predicate with more arguments than a rule has variables is in no rule.
        if MOST_ARGUMENTS < predicate.arity <= task.bias.max_vars:
            place = task.bias.place(directive, predicate)
            raise NeedsProlog(
                f"{predicate} has more than {MOST_ARGUMENTS} arguments", place=place, remedy=GET_PROLOG
            )


def ground_atom(literal: Literal, bindings: tuple[Term, ...]) -> Term:
    """The literal as an atom, with the values of its variables."""

    def value(arg: Argument) -> Term:
        return bindings[arg] if isinstance(arg, int) else arg

    args = tuple(value(arg) for arg in literal.args)
    if args:
        return Compound(literal.name, args)
    return Symbol(literal.name)
