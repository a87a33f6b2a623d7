"""Explanations as text: a proof as an indented tree, a failure as how far each rule gets."""

from __future__ import annotations

from collections.abc import Iterator

from joiner_magic.engines.protocol import Explanation, Failure, Proof
from joiner_magic.logic.programs import Argument, Literal
from joiner_magic.logic.render import render_literal, render_rule, render_term

_LABELS = {"pos": "positive", "neg": "negative"}


def narrate(explanation: Explanation) -> str:
    """An explanation in words: why the example is covered, or how far each rule gets on it."""
    example = render_term(explanation.example)
    although = ""
    if explanation.is_error:
        although = f", although it is a {_LABELS[explanation.label]} example"
    if explanation.proof is not None:
        return "\n".join([f"{example} is covered{although}:", *_proof_lines(explanation.proof)])
    lines = [f"{example} is not covered{although}:"]
    if not explanation.complete:
        lines = [f"it is not known whether {example} is covered, the search for a proof did not finish:"]
    for failure in explanation.failures:
        lines += _failure_lines(failure, "fails" if explanation.complete else "no further than")
    return "\n".join(lines)


def _proof_lines(proof: Proof) -> Iterator[str]:
    """The proof as an indented tree. It uses a stack: a proof may be too deep for recursion."""
    stack = [(proof, 1)]
    while stack:
        at, depth = stack.pop()
        reason = ""
        if at.rule:
            reason = f"   by {render_rule(at.rule)}"
        yield f"{'  ' * depth}{render_term(at.atom)}{reason}"
        stack += [(premise, depth + 1) for premise in reversed(at.premises)]


def _failure_lines(failure: Failure, fails: str) -> Iterator[str]:
    """The literals of a rule up to the one that fails, with the values for which those before it hold."""
    yield f"  {render_rule(failure.rule)}"
    if failure.literal is None:
        yield "    the head does not match"
        return
    holds = failure.rule.body[: failure.holds]
    if holds:
        yield f"    holds: {', '.join(render_literal(filled_in(literal, failure)) for literal in holds)}"
    yield f"    {fails}: {render_literal(filled_in(failure.literal, failure))}"


def filled_in(literal: Literal, failure: Failure) -> Literal:
    """The literal with its variables replaced by the values that the failure knows."""

    def value(arg: Argument) -> Argument:
        known = None
        if isinstance(arg, int):
            known = failure.bindings[arg]
        return arg if known is None else known

    return Literal(literal.name, tuple(value(arg) for arg in literal.args))
