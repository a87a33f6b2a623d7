"""Which cell is speaking, so that a cell that is run again takes the place of what it said before.

The front end names the cell in each request; terminals and some runners of notebooks do not. A cell may speak
several times, by line magics: what it says is known by the cell's name and an ordinal. When it ends well, what
it said in an earlier run and no longer says is forgotten; when it fails, all that it said is taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from joiner_magic.sessions.current import current

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

    from joiner_magic.errors import Place
    from joiner_magic.sessions.cells import Cells, Kind
    from joiner_magic.sessions.session import Session


@dataclass(slots=True)
class _RunningCell:
    info: ExecutionInfo
    keys: list[str] = field(default_factory=list)
    named: set[tuple[str, str]] = field(default_factory=set)  # session and key of texts with a name
    before: dict[str, tuple[Session, Cells]] = field(default_factory=dict)
    lines_read: int = 0  # above the last line magic

    def next_key(self) -> str | None:
        if self.info.cell_id is None:
            return None
        self.keys.append(f"{self.info.cell_id}#{len(self.keys) + 1}")
        return self.keys[-1]

    def keep(self, cells: Cells) -> None:
        self.keys += [key for key in cells.by_key if key.startswith(f"{self.info.cell_id}#")]


@dataclass(frozen=True, slots=True)
class TextPosition:
    """Where a text stands in its cell."""

    name: str  # what errors call the cell
    line: int = 1
    before: int = 0  # columns of the first line that are the magic's
    whole: str = ""  # the first line, if some of it is

    def place(self, place: Place | None) -> Place | None:
        """A place in the text, as a place in the cell."""
        if place is None or not self.before or (place.text, place.line) != (self.name, self.line):
            return place
        return replace(place, column=place.column + self.before, excerpt=self.whole)


class CellTracker:
    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._cells: list[_RunningCell] = []  # a cell can run others
        self._named: dict[tuple[str, str], str | None] = {}  # by session and key, the cell that said it
        if shell.displayhook.exec_result is not None:  # the cell that loads the extension may speak too
            self.begin(shell.displayhook.exec_result.info)

    @property
    def hooks(self) -> dict[str, Callable[[Any], None]]:
        """What the shell has to tell, by event."""
        return {"pre_run_cell": self.begin, "post_run_cell": self.end}

    def begin(self, info: ExecutionInfo) -> None:
        self._cells.append(_RunningCell(info))

    def end(self, result: ExecutionResult | None) -> None:
        """Without a result the cell was broken off."""
        info = result.info if result is not None else self._cells[-1].info if self._cells else None
        if not any(cell.info is info for cell in self._cells):
            return  # an empty cell has no beginning
        while self._cells:
            cell = self._cells.pop()
            succeeded = cell.info is info and result is not None and result.success
            self._settle(cell) if succeeded else _take_back(cell)
            if cell.info is info:
                break

    def remember(self, session: Session) -> None:
        """Before a cell changes a session: so it is again should the cell fail."""
        if self._cells:
            self._cells[-1].before.setdefault(session.name, (session, session.cells))

    def key(self) -> str | None:
        """What the running cell's next text is known by; None where nothing tells cells apart."""
        return self._cells[-1].next_key() if self._cells else None

    def keep_all_of(self, session: Session) -> None:
        """What a file says that the running cell had said stays, although the cell does not say it now."""
        if self._cells:
            self._cells[-1].keep(session.cells)

    def key_of(self, name: str, kind: Kind, session: Session) -> str:
        """What a text with a name is known by, whichever cell says it."""
        key = f"name {kind} {name}"  # background knowledge and examples may go by one name, as they do in a folder
        if self._cells:
            self._cells[-1].named.add((session.name, key))
        return key

    def position_of(self, text: str, *, name: str | None = None) -> TextPosition:
        """Where a text stands in the running cell, which errors call by its number or `name`."""
        name = name or f"In [{self._count}]"
        if not self._cells:
            return TextPosition(name)
        cell = self._cells[-1]
        raw = cell.info.raw_cell or ""
        if line := _body_line(raw, text):
            return TextPosition(name, line)
        cell.lines_read = line = _magic_line(raw, text, cell.lines_read)
        whole = raw.split("\n")[line - 1]
        return TextPosition(name, line, max(0, whole.rfind(text)), whole)

    def _settle(self, cell: _RunningCell) -> None:
        cell_id = cell.info.cell_id
        self._named.update(dict.fromkeys(cell.named, cell_id))
        if cell_id is None:
            return
        sessions = [session for session, _ in cell.before.values()]
        for session in {id(session): session for session in [*sessions, current()]}.values():
            session.keep_only(cell.keys, of=f"{cell_id}#")
            mine = [said for said, by in self._named.items() if by == cell_id and said[0] == session.name]
            gone = [said for said in mine if said not in cell.named]
            session.restore(session.cells.without([key for _, key in gone]))
            for said in gone:
                del self._named[said]

    @property
    def _count(self) -> int:
        """As the front end shows it; the shell's own number may be the next cell's already."""
        running = self._shell.displayhook.exec_result
        count: int = (running and running.execution_count) or self._shell.execution_count
        return count


def _take_back(cell: _RunningCell) -> None:
    for session, cells in cell.before.values():
        session.restore(cells)


def _body_line(raw: str, text: str) -> int:
    """The number of a body's first line, 0 for no body: that is whole lines at the end of its cell.

    IPython takes away what a whole cell is indented by.
    """
    whole, body = (each.rstrip().split("\n") for each in (raw, text))
    above = len(whole) - len(body)
    is_body = above >= 0 and all(map(_same_but_for_blanks, whole[above:], body))
    return above + 1 if is_body else 0


def _same_but_for_blanks(line: str, other: str) -> bool:
    return line.strip() == other.strip()


def _magic_line(raw: str, text: str, read: int) -> int:
    """The number of the next line that ends with this text, behind a magic."""
    lines = raw.split("\n")
    for number in chain(range(read, len(lines)), range(read)):  # in a loop a line may come again
        if "%" in lines[number] and lines[number].rstrip().endswith(text):
            return number + 1
    return 1
