"""Explanations as text: a proof as an indented tree, a failure as the rule with a mark where it stops."""

from __future__ import annotations

from collections.abc import Iterator

from joiner_magic.engines.protocol import Explanation, Failure, Proof
from joiner_magic.logic.programs import Literal
from joiner_magic.logic.render import render_literal, render_rule, render_term, variable_name
from joiner_magic.logic.terms import Term


def narrate(explanation: Explanation) -> str:
    """Why the example is covered, or how far each rule gets on it."""
    example = render_term(explanation.example)
    if explanation.proof is not None:
        return "\n".join([f"{example} is covered:", *_proof_lines(explanation.proof)])
    lines = [f"{example} is not covered:"]
    for failure in explanation.failures:
        lines += _failure_lines(failure)
    return "\n".join(lines)


def _proof_lines(proof: Proof) -> Iterator[str]:
    """Depth first, without recursion: a proof is as deep as the list it walks is long."""
    stack = [(proof, 1)]
    while stack:
        at, depth = stack.pop()
        reason = f"   by {render_rule(at.rule)}" if at.rule else ""
        yield f"{'  ' * depth}{render_term(at.atom)}{reason}"
        stack += [(premise, depth + 1) for premise in reversed(at.premises)]


def _failure_lines(failure: Failure) -> Iterator[str]:
    yield f"  {render_rule(failure.rule)}"
    if failure.literal is None:
        yield "    the head does not match"
        return
    known = [(i, value) for i, value in enumerate(failure.bindings) if value is not None]
    holds = failure.rule.body[: failure.holds]
    if holds:
        yield f"    holds: {_conjunction(holds)}   with {_bindings(known)}"
    yield f"    fails: {render_literal(failure.literal)}"


def _conjunction(literals: tuple[Literal, ...]) -> str:
    return ", ".join(render_literal(literal) for literal in literals)


def _bindings(known: list[tuple[int, Term]]) -> str:
    return ", ".join(f"{variable_name(number)} = {render_term(value)}" for number, value in known)
