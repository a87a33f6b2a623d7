"""Where programs come from, as the loop sees it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.search.constrain import Constraint
from joiner_magic.solvers.interrupt import Stop


@dataclass(frozen=True, slots=True)
class Batch:
    """Programs of one size, each once. A source that tests what it generates gives the coverage too."""

    programs: Sequence[Program]
    evaluations: Sequence[Evaluation] | None = None


class Source(Protocol):
    """Programs of a hypothesis space by size."""

    @property
    def name(self) -> str: ...

    @property
    def largest(self) -> int:
        """No program of the space is larger."""

    def generate(self, size: int, stop: Stop) -> Generator[Batch, None, None]:
        """All programs of this size that no constraint forbids. Raises Interrupted when `stop` says so.

        The reader closes it: what works in the background must not outlive an interrupted run.
        """

    def constrain(self, constraints: Sequence[Constraint], stop: Stop) -> None:
        """Leave out what the constraints forbid, from the next size on, as far as it pays."""
