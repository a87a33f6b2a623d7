"""Playwright's `expect`, with the patience that a busy machine asks for.

Playwright is imported when it is first asked: without it the tests must still be collected, to be skipped with the reason or to
fail where they are required.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator


def expect(locator: Locator) -> Any:
    from playwright.sync_api import expect as playwright_expect

    playwright_expect.set_options(timeout=30_000)
    return playwright_expect(locator)
