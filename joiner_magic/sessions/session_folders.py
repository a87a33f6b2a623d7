"""The task of a session as a directory: bk.pl, exs.pl, perhaps bias.pl, and held-out examples in test/."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from joiner_magic.files import read_file, shown
from joiner_magic.sessions.cells import Kind
from joiner_magic.task.folder import A_TASK, BACKGROUND, BIAS, EXAMPLES, save_examples, save_task
from joiner_magic.task.held_out import read_leniently
from joiner_magic.task.task import Task

_FILES: tuple[tuple[Kind, str], ...] = (
    ("bk", BACKGROUND),
    ("examples", EXAMPLES),
    ("bias", BIAS),
    ("test", f"test/{EXAMPLES}"),
    ("test bk", f"test/{BACKGROUND}"),
)
_REQUIRED: tuple[Kind, ...] = ("bk", "examples")


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of one file, as it is added to a session."""

    kind: Kind
    text: str
    key: str
    name: str  # what errors call it


def read_folder(directory: str | os.PathLike[str]) -> Iterator[FileText]:
    """The files of a task one by one, each read when it is asked for; FileError if one cannot be read."""
    for kind, file in _FILES:
        path = Path(directory) / file
        if kind not in _REQUIRED and not os.path.exists(path):
            continue
        text = read_file(path, A_TASK)
        if kind == "test bk":
            text = read_leniently(text, shown(path))[0].text
        yield FileText(kind, text, key_of_file(kind, path), shown(path))


def key_of_file(kind: Kind, path: str | os.PathLike[str]) -> str:
    """The key under which a session keeps the text of a file: the same file again replaces it."""
    return f"file {kind} {Path(path).resolve()}"


def write_folder(
    task: Task, held_out: Task | None, directory: str | os.PathLike[str], *, own_background: bool
) -> None:
    """Write a task and its held-out examples; these with their own background knowledge if they have one."""
    save_task(task, directory)
    if held_out:
        background = None
        if own_background:
            background = held_out.background
        save_examples(held_out.examples, background, Path(directory) / "test")
