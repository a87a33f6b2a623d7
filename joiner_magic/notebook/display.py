"""What a person sees, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from joiner_magic.sessions.cells import Kind
    from joiner_magic.sessions.session import Session


def show(value: object) -> None:
    print(value)


def show_cells(session: Session, kind: Kind, *, rows: int) -> None:
    """What was said of a kind, at most so many rows of it."""
    lines = [line for cell in session.cells if cell.kind == kind for line in cell.text.splitlines()]
    show("\n".join([*lines[:rows], *([f"… and {len(lines) - rows} more"] if len(lines) > rows else [])]))


def show_view(session: Session, what: str, *, rows: int) -> None:
    """The last run, looked at from one side."""
    show({"lattice": session.runs[-1].progress.sizes}.get(what, session.result))
