"""A rule of the lattice looked at closely: which examples it covers, and why it was kept or cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.layout import laid_out
from joiner_magic.logic.programs import Program
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Term
from joiner_magic.search.parts import Part
from joiner_magic.search.problem import Problem
from joiner_magic.sessions.fates import REASONS
from joiner_magic.sessions.lattice_graph import Detail, Node
from joiner_magic.sessions.lattice_rules import Rules, number_of

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_NAMED = 50  # examples
_CONJUNCTIONS = 20

_KEPT = {
    "solution": "It is a rule of the hypothesis.",
    "joinable": "It covers negative examples too: it was kept as a fragment for the join, and specialised.",
    "consistent": "It covers no negative example.",
    "partial": (
        "It is no rule yet: a variable stands alone, or a literal has an input that nothing binds. It was tested and"
        " specialised."
    ),
    "unfinished": "It was not tested to the end, so nothing follows from it.",
}
_OPEN = "It covers no negative example but leaves head variables out: it was kept as a fragment for the join."
_SAID = {
    "covers nothing": "It covers no positive example.",
    "subsumed": "A part of a hypothesis that is no larger covers as much.",
    "too large": "A hypothesis with it could not be smaller than the best one known.",
    "cheaper union": "Parts of a hypothesis that are together no larger cover as much.",
    "implied": "A literal or a variable of it is too many.",
    "dominated": "Another fragment is as good for the join; it was specialised all the same.",
}


def detail(node: Node, rules: Rules, run: Run) -> Detail:
    if node.stub or node.id.startswith("s"):
        return _of_stub(node, rules)
    program = rules.program(node.id)
    written = rules.naming.written(program)
    ((pos, neg, complete),) = rules.evaluate([program])
    examples = run.task.examples
    recorded = rules.recorded(node.id)
    constraint = recorded.cut if recorded else ""
    return Detail(
        node,
        "\n".join(map(laid_out, written.rules)),
        _named(pos, examples.pos),
        pos.bit_count() if complete else None,
        _named(neg or 0, examples.neg),
        (neg or 0).bit_count() if complete else None,
        why=_why(node, recorded.later if recorded else "")
        + ("" if complete else " Counting took too much work."),
        constraint=constraint,
        forbids=rules.naming.pattern(program) if constraint else "",
        conjunctions=tuple(islice(_conjunctions(program, rules.problem, run), _CONJUNCTIONS)),
    )


def _of_stub(node: Node, rules: Rules) -> Detail:
    above = f"r{number_of(node.id)}"
    kind = node.id.partition(":")[2]
    causes = [cut.cause for cut in rules.below(above).cut if cut.kind == kind and cut.cause is not None]
    texts = [rules.node(f"r{cause}").text.rstrip(".") for cause in causes[:3]]
    others = ["others"] if len(causes) > 3 else []
    because = f" Because of {'; '.join([*texts, *others])}." if texts else ""
    reason = REASONS.get(kind, "The search ended before it came to them.")
    pattern = rules.naming.pattern(rules.program(above))
    return Detail(node, pattern, (), None, (), None, f"{reason}{because}", kind, pattern)


def _named(covered: int, examples: Sequence[Term]) -> tuple[str, ...]:
    numbers = (number for number in range(len(examples)) if covered >> number & 1)
    return tuple(render_term(examples[number]) for number in islice(numbers, _NAMED))


def _why(node: Node, later: str) -> str:
    outcome = node.outcome
    kept = _KEPT.get(outcome, "") if outcome != "joinable" or node.neg else _OPEN
    if later:
        return f"{kept or _SAID[outcome]} Later more was known: {REASONS[later]}"
    if outcome == "consistent" or outcome == "solution":
        return f"{_KEPT[outcome]} {REASONS['consistent']}"
    if kept:
        return kept
    return f"{_SAID[outcome]} {REASONS[outcome]}"


def _conjunctions(program: Program, problem: Problem, run: Run) -> Iterator[str]:
    """Rules that the program is a fragment of: first those of the hypothesis."""
    head = run.task.bias.head
    found = [part.conjunction for part in run.result.parts] if run.result else []
    known = dict.fromkeys([*found, *(run.finding.parts if run.finding else ())])
    for conjunction in known:
        forms = (canonical(one, head) for one in conjunction.programs)
        if len(conjunction.programs) > 1 and program in forms:
            yield "\n".join(map(laid_out, _written(conjunction, problem).rules))


def _written(conjunction: Conjunction, problem: Problem) -> Program:
    return problem.writer.program([Part(conjunction, conjunction.size, 0)])
