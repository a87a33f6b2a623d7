"""Arguments and output that several subcommands have in common.

What they mean is the same everywhere, and so is how they are written.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from joiner_magic.task.notes import Note

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_task(command: argparse.ArgumentParser) -> None:
    """Add the argument for the directory of a task."""
    command.add_argument(
        "directory", metavar="DIR", help="a directory with bk.pl, exs.pl and perhaps bias.pl"
    )


def print_notes(notes: Sequence[Note]) -> None:
    """Print notes on a task under a heading; nothing if there are none.

    A note is no error. It says what was read in another way than a person may expect, where, and what to do about it.
    """
    if notes:
        print("\nnotes:")
    for note in notes:
        print(f"  {note}")
