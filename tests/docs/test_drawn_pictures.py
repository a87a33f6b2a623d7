"""The pictures of the documentation are those that the code draws now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import ROOT


def test_pictures_are_drawn_as_they_are_stored(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "tools" / "draw-pictures", tmp_path], check=True)
    drawn = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    stored = {name: (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8") for name in drawn}
    assert len(drawn) == 5
    assert [name for name in drawn if drawn[name] != stored[name]] == []
