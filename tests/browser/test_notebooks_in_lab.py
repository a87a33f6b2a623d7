"""Each example notebook in JupyterLab, as a new user runs it: every cell, then a look at all of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.server import Server
from notebooks.played import FOLDER

if TYPE_CHECKING:
    from browser.lab import Lab

pytestmark = pytest.mark.browser

# Front ends keep only what is in sight in the page, so the model is asked.
_CODE_CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === "code")
    .map(cell => ({
        source: cell.model.sharedModel.getSource(),
        ran: cell.model.executionCount,
        errors: cell.model.outputs.toJSON().filter(output => output.output_type === "error").map(error => error.evalue),
        views: cell.model.outputs.toJSON().filter(
            output => output.data?.["application/vnd.jupyter.widget-view+json"]).length,
    }))"""


@pytest.fixture(scope="module")
def lab(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    from browser.lab import browsing  # Playwright may be missing where these tests are skipped

    with browsing(server, "lab", tmp_path_factory.mktemp("screenshots")) as lab:
        yield lab


@pytest.mark.parametrize("name", sorted(file.stem for file in FOLDER.glob("*.ipynb")))
def test_a_new_user_runs_it(name: str, lab: Lab, server: Server) -> None:
    shutil.copy(FOLDER / f"{name}.ipynb", server.folder)
    lab.visit(f"{name}.ipynb")
    lab.run_all()
    cells = lab.page.evaluate(_CODE_CELLS)
    assert [(cell["source"], cell["errors"]) for cell in cells if cell["errors"]] == []
    assert all(cell["ran"] for cell in cells)
    panels = sum(cell["views"] for cell in cells)
    for index in range(lab.number_of_cells):
        lab.select(index)
        lab.page.wait_for_timeout(50)
    lab.screenshot(name)
    lab.page.goto("about:blank")
    server.end_session(f"{name}.ipynb")
    assert lab.errors == []
    assert panels
