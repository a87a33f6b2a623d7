"""Each example notebook has tests that play it, and check that what it says is true."""

from __future__ import annotations

from pathlib import Path

from notebooks.played import FOLDER


def test_each_notebook_is_played() -> None:
    names = {file.stem for file in FOLDER.glob("*.ipynb")}
    assert names
    assert {file.stem for file in Path(__file__).parent.glob("test_0*.py")} == {
        f"test_{name}" for name in names
    }
