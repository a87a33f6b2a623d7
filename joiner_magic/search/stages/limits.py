"""How much work a program is granted, in the unit of the engine.

A first attempt is short, because most programs need little, and those that never end would take all the time that there is.
What does not finish is tried again with ten times the work, up to the limit of the engine, before programs of the next size
are made (`retry`). A limit that the user gives holds from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from joiner_magic.engines.protocol import NO_LIMIT, Engine

MORE = 10  # times the work of the attempt before


@dataclass(frozen=True, slots=True)
class Limits:
    """The work of the first attempt, and the most that is granted before all else is done; None for no limit."""

    first: int | None = None
    usual: int | None = None

    @classmethod
    def of(cls, engine: Engine, wanted: int | None) -> Limits:
        """The limits of an engine, or the one that the user wants."""
        return cls(engine.first_limit, engine.limit) if wanted is None else cls(wanted, wanted)

    @property
    def further(self) -> Iterator[int]:
        """The work of each further attempt; there is none where the first one has no limit."""
        granted = NO_LIMIT if self.first is None else self.first
        while granted < NO_LIMIT:
            granted = more(granted)
            yield granted

    def is_usual(self, limit: int) -> bool:
        """Whether it is no more than what is granted before all else is done."""
        return self.usual is not None and limit <= self.usual


NO_LIMITS = Limits()


def more(granted: int) -> int:
    """The work of the next attempt."""
    return min(granted * MORE, NO_LIMIT)
