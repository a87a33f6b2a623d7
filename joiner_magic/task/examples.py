"""Examples: ground atoms of one predicate that a program should and should not cover.

**Weights.** `pos(f(a), 3).` says that missing f(a) costs three times as much as missing an example without a weight, where
errors are allowed. An example that is given again counts again: its weights are added up. `Examples.pos` and `neg` hold
each atom once, whatever the weights, so learning without errors sees nothing of them.

**Contradictions.** Where errors are allowed, an atom may be positive and negative: one of the two will be an error.
Otherwise that is a mistake of the texts. Which of both holds is known after the examples were read, from the bias
(`noisy.`) or from the option `noise` of a run. So reading goes in two steps: `collect_examples` takes the texts apart, and
keeps contradictions with their places; `refuse_contradictions` raises the error for the first of them. `read_task`,
`load_task` and `load_held_out` refuse unless the bias says `noisy.` or they are told `noise=True`, so a task for exact
learning has no contradictions. A task that was read with `noise=True` can be given to an exact run all the same:
the learner calls `refuse_contradictions(task.examples)` before such a run, and the error has the same line and caret.
A cell of a session is refused at once, and the session stays as it was, unless a bias of the session says `noisy.`
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Integral
from typing import NamedTuple, SupportsIndex

from joiner_magic.errors import Place, TaskError
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import (
    Clause,
    Compound,
    Float,
    Integer,
    Position,
    Predicate,
    Term,
    Variable,
    arguments_of,
    predicate_of,
    subterms,
)
from joiner_magic.solvers.interrupt import Stop, never, stoppable
from joiner_magic.task.background import directive_notes
from joiner_magic.task.exact_numbers import ONE, NotExact, check_exact, read_exact, write_exact
from joiner_magic.task.notes import Note, did_you_mean
from joiner_magic.task.reader import PrologText

_LABELS = ("pos", "neg")
_OPPOSITE = {"pos": "neg", "neg": "pos"}
_KEEP_ONE = "keep one of them, or allow errors: noisy. in the bias, or the option noise"
_LONGEST_SHOWN = 60  # characters of a term in a message
_NOT_PREDICATES = frozenset({":-", "-->", ",", ";", "|", "->", "*->", "\\+", "{}", "[]", "!"})


# A number with a point or an exponent, as the reader takes it; digits may be in groups, such as 1_000.5.
_NUMERAL = re.compile(r"[0-9_]+(?:\.[0-9_]+)?(?:[eE][+-]?[0-9_]+)?")


@dataclass(frozen=True, slots=True)
class Examples:
    """The atoms that a program should cover, `pos`, and those it should not, `neg`: each once, in the order of the text.

    Each has a weight, which counts where errors are allowed: what an error about it costs, in comparison with others.
    """

    pos: tuple[Term, ...]
    neg: tuple[Term, ...]
    predicate: Predicate
    place: Place | None = field(default=None, compare=False, repr=False)  # of the first example
    # The weight of each example, numbered as in `labels`; empty where every weight is 1.
    weights: tuple[Fraction, ...] = ()
    # Where atoms are said to be both, of examples that were read from texts with such atoms.
    contradictions: tuple[Contradiction, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse weights that are none, and bring them into the form in which equal examples are equal values."""
        if not self.weights:
            return
        if len(self.weights) != len(self.pos) + len(self.neg):
            raise ValueError("there must be a weight for each example, or none at all")
        if min(self.weights) <= 0:
            raise ValueError("the weight of an example is above 0")
        if all(weight == 1 for weight in self.weights):
            object.__setattr__(self, "weights", ())

    @property
    def labels(self) -> tuple[bool, ...]:
        """Whether each is positive; the positive ones come first."""
        return (True,) * len(self.pos) + (False,) * len(self.neg)

    @property
    def pos_weights(self) -> tuple[Fraction, ...]:
        """The weight of each positive example."""
        return self.weights[: len(self.pos)] or (ONE,) * len(self.pos)

    @property
    def neg_weights(self) -> tuple[Fraction, ...]:
        """The weight of each negative example."""
        return self.weights[len(self.pos) :] or (ONE,) * len(self.neg)

    def subset(self, numbers: Iterable[SupportsIndex]) -> Examples:
        """Those with these numbers, as in `labels`; each once, in the order and with the weight that they have here."""
        chosen = {_number(number) for number in numbers}
        count = len(self.pos) + len(self.neg)
        if wrong := sorted(number for number in chosen if not 0 <= number < count):
            raise TaskError(f"there is no example {wrong[0]}", remedy=f"they are numbered 0 to {count - 1}")
        return replace(
            self,
            pos=tuple(atom for number, atom in enumerate(self.pos) if number in chosen),
            neg=tuple(atom for number, atom in enumerate(self.neg, len(self.pos)) if number in chosen),
            place=None,
            weights=tuple(weight for number, weight in enumerate(self.weights) if number in chosen),
        )

    def to_text(self) -> str:
        """A text that reads back to these examples, with the weights that are not 1."""
        positive = map(_fact, ("pos",) * len(self.pos), self.pos, self.pos_weights)
        negative = map(_fact, ("neg",) * len(self.neg), self.neg, self.neg_weights)
        return "\n".join([*positive, *negative]) + "\n"


def _fact(label: str, atom: Term, weight: Fraction) -> str:
    """The fact that states an example."""
    if weight == 1:
        return f"{label}({render_term(atom)})."
    return f"{label}({render_term(atom)}, {write_exact(weight)})."


def _number(given: SupportsIndex) -> int:
    """A mask is no list of numbers, though Python would take its values for 0 and 1."""
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise TaskError(f"{given!r} is no number of an example", remedy="give whole numbers, and no mask")
    return int(given)


def read_examples(
    text: str | Sequence[PrologText],
    name: str = "exs",
    *,
    held_out: bool = False,
    noise: bool = False,
    stop: Stop = never,
) -> tuple[Examples, tuple[Note, ...]]:
    """The examples of texts of facts `pos(atom).` and `neg(atom).`; TaskError if they are not sound.

    Without a positive one there is nothing to learn, but `held_out` they can be measured on. With `noise` they may
    contradict each other.
    """
    sources = (PrologText.read(text, name, stop),) if isinstance(text, str) else text
    collected = CollectedExamples.of(sources, stop)
    examples = collected.examples(held_out=held_out)
    if not noise:
        refuse_contradictions(examples)
    return examples, collected.notes(noise=noise)


def collect_examples(
    sources: Sequence[PrologText], stop: Stop = never, *, noise: bool = False
) -> tuple[dict[tuple[str, Term], LabelledExample], tuple[Note, ...]]:
    """Each example once, by its label and atom, in order.

    TaskError if the texts contradict themselves or each other; with `noise` they may.
    """
    collected = CollectedExamples.of(sources, stop)
    if collected.contradictions and not noise:
        raise collected.contradictions[0].error()
    return collected.found, collected.notes(noise=noise)


def refuse_contradictions(examples: Examples) -> None:
    """Raise TaskError if an atom is both positive and negative, which only learning that allows errors can take.

    Examples that were read from texts have the places of both, and the error points at the second one.
    """
    both = set(examples.pos).intersection(examples.neg)
    if not both:
        return
    for contradiction in examples.contradictions:
        if contradiction.second.atom in both:
            raise contradiction.error()
    atom = next(atom for atom in examples.pos if atom in both)
    raise TaskError(f"{render_term(atom)} is both pos and neg", remedy=_KEEP_ONE)


@dataclass(frozen=True, slots=True)
class CollectedExamples:
    """What texts of examples say, before it is known whether errors are allowed."""

    sources: Sequence[PrologText]
    found: dict[tuple[str, Term], LabelledExample]  # each with all its weight, in order
    repeated: Sequence[LabelledExample]  # those that were given before, with the same label
    contradictions: Sequence[Contradiction]

    @classmethod
    def of(cls, sources: Sequence[PrologText], stop: Stop = never) -> CollectedExamples:
        """The examples of some texts; TaskError if a clause is no example, or there are examples of two predicates."""
        found: dict[tuple[str, Term], LabelledExample] = {}
        repeated: list[LabelledExample] = []
        contradictions: list[Contradiction] = []
        for source in sources:
            numerals = _Numerals(source)
            for clause in stoppable(source.clauses(), stop):
                if clause.head is None:
                    continue  # a directive, for which there is a note
                new = _example_of(clause.head, clause, numerals)
                known = found.setdefault((new.label, new.atom), new)
                if known is not new:
                    repeated.append(new)
                    found[new.label, new.atom] = known.with_more(new)
                elif opposite := found.get((_OPPOSITE[new.label], new.atom)):
                    contradictions.append(Contradiction(opposite, new))
        _check_predicate(found.values())
        return cls(sources, found, repeated, contradictions)

    def examples(self, *, held_out: bool = False) -> Examples:
        """The examples as a value; TaskError if there is none to learn from, or, `held_out`, to measure on."""
        pos = [example for example in self.found.values() if example.label == "pos"]
        neg = [example for example in self.found.values() if example.label == "neg"]
        if not pos and not (held_out and neg):
            raise TaskError(
                "there is no positive example",
                place=self.sources[0].place(None) if self.sources else None,
                remedy="write each as pos(atom).",
            )
        first = next(iter(self.found.values()))
        predicate = predicate_of(first.atom)
        assert predicate is not None, "checked when it was read"
        weights = tuple(example.weight for example in (*pos, *neg))
        is_weighted = any(weight is not ONE for weight in weights)
        return Examples(
            tuple(example.atom for example in pos),
            tuple(example.atom for example in neg),
            predicate,
            first.place,
            weights if is_weighted else (),
            tuple(self.contradictions),
        )

    def notes(self, *, noise: bool) -> tuple[Note, ...]:
        """What a person should know of the texts; `noise` is whether errors are allowed."""
        found = [note for source in self.sources for note in directive_notes(source)]
        if not noise:
            found.extend(_repetition_notes(self.repeated))
            found.extend(_weight_notes([*self.found.values(), *self.repeated]))
        return tuple(found)


class LabelledExample(NamedTuple):
    """An atom of a text of examples, and whether it is said to hold (`pos`) or not (`neg`)."""

    label: str
    atom: Term
    source: PrologText
    weight: Fraction = ONE
    weighted_at: Position | None = None  # where its weight stands, if the text gives one

    @property
    def place(self) -> Place:
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
        """The error of a task in which that may not be."""
        first, second = self
        before = first.place.seen_from(second.place)
        return TaskError(
            f"{render_term(second.atom)} is {second.label} here but {first.label} in {before}",
            place=second.place,
            remedy=_KEEP_ONE,
        )


class _Numerals:
    """The numbers of a text, exactly as they are written: the reader's own values of decimals are floats."""

    def __init__(self, source: PrologText) -> None:
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


def _example_of(head: Term, clause: Clause, numerals: _Numerals) -> LabelledExample:
    """The example that a clause states."""
    source = numerals.source
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
        problem = ""
    if problem:
        place = source.place(clause.position)
        raise TaskError(problem, place=place, remedy=hint or "write pos(atom). or neg(atom).")
    atom, *weights = arguments_of(head)
    _check_atom(atom, source)
    if not weights:
        return LabelledExample(predicate.name, atom, source)
    (weight,) = weights
    return LabelledExample(predicate.name, atom, source, _weight(weight, numerals), weight.position)


def _weight(term: Term, numerals: _Numerals) -> Fraction:
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
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


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


def _weight_notes(examples: Sequence[LabelledExample]) -> Iterator[Note]:
    """Without errors nothing weighs anything; whoever gives weights should hear of it."""
    for example in examples:
        if example.weighted_at is not None:
            place = example.source.place(example.weighted_at)
            yield Note("weights count only where errors are allowed: write noisy. in the bias", place)
            return
