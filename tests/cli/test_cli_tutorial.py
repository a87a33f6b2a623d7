"""`joiner tutorial`: what it copies, what it keeps, and how it opens and ends JupyterLab."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from joiner_magic.cli import main, tutorial
from joiner_magic.cli.lab import lab_command
from notebooks.written import write_notebook


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two notebooks in place of those of the installation, and an empty folder to work in."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    for name in ("01_one", "02_two"):
        write_notebook(folder / f"{name}.ipynb", f"print({name!r})")
    monkeypatch.setattr(tutorial, "_PLACES", (tmp_path / "nowhere", folder))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return folder


def test_it_copies_and_says_how_to_open(shipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tutorial", "--no-open"]) == 0
    folder = Path("joiner-tutorial").resolve()
    assert {file.name for file in folder.iterdir()} == {"01_one.ipynb", "02_two.ipynb"}
    said = capsys.readouterr().out
    assert f"2 notebooks in {folder}: 2 new" in said
    assert "-m jupyterlab" in said
    assert str(folder / "01_one.ipynb") in said


def test_changed_notebooks_are_kept_until_fresh_ones_are_asked_for(
    shipped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["tutorial", "here", "--no-open"])
    mine = Path("here", "02_two.ipynb")
    mine.write_text("changed")
    capsys.readouterr()
    assert main(["tutorial", "here", "--no-open"]) == 0
    said = capsys.readouterr().out
    assert "0 new" in said
    assert "kept as you changed them: 02_two.ipynb (--fresh overwrites them)" in said
    assert mine.read_text() == "changed"
    assert main(["tutorial", "here", "--no-open", "--fresh"]) == 0
    assert "1 new" in capsys.readouterr().out
    assert mine.read_bytes() == (shipped / "02_two.ipynb").read_bytes()


def test_without_jupyterlab_it_says_how_to_get_it(
    shipped: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["tutorial"]) == 2
    assert capsys.readouterr().err == (
        "error: JupyterLab is not installed; install it with pip install 'joiner-magic[tutorial]'\n"
    )
    assert not Path("joiner-tutorial").exists()


def test_a_folder_that_cannot_be_made(shipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("")
    assert main(["tutorial", "file", "--no-open"]) == 2
    assert capsys.readouterr().err.startswith("error: cannot make the folder file: ")


def test_this_installation_has_notebooks() -> None:
    assert [file.name[:2] for file in tutorial.example_notebooks()][:1] == ["01"]


@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt is sent to a group of processes")
def test_an_interrupt_ends_it_cleanly(shipped: Path, tmp_path: Path) -> None:
    private = {f"JUPYTER_{kind}_DIR": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    options = ["--lab=--no-browser", "--lab=--port=0", "--lab=--ip=127.0.0.1"]
    code = (
        "import sys; from pathlib import Path; from joiner_magic.cli import main, tutorial;"
        f"tutorial._PLACES = (Path({str(shipped)!r}),); sys.exit(main({['tutorial', 'copies', *options]!r}))"
    )
    command = [sys.executable, "-c", code]
    # JupyterLab takes an interrupt for an order only where there is a terminal.
    terminal, end = os.openpty()
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=os.environ | private,
        stdin=end,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        try:
            assert any("Use Control-C to stop this server" in line for line in process.stderr)
            os.killpg(process.pid, signal.SIGINT)
            said = process.stderr.read()
            assert process.wait(30) == 0
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    os.close(terminal)
    os.close(end)
    assert "Traceback" not in said, said


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="nobody is root on this system")
@pytest.mark.parametrize(("user", "told"), [(0, True), (1000, False)])
def test_root_may_open_notebooks(user: int, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: user)
    assert ("--allow-root" in lab_command(Path("a.ipynb"))) is told
