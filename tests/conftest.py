"""What all tests share: the field's tasks where they are at hand, and what Prolog and browser tests need."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from another_python import is_differing
from browser.server import missing_for_browser
from joiner_magic.engines.prolog.installation import prolog_available
from joiner_magic.engines.protocol import ENGINES
from seeds import NEW, is_dealt_out, left_to_the_other_run

# The same cases on every run: a failure in CI is a failure at the desk.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

# A shell that starts the tests in the background lets them ignore Ctrl-C, and so would all that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
TASKS = Path(os.environ.get("JOINER_TASKS", ROOT.parent / "shared" / "tasks"))


def field_tasks() -> list[Path]:
    """Folders of the field's tasks, none where they are not installed."""
    return sorted(bias.parent for bias in TASKS.glob("**/bias.pl"))


_ABSENT = pytest.mark.skip(reason="the field's tasks are not there: set JOINER_TASKS to their folder")
each_field_task = pytest.mark.parametrize(
    "folder",
    field_tasks() or [pytest.param(TASKS, marks=_ABSENT)],
    ids=lambda folder: folder.name,
)


def field_task(name: str) -> Path:
    """The folder of one task, or a skip that says how to get it."""
    folder = TASKS / name
    if not folder.is_dir():
        pytest.skip(f"the task {name} is not there: set JOINER_TASKS to a folder with the field's tasks")
    return folder


def missing_for_building() -> str | None:
    """Why what the browser gets cannot be built here, if it cannot."""
    absent = [program for program in ("node", "npm") if shutil.which(program) is None]
    return f"there is no {' and no '.join(absent)} on PATH: install Node" if absent else None


# What a marked test needs: why it is missing here, if it is, and the variable that forbids to do without.
NEEDS = {
    "prolog": (prolog_available, "JOINER_REQUIRE_PROLOG"),
    "browser": (missing_for_browser, "JOINER_REQUIRE_BROWSER"),
    "node": (missing_for_building, "JOINER_REQUIRE_BROWSER"),
}


def pytest_report_header() -> str:
    return f"random families: JOINER_SEED={NEW} repeats this run's new seed"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--differing",
        action="store_true",
        help="only what may differ on another Python: tests/another_python.py",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of two runs that share the random tasks, each takes its own; on another Python some tests are enough."""
    left = set(left_to_the_other_run(items))
    if config.getoption("--differing"):
        left.update(item for item in items if not (is_differing(item, ROOT / "tests") or is_dealt_out(item)))
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Marked tests are skipped with the reason where what they need is missing, or fail where it is required."""
    for marker, (missing, required) in NEEDS.items():
        reason = missing() if item.get_closest_marker(marker) else None
        if reason is not None and os.environ.get(required):
            pytest.fail(f"{required} is set, but {reason}")
        if reason is not None:
            pytest.skip(reason)


_NEEDED_BY = {"prolog": pytest.mark.prolog}  # what the tests of an engine need


@pytest.fixture(params=[pytest.param(name, marks=_NEEDED_BY.get(name, ())) for name in ENGINES])
def engine_name(request: pytest.FixtureRequest) -> str:
    """Each engine in turn."""
    return str(request.param)
