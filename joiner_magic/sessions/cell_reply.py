"""What a cell added: one quiet line, and more on request."""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.sessions.cells import Kind
from joiner_magic.task.notes import Note


@dataclass(frozen=True, slots=True)
class CellReply:
    kind: Kind
    name: str  # of the cell
    added: str  # such as "12 facts, 2 rules"
    replaced: bool  # whether the cell had said something before
    totals: str  # of this kind in the session, such as "120 facts, 2 rules, 9 predicates"
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        """One line."""
        what = "replaced by" if self.replaced else "added"
        more = f"; {len(self.notes)} note{'' if len(self.notes) == 1 else 's'}" if self.notes else ""
        return f"{self.kind}: {what} {self.added}; in all {self.totals}{more}"
