"""The default engine: no system package, no other process.

`limit` counts the rows a program may try. A recursive program always ends, so the limit only
keeps one hopeless program from holding up a batch.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

from joiner_magic._core import Miner, Stopped, Store
from joiner_magic.engines.datalog.clauses import GET_PROLOG
from joiner_magic.engines.datalog.closure import MOST_ARGUMENTS, close_background
from joiner_magic.engines.protocol import Cancelled, Explanation, Failure, Proof, explainable
from joiner_magic.errors import NeedsProlog, TaskError
from joiner_magic.logic.programs import Argument, Evaluation, Literal, Program, Rule
from joiner_magic.logic.terms import Compound, Predicate, Symbol, Term, Variable, arguments_of, predicate_of
from joiner_magic.task.notes import Note, did_you_mean
from joiner_magic.task.task import Task


class DatalogEngine:
    """Raises NeedsProlog when the task's background knowledge is beyond it."""

    name = "datalog"

    def __init__(self, task: Task) -> None:
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
        body = task.bias.body
        closure = close_background(task.background, body, task.bias.directions, self._store)
        for predicate in body:
            self._store.declare(predicate.name, predicate.arity)
        # Rules that take terms apart are closed over all terms that there are, those of other examples included.
        # With directions a program only meets what it reaches from its own example.
        self.independent = not any(
            closure.inputs[p] for p in closure.predicates & frozenset(body) if p not in task.bias.directions
        )
        self._known = frozenset(map(str, (*body, *task.background.predicates)))
        self.notes = tuple(
            Note(f"{p} is known only for the {self._store.terms():,} terms of the examples and facts")
            for p in sorted(closure.predicates & frozenset(body))
            if closure.inputs[p] and p not in task.bias.directions
        )

    def evaluate(
        self, programs: Sequence[Program], *, limit: int | None = None, lazy: bool = False
    ) -> list[Evaluation]:
        with self._asking():
            return self._store.evaluate(programs, limit, lazy, Evaluation)

    def explain(self, program: Program, example: Term) -> Explanation:
        predicate = explainable(program, example)
        proof = self._prove(program, example)
        if proof is not None:
            return Explanation(example, proof)
        rules = [rule for rule in program.rules if rule.head.predicate == predicate]
        return Explanation(example, None, tuple(self._failure(program, rule, example) for rule in rules))

    def miner(self, space: object, memory: int) -> Miner:
        """What enumerates and tests the rules of a space over this task's facts and examples."""
        return self._store.miner(space, memory)

    def facts(self, predicate: Predicate, most: int) -> list[tuple[Term, ...]]:
        """Up to `most` facts that hold for a predicate, its rules included."""
        return self._store.facts(predicate.name, predicate.arity, most)

    def cancel(self) -> None:
        self._store.cancel()

    def close(self) -> None:
        self.cancel()

    def __enter__(self) -> DatalogEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """The store serves one question at a time; what it raises is put in the protocol's words."""
        with self._lock:
            try:
                yield
            except Stopped:
                raise Cancelled from None
            except KeyError as unknown:
                raise self._unknown_predicate(unknown.args[0]) from None

    def _prove(self, program: Program, atom: Term) -> Proof | None:
        predicate = predicate_of(atom)
        assert predicate is not None
        with self._asking():
            steps = self._store.prove(program, predicate.name, arguments_of(atom), None)
        proofs: list[Proof] = []
        for number, values, premises in steps or ():
            rule = program.rules[number]
            bindings = tuple(value if value is not None else Variable("_") for value in values)
            below = tuple(
                Proof(ground(literal, bindings)) if step is None else proofs[step]
                for literal, step in zip(rule.body, premises, strict=True)
            )
            proofs.append(Proof(ground(rule.head, bindings), rule, bindings, below))
        return proofs[-1] if proofs else None

    def _failure(self, program: Program, rule: Rule, example: Term) -> Failure:
        """Test ever shorter beginnings of the body as rules of a predicate of their own."""
        probe = "longest prefix"  # no predicate that was read can be confused with it
        atom = Compound(probe, arguments_of(example)) if arguments_of(example) else Symbol(probe)
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
        if text in self._known:
            name, _, arity = text.rpartition("/")
            why = f"the program calls {text}, which has rules that no body predicate of the bias needs"
            return TaskError(why, remedy=f"add body_pred({name},{arity}). to the bias")
        guess = did_you_mean(text, self._known)
        return TaskError(f"the program calls {text}, which the task does not define", remedy=guess)


def refuse_unfit_predicates(task: Task) -> None:
    """Predicates of the bias that no closure of the background knowledge could give."""
    for predicate in sorted(task.builtins):
        place = task.bias.place("body_pred", predicate)
        raise NeedsProlog(f"{predicate} is built into Prolog", place=place, remedy=GET_PROLOG)
    for directive, predicate in (("head_pred", task.bias.head), *(("body_pred", p) for p in task.bias.body)):
        if predicate.arity > MOST_ARGUMENTS:
            place = task.bias.place(directive, predicate)
            raise NeedsProlog(
                f"{predicate} has more than {MOST_ARGUMENTS} arguments", place=place, remedy=GET_PROLOG
            )


def ground(literal: Literal, bindings: tuple[Term, ...]) -> Term:
    def value(arg: Argument) -> Term:
        return bindings[arg] if isinstance(arg, int) else arg

    args = tuple(value(arg) for arg in literal.args)
    return Compound(literal.name, args) if args else Symbol(literal.name)
