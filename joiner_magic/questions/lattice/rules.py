"""The rules of a run by their ids: those that the run recorded, and others that are evaluated when they are asked for.

A run records the programs that it tested. The lattice also shows programs that the run never made, such as a rule that
was joined from fragments, or what a constraint cut off. These are evaluated here, once, and get ids of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from joiner_magic.errors import TaskError
from joiner_magic.logic.canonical import canonical, generalisations
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.render import render_rule
from joiner_magic.questions.inspector import RunInspector
from joiner_magic.questions.lattice.graph import Node
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.questions.rule_ids import rule_ids_of
from joiner_magic.search.fate import Fate
from joiner_magic.search.record.record import RecordedProgram, Specialisations
from joiner_magic.task.notes import counted

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_LONG = 20  # literals of a body


@dataclass(frozen=True, slots=True)
class EvaluatedRule:
    """A program that is not in the record, and what it covers."""

    program: Program  # in canonical form
    given: Program  # as it was written where it comes from
    outcome: Fate
    pos: int | None  # examples covered; None: the evaluation took too much work
    neg: int | None

    @property
    def is_joined(self) -> bool:
        """Whether it is a part of the hypothesis: one that was tested as a whole would be recorded."""
        return self.outcome == "solution"


class LatticeRules(RunInspector):
    """Programs of a run by id, with their neighbours in the lattice."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._evaluated: dict[NodeId, EvaluatedRule] = {}
        self._evaluated_ids: dict[Program, NodeId] = {}
        self._specialisations: dict[int, Specialisations] = {}  # as long as nothing more is recorded
        self._recorded_then = 0  # how many programs were recorded when these were found
        self._generalisations: dict[NodeId, list[Program]] = {}

    def ids(self, programs: Iterable[Program], outcome: Fate | None = None) -> list[NodeId]:
        """The ids of any programs. Those without an id are evaluated, and get one.

        An evaluated program has the given outcome, or without it the one that follows from what it covers.
        """
        forms = {canonical(program, self._run.task.bias.head): program for program in programs}
        with self._lock:
            new = [form for form in forms if self.known_id(form) is None]
            for form, evaluation in zip(new, self.evaluate(new), strict=True):
                key = self._evaluated_ids[form] = rule_ids_of(self._run).of_unrecorded(form)
                self._evaluated[key] = _evaluated_rule(form, forms[form], evaluation, outcome)
            known = map(self.known_id, forms)
            return [key for key in known if key is not None]

    def known_id(self, program: Program) -> NodeId | None:
        """The id of a program in canonical form; None if it has none yet."""
        number = self.record.find(program)
        if number is None:
            return self._evaluated_ids.get(program)
        return NodeId.recorded(number)

    def find(self, program: Program) -> NodeId | None:
        """The id of a program in whatever form it is written; None if it has none yet."""
        number = self.record.find(program)
        if number is not None:
            return NodeId.recorded(number)
        if all(form.size != program.size for form in self._evaluated_ids):  # the canonical form may take long
            return None
        return self._evaluated_ids.get(canonical(program, self._run.task.bias.head))

    def parse_id(self, text: str) -> NodeId | None:
        """The id that a text is, if there is such a node; otherwise None."""
        key = NodeId.parse(text)
        if key is None:
            return None
        if not self._has(key):
            return None
        return key

    def _has(self, key: NodeId) -> bool:
        """Whether there is a node with this id."""
        if key.is_evaluated:
            return key in self._evaluated
        if key.number >= len(self.record):
            return False
        return key.is_recorded or key in self.stubs(NodeId.recorded(key.number))

    def require_id(self, text: str) -> NodeId:
        """The id that a text is. Raises TaskError if there is no such node."""
        key = self.parse_id(text)
        if key is None:
            raise TaskError(
                f"the lattice has no node {text!r}", remedy="take the id of one that it has shown"
            )
        return key

    def recorded(self, key: NodeId) -> RecordedProgram | None:
        """What the run recorded of a rule; None for a rule that was evaluated, and for a stub."""
        if not key.is_recorded:
            return None
        return self.record[key.number]

    def program(self, key: NodeId) -> Program:
        """The program of a node in canonical form; of a stub, the rule that it stands below."""
        if key.is_evaluated:
            return self._evaluated[key].program
        return self.record[key.number].program

    def display_form(self, key: NodeId) -> Program:
        """The program of a node as it is shown: a joined rule fragment by fragment, as in the result."""
        if self._is_joined(key):
            return self._evaluated[key].given
        return self.naming.display_form(self.program(key))

    def _is_joined(self, key: NodeId) -> bool:
        """Whether a rule was joined from fragments, and is a part of the hypothesis."""
        return key.is_evaluated and self._evaluated[key].is_joined

    def above(self, key: NodeId) -> list[NodeId]:
        """The immediate generalisations of a node that have ids."""
        if key.is_stub:
            return [NodeId.recorded(key.number)]
        found: list[NodeId] = []
        if key.is_recorded:
            found = [NodeId.recorded(number) for number in self.record.generalisations(key.number)]
        if self._may_have_others_above(key):
            others = map(self.known_id, self.generalisations(key))
            found += [other for other in others if other is not None]
        return list(dict.fromkeys(found))

    def _may_have_others_above(self, key: NodeId) -> bool:
        """Whether a generalisation may have an id besides those that the record lists for this rule."""
        program = self.program(key)
        size_above = program.size - 1
        longest_recorded = len(program.rules) * (1 + self._run.task.bias.max_body)
        if key.is_evaluated and size_above <= longest_recorded:
            return True
        return any(form.size == size_above for form in self._evaluated_ids)

    def generalisations(self, key: NodeId) -> list[Program]:
        """The program without one literal, for each literal; also programs that the run never made."""
        if key not in self._generalisations:
            own = self.program(key)
            found: Iterable[Program] = ()
            # A joined program that calls itself has many names to be exchanged, and its fragments say more about it.
            if len(own.rules) == 1 or not self._is_joined(key):
                found = generalisations(own, self._run.task.bias.head)
            self._generalisations[key] = list(dict.fromkeys(found))
        return self._generalisations[key]

    def count_generalisations(self, key: NodeId) -> int:
        """How many generalisations a program has.

        For a long rule this is the number of its literals, although some may give the same generalisation: to find
        that out, all their canonical forms would have to be computed, which takes a while.
        """
        rules = self.program(key).rules
        if len(rules) == 1 and len(rules[0].body) > _LONG:
            return len(rules[0].body)
        return len(self.generalisations(key))

    def below(self, key: NodeId) -> Specialisations:
        """What is recorded of the immediate specialisations of a rule."""
        if not key.is_recorded:
            return Specialisations(())
        with self._lock:
            record = self.record
            if self._recorded_then != len(record):
                self._recorded_then = len(record)
                self._specialisations.clear()
            if key.number not in self._specialisations:
                self._specialisations[key.number] = record.specialisations(key.number)
            return self._specialisations[key.number]

    def stubs(self, key: NodeId) -> dict[NodeId, int]:
        """The stubs below a rule, and how many specialisations that were never made each stands for."""
        stubs: dict[NodeId, int] = {}
        for cut in self.below(key).cut:
            stub = NodeId.stub(key.number, cut.kind)
            stubs[stub] = stubs.get(stub, 0) + cut.count
        return stubs

    def node(self, key: NodeId, role: str = "", *, above: int = 0, below: int = 0) -> Node:
        """A node for a graph; `above` and `below` count its neighbours that are not in the graph."""
        if key.is_stub:
            return self._stub_node(key)
        program = self.display_form(key)
        text = " ".join(map(render_rule, program.rules))
        recorded = self.recorded(key)
        if recorded:
            fate = recorded.fate
            node = Node(
                key,
                recorded.size,
                text,
                fate,
                recorded.pos,
                recorded.neg,
                fate,
                recorded.legal,
                program=program,
            )
        else:
            own = self._evaluated[key]
            node = Node(key, own.program.size, text, own.outcome, own.pos, own.neg, program=program)
        return replace(node, role=role, above=above, below=below)

    def _stub_node(self, key: NodeId) -> Node:
        """A stub for a graph."""
        count = self.stubs(NodeId.recorded(key.number)).get(key, 0)
        size = self.program(key).size + 1
        text = counted(count, "specialisation")
        return Node(key, size, text, key.cut_kind, None, None, stub=count)


def _evaluated_rule(
    program: Program, given: Program, evaluation: Evaluation, outcome: Fate | None
) -> EvaluatedRule:
    """A program with the given outcome, or without it the one that follows from what it covers."""
    if not evaluation.complete:
        return EvaluatedRule(program, given, outcome or Fate.UNFINISHED, None, None)
    pos, neg = evaluation.pos.bit_count(), (evaluation.neg or 0).bit_count()
    if outcome in (Fate.COVERS_NOTHING, Fate.NOTHING_BELOW):
        # Below what is no rule yet and has no rule below it that covers anything, there are rules that cover nothing.
        outcome = Fate.COVERS_NOTHING
        if pos:
            outcome = Fate.NOTHING_BELOW
    return EvaluatedRule(program, given, outcome or _outcome_by_coverage(pos, neg), pos, neg)


def _outcome_by_coverage(pos: int, neg: int) -> Fate:
    """What would have become of a rule that covers so many positive and negative examples."""
    if not pos:
        return Fate.COVERS_NOTHING
    if neg:
        return Fate.JOINABLE
    return Fate.CONSISTENT
