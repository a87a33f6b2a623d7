"""Examples: ground atoms of one predicate that a program should and should not cover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from joiner_magic.errors import Place, TaskError
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import (
    Clause,
    Predicate,
    Term,
    Variable,
    arguments_of,
    predicate_of,
    subterms,
)
from joiner_magic.task.background import directive_notes
from joiner_magic.task.notes import Note, did_you_mean
from joiner_magic.task.reader import Source

_LABELS = ("pos", "neg")
_NOT_PREDICATES = frozenset({":-", "-->", ",", ";", "|", "->", "*->", "\\+", "{}", "[]", "!"})


@dataclass(frozen=True, slots=True)
class Examples:
    """Each atom once, in the order of the text."""

    pos: tuple[Term, ...]
    neg: tuple[Term, ...]
    predicate: Predicate
    place: Place | None = field(default=None, compare=False, repr=False)  # of the first example

    def to_text(self) -> str:
        lines = [
            f"{label}({render_term(atom)})."
            for label, atoms in (("pos", self.pos), ("neg", self.neg))
            for atom in atoms
        ]
        return "\n".join(lines) + "\n"


def read_examples(text: str, name: str = "exs") -> tuple[Examples, tuple[Note, ...]]:
    """The examples of a text of facts `pos(atom).` and `neg(atom).`; TaskError if they are not sound."""
    source = Source.read(text, name)
    found: dict[Term, _Labelled] = {}
    repeated: list[_Labelled] = []
    for clause in source.clauses():
        if clause.head is None:
            continue  # a directive, for which there is a note
        new = _labelled(clause.head, clause, source)
        known = found.setdefault(new.atom, new)
        if known.label != new.label:
            raise _contradiction(known, new, source)
        if known is not new:
            repeated.append(new)
    pos = tuple(example.atom for example in found.values() if example.label == "pos")
    neg = tuple(example.atom for example in found.values() if example.label == "neg")
    if not pos:
        raise TaskError(
            "there is no positive example",
            place=source.place(None),
            remedy="write each as pos(atom).",
        )
    place = source.place(next(iter(found)).position)
    examples = Examples(pos, neg, _only_predicate(found, source), place)
    return examples, (*directive_notes(source), *_repetition_notes(repeated, source))


class _Labelled(NamedTuple):
    label: str
    atom: Term


def _labelled(head: Term, clause: Clause, source: Source) -> _Labelled:
    """The example that a clause states."""
    predicate = predicate_of(head)
    assert predicate is not None, "the reader lets only atoms be heads"
    hint = ""
    if clause.body is not None:
        problem = "an example is a fact, not a rule"
    elif predicate.name not in _LABELS:
        problem = f"{predicate} is neither pos/1 nor neg/1"
        hint = did_you_mean(predicate.name, _LABELS)
    elif predicate.arity != 1:
        problem = f"{predicate.name} holds one atom, not {predicate.arity}"
    else:
        problem = ""
    if problem:
        place = source.place(clause.position)
        raise TaskError(problem, place=place, remedy=hint or "write pos(atom). or neg(atom).")
    (atom,) = arguments_of(head)
    _check_atom(atom, source)
    return _Labelled(predicate.name, atom)


def _check_atom(atom: Term, source: Source) -> None:
    predicate = predicate_of(atom)
    if predicate is None or predicate.name in _NOT_PREDICATES:
        raise TaskError(
            f"{render_term(atom)} is not an atom",
            place=source.place(atom.position),
            remedy="an example is a predicate with its arguments, such as pos(parent(ann,bob)).",
        )
    for term in subterms(atom):
        if isinstance(term, Variable):
            raise TaskError(
                f"the variable {term.name} in an example",
                place=source.place(term.position),
                remedy="examples have no variables: write a constant, in lower case or in quotes",
            )


def _contradiction(known: _Labelled, new: _Labelled, source: Source) -> TaskError:
    before = source.place(known.atom.position)
    return TaskError(
        f"{render_term(new.atom)} is {new.label} here but {known.label} in line {before.line}",
        place=source.place(new.atom.position),
        remedy="keep one of them",
    )


def _only_predicate(atoms: Iterable[Term], source: Source) -> Predicate:
    only: Predicate | None = None
    for atom in atoms:
        predicate = predicate_of(atom)
        assert predicate is not None, "checked when it was read"
        if only is not None and predicate != only:
            raise TaskError(
                f"examples of two predicates, {only} and {predicate}",
                place=source.place(atom.position),
                remedy="one predicate is learnt at a time",
            )
        only = predicate
    assert only is not None, "there is an example"
    return only


def _repetition_notes(repeated: Sequence[_Labelled], source: Source) -> Iterator[Note]:
    if repeated:
        first = repeated[0].atom
        others = f" and {len(repeated) - 1} more" if len(repeated) > 1 else ""
        yield Note(
            f"{render_term(first)}{others} given again: each example counts once",
            source.place(first.position),
        )
