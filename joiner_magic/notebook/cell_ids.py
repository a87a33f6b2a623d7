"""Keeps track of which cell says what, so that a cell that is run again replaces what it said before.

A front end sends an id of the cell with each request; terminals and some programs that execute notebooks send none. A
cell may say several texts, by line magics, so each text has a key made of the cell's id and a number. When the cell
ends well, texts that it said in an earlier run and does not say any more are forgotten. When it fails, everything that
it said is taken back.
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
    """A cell that is being executed, and what it has said so far."""

    info: ExecutionInfo
    keys: list[str] = field(default_factory=list)  # of the texts that it has said
    named: set[tuple[str, str]] = field(default_factory=set)  # session and key of texts with a name
    before: dict[str, tuple[Session, Cells]] = field(default_factory=dict)  # sessions as they were before
    lines_read: int = 0  # up to the line magic that was found last

    def next_key(self) -> str | None:
        """The key of the next text that the cell says; None if the cell has no id."""
        if self.info.cell_id is None:
            return None
        self.keys.append(f"{self.info.cell_id}#{len(self.keys) + 1}")
        return self.keys[-1]

    def keep(self, cells: Cells) -> None:
        """Count all texts that this cell has ever said as said now."""
        self.keys += [key for key in cells.by_key if key.startswith(f"{self.info.cell_id}#")]


@dataclass(frozen=True, slots=True)
class TextPosition:
    """Where a text stands in its cell, so that errors can point to the place in the cell."""

    name: str  # what errors call the cell
    line: int = 1
    before: int = 0  # how many columns of the first line belong to the magic
    whole: str = ""  # the whole first line, if some of it belongs to the magic

    def place(self, place: Place | None) -> Place | None:
        """The place in the cell for a place in the text."""
        if place is None or not self.before or (place.text, place.line) != (self.name, self.line):
            return place
        return replace(place, column=place.column + self.before, excerpt=self.whole)


class CellTracker:
    """Knows which cell of a shell is running, what it has said, and what earlier runs of it had said."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._cells: list[_RunningCell] = []  # the last one is running now; a cell can run others
        self._named: dict[
            tuple[str, str], str | None
        ] = {}  # texts with a name, by session and key: the cell that said it
        if shell.displayhook.exec_result is not None:  # the cell that loads the extension may have magics too
            self.begin(shell.displayhook.exec_result.info)

    @property
    def hooks(self) -> dict[str, Callable[[Any], None]]:
        """The functions to call at events of the shell."""
        return {"pre_run_cell": self.begin, "post_run_cell": self.end}

    def begin(self, info: ExecutionInfo) -> None:
        """A cell begins."""
        self._cells.append(_RunningCell(info))

    def end(self, result: ExecutionResult | None) -> None:
        """A cell ends; without a result if it was broken off."""
        info = None
        if result is not None:
            info = result.info
        elif self._cells:
            info = self._cells[-1].info
        if not any(cell.info is info for cell in self._cells):
            return  # an empty cell has no beginning
        while self._cells:
            cell = self._cells.pop()
            if cell.info is info and result is not None and result.success:
                self._settle(cell)
            else:
                _take_back(cell)
            if cell.info is info:
                break

    def remember(self, session: Session) -> None:
        """Remember a session before the running cell changes it: if the cell fails, the session is restored."""
        if self._cells:
            self._cells[-1].before.setdefault(session.name, (session, session.cells))

    def key(self) -> str | None:
        """The key of the next text that the running cell says; None where cells have no ids."""
        if not self._cells:
            return None
        return self._cells[-1].next_key()

    def keep_all_of(self, session: Session) -> None:
        """Keep texts of a session that was just loaded from a file, also those that the running cell said at that time."""
        if self._cells:
            self._cells[-1].keep(session.cells)

    def key_of(self, name: str, kind: Kind, session: Session) -> str:
        """The key of a text that was given a name: the same one, whichever cell says it."""
        key = f"name {kind} {name}"  # background knowledge and examples may go by one name, as they do in a folder
        if self._cells:
            self._cells[-1].named.add((session.name, key))
        return key

    def position_of(self, text: str, *, name: str | None = None) -> TextPosition:
        """Where a text stands in the running cell. Errors call the cell `name`, or else by its number."""
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
        """Forget texts that earlier runs of a cell had said, and that it has not said this time."""
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
        """The number of the running cell as the front end shows it; the shell may count the next cell already."""
        running = self._shell.displayhook.exec_result
        count: int = (running and running.execution_count) or self._shell.execution_count
        return count


def _take_back(cell: _RunningCell) -> None:
    """Restore the sessions that a cell has changed."""
    for session, cells in cell.before.values():
        session.restore(cells)


def _body_line(raw: str, text: str) -> int:
    """The number of the line in which the body of a cell magic begins; 0 if the text is no body.

    A body is all lines at the end of its cell. They are compared without the blanks around them, because IPython
    removes the indentation of a cell as a whole.
    """
    whole, body = (each.rstrip().split("\n") for each in (raw, text))
    above = len(whole) - len(body)
    is_body = above >= 0 and all(map(_same_but_for_blanks, whole[above:], body))
    if not is_body:
        return 0
    return above + 1


def _same_but_for_blanks(line: str, other: str) -> bool:
    """Whether two lines differ in nothing but the blanks around them."""
    return line.strip() == other.strip()


def _magic_line(raw: str, text: str, read: int) -> int:
    """The number of the next line that ends with this text and has a magic; `read` lines were looked at before."""
    lines = raw.split("\n")
    for number in chain(range(read, len(lines)), range(read)):  # in a loop a line may come again
        if "%" in lines[number] and lines[number].rstrip().endswith(text):
            return number + 1
    return 1
