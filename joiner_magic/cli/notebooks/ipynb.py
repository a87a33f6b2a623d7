"""Notebooks as values, and as the text of an .ipynb file (nbformat 4.5). Jupyter need not be installed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal

_METADATA = {
    "kernelspec": {"display_name": "Joiner (Python + ILP)", "language": "python", "name": "joiner"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}


@dataclass(frozen=True, slots=True)
class NotebookCell:
    """A cell of a notebook that is to be written: prose or code."""

    kind: Literal["markdown", "code"]
    text: str


def prose(text: str) -> NotebookCell:
    """A cell of Markdown; common indentation is removed."""
    return NotebookCell("markdown", dedent(text).strip())


def code(text: str) -> NotebookCell:
    """A cell of code."""
    return NotebookCell("code", text.strip())


# So that the notebook also runs in a Python kernel that does not know the magics yet.
LOADED = code("%load_ext joiner_magic")


def ipynb(cells: Sequence[NotebookCell]) -> str:
    """The text of an .ipynb file with these cells."""
    cell_values = [_cell_json(cell, number) for number, cell in enumerate(cells)]
    notebook = {"cells": cell_values, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _cell_json(cell: NotebookCell, number: int) -> dict[str, object]:
    """A cell in the form in which notebooks are stored."""
    value: dict[str, object] = {
        "cell_type": cell.kind,
        "id": f"cell-{number}",
        "metadata": {},
        "source": cell.text.splitlines(keepends=True),
    }
    if cell.kind == "markdown":
        return value
    return {**value, "execution_count": None, "outputs": []}
