"""The rules of a run by id: those that it recorded, and those that are evaluated here because it never made them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from joiner_magic.errors import TaskError
from joiner_magic.logic.canonical import canonical, generalisations
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.render import render_rule
from joiner_magic.questions.inspector import RunInspector
from joiner_magic.questions.lattice.graph import Node, Outcome, outcome_of
from joiner_magic.search.record.record import Recorded, Specialisations
from joiner_magic.task.notes import counted

if TYPE_CHECKING:
    from joiner_magic.sessions.runs import Run

_ID = re.compile(r"([rps])([0-9]{1,9})(:.+)?")

_LONG = 20  # literals


@dataclass(frozen=True, slots=True)
class EvaluatedRule:
    """A rule that is not in the record."""

    program: Program  # in canonical form
    given: Program
    outcome: Outcome
    pos: int | None
    neg: int | None


class LatticeRules(RunInspector):
    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._evaluated: list[EvaluatedRule] = []
        self._ids: dict[Program, str] = {}  # of these
        self._below: dict[int, Specialisations] = {}  # as long as nothing more is recorded
        self._below_of = 0
        self._generals: dict[str, list[Program]] = {}  # of the rules that were asked about

    def ids(self, programs: Iterable[Program], outcome: Outcome | None = None) -> list[str]:
        """Of any programs: what is not recorded is evaluated, and without an outcome gets that of its coverage."""
        forms = {canonical(program, self._run.task.bias.head): program for program in programs}
        with self._lock:
            new = [form for form in forms if self.known(form) is None]
            for form, evaluation in zip(new, self.evaluate(new), strict=True):
                self._ids[form] = f"p{len(self._evaluated)}"
                self._evaluated.append(_evaluated(form, forms[form], evaluation, outcome))
            return [key for form in forms if (key := self.known(form)) is not None]

    def known(self, program: Program) -> str | None:
        """The id of a program in canonical form that has one."""
        number = self.record.find(program)
        return self._ids.get(program) if number is None else f"r{number}"

    def recorded(self, key: str) -> Recorded | None:
        return self.record[int(key[1:])] if key.startswith("r") else None

    def program(self, key: str) -> Program:
        """Of a stub the rule that it stands below."""
        if key.startswith("p"):
            return self._evaluated[int(key[1:])].program
        return self.record[number_of(key)].program

    def written(self, key: str) -> Program:
        """As it is shown: a joined rule of the hypothesis fragment by fragment, as in the result."""
        if self._is_joined(key):
            return self._evaluated[int(key[1:])].given
        return self.naming.written(self.program(key))

    def _is_joined(self, key: str) -> bool:
        return key.startswith("p") and self._evaluated[int(key[1:])].outcome == "solution"

    def above(self, key: str) -> list[str]:
        """Immediate generalisations that have an id."""
        if key.startswith("s"):
            return [f"r{number_of(key)}"]
        found: list[str] = []
        if key.startswith("r"):
            found = [f"r{number}" for number in self.record.generalisations(number_of(key))]
        if self._may_have_above(key):
            found += [a for p in self.generalisations(key) if (a := self.known(p)) is not None]
        return list(dict.fromkeys(found))

    def _may_have_above(self, key: str) -> bool:
        """Whether there are rules that the record does not know of, and of a size in question."""
        program = self.program(key)
        size = program.size - 1
        longest = len(program.rules) * (1 + self._run.task.bias.max_body)
        recorded = key.startswith("p") and size <= longest
        return recorded or any(form.size == size for form in self._ids)

    def generalisations(self, key: str) -> list[Program]:
        """The program without one literal, also what was never made."""
        if key not in self._generals:
            own = self.program(key)
            # Of recursive programs that were joined the fragments say more, and they have many names to be exchanged.
            joined = len(own.rules) > 1 and self._is_joined(key)
            found = () if joined else generalisations(own, self._run.task.bias.head)
            self._generals[key] = list(dict.fromkeys(found))
        return self._generals[key]

    def generalisations_there_are(self, key: str) -> int:
        """Of a long rule each literal is taken to give another one: their canonical forms take a while."""
        rules = self.program(key).rules
        literals = len(rules[0].body) if len(rules) == 1 else 0
        return literals if literals > _LONG else len(self.generalisations(key))

    def find(self, program: Program) -> str | None:
        """The id of a program, in whatever form it is written, if it has one."""
        number = self.record.find(program)
        if number is not None:
            return f"r{number}"
        if all(form.size != program.size for form in self._ids):  # the canonical form may take long
            return None
        return self._ids.get(canonical(program, self._run.task.bias.head))

    def below(self, key: str) -> Specialisations:
        """What is recorded of the immediate specialisations."""
        if not key.startswith("r"):
            return Specialisations(())
        number = number_of(key)
        with self._lock:
            record = self.record
            if self._below_of != len(record):
                self._below_of = len(record)
                self._below.clear()
            if number not in self._below:
                self._below[number] = record.specialisations(number)
            return self._below[number]

    def stubs(self, key: str) -> dict[str, int]:
        """Of the immediate specialisations that were never made how many there are, by id."""
        stubs: dict[str, int] = {}
        for cut in self.below(key).cut:
            stub = f"s{number_of(key)}:{cut.kind}"
            stubs[stub] = stubs.get(stub, 0) + cut.count
        return stubs

    def has(self, key: str) -> bool:
        found = _ID.fullmatch(key)
        if found is None:
            return False
        kind, number, cut = found.groups()
        is_there = int(number) < len(self._evaluated if kind == "p" else self.record)
        return is_there and (key in self.stubs(f"r{number}") if kind == "s" else not cut)

    def check(self, key: str) -> None:
        """Raises TaskError if there is no such node."""
        if not self.has(key):
            raise TaskError(f"the lattice has no node {key!r}", remedy="take the id of one that it has shown")

    def node(self, key: str, role: str = "", *, above: int = 0, below: int = 0) -> Node:
        if key.startswith("s"):
            return self._stub(key)
        text = " ".join(map(render_rule, self.written(key).rules))
        recorded = self.recorded(key)
        if recorded:
            fate, pos, neg, whole = outcome_of(recorded.fate), recorded.pos, recorded.neg, recorded.legal
            node = Node(key, recorded.size, text, fate, pos, neg, fate, whole)
        else:
            own = self._evaluated[int(key[1:])]
            node = Node(key, own.program.size, text, own.outcome, own.pos, own.neg)
        return replace(node, role=role, above=above, below=below)

    def _stub(self, key: str) -> Node:
        count = self.stubs(f"r{number_of(key)}").get(key, 0)
        size = self.program(key).size + 1
        outcome = outcome_of(key.partition(":")[2])
        return Node(key, size, counted(count, "specialisation"), outcome, None, None, stub=count)


def number_of(key: str) -> int:
    return int(key[1:].partition(":")[0])


def _evaluated(
    program: Program, given: Program, evaluation: Evaluation, outcome: Outcome | None
) -> EvaluatedRule:
    if not evaluation.complete:
        return EvaluatedRule(program, given, outcome or "unfinished", None, None)
    pos, neg = evaluation.pos.bit_count(), (evaluation.neg or 0).bit_count()
    seen: Outcome = "covers nothing" if not pos else "joinable" if neg else "consistent"
    if outcome in ("covers nothing", "nothing below"):  # a rule below what is none yet does cover nothing
        outcome = "nothing below" if pos else "covers nothing"
    return EvaluatedRule(program, given, outcome or seen, pos, neg)
