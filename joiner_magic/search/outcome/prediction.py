"""What a learnt hypothesis says about atoms it was not learnt from.

The answer about one atom does not depend on what else is asked. Most hypotheses are *local*: what they cover of an
example depends on the example and the facts alone, so all atoms are asked about together. Any other is asked about each
atom alone, besides the examples that it was learnt from: their terms were known then, and so they are now.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from joiner_magic.engines.cancellation import cancel_on_stop
from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.protocol import NO_LIMIT, Engine, Explanation
from joiner_magic.errors import FAILURES, EngineError, TaskError, in_a_line
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Term, is_ground, predicate_of
from joiner_magic.search.outcome.confusion import Confusion
from joiner_magic.search.stages.test import RetryingTester
from joiner_magic.solvers.interrupt import Interrupted, Stop, either, never
from joiner_magic.solvers.signals import interruptible, run_interruptibly, stop_of_this_call
from joiner_magic.task.examples import read_examples
from joiner_magic.task.reader import read_term
from joiner_magic.task.task import Task

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result

_MOMENT = 0.5  # seconds to measure in where no time is left


@interruptible
def predict(result: Result, atoms: Iterable[Term | str]) -> list[bool]:
    if isinstance(atoms, str):
        raise TaskError("predict takes a list of atoms", remedy=f"write predict([{atoms!r}])")
    terms = [_checked(atom, result) for atom in atoms]
    unique = tuple(dict.fromkeys(terms))
    if result.hypothesis is None or not unique:
        return [False] * len(terms)
    covered, _, complete = _evaluate(
        result, result.hypothesis, result.task.about(*unique), stop_of_this_call()
    )
    unknown = [term for index, term in enumerate(unique) if not complete and not covered >> index & 1]
    if unknown:
        raise EngineError(
            f"whether the hypothesis covers {_named(unknown)} is not known: its evaluation did not finish",
            remedy="ask about one atom at a time",
        )
    number = {term: index for index, term in enumerate(unique)}
    return [bool(covered >> number[term] & 1) for term in terms]


@interruptible
def explain(result: Result, atom: Term | str) -> Explanation:
    """Why the hypothesis covers an atom, or how far each of its rules gets."""
    term = _checked(atom, result)
    if result.hypothesis is None:
        raise TaskError("there is no hypothesis to ask: nothing was learnt")
    return replace(_explained(result, result.hypothesis, term), label=_label(result.task, term))


def _explained(result: Result, hypothesis: Program, term: Term) -> Explanation:
    with _engine(result, result.task.about(term)) as engine:
        if engine.is_local(hypothesis):
            return engine.explain(hypothesis, term)
    with _engine(result, result.task.besides(term)) as engine:
        return engine.explain(hypothesis, term)


def _label(task: Task, term: Term) -> str:
    """The label of an example; empty for an atom that is none, or that has both labels."""
    is_positive, is_negative = term in task.examples.pos, term in task.examples.neg
    if is_positive == is_negative:
        return ""
    return "pos" if is_positive else "neg"


def score(result: Result, examples: str | Task, stop: Stop = never) -> Confusion:
    """Raises Interrupted when `stop` says so before."""
    return run_interruptibly(lambda: _score(result, examples, either(stop, stop_of_this_call())), stop=stop)


def _score(result: Result, examples: str | Task, stop: Stop) -> Confusion:
    if isinstance(examples, Task):
        task = examples
    else:
        task = replace(result.task, examples=read_examples(examples, stop=stop)[0])
    if task.examples.predicate != result.task.bias.head:
        raise TaskError(
            f"these are examples of {task.examples.predicate}, and rules for {result.task.bias.head} were learnt"
        )
    evaluation = None
    if result.hypothesis is not None:
        program = _without_unknown_predicates(result.hypothesis, task)
        evaluation = None
        if program.rules:
            evaluation = _evaluate(result, program, task, stop)
    return Confusion.of(evaluation, len(task.examples.pos), len(task.examples.neg))


def evaluated(result: Result, programs: Sequence[Program], stop: Stop) -> list[Evaluation]:
    """What programs cover of the examples that the result was learnt from."""
    if not programs:
        return []
    with _engine(result, result.task, stop) as engine:
        return [_finished(engine, program, stop) for program in programs]


@interruptible
def explain_examples(result: Result, examples: Sequence[Term]) -> list[Explanation]:
    """What `explain` says of some of the examples that the result was learnt from."""
    hypothesis = result.hypothesis
    if hypothesis is None or not examples:
        return []
    stop = stop_of_this_call()
    with _engine(result, result.task, stop) as engine:
        explanations = []
        for example in examples:
            if stop():
                raise Interrupted
            explanations.append(engine.explain(hypothesis, example))
        return explanations


def measured(result: Result, held_out: Task | None, stop: Stop = never) -> Result:
    """The result with its score on held-out examples, or with the reason why there is none: it is learnt either way.

    Where the search has used up its time, a moment is left for this.
    """
    if held_out is None:
        return replace(result, test=None, unmeasured="")
    late = time.monotonic() + _MOMENT
    try:
        test = score(result, held_out, lambda: stop() and time.monotonic() > late)
        return replace(result, test=test, unmeasured="")
    except Interrupted:
        return replace(result, test=None, unmeasured="the time was up before they were measured")
    except FAILURES as failure:
        return replace(result, test=None, unmeasured=in_a_line(failure))


def _evaluate(result: Result, program: Program, task: Task, stop: Stop) -> Evaluation:
    with _engine(result, task, stop) as engine:
        if engine.is_local(program):
            return _finished(engine, program, stop)
    pos, neg = (
        [_evaluated_alone(result, program, task, atom, stop) for atom in atoms]
        for atoms in (task.examples.pos, task.examples.neg)
    )
    return Evaluation(_bits(pos), _bits(neg), all(one.complete for one in (*pos, *neg)))


def _evaluated_alone(result: Result, program: Program, task: Task, atom: Term, stop: Stop) -> Evaluation:
    """Of one atom, which is the only positive example, besides those that the program was learnt from."""
    surrounded = replace(task, examples=result.task.besides(atom).examples)
    with _engine(result, surrounded, stop) as engine:
        return _finished(engine, program, stop)


def _finished(engine: Engine, program: Program, stop: Stop) -> Evaluation:
    """Without a limit, if that of the engine is too low."""
    tester = RetryingTester(engine, stop)
    with cancel_on_stop([engine], stop):
        (evaluation,) = tester.evaluate([program])
        if not evaluation.complete:
            (evaluation,) = tester.evaluate([program], limit=NO_LIMIT)
    return evaluation


def _bits(evaluations: Sequence[Evaluation]) -> int:
    return sum(evaluation.pos << i for i, evaluation in enumerate(evaluations))


def _engine(result: Result, task: Task, stop: Stop = never) -> Engine:
    return choose_engine(task, result.engine, trusted=result.trusted, stop=stop).engine


def _named(atoms: Sequence[Term], most: int = 3) -> str:
    shown = ", ".join(map(render_term, atoms[:most]))
    if len(atoms) > most:
        return f"{shown} and {len(atoms) - most:,} more"
    return shown


def _without_unknown_predicates(program: Program, task: Task) -> Program:
    """The rules that can hold: held-out background knowledge may say nothing about a predicate."""
    known = set(task.background.predicates) | task.builtins
    rules = program.rules
    while True:
        callable_ = known | {rule.head.predicate for rule in rules}
        kept = tuple(rule for rule in rules if all(literal.predicate in callable_ for literal in rule.body))
        if len(kept) == len(rules):
            return Program(kept)
        rules = kept


def _checked(atom: Term | str, result: Result) -> Term:
    term = read_term(atom) if isinstance(atom, str) else atom
    if predicate_of(term) != result.task.bias.head or not is_ground(term):
        raise TaskError(
            f"{render_term(term)} is no atom to ask about",
            remedy=f"give atoms of {result.task.bias.head} without variables",
        )
    return term
