"""What all tests share: the field's tasks where they are at hand, and the Prolog tests' precondition."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from joiner_magic.engines.prolog.installation import prolog_available

ROOT = Path(__file__).resolve().parent.parent
TASKS = Path(os.environ.get("JOINER_TASKS", ROOT.parent / "shared" / "tasks"))


def field_tasks() -> list[Path]:
    """Folders of the field's tasks, none where they are not installed."""
    return sorted(bias.parent for bias in TASKS.glob("**/bias.pl"))


def field_task(name: str) -> Path:
    """The folder of one task, or a skip that says how to get it."""
    folder = TASKS / name
    if not folder.is_dir():
        pytest.skip(f"the task {name} is not there: set JOINER_TASKS to a folder with the field's tasks")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Prolog tests are skipped with the reason, or fail where Prolog is required."""
    reason = prolog_available()
    if reason is None or os.environ.get("JOINER_REQUIRE_PROLOG"):
        return
    for item in items:
        if item.get_closest_marker("prolog"):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(params=["datalog", pytest.param("prolog", marks=pytest.mark.prolog)])
def engine_name(request: pytest.FixtureRequest) -> str:
    """Each engine in turn."""
    return str(request.param)
