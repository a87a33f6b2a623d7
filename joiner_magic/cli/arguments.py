"""What the subcommands share: arguments that several take, and small forms of output."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from joiner_magic.errors import TaskError
from joiner_magic.task.notes import Note

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_task(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "directory", metavar="DIR", help="a directory with bk.pl, exs.pl and perhaps bias.pl"
    )


def check_writable(path: Path) -> None:
    """A run can take long: its result must have a place to go."""
    if path.is_dir() or not path.resolve().parent.is_dir():
        raise TaskError(f"cannot write {path}", remedy="give a file in a directory that exists")


def print_notes(notes: Sequence[Note]) -> None:
    if notes:
        print("\nnotes:")
    for note in notes:
        print(f"  {note}")
