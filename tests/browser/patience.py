"""Waiting for what a page will show or Python will know, with the patience that a busy machine asks for.

Playwright is imported when it is first asked: without it the tests must still be collected, to be skipped with the reason or to
fail where they are required.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator

PATIENCE = 60  # seconds, for what takes one where the machine is free


def expect(locator: Locator) -> Any:
    from playwright.sync_api import expect as playwright_expect

    playwright_expect.set_options(timeout=1000 * PATIENCE)
    return playwright_expect(locator)


def until(holds: Callable[[], bool]) -> None:
    """For what Playwright cannot wait for by itself."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it has not come"
        time.sleep(0.1)
