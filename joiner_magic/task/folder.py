"""A task as a directory of the field: bk.pl, exs.pl, and bias.pl where there is one."""

from __future__ import annotations

import os
from pathlib import Path

from joiner_magic.errors import Place, TaskError, TextError
from joiner_magic.logic.programs import Program
from joiner_magic.task.background import Background
from joiner_magic.task.examples import Examples
from joiner_magic.task.reader import read_program
from joiner_magic.task.task import Task, read_task

BACKGROUND, EXAMPLES, BIAS = "bk.pl", "exs.pl", "bias.pl"


def load_task(directory: str | os.PathLike[str]) -> Task:
    """The task in a directory; without bias.pl, its bias is inferred."""
    folder = Path(directory)
    paths = folder / BACKGROUND, folder / EXAMPLES, folder / BIAS
    bk, examples, bias = paths
    bias_text = read_file(bias) if bias.exists() else None
    return read_task(read_file(bk), read_file(examples), bias_text, names=(str(bk), str(examples), str(bias)))


def load_program(path: str | os.PathLike[str]) -> Program:
    """The program in a file of rules."""
    return read_program(read_file(Path(path), remedy="give a file of rules"), str(path))


def save_task(task: Task, directory: str | os.PathLike[str]) -> None:
    """Write a task so that `load_task` gives it back; the directory is made if it is not there.

    The background knowledge keeps its words and comments; examples and bias are written anew.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / BACKGROUND, "\n".join(source.text for source in task.background.sources))
    _write(folder / EXAMPLES, task.examples.to_text())
    _write(folder / BIAS, task.bias.to_text())


def save_examples(
    examples: Examples, background: Background | None, directory: str | os.PathLike[str]
) -> None:
    """Write held-out examples so that `load_held_out` gives them back."""
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / EXAMPLES, examples.to_text())
    if background:
        _write(folder / BACKGROUND, "\n".join(source.text for source in background.sources))


_A_TASK = f"a task is a directory with {BACKGROUND}, {EXAMPLES} and perhaps {BIAS}"


def read_file(path: Path, remedy: str = _A_TASK) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TaskError(f"cannot read {path}: {error.strerror}", remedy=remedy) from None
    try:
        return content.decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        begin = content.rfind(b"\n", 0, error.start) + 1
        excerpt = content[begin:].split(b"\n")[0].decode("utf-8", errors="replace")
        column = len(content[begin : error.start].decode("utf-8")) + 1
        raise TextError(
            "this is not UTF-8 text",
            place=Place(str(path), line, column, excerpt),
            remedy="save the file as UTF-8",
        ) from None


def _write(path: Path, text: str) -> None:
    # Bytes, so that line ends inside quotes stay what they are on every system.
    path.write_bytes(text.encode("utf-8"))
