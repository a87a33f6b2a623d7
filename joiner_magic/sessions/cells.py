"""The texts of a session: background knowledge, examples and bias, each from a cell or a file.

A text has a key, and a later text under the same key replaces it. `Cells` is immutable: adding a text gives a new value.
A text that cannot be read, or that contradicts the others of its kind, is refused. Only examples may contradict each
other: a run that allows errors can learn from them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from joiner_magic.errors import TaskError
from joiner_magic.logic.terms import Predicate
from joiner_magic.solvers.asp_text import AspText
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.task.background import Background, directive_notes
from joiner_magic.task.bias import Bias
from joiner_magic.task.bias_reader import read_bias
from joiner_magic.task.directives import read_directives
from joiner_magic.task.examples import CollectedExamples, collect_examples, read_examples
from joiner_magic.task.held_out import with_held_out
from joiner_magic.task.notes import Note, counted
from joiner_magic.task.reader import PrologText
from joiner_magic.task.task import Task, read_task

# "test" are held-out examples, and "test bk" is what they see instead of the task's background knowledge.
Kind: TypeAlias = Literal["bk", "examples", "bias", "test", "test bk"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_NOTHING = Bias(Predicate("", 0), ())  # stands for what a bias leaves to the other texts


@dataclass(frozen=True, slots=True)
class Cell:
    """One text: what a cell of a notebook, or a file, says about the task."""

    key: str
    kind: Kind
    name: str  # what errors call it
    text: str
    line: int = 1  # the number of the text's first line, in the cell it comes from
    source: PrologText | None = field(default=None, compare=False, repr=False)  # read, unless it is a bias

    @classmethod
    def read(cls, key: str, kind: Kind, name: str, text: str, line: int = 1) -> Cell:
        """Parse a text. Raises TextError where it cannot be read."""
        text = text.removeprefix("\ufeff")  # some editors begin a file with a byte order mark
        source = None
        if kind != "bias":
            padded = "\n" * (line - 1) + text  # so that errors have the lines of the cell
            source = PrologText.read(padded, name)
        return cls(key, kind, name, text, line, source)

    @property
    def asp(self) -> AspText:
        """The text of a bias as ASP, with its lines numbered as in the cell."""
        return AspText("\n" * (self.line - 1) + self.text, self.name)


@dataclass(frozen=True, slots=True)
class Cells:
    """All texts of a session, in the order in which their keys first came."""

    by_key: Mapping[str, Cell] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.by_key.values())

    def __len__(self) -> int:
        return len(self.by_key)

    def of(self, *kinds: Kind) -> tuple[Cell, ...]:
        """The texts of these kinds."""
        return tuple(cell for cell in self if cell.kind in kinds)

    def sources(self, kind: Kind) -> tuple[PrologText, ...]:
        """The texts of a kind as clauses; empty for bias, which is not made of clauses."""
        return tuple(cell.source for cell in self.of(kind) if cell.source)

    def with_cell(self, cell: Cell) -> Cells:
        """These texts and another one, which replaces a text with the same key. JoinerError if they contradict each other."""
        added = Cells({**self.by_key, cell.key: cell})
        added._check(cell)
        return added

    def without(self, keys: Collection[str]) -> Cells:
        """All texts but those with these keys."""
        return Cells({key: cell for key, cell in self.by_key.items() if key not in keys})

    def without_kinds(self, *kinds: Kind) -> Cells:
        """All texts but those of these kinds."""
        return self.without([cell.key for cell in self.of(*kinds)])

    def _check(self, cell: Cell) -> None:
        """Raise JoinerError if the texts of this cell's kind contradict each other.

        Whether they agree with texts of other kinds is checked when a task is made.
        """
        if cell.kind == "bias":
            read_directives(cell.asp)  # alone first: a statement without an end would run into the next text
            read_bias([other.asp for other in self.of("bias")], lambda: _NOTHING)
        elif cell.kind in ("examples", "test"):
            collect_examples(self.sources(cell.kind), noise=True)

    def _allow_errors(self) -> bool:
        """Whether the bias says `noisy.`, so that weights count and examples may contradict each other."""
        bias, _ = read_bias([cell.asp for cell in self.of("bias")], lambda: _NOTHING)
        return bias.noise is not None

    def task(
        self,
        overriding: AspText | None = None,
        stop: Stop = never,
        memory: int | None = None,
        *,
        noise: bool = False,
    ) -> Task:
        """The task that the texts make together; TaskError if something is missing.

        `overriding` is bias that overrides that of the texts. `stop`, `memory` and `noise` are those of `read_task`.
        """
        bk, examples = self.sources("bk"), self.sources("examples")
        if not examples:
            raise TaskError(
                "there are no examples yet", remedy="add some, such as pos(grandparent(ann,cay))."
            )
        if not bk:
            raise TaskError("there is no background knowledge yet", remedy="add some facts")
        bias = [cell.asp for cell in self.of("bias")]
        return read_task(bk, examples, bias, overriding=overriding, noise=noise, stop=stop, memory=memory)

    def held_out(self, task: Task, stop: Stop = never, *, noise: bool = False) -> Task | None:
        """The held-out examples as a task with the bias of the given one; None if there are none.

        With `noise`, or if the bias says `noisy.`, they may contradict each other.
        """
        sources = self.sources("test")
        if not sources:
            return None
        allow_errors = noise or task.bias.noise is not None
        examples, notes = read_examples(sources, held_out=True, noise=allow_errors, stop=stop)
        if not (texts := self.sources("test bk")):
            return with_held_out(task, examples, notes=notes)
        return with_held_out(task, examples, Background(texts), notes)

    def notes(self, cell: Cell) -> tuple[Note, ...]:
        """Notes on a text, which is one of these."""
        if cell.source is None:
            return read_directives(cell.asp).notes
        if cell.kind in ("examples", "test"):
            return self._notes_on_examples(cell.kind, cell.source)
        return tuple(directive_notes(cell.source))

    def _notes_on_examples(self, kind: Kind, source: PrologText) -> tuple[Note, ...]:
        """Notes on a text of examples. Where no errors are allowed so far, one is on its first contradiction."""
        noise = self._allow_errors()
        notes = CollectedExamples.of([source]).notes(noise=noise)
        if noise:
            return notes
        contradictions = CollectedExamples.of(self.sources(kind)).contradictions
        its_own = [each for each in contradictions if source in (each.first.source, each.second.source)]
        return (*notes, *(each.note() for each in its_own[:1]))


def contents(cells: Sequence[Cell]) -> str:
    """In a few words what texts of one kind hold, such as "12 facts, 2 rules, 3 predicates"."""
    if not cells:
        return "nothing"
    sources = [cell.source for cell in cells if cell.source is not None]
    if not sources:
        directives = read_directives(AspText.joined([cell.asp for cell in cells]))
        constraints = " and constraints" if directives.constraints else ""
        return counted(len(directives.given), "directive") + constraints
    if cells[0].kind in ("examples", "test"):
        labels = [example.label for example in collect_examples(sources, noise=True)[0].values()]
        return f"{labels.count('pos'):,} positive, {labels.count('neg'):,} negative"
    background = Background(tuple(sources))
    rules = sum(len(relation.rules) for relation in background.predicates.values())
    counts = ((background.facts, "fact"), (rules, "rule"), (len(background.predicates), "predicate"))
    return ", ".join(counted(number, noun) for number, noun in counts if number) or "nothing"
