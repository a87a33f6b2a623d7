"""`jupyter nbconvert` highlights our cells as Prolog by what the wheel installs, with no flag."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from notebooks.written import write_notebook

CELL = """{magic} --name world
% a child's piece
path(a, Y) :- edge(X, Y).
"""


def exported(folder: Path, *cells: str) -> list[str]:
    """The HTML of each code cell, exported by a program of its own."""
    write_notebook(folder / "task.ipynb", *cells)
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "task.ipynb"],
        cwd=folder,
        env=os.environ | {"JUPYTER_CONFIG_DIR": str(folder / "config")},
        check=True,
        capture_output=True,
    )
    page = (folder / "task.html").read_text(encoding="utf-8")
    return re.findall(r'<div class="highlight.*?</div>', page, re.DOTALL)


@pytest.mark.parametrize(
    ("file", "statement"),
    [
        ("jupyter_config.py", 'languages = {"%%fennel": "lisp"}'),
        ("jupyter_nbconvert_config.py", 'languages.update({"%%fennel": "lisp"})'),
    ],
    ids=["read before ours", "read after ours"],
)
def test_our_cells_are_exported_as_prolog_beside_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, statement: str
) -> None:
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")  # as in any virtual environment
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / file).write_text(f"c.HighlightMagicsPreprocessor.{statement}")
    ours = ["%%bk", "%%examples", "%%bias", "%%joiner"]
    *cells, lisp, python = exported(
        tmp_path, *(CELL.format(magic=magic) for magic in ours), "%%fennel\n; a child's", "path(a, Y)"
    )
    for cell in cells:
        assert '<span class="c1">% a child\'s piece</span>' in cell
        assert '<span class="nv">Y</span>' in cell
        assert '<span class="nf">edge</span>' in cell
    assert '<span class="c1">; a child\'s</span>' in lisp
    assert '<span class="n">Y</span>' in python
