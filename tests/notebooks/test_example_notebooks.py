"""The example notebooks run from top to bottom in the project's own kernel."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "example_notebooks").glob("*.ipynb"))
_SECONDS = re.compile(r"\b\d+\.\d+\b(?!%)")  # no two runs take the same time


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs_and_prints_what_it_shows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINER_PICTURES", "static")  # as it is stored: a widget would be dead
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    shown = [texts(cell) for cell in notebook.cells]
    NotebookClient(notebook, timeout=120, kernel_name="joiner", allow_errors=False).execute()
    assert [texts(cell) for cell in notebook.cells] == shown


def texts(cell: nbformat.NotebookNode) -> list[str]:
    """The plain text of a code cell's outputs, as a reader of the notebook sees it."""
    found = []
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            found.append(f"{output.ename}: {output.evalue}")
        else:
            found.append(_SECONDS.sub("N", output.get("text") or output.data["text/plain"]))
    return found


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
