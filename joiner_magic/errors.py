"""Errors for users: what is wrong, where, and what to do about it.

All errors that a user can cause are subclasses of `JoinerError`. A bug of this package never is: it stays an ordinary
exception with a traceback.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A point in one of the user's texts; line and column count from 1."""

    text: str  # the text's name: a file, or a cell such as "bk"
    line: int
    column: int
    excerpt: str = ""  # the line itself, for the caret

    def __str__(self) -> str:
        return f"{self.text}:{self.line}:{self.column}"

    def seen_from(self, other: Place) -> str:
        """The place in words, for a message that is about the place `other`."""
        if self.text == other.text:
            return f"line {self.line}"
        return f"line {self.line} of {self.text}"

    def caret(self, width: int = 78) -> str:
        """The excerpt and below it a caret under the column; a long excerpt is cut to `width` columns."""
        start = max(0, min(self.column - 1 - width // 2, len(self.excerpt) - width))
        shown = self.excerpt[start : start + width].replace("\t", " ")
        return f"  {shown}\n  {' ' * (self.column - 1 - start)}^"


class JoinerError(Exception):
    """Base of all user errors."""

    def __init__(self, message: str, *, place: Place | None = None, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.remedy = remedy

    @property
    def headline(self) -> str:
        """The whole error on one line."""
        where = ""
        if self.place:
            where = f"{self.place}: "
        todo = ""
        if self.remedy:
            todo = f"; {self.remedy}"
        return f"{where}{self.message}{todo}"

    def __str__(self) -> str:
        if self.place and self.place.excerpt:
            return f"{self.headline}\n{self.place.caret()}"
        return self.headline

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython shows instead of a traceback."""
        return [f"{type(self).__name__}: {self}"]


# Failures that are no bugs: errors of the user, and a machine that has run out of disk or memory.
FAILURES: tuple[type[Exception], ...] = (JoinerError, OSError, MemoryError)


def in_a_line(failure: Exception) -> str:
    """One of `FAILURES` in one line, as part of a sentence."""
    if isinstance(failure, JoinerError):
        return failure.headline
    return str(failure).partition("\n")[0] or "there is not enough memory"


class TextError(JoinerError):
    """A text does not follow the syntax."""


class TaskError(JoinerError):
    """The texts are well formed but do not make a task."""


class FileError(TaskError):
    """A file cannot be read or written, or does not hold what it should."""


class EngineError(JoinerError):
    """An engine cannot take this task, or stopped working."""


class NeedsProlog(EngineError):
    """The task is beyond the embedded engine; the Prolog engine can take it."""


class MissingPart(JoinerError):
    """An optional package or program is not installed."""


class CommandError(JoinerError):
    """A command or one of its options is not there, or is not given as it should be."""
