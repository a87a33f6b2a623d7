"""`jupyter nbconvert` highlights our cells as Prolog by what the wheel installs, with no flag."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

CELL = """{magic} --name world
% a child's piece
path(a, Y) :- edge(X, Y).
"""


def exported(folder: Path, *cells: str) -> list[str]:
    """The HTML of each code cell, exported by a program of its own."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    nbformat.write(notebook, folder / "task.ipynb")
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "task.ipynb"],
        cwd=folder,
        env=os.environ | {"JUPYTER_CONFIG_DIR": str(folder / "config")},
        check=True,
        capture_output=True,
    )
    page = (folder / "task.html").read_text(encoding="utf-8")
    return re.findall(r'<div class="highlight.*?</div>', page, re.DOTALL)


@pytest.mark.parametrize("user_prefers_environment", ["1", "0"])
def test_our_cells_are_exported_as_prolog_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user_prefers_environment: str
) -> None:
    # The user's file is read before ours or after it; what it adds is kept either way.
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", user_prefers_environment)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "jupyter_nbconvert_config.py").write_text(
        'c.HighlightMagicsPreprocessor.languages.update({"%%fennel": "lisp"})'
    )
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
