"""A task that a generator has made, and the rule it had in mind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from joiner_magic.task.task import Task, read_task

if TYPE_CHECKING:
    from joiner_magic.sessions.session import Session


@dataclass(frozen=True, slots=True)
class Made:
    """A task as texts, with examples that are held out and the rule behind it."""

    background: str  # facts
    examples: str  # to learn from
    bias: str  # in which the rule can be learnt
    held_out: str  # examples on the same background that only measure
    rule: str  # the secret one, as Prolog

    def task(self) -> Task:
        """To learn from."""
        return read_task(self.background, self.examples, self.bias)

    def held_out_task(self) -> Task:
        """To measure on: `result.score` takes it."""
        return read_task(self.background, self.held_out, self.bias)

    def into(self, session: Session) -> Session:
        """Say it to a session, in the place of everything that is there."""
        session.reset()
        session.bk(self.background)
        session.examples(self.examples)
        session.examples(self.held_out, test=True)
        session.bias(self.bias)
        return session


def labelled(positives: Iterable[str], negatives: Iterable[str]) -> str:
    """Atoms as examples."""
    lines = [f"pos({atom})." for atom in positives] + [f"neg({atom})." for atom in negatives]
    return "\n".join(lines) + "\n"
