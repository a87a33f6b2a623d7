"""What the subcommands share: arguments that several take, and small forms of output."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from joiner_magic.task.notes import Note

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_task(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "directory", metavar="DIR", help="a directory with bk.pl, exs.pl and perhaps bias.pl"
    )


def print_notes(notes: Sequence[Note]) -> None:
    if notes:
        print("\nnotes:")
    for note in notes:
        print(f"  {note}")
