"""Everything about one rule of the lattice: which examples it covers, and why the search kept it or cut it."""

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
from joiner_magic.questions.lattice.graph import Node, NodeDetail
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.lattice.rules import LatticeRules
from joiner_magic.search.fate import Fate
from joiner_magic.search.problem import Problem
from joiner_magic.search.record.record import RecordedProgram
from joiner_magic.search.stages.parts import Part
from joiner_magic.task.notes import counted

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_MOST_NAMED = 50  # examples
_MOST_CONJUNCTIONS = 20
_MOST_CAUSES = 3

_SAY_NO_RULE = (Fate.PARTIAL, Fate.NOTHING_BELOW)  # outcomes whose explanations say that it is no rule yet
_UNKNOWN = "The run has no record of this rule."
_NOT_WHOLE = "It is no rule yet: what was concluded is about the rules below it."


def node_detail(node: Node, rules: LatticeRules, run: Run) -> NodeDetail:
    """What is known about a node. The examples that it covers are found out now, with a bounded amount of work."""
    if node.stub or node.id.is_stub:
        return _stub_detail(node, rules)
    program = rules.program(node.id)
    ((pos, neg, complete),) = rules.evaluate([program])
    examples = run.task.examples
    recorded = rules.recorded(node.id)
    constraint, forbids = None, ""
    if recorded and recorded.cut:
        constraint = recorded.cut
        forbids = _forbidden_pattern(program, constraint, rules)
    sentences = list(_why(node, recorded, rules.problem, joined=run.options.join))
    positives: int | None = pos.bit_count()
    negatives: int | None = (neg or 0).bit_count()
    if not complete:
        positives = negatives = None
        sentences.append("Counting took too much work.")
    return NodeDetail(
        node,
        "\n".join(map(laid_out, rules.display_form(node.id).rules)),
        _names(pos, examples.pos),
        positives,
        _names(neg or 0, examples.neg),
        negatives,
        why=" ".join(sentences),
        constraint=constraint,
        forbids=forbids,
        conjunctions=tuple(islice(_conjunctions(program, rules.problem, run), _MOST_CONJUNCTIONS)),
    )


def _stub_detail(node: Node, rules: LatticeRules) -> NodeDetail:
    """Why the specialisations that a stub stands for were never made."""
    above = NodeId.recorded(node.id.number)
    kind = node.id.cut_kind
    causes = [cut.cause for cut in rules.below(above).cut if cut.kind == kind and cut.cause is not None]
    texts = [rules.node(NodeId.recorded(cause)).text.rstrip(".") for cause in causes[:_MOST_CAUSES]]
    if len(causes) > _MOST_CAUSES:
        texts.append("others")
    why = kind.sentence
    if kind is Fate.UNFINISHED and rules.record.missed:
        why = "The search ended before it came to them, or the record was full."
    elif kind is Fate.UNFINISHED:
        why = "The search ended before it came to them."
    if texts:
        why += f" Because of {'; '.join(texts)}."
    pattern = rules.naming.pattern(rules.program(above))
    return NodeDetail(node, pattern, (), None, (), None, why, kind, pattern)


def _names(covered: int, examples: Sequence[Term]) -> tuple[str, ...]:
    """The names of the first examples that are covered."""
    numbers = (number for number in range(len(examples)) if covered >> number & 1)
    return tuple(render_term(examples[number]) for number in islice(numbers, _MOST_NAMED))


def _why(node: Node, recorded: RecordedProgram | None, problem: Problem, *, joined: bool) -> Iterator[str]:
    """Sentences about what the rule is, what was done with it, and which proposition makes that sound."""
    outcome = node.outcome
    if outcome is Fate.SOLUTION:
        yield outcome.explanation
        if node.neg:
            yield f"It covers {counted(node.neg, 'negative example')}, whose price the hypothesis pays."
        else:
            yield Fate.CONSISTENT.sentence
    elif recorded is None:
        if outcome is not Fate.UNFINISHED:
            yield outcome.explanation
        if outcome.prunes:
            yield outcome.sentence
        yield _UNKNOWN
    else:
        if not node.whole and outcome not in _SAY_NO_RULE:
            yield _NOT_WHOLE
        if outcome is Fate.JOINABLE and node.neg == 0:
            yield _why_not_whole(recorded.program, problem)
        else:
            yield outcome.explanation
        if outcome is Fate.JOINABLE and node.neg and node.whole and problem.objective.allows_wrong:
            yield "Errors have a price, so it may be a rule of the hypothesis all the same."
        if outcome is Fate.JOINABLE and joined:
            yield "It was kept as a fragment for the join."
        elif outcome is Fate.JOINABLE:
            yield "What is below it may be better."
        if recorded.later:
            yield "Later more was known:"
        if recorded.cut:
            yield recorded.cut.sentence


def _why_not_whole(program: Program, problem: Problem) -> str:
    """Why a program that covers no negative example is still no rule of a hypothesis."""
    missing = problem.missing(program)
    if not missing:
        return "It covers no negative example, but alone it has an input that nothing binds."
    return f"It covers no negative example, but leaves {' and '.join(map(variable_name, missing))} out."


def _forbidden_pattern(program: Program, kind: Fate, rules: LatticeRules) -> str:
    """Which rules a constraint of this kind forbids, as a pattern."""
    if kind is not Fate.CONSISTENT_FRAGMENT:
        return rules.naming.pattern(program)
    return rules.naming.pattern(program, rules.problem.missing(program))


def _conjunctions(program: Program, problem: Problem, run: Run) -> Iterator[str]:
    """The rules that the program is a fragment of, those of the hypothesis first."""
    head = run.task.bias.head
    known: list[Conjunction] = []
    if run.result:
        known += [part.conjunction for part in run.result.parts]
    if run.finding:
        known += run.finding.parts
    for conjunction in dict.fromkeys(known):
        forms = (canonical(one, head) for one in conjunction.programs)
        if len(conjunction.programs) > 1 and program in forms:
            yield "\n".join(map(laid_out, _as_program(conjunction, problem).rules))


def _as_program(conjunction: Conjunction, problem: Problem) -> Program:
    """A conjunction as the rules that a hypothesis has for it."""
    return problem.writer.program([Part(conjunction, conjunction.size, 0)])
