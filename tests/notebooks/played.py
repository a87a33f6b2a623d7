"""An example notebook, run from top to bottom in the project's own kernel, which then answers questions.

It runs in an empty folder, as one that `joiner tutorial` has copied.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from conftest import ROOT

FOLDER = ROOT / "example_notebooks"
_SECONDS = re.compile(r"\b\d+\.\d+\b(?!%)")  # no two runs take the same time


class Played:
    """What a notebook shows now, beside what was stored in it."""

    def __init__(self, client: NotebookClient, stored: list[list[str]]) -> None:
        self._client = client
        self.stored = stored
        self.shown = [texts(cell) for cell in client.nb.cells]

    def ask(self, expression: str) -> Any:
        """What an expression is worth in the notebook's kernel, after all of its cells: by way of JSON."""
        cell = nbformat.v4.new_code_cell(f"import json\nprint(json.dumps({expression}))")  # type: ignore[no-untyped-call]
        self._client.nb.cells.append(cell)
        self._client.execute_cell(cell, len(self._client.nb.cells) - 1)
        return json.loads(cell.outputs[0].text)

    def shown_again(self) -> list[list[str]]:
        """What all cells show when they are run a second time in the same kernel.

        The first cell of code loads the extension, and shows only then that it was loaded.
        """
        cells = self._client.nb.cells[: len(self.stored)]
        for number, cell in enumerate(cells):
            self._client.execute_cell(cell, number)
        loading = next(number for number, cell in enumerate(cells) if cell.cell_type == "code")
        return [self.shown[n] if n == loading else texts(cell) for n, cell in enumerate(cells)]

    def shown_by(self, source: str) -> str:
        """All that the one code cell shows in whose text this stands, as plain text."""
        (found,) = (
            output
            for cell, output in zip(self._client.nb.cells, self.shown, strict=False)
            if cell.cell_type == "code" and source in cell.source
        )
        return "\n".join(found)


def playing(name: str, **environment: str) -> Any:
    """A fixture for the tests of one notebook: `notebook = playing("01_first_rule")`. It runs once for all of them.

    Variables of the environment can make something missing: `playing("03_recursion", JOINER_SWIPL="missing")`.
    """

    @pytest.fixture(scope="module")
    def notebook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
        notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
        stored = [texts(cell) for cell in notebook.cells]
        resources = {"metadata": {"path": str(tmp_path_factory.mktemp(name))}}
        client = NotebookClient(notebook, timeout=120, kernel_name="joiner", resources=resources)
        static = {"JOINER_PICTURES": "static"}  # as it is stored: a widget would be dead
        with client.setup_kernel(env=os.environ | static | environment):
            for number, cell in enumerate(notebook.cells):
                client.execute_cell(cell, number)
            yield Played(client, stored)

    return notebook


def texts(cell: nbformat.NotebookNode) -> list[str]:
    """The plain text of a code cell's outputs, as a reader of the notebook sees it, without the times."""
    found: list[str] = []
    before = ""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            found.append(f"{output.ename}: {output.evalue}")
        elif output.output_type == before == "stream":
            found[-1] += output.text  # into how many pieces it comes depends on the time
        else:
            found.append(output.get("text") or output.data["text/plain"])
        before = output.output_type
    return [_SECONDS.sub("N", text) for text in found]
