"""The ids of the rules of a run, which are the same in all its views, and the rules that the ids stand for.

Several views show the same rules, and a rule that is selected in one of them is selected in all. A browser names a rule
by its id only. So each view notes the rules that it sends, and an id that comes back stands for the rule that was noted.

A rule that the run recorded has its number in the record as its id, as in the lattice. Others are numbered here.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING

from joiner_magic.errors import JoinerError
from joiner_magic.logic.canonical import canonical
from joiner_magic.logic.programs import Program
from joiner_magic.logic.terms import Predicate
from joiner_magic.questions.lattice.node_id import NodeId
from joiner_magic.search.record.record import Record
from joiner_magic.task.reader import read_program

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run


@dataclass(frozen=True, slots=True)
class NotedRule:
    """A rule as a view has shown it, or as somebody has written it."""

    text: str
    program: Program | None  # None: the text is no rule


class RuleIds:
    """The ids of one run's rules. It holds no run and no record, so it keeps neither of them alive."""

    def __init__(self, head: Predicate) -> None:
        """Ids for rules that define this predicate, and others that these need."""
        self._head = head
        self._noted: dict[NodeId, NotedRule] = {}
        self._by_text: dict[str, NodeId] = {}
        self._unrecorded: dict[Program, NodeId] = {}  # by canonical form
        self._numbered = 0  # how many ids of unrecorded rules there are

    def note(self, key: NodeId, text: str, program: Program | None) -> None:
        """Note that the rule with this id was shown as this text."""
        self._noted[key] = NotedRule(text, program)
        self._by_text[text] = key

    def noted(self, key: NodeId) -> NotedRule | None:
        """The rule that an id stands for; None for an id that no view has sent."""
        return self._noted.get(key)

    def program(self, rule: str) -> Program | None:
        """The program of a rule that is given by its id or as a text; None if there is none."""
        key = NodeId.parse(rule)
        if key is None:
            return read_written_rule(rule)
        noted = self._noted.get(key)
        if noted is None:
            return None
        return noted.program

    def of_unrecorded(self, form: Program) -> NodeId:
        """The id of a program in canonical form that is not in the record."""
        if form not in self._unrecorded:
            self._unrecorded[form] = self._new_id()
        return self._unrecorded[form]

    def of_program(self, program: Program, text: str, record: Record | None) -> NodeId:
        """The id of a program, which is noted to be shown as this text.

        The record may be gone by now. Then a program keeps the id that it was shown with before.
        """
        key = self._by_text.get(text)
        if key is None or not key.is_recorded:
            form = canonical(program, self._head)
            key = self._recorded_id(form, record) or self.of_unrecorded(form)
        self.note(key, text, program)
        return key

    def of_text(self, text: str, record: Record | None) -> NodeId:
        """The id of a rule that somebody has written. A text that is no rule of the run gets an id too."""
        known = self._by_text.get(text)
        if known is not None and known.is_recorded:
            return known
        program = read_written_rule(text)
        key = self._known_id(program, record) or known or self._new_id()
        if key not in self._noted:
            self._noted[key] = NotedRule(text, program)
        self._by_text[text] = key
        return key

    def _known_id(self, program: Program | None, record: Record | None) -> NodeId | None:
        """The id that a program of whatever form has; None if it has none yet."""
        if program is None:
            return None
        if record is not None and (number := record.find(program)) is not None:
            return NodeId.recorded(number)
        if all(
            form.size != program.size for form in list(self._unrecorded)
        ):  # the canonical form may take long
            return None
        return self._unrecorded.get(canonical(program, self._head))

    def _recorded_id(self, form: Program, record: Record | None) -> NodeId | None:
        """The id of a program in the record.

        A record finds a program also if it has only another one that is equal because two arguments of a predicate can
        be exchanged. Views show these two as different rules, so their ids differ too.
        """
        if record is None:
            return None
        number = record.find(form)
        if number is None or canonical(record[number].program, self._head) != form:
            return None
        return NodeId.recorded(number)

    def _new_id(self) -> NodeId:
        """An id for one more rule that is not in the record."""
        self._numbered += 1
        return NodeId.evaluated(self._numbered - 1)


_of_runs: weakref.WeakKeyDictionary[Run, RuleIds] = weakref.WeakKeyDictionary()


def rule_ids_of(run: Run) -> RuleIds:
    """The ids of the rules of the search that a run shows."""
    shown = run.shown
    return _of_runs.setdefault(shown, RuleIds(shown.task.bias.head))


def read_written_rule(text: str) -> Program | None:
    """The rule that a person has written, with or without its full stop; None while it is not finished."""
    if not text.rstrip().endswith("."):
        text = f"{text}."
    try:
        program = read_program(text)
    except JoinerError:
        return None
    if not program.rules:  # the text is a comment
        return None
    return program
