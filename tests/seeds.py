"""Seeds of random families: one that never changes, and one that is new in every run.

The new one is printed in the header of the tests; `JOINER_SEED=NUMBER` repeats a run with it. CI runs the tests on two
Pythons and deals tasks out between them: `JOINER_SEEDS=fixed` tries the first seed alone, every other task of the families
whose tasks are numbered (a parameter `seed`), and every other task in a folder (`folder`); `JOINER_SEEDS=new` tries the
second seed and the other tasks. Without it a run tries them all.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

import pytest

FIXED = 20261117
_NUMBERED = 10_000  # smaller seeds are the numbers of a family's tasks
# In the environment it is the same for every process of a run.
NEW = int(os.environ.setdefault("JOINER_SEED", str(_NUMBERED + secrets.randbelow(10**9))))
_CHOICE = os.environ.get("JOINER_SEEDS", "both")
SEEDS = {"fixed": [FIXED], "new": [NEW], "both": [FIXED, NEW]}[_CHOICE]
_REMAINDER = {"fixed": 0, "new": 1}.get(_CHOICE)  # of the numbers of this run's tasks, divided by two


def left_to_the_other_run(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Tests of tasks that this run does not take."""
    if _REMAINDER is None:
        return []
    return [item for item in items if (number := _number(item)) is not None and number % 2 != _REMAINDER]


def is_dealt_out(item: pytest.Item) -> bool:
    """Whether each of two runs tries this test with tasks or seeds of its own: it has a parameter `seed` or `folder`."""
    called = getattr(item, "callspec", None)
    if called is None:
        return False
    return isinstance(called.params.get("seed"), int) or isinstance(called.params.get("folder"), Path)


def _number(item: pytest.Item) -> int | None:
    """Of the task that a test is about, if it is one of many."""
    called = getattr(item, "callspec", None)
    parameters = {} if called is None else called.params
    seed, folder = parameters.get("seed"), parameters.get("folder")
    if isinstance(folder, Path):
        return crc32(folder.name.encode())
    return seed if isinstance(seed, int) and seed < _NUMBERED else None
