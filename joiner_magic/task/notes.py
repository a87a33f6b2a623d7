"""What the user should know about a task without being stopped by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from joiner_magic.errors import Place


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence about a text, with the place that it is about."""

    message: str
    place: Place | None = None

    def __str__(self) -> str:
        """The note with its place before it, if it has one."""
        if self.place:
            return f"{self.place}: {self.message}"
        return self.message


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The known word that is nearest, as a question; empty when none is near."""
    near = get_close_matches(word, [name for name in known if name != word], n=1, cutoff=0.7)
    if not near:
        return ""
    return f"did you mean {near[0]}?"


def counted(number: int, noun: str) -> str:
    """Such as "1 fact" and "2,000 facts"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def with_hint(message: str, hint: str | None) -> str:
    """The message, and behind it what to do, if there is anything."""
    if not hint:
        return message
    return f"{message}; {hint}"
