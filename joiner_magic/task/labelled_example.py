"""One example as a text states it: `pos(atom).`, `neg(atom).`, or either of them with a weight.

`read_example` makes a LabelledExample of a clause, and raises TaskError at the place of whatever is wrong with it.
Examples know where they stand, so errors that are found later, such as a contradiction of two examples, have places too.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import NamedTuple

from joiner_magic.errors import Place, TaskError
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import (
    Clause,
    Compound,
    Float,
    Integer,
    Position,
    Term,
    Variable,
    arguments_of,
    predicate_of,
    subterms,
)
from joiner_magic.task.exact_numbers import ONE, NotExact, check_exact, read_exact
from joiner_magic.task.notes import Note, did_you_mean
from joiner_magic.task.reader import PrologText

_LABELS = ("pos", "neg")
KEEP_ONE = "keep one of them, or allow errors: noisy. in the bias, or the option noise"
_LONGEST_SHOWN = 60  # characters of a term in a message
_NOT_PREDICATES = frozenset({":-", "-->", ",", ";", "|", "->", "*->", "\\+", "{}", "[]", "!"})
# A number with a point or an exponent, as the reader takes it; digits may be in groups, such as 1_000.5.
_NUMERAL = re.compile(r"[0-9_]+(?:\.[0-9_]+)?(?:[eE][+-]?[0-9_]+)?")


class LabelledExample(NamedTuple):
    """An atom of a text of examples, and whether it is said to hold (`pos`) or not (`neg`)."""

    label: str
    atom: Term
    source: PrologText
    weight: Fraction = ONE
    weighted_at: Position | None = None  # where its weight stands, if the text gives one

    @property
    def place(self) -> Place:
        """Where the atom stands in its text."""
        return self.source.place(self.atom.position)

    def with_more(self, again: LabelledExample) -> LabelledExample:
        """The example with the weight of another statement of it added; TaskError if no number can hold the sum."""
        try:
            return self._replace(weight=check_exact(self.weight + again.weight))
        except NotExact as problem:
            raise TaskError(
                f"the weight of {render_term(again.atom)}, all that is given taken together, {problem}",
                place=again.place,
                remedy="give weights with fewer digits",
            ) from None


class Contradiction(NamedTuple):
    """An atom that texts say to be positive and negative: where it is said first, and where the opposite is."""

    first: LabelledExample
    second: LabelledExample

    def error(self) -> TaskError:
        """The error that is raised where no errors are allowed, and so no contradictions either."""
        return TaskError(self._in_words(), place=self.second.place, remedy=KEEP_ONE)

    def note(self) -> Note:
        """A note for whoever may still allow errors when it comes to learning."""
        return Note(f"{self._in_words()}: this takes learning with noise", self.second.place)

    def _in_words(self) -> str:
        """What is said of the atom here, and where the opposite is said."""
        first, second = self
        before = first.place.seen_from(second.place)
        return f"{render_term(second.atom)} is {second.label} here but {first.label} in {before}"


class Numerals:
    """The numbers of a text, exactly as they are written: the reader's own values of decimals are floats."""

    def __init__(self, source: PrologText) -> None:
        """The numbers of this text."""
        self.source = source
        self._lines: list[str] | None = None  # made when the first decimal is asked for

    def exact(self, term: Term) -> Fraction:
        """The positive number that a term is: a whole number, a decimal or a quotient of whole numbers, else NotExact."""
        match term:
            case Integer(value):
                return check_exact(Fraction(value))
            case Float():
                return read_exact(self._written(term))
            case Compound("/", (Integer(numerator), Integer(denominator))) if denominator != 0:
                return check_exact(Fraction(numerator, denominator))
            case _:
                raise NotExact("is no number")

    def _written(self, term: Float) -> str:
        """The digits of a decimal, without the underscores of digit groups."""
        assert term.position is not None, "terms of a text know where they stand"
        if self._lines is None:
            self._lines = self.source.text.split("\n")
        line, column = term.position
        if term.value < 0 or self._lines[line - 1][column - 1] == "-":
            raise NotExact("is not above 0")
        if not math.isfinite(term.value):
            raise NotExact("is no number")  # such as 1.0Inf
        written = _NUMERAL.match(self._lines[line - 1], column - 1)
        assert written is not None, "the reader took it for a number"
        return written[0].replace("_", "")


def read_example(head: Term, clause: Clause, numerals: Numerals) -> LabelledExample:
    """The example that a clause with this head states; TaskError if the clause states none."""
    source = numerals.source
    label = _read_label(head, clause, source)
    atom, *weights = arguments_of(head)
    _check_atom(atom, source)
    if not weights:
        return LabelledExample(label, atom, source)
    (weight,) = weights
    return LabelledExample(label, atom, source, _weight(weight, numerals), weight.position)


def _read_label(head: Term, clause: Clause, source: PrologText) -> str:
    """Whether a clause states a positive example, "pos", or a negative one, "neg"; TaskError if it has not their form."""
    predicate = predicate_of(head)
    assert predicate is not None, "the reader lets only atoms be heads"
    hint = ""
    if clause.body is not None:
        problem = "an example is a fact, not a rule"
    elif predicate.name not in _LABELS:
        problem = f"{predicate} is neither pos/1 nor neg/1"
        hint = did_you_mean(predicate.name, _LABELS)
    elif predicate.arity not in (1, 2):
        problem = f"{predicate.name} holds one atom and perhaps its weight, not {predicate.arity} arguments"
    else:
        return predicate.name
    remedy = hint or "write pos(atom). or neg(atom)."
    raise TaskError(problem, place=source.place(clause.position), remedy=remedy)


def _weight(term: Term, numerals: Numerals) -> Fraction:
    """The weight that an example is given; TaskError if the term is none."""
    try:
        return numerals.exact(term)
    except NotExact as problem:
        place = numerals.source.place(term.position)
        raise TaskError(
            f"{_shortened(render_term(term))} {problem}, so it cannot be the weight of an example",
            place=place,
            remedy="write a number above 0, such as pos(atom, 3). or neg(atom, 0.5).",
        ) from None


def _shortened(text: str) -> str:
    """A text for a message: of a long one, the beginning."""
    if len(text) <= _LONGEST_SHOWN:
        return text
    return text[:_LONGEST_SHOWN] + "…"


def _check_atom(atom: Term, source: PrologText) -> None:
    """Raise TaskError unless the term can be an example: a predicate with arguments, without variables."""
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
