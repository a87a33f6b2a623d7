"""One server for all browser tests of a process, and one tab for the tests of a module in each front end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.server import Server, serving

if TYPE_CHECKING:
    from browser.lab import FrontEnd, Lab


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("jupyter")) as running:
        yield running


@pytest.fixture(scope="module", params=["lab", "notebook"])
def front_end(request: pytest.FixtureRequest) -> FrontEnd:
    """Each front end in turn."""
    name: FrontEnd = request.param
    return name


@pytest.fixture(scope="module")
def tab(server: Server, front_end: FrontEnd, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A tab with nothing in it yet."""
    from browser.lab import browsing  # Playwright may be missing where these tests are skipped

    with browsing(server, front_end, tmp_path_factory.mktemp("screenshots")) as lab:
        yield lab
