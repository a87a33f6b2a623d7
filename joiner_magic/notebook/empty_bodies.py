"""Adds an empty body to cells that consist of the first line of a magic and nothing else.

IPython refuses a cell magic without a body. But `%%joiner` needs none, and a `%%bk` whose body was deleted has a meaning:
the cell says nothing any more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

_FIRST_LINE = re.compile(r"%%(bk|examples|bias|joiner)(\s|$)")


def with_body(lines: list[str]) -> list[str]:
    """The lines of a cell, with an empty body where one of our magics has none."""
    if len(lines) == 1 and _FIRST_LINE.match(lines[0]):
        return [f"{lines[0].rstrip()}\n", "\n"]
    return lines


def install(shell: InteractiveShell) -> None:
    """Let the shell pass all cells through `with_body`."""
    shell.input_transformers_cleanup.append(with_body)


def uninstall(shell: InteractiveShell) -> None:
    """Undo what `install` has done."""
    shell.input_transformers_cleanup.remove(with_body)
