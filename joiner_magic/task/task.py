"""A task: background knowledge, examples and bias that belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import SupportsIndex, TypeVar

from joiner_magic.errors import TaskError
from joiner_magic.logic.terms import Predicate, Term
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.solvers.interrupt import Interrupted, Stop, either, never
from joiner_magic.solvers.signals import interrupt_requested, run_interruptibly
from joiner_magic.task.background import Background
from joiner_magic.task.bias import Bias
from joiner_magic.task.bias_reader import read_bias
from joiner_magic.task.examples import CollectedExamples, Examples, refuse_contradictions
from joiner_magic.task.infer import infer_bias
from joiner_magic.task.notes import Note
from joiner_magic.task.reader import PrologText
from joiner_magic.task.validate import validate

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Task:
    """Background knowledge, examples and bias that belong together."""

    background: Background  # facts and rules
    examples: Examples  # atoms that hold (`pos`) and atoms that do not (`neg`)
    bias: Bias  # which rules may be learnt, given or inferred; its `to_text()` writes it out
    notes: tuple[Note, ...] = field(default=(), compare=False)  # what a person should know about the texts
    builtins: frozenset[Predicate] = frozenset()  # body predicates that Prolog itself defines

    def subset(self, numbers: Iterable[SupportsIndex]) -> Task:
        """The task with only some of its examples: the positive ones are numbered from 0, then the negative ones.

        What splitters for cross-validation give are such numbers; `examples.labels` is what they ask for.
        """
        return replace(self, examples=self.examples.subset(numbers))

    def about(self, *atoms: Term) -> Task:
        """With these atoms in the place of the examples: engines know no terms but those of the task."""
        return replace(self, examples=Examples(atoms, (), self.bias.head))

    def besides(self, atom: Term) -> Task:
        """With this atom as the only positive example, and all examples as negative ones: their terms are known then."""
        others = dict.fromkeys((*self.examples.pos, *self.examples.neg))
        others.pop(atom, None)
        return replace(self, examples=Examples((atom,), tuple(others), self.bias.head))


def read_task(
    bk: str | Sequence[PrologText],
    examples: str | Sequence[PrologText],
    bias: str | Sequence[AspText] | None = None,
    *,
    names: tuple[str, str, str] = ("bk", "exs", "bias"),
    overriding: AspText | None = None,
    noise: bool = False,
    stop: Stop = never,
    memory: int | None = None,
) -> Task:
    """The task that the texts make; TextError or TaskError says what is wrong with them and where.

    Each may be one text or several. Without a bias text, the bias is inferred from the others; what `overriding`
    says goes before other bias texts. `names` is what errors and notes call the texts. Examples may contradict each other
    where the bias says `noisy.`, or with `noise`, for a run that allows errors by its options. `stop` is asked several times a
    second, as `Budget.stop` is; where it says so, the error is that the time was up. `memory` is how many megabytes
    working out the bias may take, up to a thousand.
    """
    heeding = either(stop, interrupt_requested)
    return read_in_time(lambda: _read(bk, examples, bias, names, overriding, noise, heeding, memory), stop)


def read_in_time(reading: Callable[[], T], stop: Stop, what: str = "the task") -> T:
    """What the reading gives; TaskError if `stop` says so before, within a second also where it is not asked."""
    try:
        return run_interruptibly(reading, stop=stop)
    except Interrupted:
        raise TaskError(
            f"the time was up before {what} was read", remedy="give it more time, or less to read"
        ) from None


def _read(
    bk: str | Sequence[PrologText],
    examples: str | Sequence[PrologText],
    bias: str | Sequence[AspText] | None,
    names: tuple[str, str, str],
    overriding: AspText | None,
    noise: bool,
    stop: Stop,
    memory: int | None,
) -> Task:
    """Read the three texts of a task, check them against each other, and infer a bias that is missing."""
    bk_name, examples_name, bias_name = names
    background = Background((PrologText.read(bk, bk_name, stop),) if isinstance(bk, str) else tuple(bk))
    sources = (PrologText.read(examples, examples_name, stop),) if isinstance(examples, str) else examples
    collected = CollectedExamples.of(sources, stop)
    found = collected.examples()
    said: tuple[Note, ...]
    texts = (AspText(bias, bias_name),) if isinstance(bias, str) else tuple(bias or ())
    if not texts and overriding is None:
        chosen = infer_bias(background, found, stop)
        said = (Note("there is no bias text: the bias is inferred from the other texts"),)
    else:
        chosen, said = read_bias(
            texts,
            lambda: infer_bias(background, found, stop),
            overriding=overriding,
            stop=stop,
            memory=memory,
        )
    allows_errors = noise or chosen.noise is not None
    if not allows_errors:
        refuse_contradictions(found)
    builtins, remarks = validate(background, found, chosen, stop)
    return Task(background, found, chosen, (*collected.notes(noise=allows_errors), *said, *remarks), builtins)
