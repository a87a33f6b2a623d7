"""Notebooks that tests make: code cells for the project's own kernel."""

from __future__ import annotations

from pathlib import Path

from nbformat import read, v4, write


def write_notebook(file: Path, *cells: str) -> None:
    """Write code cells with these texts, as a front end saves them."""
    notebook = v4.new_notebook(  # type: ignore[no-untyped-call]
        cells=[v4.new_code_cell(text) for text in cells],  # type: ignore[no-untyped-call]
        metadata={
            "kernelspec": {
                "name": "joiner", "display_name": "Joiner (Python + ILP)", "language": "python"
            },
            "language_info": {"name": "python", "pygments_lexer": "ipython3"},
        },
    )  # fmt: skip
    write(notebook, file)  # type: ignore[no-untyped-call]


def forget_kernel(file: Path) -> None:
    """A front end asks then, instead of starting a kernel."""
    notebook = read(file, as_version=4)  # type: ignore[no-untyped-call]
    del notebook.metadata["kernelspec"]
    write(notebook, file)  # type: ignore[no-untyped-call]
