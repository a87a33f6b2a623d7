"""Notebooks as values, and as the text of a file (nbformat 4.5), with nothing of Jupyter installed."""

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
    kind: Literal["markdown", "code"]
    text: str


def prose(text: str) -> NotebookCell:
    return NotebookCell("markdown", dedent(text).strip())


def code(text: str) -> NotebookCell:
    return NotebookCell("code", text.strip())


# So that the notebook also runs in a Python kernel that does not know the magics yet.
LOADED = code("%load_ext joiner_magic")


def ipynb(cells: Sequence[NotebookCell]) -> str:
    """The text of the file."""
    written = [_written(cell, number) for number, cell in enumerate(cells)]
    notebook = {"cells": written, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _written(cell: NotebookCell, number: int) -> dict[str, object]:
    value: dict[str, object] = {
        "cell_type": cell.kind,
        "id": f"cell-{number}",
        "metadata": {},
        "source": cell.text.splitlines(keepends=True),
    }
    return value if cell.kind == "markdown" else {**value, "execution_count": None, "outputs": []}
