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
A cell of a session may contradict others, since only a run knows whether it allows errors. A note says so at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Integral
from typing import SupportsIndex

from joiner_magic.errors import Place, TaskError
from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Predicate, Term, predicate_of
from joiner_magic.solvers.interrupt import Stop, never, stoppable
from joiner_magic.task.background import directive_notes
from joiner_magic.task.exact_numbers import ONE, write_exact
from joiner_magic.task.labelled_example import (
    KEEP_ONE,
    Contradiction,
    LabelledExample,
    Numerals,
    read_example,
)
from joiner_magic.task.notes import Note
from joiner_magic.task.reader import PrologText

_OPPOSITE = {"pos": "neg", "neg": "pos"}


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
        """For each example whether it is positive. The positive ones come first; this is how examples are numbered."""
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
        """The examples with these numbers (as in `labels`), each once, in the order and with the weights they have here."""
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
    """The number of an example, checked. True and False are refused: they are part of a mask, not numbers."""
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
    raise TaskError(f"{render_term(atom)} is both pos and neg", remedy=KEEP_ONE)


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
            numerals = Numerals(source)
            for clause in stoppable(source.clauses(), stop):
                if clause.head is None:
                    continue  # a directive, for which there is a note
                new = read_example(clause.head, clause, numerals)
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
        if all(weight is ONE for weight in weights):
            weights = ()
        return Examples(
            pos=tuple(example.atom for example in pos),
            neg=tuple(example.atom for example in neg),
            predicate=predicate,
            place=first.place,
            weights=weights,
            contradictions=tuple(self.contradictions),
        )

    def notes(self, *, noise: bool) -> tuple[Note, ...]:
        """What a person should know of the texts; `noise` is whether errors are allowed."""
        found = [note for source in self.sources for note in directive_notes(source)]
        if not noise:
            found.extend(_repetition_notes(self.repeated))
            found.extend(_weight_notes([*self.found.values(), *self.repeated]))
        return tuple(found)


def _check_predicate(examples: Iterable[LabelledExample]) -> None:
    """Raise TaskError at the first example whose predicate is not that of the examples before it."""
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
    """A note if examples are given more than once: without errors allowed, that changes nothing."""
    if repeated:
        first = repeated[0]
        others = ""
        if len(repeated) > 1:
            others = f" and {len(repeated) - 1} more"
        yield Note(f"{render_term(first.atom)}{others} given again: each example counts once", first.place)


def _weight_notes(examples: Sequence[LabelledExample]) -> Iterator[Note]:
    """A note at the first weight that is given: weights have no effect where no errors are allowed."""
    for example in examples:
        if example.weighted_at is not None:
            place = example.source.place(example.weighted_at)
            yield Note(
                "weights count only where errors are allowed: noisy. in the bias, or the option noise", place
            )
            return
