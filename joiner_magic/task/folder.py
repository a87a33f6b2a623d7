"""A task as a directory of the field: bk.pl, exs.pl, and bias.pl where there is one."""

from __future__ import annotations

import os
from pathlib import Path

from joiner_magic.files import make_folder, read_file, shown, write_files
from joiner_magic.logic.programs import Program
from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.solvers.signals import interruptible
from joiner_magic.task.background import Background
from joiner_magic.task.examples import Examples
from joiner_magic.task.reader import read_program
from joiner_magic.task.task import Task, read_in_time, read_task

BACKGROUND, EXAMPLES, BIAS = "bk.pl", "exs.pl", "bias.pl"


def load_task(
    directory: str | os.PathLike[str], *, noise: bool = False, stop: Stop = never, memory: int | None = None
) -> Task:
    """The task in a directory; without bias.pl, its bias is inferred.

    `noise`, `stop` and `memory` are those of `read_task`.
    """
    return read_in_time(lambda: _load(directory, noise, stop, memory), stop)


def _load(directory: str | os.PathLike[str], noise: bool, stop: Stop, memory: int | None) -> Task:
    """Read the files of a task's folder; the bias may be missing."""
    folder = Path(directory)
    paths = folder / BACKGROUND, folder / EXAMPLES, folder / BIAS
    bk, examples, bias = paths
    bias_text = None
    if _is_there(bias):
        bias_text = read_file(bias, A_TASK)
    texts = read_file(bk, A_TASK), read_file(examples, A_TASK), bias_text
    names = shown(bk), shown(examples), shown(bias)
    return read_task(*texts, names=names, noise=noise, stop=stop, memory=memory)


def _is_there(path: Path) -> bool:
    """Whether there is a file; also True if that cannot be found out, so that reading it raises the error."""
    try:
        return path.exists()
    except (OSError, ValueError):  # `read_file` says what is wrong
        return True


@interruptible
def load_program(path: str | os.PathLike[str]) -> Program:
    """The program in a file of rules."""
    return read_program(read_file(path, "give a file of rules"), shown(path))


@interruptible
def save_task(task: Task, directory: str | os.PathLike[str]) -> None:
    """Write a task so that `load_task` gives it back; the directory is made if it is not there.

    The background knowledge keeps its words and comments; examples and bias are written anew.
    """
    folder = make_folder(directory)
    write_files(
        {
            folder / BACKGROUND: _text(task.background),
            folder / EXAMPLES: task.examples.to_text(),
            folder / BIAS: task.bias.to_text(),
        }
    )


def save_examples(
    examples: Examples, background: Background | None, directory: str | os.PathLike[str]
) -> None:
    """Write held-out examples so that `load_held_out` gives them back."""
    folder = make_folder(directory)
    texts: dict[Path, str | bytes] = {folder / EXAMPLES: examples.to_text()}
    if background:
        texts[folder / BACKGROUND] = _text(background)
    write_files(texts)


def _text(background: Background) -> str:
    """All texts of a background, one after the other."""
    return "\n".join(source.text for source in background.sources)


A_TASK = f"a task is a directory with {BACKGROUND}, {EXAMPLES} and perhaps {BIAS}"
