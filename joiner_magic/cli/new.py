"""`joiner new NAME`: make a task notebook, from a generator, from tables, or empty.

`--from zendo`, `games` or `strings` makes a task with a secret rule, another one for each seed. `--from csv` makes a notebook
with the code that turns tables into facts, for a person to edit. Without `--from` the cells are empty but for comments. No file
is ever overwritten.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from joiner_magic.cli.lab import lab_command, way_to_open
from joiner_magic.errors import CommandError
from joiner_magic.files import write_file

if TYPE_CHECKING:
    from joiner_magic.cli.common_arguments import Commands
    from joiner_magic.cli.notebooks.ipynb import NotebookCell

_ELSEWHERE = "take another name or folder"
_GENERATED = ("zendo", "games", "strings")
_ODD = re.compile(r'[<>:"|?*\x00-\x1f]')  # not in the names of files everywhere


def add_command(commands: Commands) -> None:
    """Add the subcommand `new` and its arguments to the parser."""
    command = commands.add_parser(
        "new",
        help="make a task notebook",
        description="Make a task notebook NAME.ipynb that runs at once and is made to be edited: of a generated"
        " task, of your own tables, or, with no --from, with empty cells.",
    )
    command.add_argument(
        "name", metavar="NAME", help="the notebook, without or with .ipynb; in a folder that exists"
    )
    command.add_argument("--from", dest="origin", choices=[*_GENERATED, "csv"], help="what it is made from")
    command.add_argument("--seed", type=int, default=1, help="another seed makes another task (default: 1)")
    tables = command.add_argument_group("tables (--from csv)")
    tables.add_argument(
        "--data", action="append", default=[], metavar="FILE", help="a CSV file; once for each table"
    )
    tables.add_argument("--target", metavar="COLUMN", help="the column that is to be learnt, of two values")
    tables.add_argument("--positive", metavar="VALUE", help="which of its values is positive")
    tables.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="COLUMN",
        help="a column that names things; may be repeated",
    )
    command.set_defaults(run=_new)


def _new(arguments: argparse.Namespace) -> int:
    """Run `joiner new`: write a notebook, and print how to open it."""
    # Imported late: other commands need no generator.
    from joiner_magic.cli.notebooks.ipynb import ipynb

    try:
        file = _file(arguments.name)
    except OSError as error:
        raise CommandError(f"cannot write {arguments.name}: {error.strerror}", remedy=_ELSEWHERE) from error
    try:
        text = ipynb(_cells(arguments, file)).encode()
    except UnicodeEncodeError:
        raise CommandError("the name of a file is not a text in UTF-8", remedy="rename it") from None
    write_file(file, text, new=True, remedy=_ELSEWHERE)
    print(f"{file} is made; open it with: {way_to_open(lab_command(file))}")
    return 0


def _file(name: str) -> Path:
    """The file of the notebook; CommandError if it cannot have this name, or exists already.

    Names that some operating system refuses are refused everywhere, since notebooks are passed on.
    """
    file = Path(name if name.endswith(".ipynb") else f"{name}.ipynb")
    if _ODD.search(file.name) or file.name.startswith(".") or not file.stem.strip():
        raise CommandError(f"{name!r} is not the name of a notebook", remedy="take letters, digits, - and _")
    if not file.parent.is_dir():
        raise CommandError(f"there is no folder {file.parent}", remedy="make it first")
    if file.exists():
        raise CommandError(f"{file} is there already", remedy="take another name, or delete it first")
    return file


def _cells(arguments: argparse.Namespace, file: Path) -> Sequence[NotebookCell]:
    """The cells of the notebook that the arguments ask for.

    CommandError where arguments contradict each other, or something is missing, with what to add.
    """
    from joiner_magic.cli.notebooks.table_notebook import from_tables
    from joiner_magic.cli.notebooks.tables import read_table
    from joiner_magic.cli.notebooks.tasks import empty, from_generator

    if arguments.origin in _GENERATED:
        if arguments.data:
            raise CommandError(
                f"--from {arguments.origin} makes its own data", remedy="take --from csv for yours"
            )
        return from_generator(file.stem, arguments.origin, arguments.seed)
    if arguments.origin is None and not arguments.data and not arguments.target:
        return empty(file.stem)
    if not arguments.data:
        raise CommandError("there is no table", remedy="name a CSV file: --data FILE")
    tables = [read_table(Path(path)) for path in arguments.data]
    if arguments.target is None:
        columns = ", ".join(column for table in tables for column in table.columns)
        raise CommandError("there is no column to learn", remedy=f"take one of {columns} with --target")
    return from_tables(file.stem, tables, arguments.target, file.parent, arguments.key, arguments.positive)
