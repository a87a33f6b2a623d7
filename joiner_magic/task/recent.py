"""Values that were worked out a moment ago, kept for whoever asks for the same again: a few of them, the latest."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentValues(Generic[Key, Value]):
    """The latest values by what they were made of; several threads may ask at the same time.

    At most `most` values are kept, and fewer where they weigh more than `heaviest` together; the latest one stays
    whatever it weighs. What raises an error leaves nothing behind, so an interrupted computation is never kept.
    """

    def __init__(self, most: int, weight: Callable[[Key, Value], int], heaviest: int) -> None:
        """Keep at most so many values, that weigh at most `heaviest` together."""
        self._most = most
        self._weight = weight
        self._heaviest = heaviest
        self._lock = threading.Lock()
        self._values: dict[Key, Value] = {}  # the latest at the end

    def __len__(self) -> int:
        """How many values are kept now."""
        return len(self._values)

    def find(self, key: Key) -> Value | None:
        """The value that was kept under this key, which becomes the latest; None if there is none."""
        with self._lock:
            value = self._values.pop(key, None)
            if value is not None:
                self._values[key] = value
            return value

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value, and let go of the oldest where there are too many."""
        with self._lock:
            self._values.pop(key, None)
            self._values[key] = value
            while len(self._values) > 1 and self._has_too_much():
                del self._values[next(iter(self._values))]

    def _has_too_much(self) -> bool:
        """Whether there are too many values, or too heavy ones."""
        weight = sum(self._weight(key, value) for key, value in self._values.items())
        return len(self._values) > self._most or weight > self._heaviest
