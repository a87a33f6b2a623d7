"""The reply to a cell that added a text: one line, and notes on request."""

from __future__ import annotations

from dataclasses import dataclass

from joiner_magic.sessions.cells import Kind
from joiner_magic.task.notes import Note


@dataclass(frozen=True, slots=True)
class CellReply:
    """What a text has added to the session, or replaced; as a string it is one line."""

    kind: Kind
    name: str  # of the cell
    added: str  # such as "12 facts, 2 rules"
    replaced: bool  # whether it took the place of an earlier text
    totals: str  # of this kind in the session, such as "120 facts, 2 rules, 9 predicates"
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        """One line, such as "bk: added 12 facts; in all 12 facts"."""
        what = "replaced by" if self.replaced else "added"
        line = f"{self.kind}: {what} {self.added}; in all {self.totals}"
        if not self.notes:
            return line
        noun = "note" if len(self.notes) == 1 else "notes"
        return f"{line}; {len(self.notes)} {noun}"
