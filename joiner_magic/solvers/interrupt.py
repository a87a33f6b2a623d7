"""How long solver calls are stopped: they ask `stop` several times a second, and raise `Interrupted`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Stop: TypeAlias = Callable[[], bool]


class Interrupted(Exception):
    """Control flow, not an error: `stop` said so before the solver was done."""


def never() -> bool:
    return False
