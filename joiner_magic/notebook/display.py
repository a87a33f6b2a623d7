"""What a person sees, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joiner_magic.engines.narrate import narrate
from joiner_magic.engines.protocol import Explanation
from joiner_magic.errors import TaskError

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from joiner_magic.sessions.cells import Kind
    from joiner_magic.sessions.session import Session


def show(value: object, *, rows: int = 20) -> None:
    print(narrate(value) if isinstance(value, Explanation) else value)


def show_cells(session: Session, kind: Kind, *, rows: int) -> None:
    """What was said of a kind, at most so many rows of it."""
    lines = [line for cell in session.cells.of(kind) for line in cell.text.splitlines()]
    show("\n".join([*lines[:rows], *([f"… and {len(lines) - rows} more"] if len(lines) > rows else [])]))


def show_view(session: Session, what: str, *, rows: int) -> None:
    """The last run, looked at from one side."""
    if not session.runs:
        raise TaskError("there is no run to show", remedy="begin one with %joiner learn")
    run = session.runs[-1]
    show({"lattice": run.progress.sizes, "constraints": run.progress.fates}.get(what, run.result))


def install(shell: InteractiveShell) -> None:
    """Nothing is needed for text."""


def uninstall(shell: InteractiveShell) -> None:
    """Nothing is needed for text."""
