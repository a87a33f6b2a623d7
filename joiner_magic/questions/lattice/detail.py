"""A rule of the lattice looked at closely: which examples it covers, and why it was kept or cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.conjunctions import Conjunction
from joiner_magic.logic.programs import Program
from joiner_magic.logic.render import render_term, variable_name
from joiner_magic.logic.rule_layout import laid_out
from joiner_magic.logic.terms import Term
from joiner_magic.questions.constraints.fates import REASONS
from joiner_magic.questions.lattice.graph import Detail, Node
from joiner_magic.questions.lattice.rules import Rules, number_of
from joiner_magic.search.problem import Problem
from joiner_magic.search.record.fates import PRUNING
from joiner_magic.search.record.record import Recorded
from joiner_magic.search.stages.parts import Part

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_NAMED = 50  # examples
_CONJUNCTIONS = 20

_OF_NO_RULE = ("partial", "nothing below")  # outcomes that say so themselves
_SAID = {
    "solution": "It is a rule of the hypothesis.",
    "joinable": "It covers negative examples too.",
    "consistent": "It covers no negative example.",
    "consistent fragment": "It covers no negative example, but a variable of the head is missing.",
    "covers nothing": "It covers no positive example.",
    "nothing below": "It is no rule yet, and no rule below it covers a positive example.",
    "subsumed": "A part of a hypothesis that is no larger covers as much.",
    "too large": "A hypothesis with it could not be smaller than the best one known.",
    "cheaper union": "Parts of a hypothesis that are together no larger cover as much.",
    "implied": "A literal or a variable of it is too many.",
    "dominated": "Another fragment is as good for the join; what is below it may be better all the same.",
    "partial": (
        "It is no rule yet: a variable stands alone, or a literal has an input that nothing binds. What is below it may"
        " be one."
    ),
    "unfinished": "It was not tested to the end, so nothing follows from it.",
}
_UNKNOWN = "The run has no record of this rule."
_NOT_WHOLE = "It is no rule yet: what was concluded is about the rules below it."


def detail(node: Node, rules: Rules, run: Run) -> Detail:
    if node.stub or node.id.startswith("s"):
        return _of_stub(node, rules)
    program = rules.program(node.id)
    written = rules.written(node.id)
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
        why=" ".join(_why(node, recorded, rules.problem, joined=run.options.join))
        + ("" if complete else " Counting took too much work."),
        constraint=constraint,
        forbids=_forbidden(program, constraint, rules) if constraint else "",
        conjunctions=tuple(islice(_conjunctions(program, rules.problem, run), _CONJUNCTIONS)),
    )


def _of_stub(node: Node, rules: Rules) -> Detail:
    above = f"r{number_of(node.id)}"
    kind = node.id.partition(":")[2]
    causes = [cut.cause for cut in rules.below(above).cut if cut.kind == kind and cut.cause is not None]
    texts = [rules.node(f"r{cause}").text.rstrip(".") for cause in causes[:3]]
    others = ["others"] if len(causes) > 3 else []
    because = f" Because of {'; '.join([*texts, *others])}." if texts else ""
    full = ", or the record was full" if rules.record.missed else ""
    reason = REASONS.get(kind, f"The search ended before it came to them{full}.")
    pattern = rules.naming.pattern(rules.program(above))
    return Detail(node, pattern, (), None, (), None, f"{reason}{because}", kind, pattern)


def _named(covered: int, examples: Sequence[Term]) -> tuple[str, ...]:
    numbers = (number for number in range(len(examples)) if covered >> number & 1)
    return tuple(render_term(examples[number]) for number in islice(numbers, _NAMED))


def _why(node: Node, recorded: Recorded | None, problem: Problem, *, joined: bool) -> Iterator[str]:
    """What it is, what was done with it, and what that rests on."""
    outcome = node.outcome
    if outcome == "solution":
        yield _SAID[outcome]
        yield REASONS["consistent"]
    elif recorded is None:
        if outcome != "unfinished":
            yield _SAID[outcome]
        if outcome in PRUNING:
            yield REASONS[outcome]
        yield _UNKNOWN
    else:
        if not node.whole and outcome not in _OF_NO_RULE:
            yield _NOT_WHOLE
        yield _SAID[outcome] if outcome != "joinable" or node.neg != 0 else _open(recorded.program, problem)
        if outcome == "joinable":
            yield "It was kept as a fragment for the join." if joined else "What is below it may be better."
        if recorded.cut:
            yield f"{'Later more was known: ' if recorded.later else ''}{REASONS[recorded.cut]}"


def _open(program: Program, problem: Problem) -> str:
    """Why it is no rule of a hypothesis, although no negative example is against it."""
    missing = problem.missing(program)
    if not missing:
        return "It covers no negative example, but alone it has an input that nothing binds."
    return f"It covers no negative example, but leaves {' and '.join(map(variable_name, missing))} out."


def _forbidden(program: Program, kind: str, rules: Rules) -> str:
    missing = rules.problem.missing(program) if kind == "consistent fragment" else ()
    return rules.naming.pattern(program, missing)


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
