"""The native source against the ASP source on the field's tasks, as far as the ASP source comes in a moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import each_field_task
from joiner_magic import Budget, load_task
from joiner_magic.engines.datalog.engine import DatalogEngine
from joiner_magic.search.spaces.restrictions import NotMinable, restrictions
from search.mined_tasks import Yield

MOMENT = 0.3  # seconds; each size takes many times as long as the one before


@each_field_task
def test_fronts(folder: Path) -> None:
    task = load_task(folder)
    try:
        restrictions(task.bias)
    except NotMinable as unfit:
        pytest.skip(f"left to the ASP source: {unfit}")
    if task.bias.enable_recursion or task.bias.enable_pi:
        pytest.skip("programs of several rules come from the ASP source alone")
    with DatalogEngine(task) as engine:
        gives = Yield(task, engine)
        expected = gives.asp(1 + task.bias.max_body, Budget(MOMENT).stop)
        found = gives.mined(1 + len(expected))
        assert gives.conjoined(found) == gives.conjoined(expected)
