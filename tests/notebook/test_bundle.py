"""What the browser gets: what is committed is what is built from its sources, and every view is in it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT
from joiner_magic.views.all import VIEWS

_WIDGETS = ROOT / "joiner_magic" / "notebook" / "widgets"
_BUILT = ("panel.css", "panel.js")
_LOCK = ROOT / "tools" / "browser" / "package-lock.json"


@pytest.mark.node
def test_what_is_committed_is_what_is_built(tmp_path: Path) -> None:
    command = [ROOT / "tools" / "build-browser", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(_BUILT)
    stale = [
        name for name in _BUILT if (tmp_path / name).read_bytes() != (_WIDGETS / "static" / name).read_bytes()
    ]
    assert not stale, f"{', '.join(stale)} differs from its sources: run tools/build-browser, and commit"


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_is_drawn_by_a_class_with_a_style_sheet(name: str) -> None:
    browser = _WIDGETS / "browser"
    assert re.search(rf"^  {name}: \w+View,$", (browser / "views.js").read_text(), re.MULTILINE), (
        f"the browser cannot draw {name}: write browser/{name}/view.js, name its class in browser/views.js, "
        "and run tools/build-browser"
    )
    assert f'import "./{name}.css";' in (browser / name / "view.js").read_text(), (
        f"the view {name} has no style: import browser/{name}/{name}.css in browser/{name}/view.js"
    )


def test_no_markup_is_made_of_texts() -> None:
    sources = sorted((_WIDGETS / "browser").rglob("*.js"))
    assert len(sources) > len(VIEWS)
    dangerous = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|srcdoc"
    )
    assert not [file.name for file in sources if dangerous.search(file.read_text())]


def test_the_lock_says_what_is_installed_but_not_from_where() -> None:
    lock = _LOCK.read_text()
    assert '"integrity"' in lock
    assert not re.search(r"https?://|\"resolved\"", lock)
