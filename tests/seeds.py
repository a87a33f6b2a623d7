"""Seeds of random families: one that never changes, and one that is new in every run.

The new one is printed in the header of the tests; `JOINER_SEED=NUMBER` repeats a run with it. CI runs the tests on two
Pythons and deals random tasks out between them: `JOINER_SEEDS=fixed` tries the first seed alone and every other task
of the families whose tasks are numbered (a parameter `seed`), `JOINER_SEEDS=new` the second seed and the other tasks.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable

import pytest

FIXED = 20261117
_NUMBERED = 10_000  # smaller seeds are the numbers of a family's tasks
# In the environment it is the same for every process of a run.
NEW = int(os.environ.setdefault("JOINER_SEED", str(_NUMBERED + secrets.randbelow(10**9))))
_CHOICE = os.environ.get("JOINER_SEEDS", "both")
SEEDS = {"fixed": [FIXED], "new": [NEW], "both": [FIXED, NEW]}[_CHOICE]
_REMAINDER = {"fixed": 0, "new": 1}.get(_CHOICE)  # of the numbers of this run's tasks, divided by two


def left_to_the_other_run(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Tests of random tasks that this run does not take."""
    if _REMAINDER is None:
        return []
    return [item for item in items if (seed := _number(item)) is not None and seed % 2 != _REMAINDER]


def _number(item: pytest.Item) -> int | None:
    """Of the random task that a test is about, if it is one of a numbered family."""
    called = getattr(item, "callspec", None)
    seed = None if called is None else called.params.get("seed")
    return seed if isinstance(seed, int) and seed < _NUMBERED else None
