"""How calls that take long are stopped: they ask a function `stop` several times a second, and raise `Interrupted`.

`stop` takes no arguments and returns True when the work should end. It may be a timeout, an interrupt by the user, or
anything else; the work need not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Stop: TypeAlias = Callable[[], bool]


class Interrupted(Exception):
    """Control flow, not an error: `stop` returned True before the work was done."""


def never() -> bool:
    """A `stop` for work that is to run to its end."""
    return False


def go_on(stop: Stop) -> None:
    """Raise Interrupted if the work is to stop; else nothing happens, and it goes on."""
    if stop():
        raise Interrupted


def stoppable(items: Iterable[T], stop: Stop) -> Iterator[T]:
    """The same items; before every 1,024th `stop` is asked, and Interrupted raised if it returns True."""
    for number, item in enumerate(items):
        if not number & 1023 and stop():
            raise Interrupted
        yield item


def either(one: Stop, other: Stop) -> Stop:
    """A `stop` that returns True when one of the two does."""
    return lambda: one() or other()
