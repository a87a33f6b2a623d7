"""The coverage matrix: which rules of a hypothesis, and which fragments of its rules, cover which examples.

A rule for the learnt predicate covers an example if its body holds in the least model of the whole hypothesis. So a
rule that calls the learnt predicate or an invented one is evaluated together with the rules that it calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count, islice
from operator import or_
from typing import TYPE_CHECKING, Literal, NamedTuple

from joiner_magic.engines.choose import choose_engine
from joiner_magic.engines.protocol import Engine
from joiner_magic.logic.dominance import bits, ones
from joiner_magic.logic.programs import Evaluation, Program, Rule
from joiner_magic.logic.programs import Literal as Atom
from joiner_magic.logic.render import render_rule, render_term
from joiner_magic.logic.terms import Predicate, Term
from joiner_magic.questions.naming import Naming
from joiner_magic.search.outcome.result import Result
from joiner_magic.task.task import Task

if TYPE_CHECKING:
    from pandas import DataFrame

_NAMED = 5  # examples that are listed among those that the rules get wrong
STRIP = 20  # examples of each label that are shown one by one, as dots


@dataclass(frozen=True, slots=True)
class CoverageColumn:
    """A rule or a fragment, and the examples that it covers: bit i stands for example i of its label."""

    kind: Literal["rule", "fragment"]
    program: Program
    text: str
    pos: int
    neg: int
    rule: int | None = (
        None  # of a fragment: the number, from 0, of the rule that has it; None if several have it
    )
    complete: bool = True  # otherwise its evaluation did not finish, and it may cover more examples

    def strips(self, positives: int, negatives: int, most: int = STRIP) -> tuple[str, str]:
        """Two rows of dots, one for each label: which of the first examples are covered."""
        return _strip(self.pos, min(positives, most)), _strip(self.neg, min(negatives, most))


@dataclass(frozen=True, slots=True)
class CoverageMatrix:
    """Which rules and fragments cover which examples: a column for each rule, then one for each fragment of rules that were joined from several."""

    pos: tuple[Term, ...]  # the positive examples
    neg: tuple[Term, ...]  # the negative examples
    columns: tuple[CoverageColumn, ...]  # a column for each rule, then one for each fragment

    @classmethod
    def of(cls, result: Result, engine: Engine | None = None) -> CoverageMatrix:
        """The matrix of a result. Without an engine one is started for it, like that of the run."""
        asked = [*_rule_columns(result), *_fragment_columns(result)]
        found = evaluated([each.program for each in asked], result, engine)
        examples = result.task.examples
        columns = []
        for each, (pos, neg, complete) in zip(asked, found, strict=True):
            column = CoverageColumn(each.kind, each.program, each.text, pos, neg or 0, each.rule, complete)
            columns.append(column)
        return cls(examples.pos, examples.neg, tuple(columns))

    @property
    def rules(self) -> tuple[CoverageColumn, ...]:
        """The columns that stand for whole rules."""
        return tuple(column for column in self.columns if column.kind == "rule")

    @property
    def fragments(self) -> tuple[CoverageColumn, ...]:
        """The columns that stand for fragments."""
        return tuple(column for column in self.columns if column.kind == "fragment")

    @property
    def missed(self) -> int:
        """The positive examples that no rule covers, as a bitset; none where some rule may cover more than is known."""
        if not all(rule.complete for rule in self.rules):
            return 0
        covered = reduce(or_, (rule.pos for rule in self.rules), 0)
        return ones(len(self.pos)) & ~covered

    @property
    def wrong(self) -> int:
        """The negative examples that some rule covers, as a bitset."""
        return reduce(or_, (rule.neg for rule in self.rules), 0)

    def rows(self) -> Iterator[tuple[Term, str, tuple[bool, ...]]]:
        """Each example, its label, and for each column whether it is covered."""
        positives = [column.pos for column in self.columns]
        negatives = [column.neg for column in self.columns]
        for label, atoms, columns in (("pos", self.pos, positives), ("neg", self.neg, negatives)):
            for number, atom in enumerate(atoms):
                yield atom, label, tuple(bool(covered >> number & 1) for covered in columns)

    def __str__(self) -> str:
        """How many examples each column covers, and which of the first ones."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        """A line for the examples, and one for each column."""
        yield f"{len(self.pos):,} positive and {len(self.neg):,} negative examples"
        if not self.columns:
            yield "no rule was found"
        for column in self.columns:
            pos, neg = column.strips(len(self.pos), len(self.neg))
            counts = f"+{column.pos.bit_count():<5,} −{column.neg.bit_count():<5,}"
            line = f"{column.kind:8} {counts} {pos} {neg}  {column.text}"
            if not column.complete:
                line += "  (perhaps more: not evaluated to the end)"
            yield line
        yield from self.error_lines()

    def error_lines(self) -> Iterator[str]:
        """The examples that the rules get wrong, the first of them by name; nothing where there are none."""
        if not self.rules:
            return
        for word, errors, atoms in (("missed", self.missed, self.pos), ("wrong", self.wrong, self.neg)):
            if errors:
                names = [render_term(atoms[number]) for number in islice(bits(errors), _NAMED)]
                if errors.bit_count() > _NAMED:
                    names.append("…")
                yield f"{word:8} {errors.bit_count():,}: {', '.join(names)}"

    def to_frame(self) -> DataFrame:
        """A row for each example; its label, and what covers it, under the texts of rules and fragments."""
        from joiner_magic.sessions.data_frames import import_pandas

        rows = list(self.rows())
        index = [render_term(atom) for atom, _, _ in rows]
        data = [[label, *covered] for _, label, covered in rows]
        titles = ["label", *(column.text for column in self.columns)]
        return import_pandas().DataFrame(data, index=index, columns=titles)


def _strip(covered: int, length: int) -> str:
    """A row of dots, filled for examples that are covered."""
    return "".join("○●"[covered >> number & 1] for number in range(length))


def evaluated(
    programs: Sequence[Program], result: Result, engine: Engine | None = None, *, limit: int | None = None
) -> list[Evaluation]:
    """What programs cover of the examples that the result was learnt from."""
    if not programs:
        return []
    if engine is not None:
        return engine.evaluate(programs, limit=limit)
    with choose_engine(result.task, result.engine, trusted=result.trusted).engine as own:
        return own.evaluate(programs, limit=limit)


class _ColumnProgram(NamedTuple):
    """A column before its program is evaluated."""

    kind: Literal["rule", "fragment"]
    program: Program
    text: str
    rule: int | None = None


def _rule_columns(result: Result) -> Iterator[_ColumnProgram]:
    """The rules of the hypothesis for the learnt predicate."""
    if result.hypothesis is not None:
        for rule in result.hypothesis.rules:
            if rule.head.predicate == result.task.bias.head:
                yield _ColumnProgram("rule", within(rule, result.hypothesis, result.task), render_rule(rule))


def _fragment_columns(result: Result) -> Iterator[_ColumnProgram]:
    """The fragments of rules that were joined from several; a rule that was not joined has none."""
    naming = Naming(result.task.bias)
    rules_with: dict[str, list[int]] = {}  # by the text of a fragment
    programs_by_text: dict[str, Program] = {}
    rule = 0
    for part in result.parts:
        programs = part.conjunction.programs
        if len(programs) == 1:
            rule += _rules_for(result.task.bias.head, programs[0])
            continue
        for program in programs:
            text = naming(program)
            programs_by_text[text] = naming.display_form(program)
            rules_with.setdefault(text, []).append(rule)
        rule += 1
    for text, rules in rules_with.items():
        only_rule = None
        if len(rules) == 1:
            only_rule = rules[0]
        yield _ColumnProgram("fragment", programs_by_text[text], text, only_rule)


def _rules_for(head: Predicate, program: Program) -> int:
    """How many rules of a program are for this predicate."""
    return sum(rule.head.predicate == head for rule in program.rules)


def within(rule: Rule, hypothesis: Program, task: Task) -> Program:
    """A program in which only this rule defines the head, and what it calls means what the hypothesis says."""
    if not any(literal.predicate in hypothesis.defined for literal in rule.body):
        return Program((rule,))
    head = task.bias.head
    taken = {predicate.name for predicate in (*hypothesis.defined, *task.background.predicates)}
    names = (f"{head.name}_whole_{number}" for number in count(1))
    name = next(name for name in names if name not in taken)

    def renamed(literal: Atom) -> Atom:
        """A literal that calls the whole hypothesis where it called the learnt predicate."""
        if literal.predicate != head:
            return literal
        return Atom(name, literal.args)

    def body(of: Rule) -> tuple[Atom, ...]:
        """The body of a rule, renamed."""
        return tuple(map(renamed, of.body))

    whole = (Rule(renamed(other.head), body(other)) for other in hypothesis.rules)
    return Program((Rule(rule.head, body(rule)), *whole))
