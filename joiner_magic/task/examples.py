"""Examples: ground atoms of one predicate that a program should and should not cover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import NamedTuple, SupportsIndex

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
from joiner_magic.solvers.interrupt import Stop, never, stoppable
from joiner_magic.task.background import directive_notes
from joiner_magic.task.notes import Note, did_you_mean
from joiner_magic.task.reader import PrologText

_LABELS = ("pos", "neg")
_NOT_PREDICATES = frozenset({":-", "-->", ",", ";", "|", "->", "*->", "\\+", "{}", "[]", "!"})


@dataclass(frozen=True, slots=True)
class Examples:
    """The atoms that a program should cover, `pos`, and those it should not, `neg`: each once, in the order of the text."""

    pos: tuple[Term, ...]
    neg: tuple[Term, ...]
    predicate: Predicate
    place: Place | None = field(default=None, compare=False, repr=False)  # of the first example

    @property
    def labels(self) -> tuple[bool, ...]:
        """Whether each is positive; the positive ones come first."""
        return (True,) * len(self.pos) + (False,) * len(self.neg)

    def subset(self, numbers: Iterable[SupportsIndex]) -> Examples:
        """Those with these numbers, as in `labels`; each once and in the order they have here."""
        chosen = {_number(number) for number in numbers}
        count = len(self.pos) + len(self.neg)
        if wrong := sorted(number for number in chosen if not 0 <= number < count):
            raise TaskError(f"there is no example {wrong[0]}", remedy=f"they are numbered 0 to {count - 1}")
        return replace(
            self,
            pos=tuple(atom for number, atom in enumerate(self.pos) if number in chosen),
            neg=tuple(atom for number, atom in enumerate(self.neg, len(self.pos)) if number in chosen),
            place=None,
        )

    def to_text(self) -> str:
        """A text that reads back to these examples."""
        positive = [f"pos({render_term(atom)})." for atom in self.pos]
        negative = [f"neg({render_term(atom)})." for atom in self.neg]
        return "\n".join([*positive, *negative]) + "\n"


def _number(given: SupportsIndex) -> int:
    """A mask is no list of numbers, though Python would take its values for 0 and 1."""
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise TaskError(f"{given!r} is no number of an example", remedy="give whole numbers, and no mask")
    return int(given)


def read_examples(
    text: str | Sequence[PrologText], name: str = "exs", *, held_out: bool = False, stop: Stop = never
) -> tuple[Examples, tuple[Note, ...]]:
    """The examples of texts of facts `pos(atom).` and `neg(atom).`; TaskError if they are not sound.

    Without a positive one there is nothing to learn, but `held_out` they can be measured on.
    """
    sources = (PrologText.read(text, name, stop),) if isinstance(text, str) else text
    found, notes = collect_examples(sources, stop)
    pos = tuple(atom for atom, example in found.items() if example.label == "pos")
    neg = tuple(atom for atom, example in found.items() if example.label == "neg")
    if not pos and not (held_out and neg):
        raise TaskError(
            "there is no positive example",
            place=sources[0].place(None) if sources else None,
            remedy="write each as pos(atom).",
        )
    first = next(iter(found.values()))
    predicate = predicate_of(first.atom)
    assert predicate is not None, "checked when it was read"
    return Examples(pos, neg, predicate, first.place), notes


def collect_examples(
    sources: Sequence[PrologText], stop: Stop = never
) -> tuple[dict[Term, LabelledExample], tuple[Note, ...]]:
    """Each atom once with its label, in order; TaskError if the texts contradict themselves or each other."""
    found: dict[Term, LabelledExample] = {}
    repeated: list[LabelledExample] = []
    for source in sources:
        for clause in stoppable(source.clauses(), stop):
            if clause.head is None:
                continue  # a directive, for which there is a note
            new = _example_of(clause.head, clause, source)
            known = found.setdefault(new.atom, new)
            if known.label != new.label:
                raise _contradiction(known, new)
            if known is not new:
                repeated.append(new)
    _check_predicate(found.values())
    notes = [note for source in sources for note in directive_notes(source)]
    return found, (*notes, *_repetition_notes(repeated))


class LabelledExample(NamedTuple):
    """An atom of a text of examples, and whether it is said to hold (`pos`) or not (`neg`)."""

    label: str
    atom: Term
    source: PrologText

    @property
    def place(self) -> Place:
        return self.source.place(self.atom.position)


def _example_of(head: Term, clause: Clause, source: PrologText) -> LabelledExample:
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
    return LabelledExample(predicate.name, atom, source)


def _check_atom(atom: Term, source: PrologText) -> None:
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


def _contradiction(known: LabelledExample, new: LabelledExample) -> TaskError:
    before = known.place.seen_from(new.place)
    return TaskError(
        f"{render_term(new.atom)} is {new.label} here but {known.label} in {before}",
        place=new.place,
        remedy="keep one of them",
    )


def _check_predicate(examples: Iterable[LabelledExample]) -> None:
    only: Predicate | None = None
    for example in examples:
        predicate = predicate_of(example.atom)
        if only is not None and predicate != only:
            raise TaskError(
                f"examples of two predicates, {only} and {predicate}",
                place=example.place,
                remedy="one predicate is learnt at a time",
            )
        only = predicate


def _repetition_notes(repeated: Sequence[LabelledExample]) -> Iterator[Note]:
    if repeated:
        first = repeated[0]
        others = f" and {len(repeated) - 1} more" if len(repeated) > 1 else ""
        yield Note(f"{render_term(first.atom)}{others} given again: each example counts once", first.place)
