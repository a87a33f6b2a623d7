"""A bias text taken apart: what it says now, and what it keeps for the generator.

The text is an ASP program over the directives of the field. Three questions are asked of the
graph of its predicates. What do the directives depend on? That part is evaluated. What do the
integrity constraints depend on? That part is kept, word for word, for the generator of rules,
which alone knows the predicates of the meta-language. What is left? Nothing uses it: old
directives that no longer mean anything, and misspelt ones; the user is told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from joiner_magic.errors import Place, TaskError, TextError
from joiner_magic.logic.terms import Predicate, Term, arguments_of
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.task.bias import BIAS_DIRECTIVES
from joiner_magic.task.notes import Note, did_you_mean, with_hint
from joiner_magic.task.recent import RecentValues
from joiner_magic.task.vocabulary import DIRECTIVES, META_LANGUAGE

if TYPE_CHECKING:
    from joiner_magic.solvers.asp import AspProgram
    from joiner_magic.solvers.asp_statements import FreeVariable, Statement

# Directives of other learners, and of older versions of this family, that mean nothing here.
_FOREIGN_NAMES = """
modeh modeb max_rule_body max_rule_size max_rules max_literals min_literals max_size custom_max_size
max_inv_preds max_inv_arity max_inv_body max_inv_clauses invent_pred lower functional irreflexive
symmetric asymmetric antisymmetric prop recall prim only_once enable_bkcons enable_ho_recursion
enable_negation body_singletons magic_value magic_value_type numerical_pred bounds timeout
eval_timeout num_literals num_rules num_clauses num_vars
"""
_FOREIGN = frozenset(_FOREIGN_NAMES.split())
_SUCCESSORS = {
    "modeh": "head_pred",
    "modeb": "body_pred",
    "max_rule_body": "max_body",
    "max_rules": "max_clauses",
}
_OLD_FORMS = frozenset({Predicate("type", 3), Predicate("direction", 3)})
_WIDEST = 100_000  # values of an interval
_MOST_KEPT = 16  # texts whose directives are kept
_CHARACTERS_PER_DIRECTIVE = 40
_HEAVIEST_KEPT = 4_000_000  # characters of these texts together


@dataclass(frozen=True, slots=True)
class GivenDirective:
    """One directive that holds, and the statement that says so."""

    name: str
    args: tuple[Term, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Directives:
    """All that a bias text says: the directives that hold, what is kept for the generator, and notes."""

    given: tuple[GivenDirective, ...]  # in the order of their statements
    constraints: str  # for the generator, in the user's words
    notes: tuple[Note, ...]

    def named(self, name: str) -> list[GivenDirective]:
        """The directives with this name, in order."""
        return [directive for directive in self.given if directive.name == name]


def _weight(key: tuple[AspText, int], directives: Directives) -> int:
    """About how many characters are kept with a text: a directive that follows from a rule takes some as well."""
    text, _ = key
    return len(text.text) + _CHARACTERS_PER_DIRECTIVE * len(directives.given)


# What a text says is asked several times when a cell speaks, and again by every run. By the text, and by the memory
# that working it out may take: with less of it the answer can be an error.
_recent: RecentValues[tuple[AspText, int], Directives] = RecentValues(_MOST_KEPT, _weight, _HEAVIEST_KEPT)


def read_directives(text: AspText, stop: Stop = never, memory: int | None = None) -> Directives:
    """What a bias text says; a text that was read a moment ago is not read again.

    TextError or TaskError where it says nothing, Interrupted when `stop` says so. `memory` is how many megabytes may be
    used to work out what the text says; None for as many as usual.
    """
    # clingo takes a tenth of a second to import; a task without a bias text does not need it.
    from joiner_magic.solvers.asp import MEMORY, AspProgram

    bytes_allowed = MEMORY if memory is None else min(memory * 1_000_000, MEMORY)
    known = _recent.find((text, bytes_allowed))
    if known is not None:
        if stop():
            raise Interrupted
        return known
    directives = _BiasProgram(AspProgram(text, stop, bytes_allowed)).directives()
    _recent.keep((text, bytes_allowed), directives)
    return directives


class _BiasProgram:
    """The statements of a bias text and the graph of their predicates."""

    def __init__(self, program: AspProgram) -> None:
        """Look up which statements define each predicate."""
        self._program = program
        self._statements = program.statements
        self._definitions: dict[Predicate, list[int]] = {}
        for index, statement in enumerate(self._statements):
            for head in statement.heads:
                self._definitions.setdefault(head, []).append(index)

    def directives(self) -> Directives:
        for statement in self._statements:
            _check_form(statement)
            self._check_ends(statement)
        constants = self._select(lambda s: s.kind == "const")
        stated = self._select(lambda s: s.kind == "rule" and _is_directive(s.heads[0]))
        evaluated = self._closure(stated)
        for index in evaluated:
            _check_evaluated(self._statements[index])
        kept = self._closure(self._select(_is_for_generator), into_directives=False)
        if kept:
            kept.update(constants)
            self._program.check(sorted(kept))
        derived = self._program.derive([*constants, *sorted(evaluated)], stated)
        return Directives(
            tuple(self._directive(d.statement, d.atom) for d in derived),
            "\n".join(self._statements[index].text for index in sorted(kept)),
            (*self._undefined(evaluated | kept), *self._unused(evaluated | kept)),
        )

    def _select(self, wanted: Callable[[Statement], bool]) -> list[int]:
        """The numbers of the statements that are wanted."""
        return [index for index, statement in enumerate(self._statements) if wanted(statement)]

    def _closure(self, roots: Iterable[int], *, into_directives: bool = True) -> set[int]:
        """The statements `roots` and all that define what they need."""
        found = set(roots)
        todo = list(found)
        while todo:
            for need in self._statements[todo.pop()].needs:
                if into_directives or not _is_directive(need):
                    new = set(self._definitions.get(need, ())) - found
                    found |= new
                    todo.extend(new)
        return found

    def _directive(self, index: int, atom: Term) -> GivenDirective:
        """An atom that became true, as the directive which the statement with this index gives."""
        statement = self._statements[index]
        return GivenDirective(statement.heads[0].name, arguments_of(atom), statement.place)

    def _check_ends(self, statement: Statement) -> None:
        """A rule that needs what it defines must not make new terms: it could go on for ever."""
        if statement.builds is None:
            return
        behind = {head for index in self._closure_of(statement) for head in self._statements[index].heads}
        if behind & set(statement.heads):
            raise TextError(
                "this rule is recursive and makes new terms, so it might never end",
                place=statement.builds,
                remedy="list the values, or use an interval such as 1..10",
            )

    def _closure_of(self, statement: Statement) -> set[int]:
        """The statements that one needs, directly or through others, by their indices."""
        return self._closure(i for need in statement.needs for i in self._definitions.get(need, ()))

    def _undefined(self, used: Collection[int]) -> Iterator[Note]:
        """A note for each predicate that statements use though nothing defines it."""
        known = META_LANGUAGE | self._definitions.keys()
        names = [*DIRECTIVES, *(predicate.name for predicate in known)]
        missing: dict[Predicate, Place] = {}
        for statement in (self._statements[index] for index in sorted(used)):
            for need in statement.needs:
                if need not in known and not _is_directive(need):
                    missing.setdefault(need, statement.place)
        for need, place in missing.items():
            hint = did_you_mean(need.name, names)
            yield Note(with_hint(f"nothing defines {need}: it is never true", hint), place)

    def _unused(self, used: Collection[int]) -> Iterator[Note]:
        """A note for each statement that has no effect."""
        unused: dict[Predicate, Place] = {}
        for index, statement in enumerate(self._statements):
            if statement.kind == "show":
                yield Note("#show means nothing here and is left out", statement.place)
            if index not in used and statement.kind != "defined":
                for head in statement.heads:
                    unused.setdefault(head, statement.place)
        for predicate, place in unused.items():
            yield Note(_why_unused(predicate), place)


def _is_directive(predicate: Predicate) -> bool:
    """Whether a predicate is a directive of the bias, with a number of arguments that it may have."""
    known = BIAS_DIRECTIVES.get(predicate.name)
    return known is not None and predicate.arity in known.kind.arities


def _is_for_generator(statement: Statement) -> bool:
    """Whether a statement constrains the programs that are generated, and is no directive."""
    return statement.kind == "constraint" or any(head in META_LANGUAGE for head in statement.heads)


def _why_unused(predicate: Predicate) -> str:
    """Why a predicate has no effect, and what to write in its place if that is known."""
    name = predicate.name
    if predicate in _OLD_FORMS or name in _FOREIGN:
        successor = DIRECTIVES.get(_SUCCESSORS.get(name, name))
        return with_hint(
            f"{predicate} means nothing here and is left out", successor and f"write {successor}."
        )
    unused = f"{predicate} is not a directive and nothing uses it: it is left out"
    return with_hint(unused, did_you_mean(name, DIRECTIVES))


def _check_form(statement: Statement) -> None:
    """Refuse what a bias must not say, whoever would evaluate it."""
    if statement.kind == "other":
        raise TextError(
            "a bias holds facts, rules and integrity constraints, not this",
            place=statement.place,
            remedy="take it out",
        )
    if statement.external:
        raise TextError(
            "a bias cannot call functions of another language",
            place=statement.external,
            remedy="write the values themselves",
        )
    if math.inf > statement.width > _WIDEST:
        raise TextError(
            f"intervals with more than {_WIDEST} values",
            place=statement.place,
            remedy="use smaller bounds",
        )
    for head in statement.heads:
        if statement.kind == "choice" and _is_directive(head):
            raise TextError(
                f"{head.name} must be a fact or follow from a rule, not be a choice",
                place=statement.place,
                remedy="state each directive on its own",
            )
        if statement.kind != "defined" and _is_malformed(head):
            raise TaskError(
                f"{head.name} with {head.arity} argument{'' if head.arity == 1 else 's'}",
                place=statement.place,
                remedy=f"write {DIRECTIVES[head.name]}.",
            )
    states_directive = bool(statement.heads) and _is_directive(statement.heads[0])
    if states_directive and statement.free:
        raise _capitalised(statement.free[0], statement.heads[0].name)


def _is_malformed(head: Predicate) -> bool:
    """Whether this is the name of a directive with a wrong number of arguments."""
    return head.name in DIRECTIVES and not _is_directive(head) and head not in _OLD_FORMS


def _capitalised(variable: FreeVariable, directive: str) -> TaskError:
    """The error for a name in capitals, which is a variable for clingo."""
    what = "predicate names" if variable.argument == 0 and directive != "constant" else "names"
    return TaskError(
        f"{what} start with a lower-case letter, and {variable.name} is a variable",
        place=variable.place,
        remedy=f'write {variable.name[0].lower()}{variable.name[1:]}, or "{variable.name}" in double quotes',
    )


def _check_evaluated(statement: Statement) -> None:
    """Refuse what directives must not depend on."""
    if statement.kind == "choice":
        raise TextError(
            "directives depend on this choice",
            place=statement.place,
            remedy="state what holds as facts or rules",
        )
    if statement.width == math.inf:
        raise TextError(
            "the bounds of this interval are not numbers",
            place=statement.place,
            remedy="write the bounds as numbers",
        )
    for need in statement.needs:
        if need in META_LANGUAGE:
            raise TaskError(
                f"a directive cannot depend on {need}, which is about the rules that are generated",
                place=statement.place,
                remedy="say it with an integrity constraint",
            )
