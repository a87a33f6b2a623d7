"""How long solver calls are stopped: they ask `stop` several times a second, and raise `Interrupted`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Stop: TypeAlias = Callable[[], bool]


class Interrupted(Exception):
    """Control flow, not an error: `stop` said so before the solver was done."""


def never() -> bool:
    return False


def polled(items: Iterable[T], stop: Stop) -> Iterator[T]:
    """The same items; every thousand or so `stop` is asked, and Interrupted raised."""
    for number, item in enumerate(items):
        if not number & 1023 and stop():
            raise Interrupted
        yield item


def either(one: Stop, other: Stop) -> Stop:
    """Stops when one of the two does."""
    return lambda: one() or other()
