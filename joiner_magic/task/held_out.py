"""Held-out examples with background knowledge of their own, to measure what was learnt.

They come from elsewhere, often made by other programs, and only what a learnt program calls is of interest.
So they are read with less insistence than a task: a statement that is no Prolog (published folders hold left-over
statements of other solvers) is left out with a note, and a body predicate without any fact is one that
never holds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from joiner_magic.errors import Place, TextError
from joiner_magic.files import read_file, shown
from joiner_magic.solvers.interrupt import Stop, either, never
from joiner_magic.solvers.signals import interrupt_requested
from joiner_magic.task.background import Background
from joiner_magic.task.examples import Examples, read_examples
from joiner_magic.task.folder import A_TASK, BACKGROUND, EXAMPLES
from joiner_magic.task.notes import Note
from joiner_magic.task.reader import PrologText
from joiner_magic.task.task import Task, read_in_time

_MOST = 100  # statements that are left out before the text counts as no Prolog at all


def load_held_out(
    directory: str | os.PathLike[str], task: Task, *, noise: bool = False, stop: Stop = never
) -> Task:
    """The examples of a directory, and its background knowledge if it has any, under the bias of `task`.

    `noise` and `stop` are those of `read_task`.
    """
    heeding = either(stop, interrupt_requested)
    return read_in_time(lambda: _load(directory, task, noise, heeding), stop, "what is held out")


def _load(directory: str | os.PathLike[str], task: Task, noise: bool, stop: Stop) -> Task:
    """Read the files of a folder of held-out examples; it may have background knowledge of its own."""
    folder = Path(directory)
    text = read_file(folder / EXAMPLES, A_TASK)
    examples, notes = read_examples(
        text, shown(folder / EXAMPLES), noise=noise or task.bias.noise is not None, stop=stop
    )
    bk = folder / BACKGROUND
    if not bk.exists():
        return with_held_out(task, examples, notes=notes)
    source, left_out = read_leniently(read_file(bk, A_TASK), shown(bk), stop)
    return with_held_out(task, examples, Background((source,)), (*notes, *left_out))


def with_held_out(
    task: Task, examples: Examples, background: Background | None = None, notes: tuple[Note, ...] = ()
) -> Task:
    """The task with other examples, and with other background knowledge if there is any for them."""
    if background is None:
        return replace(task, examples=examples, notes=notes)
    known = {*background.predicates, *task.builtins}
    body = tuple(predicate for predicate in task.bias.body if predicate in known)
    bias = replace(task.bias, body=body)
    return replace(task, background=background, examples=examples, bias=bias, notes=notes)


def read_leniently(text: str, name: str, stop: Stop = never) -> tuple[PrologText, tuple[Note, ...]]:
    """The clauses of a text that can be read, and a note if there are statements that cannot."""
    lines = text.split("\n")
    places: list[Place] = []
    while isinstance(read := _read("\n".join(lines), name, stop), Place):
        if len(places) == _MOST:
            raise TextError("this is no Prolog", place=places[0])
        places.append(read)
        first, last = _statement(lines, read.line - 1)
        lines[first : last + 1] = [""] * (last + 1 - first)
    return read, tuple(_left_out(places))


def _read(text: str, name: str, stop: Stop) -> PrologText | Place:
    """The text, or where reading it fails."""
    try:
        return PrologText.read(text, name, stop)
    except TextError as error:
        if error.place is None:
            raise
        return error.place


def _left_out(places: list[Place]) -> Iterator[Note]:
    """A note at the first of the statements that could not be read, with how many more there are."""
    if places:
        more = ""
        if len(places) > 1:
            more = f" (and {len(places) - 1} more)"
        yield Note(f"this statement{more} is no Prolog and is left out", places[0])


def _statement(lines: list[str], at: int) -> tuple[int, int]:
    """The first and last line of the statement around a line: statements end with a full stop."""
    first = last = min(at, len(lines) - 1)
    while first > 0 and lines[first - 1].strip() and not lines[first - 1].rstrip().endswith("."):
        first -= 1
    while last < len(lines) - 1 and not lines[last].rstrip().endswith("."):
        last += 1
    return first, last
