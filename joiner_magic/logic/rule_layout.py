"""Lay out long rules over several lines, with each fragment on lines of its own.

The literals of a rule that share body-only variables, directly or through others, are one fragment; a rule of
several is splittable, and joining is what finds it (the paper's Definition of splittable rules).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from joiner_magic.logic.programs import Literal, Rule
from joiner_magic.logic.render import render_literal, render_rule

WIDTH = 88
_INDENT = "    "


def fragments(rule: Rule) -> list[tuple[Literal, ...]]:
    """The fragments of a rule, each as its literals, in the order of their first literals."""
    head = {arg for arg in rule.head.args if isinstance(arg, int)}
    found: list[tuple[set[int], list[int]]] = []  # body-only variables, and the numbers of the literals
    for number, literal in enumerate(rule.body):
        shared = {arg for arg in literal.args if isinstance(arg, int)} - head
        apart = [fragment for fragment in found if fragment[0].isdisjoint(shared)]
        members = [number]
        for variables, others in found:
            if not variables.isdisjoint(shared):
                shared |= variables
                members += others
        found = [*apart, (shared, members)]
    groups = sorted(sorted(members) for _, members in found)
    return [tuple(rule.body[number] for number in group) for group in groups]


def laid_out(rule: Rule, *, width: int = WIDTH) -> str:
    """The rule on one line if it fits; otherwise each fragment begins a new line.

    The literals keep their order, which matters where one must run before another.
    """
    line = render_rule(rule)
    if len(line) <= width or not rule.body:
        return line
    number = {literal: index for index, group in enumerate(fragments(rule)) for literal in group}
    groups = [list(group) for _, group in groupby(rule.body, key=number.__getitem__)]
    body = ",\n".join(_paragraph(group, width) for group in groups)
    return f"{render_literal(rule.head)} :-\n{body}."


def _paragraph(literals: Sequence[Literal], width: int) -> str:
    """The literals of a fragment as indented lines, with as many on a line as fit."""
    lines = [_INDENT]
    for number, literal in enumerate(literals):
        text = render_literal(literal) + ("," if number < len(literals) - 1 else "")
        if len(lines[-1]) + len(text) > width and lines[-1] != _INDENT:
            lines.append(_INDENT)
        lines[-1] += text if lines[-1] == _INDENT else f" {text}"
    return "\n".join(lines)
