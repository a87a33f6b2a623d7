"""A task that a generator has made, with the secret rule behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from joiner_magic.errors import TaskError
from joiner_magic.task.task import Task, read_task

if TYPE_CHECKING:
    from joiner_magic.sessions.session import Session

_MOST_ATTEMPTS = 5_000  # what can be made takes hundreds at most
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class GeneratedTask:
    """A task as texts, with held-out examples and the rule behind it.

    The texts are those that a person would write: background knowledge, examples and bias in Prolog.
    """

    background: str  # the background knowledge: facts, and perhaps rules
    examples: str  # the examples to learn from
    bias: str  # a bias that allows the secret rule
    held_out: str  # examples on the same background that only measure
    rule: str  # the secret rule, as Prolog

    def task(self) -> Task:
        """The task to learn from."""
        return read_task(self.background, self.examples, self.bias)

    def held_out_task(self) -> Task:
        """The held-out examples as a task, which `result.score` takes."""
        return read_task(self.background, self.held_out, self.bias)

    def into(self, session: Session) -> Session:
        """Put the task into a session, which forgets everything else; the session is returned."""
        session.reset()
        session.bk(self.background)
        session.examples(self.examples)
        session.examples(self.held_out, test=True)
        session.bias(self.bias)
        return session


def try_until(make: Callable[[], _T], fits: Callable[[_T], bool], *, what: str, remedy: str) -> _T:
    """Make things at random until one fits, and return it.

    After some thousands of attempts TaskError is raised: what was asked for contradicts itself.
    """
    for _ in range(_MOST_ATTEMPTS):
        if fits(attempt := make()):
            return attempt
    raise TaskError(f"no {what} can be made", remedy=remedy)


def labelled(positives: Iterable[str], negatives: Iterable[str]) -> str:
    """Atoms as the text of positive and negative examples.

    The result can be read by `read_task`, or put into a cell of examples.
    """
    lines = [f"pos({atom})." for atom in positives] + [f"neg({atom})." for atom in negatives]
    return "\n".join(lines) + "\n"
