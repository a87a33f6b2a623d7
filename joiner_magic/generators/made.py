"""A task that a generator has made, and the rule it had in mind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from joiner_magic.task.task import Task, read_task


@dataclass(frozen=True, slots=True)
class Made:
    background: str
    examples: str
    bias: str
    held_out: str  # examples on the same background that only measure
    rule: str  # the secret one, as Prolog

    def task(self) -> Task:
        return read_task(self.background, self.examples, self.bias)

    def held_out_task(self) -> Task:
        return read_task(self.background, self.held_out, self.bias)


def labelled(positives: Iterable[str], negatives: Iterable[str]) -> str:
    """Atoms as examples."""
    lines = [f"pos({atom})." for atom in positives] + [f"neg({atom})." for atom in negatives]
    return "\n".join(lines) + "\n"
