"""`joiner tutorial [DIR]`: copy the example notebooks to a folder and open them in JupyterLab.

Notebooks that a person has changed there are not overwritten unless fresh copies are asked for.

The folder is then the reader's own: notebooks can be run and edited without changing the installed package. A second call
brings what a newer version has added.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from joiner_magic.cli.lab import INSTALL, is_installed, lab_command, way_to_open
from joiner_magic.errors import CommandError, MissingPart
from joiner_magic.files import make_folder, write_file

if TYPE_CHECKING:
    from joiner_magic.cli.common_arguments import Commands

_PACKAGE = Path(__file__).resolve().parent.parent
# In an installed package the notebooks are in it; in a checkout they stand beside it.
_PLACES = (_PACKAGE / "example_notebooks", _PACKAGE.parent / "example_notebooks")
_OWN = "name a folder of your own"
_PATIENCE = 10.0  # seconds in which JupyterLab ends its kernels


@dataclass(frozen=True, slots=True)
class CopyReport:
    """Which notebooks were copied, and which were not because they had been changed."""

    new: tuple[str, ...]
    kept: tuple[str, ...]  # they differ from what is shipped, and stay as they are


def add_command(commands: Commands) -> None:
    """Add the subcommand `tutorial` and its arguments to the parser."""
    command = commands.add_parser(
        "tutorial",
        help="copy the example notebooks and open them in JupyterLab",
        description="Copy the example notebooks to a folder and open the first in JupyterLab. Notebooks that were"
        " changed there are kept.",
    )
    command.add_argument(
        "folder",
        nargs="?",
        default="joiner-tutorial",
        metavar="DIR",
        help="where to (default: ./%(default)s)",
    )
    command.add_argument("--fresh", action="store_true", help="overwrite notebooks that were changed")
    command.add_argument(
        "--no-open", action="store_true", help="copy only, and print the command that opens them"
    )
    command.add_argument(
        "--lab",
        action="append",
        default=[],
        metavar="OPTION",
        help="an option for JupyterLab, such as --lab=--no-browser; may be repeated",
    )
    command.set_defaults(run=_tutorial)


def _tutorial(arguments: argparse.Namespace) -> int:
    """Run `joiner tutorial`: copy the notebooks, and open them."""
    if not arguments.no_open and not is_installed():
        raise MissingPart("JupyterLab is not installed", remedy=f"install it with {INSTALL}")
    notebooks = example_notebooks()
    folder = Path(arguments.folder)
    copied = copy_notebooks(notebooks, folder, fresh=arguments.fresh)
    print(f"{len(notebooks)} notebooks in {folder.resolve()}: {len(copied.new)} new")
    if copied.kept:
        print(f"kept as you changed them: {', '.join(copied.kept)} (--fresh overwrites them)")
    # -y: one Ctrl-C ends it, with no question.
    command = lab_command(folder / notebooks[0].name, ["-y", *arguments.lab])
    if arguments.no_open:
        print(f"open them with: {way_to_open(command)}")
        return 0
    print("JupyterLab opens in a browser; Ctrl-C here ends it.", flush=True)
    return _open(command)


def example_notebooks() -> Sequence[Path]:
    """The example notebooks of this installation, in the order of their numbers."""
    for place in _PLACES:
        if found := sorted(place.glob("*.ipynb")):
            return found
    raise MissingPart(
        "this installation has no example notebooks",
        remedy="install joiner-magic again, from a wheel or a checkout",
    )


def copy_notebooks(notebooks: Sequence[Path], folder: Path, *, fresh: bool = False) -> CopyReport:
    """Copy the notebooks that are not there yet; with `fresh` also overwrite those that were changed.

    A copy that is the same as the original counts neither as new nor as kept.
    """
    new, kept = [], []
    try:
        make_folder(folder, _OWN)
        for notebook in notebooks:
            text, copy = notebook.read_bytes(), folder / notebook.name
            if not copy.exists() or (fresh and copy.read_bytes() != text):
                write_file(copy, text, remedy=_OWN)
                new.append(notebook.name)
            elif copy.read_bytes() != text:
                kept.append(notebook.name)
    except OSError as error:
        raise CommandError(f"cannot copy the notebooks to {folder}: {error.strerror}", remedy=_OWN) from error
    return CopyReport(tuple(new), tuple(kept))


def _open(command: Sequence[str]) -> int:
    """Run JupyterLab until it ends. An interrupt reaches it too, and it ends by itself."""
    with subprocess.Popen(command) as lab:
        try:
            return lab.wait()
        except KeyboardInterrupt:
            try:
                lab.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                lab.terminate()
            return 0
