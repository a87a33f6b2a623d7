"""Whether SWI-Prolog is there, new enough, and found: decided without importing janus."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import joiner_magic
from joiner_magic.engines.prolog.engine import PrologEngine
from joiner_magic.engines.prolog.installation import cache, prolog_available, require_swipl, swipl_version
from joiner_magic.errors import MissingPart

posix = pytest.mark.skipif(os.name == "nt", reason="stands in for swipl with a shell script")


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """janus is there, SWI-Prolog is not."""
    janus = importlib.machinery.ModuleSpec("janus_swi", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: janus if name == "janus_swi" else None)
    monkeypatch.delenv("JOINER_SWIPL", raising=False)
    monkeypatch.setenv("JOINER_SWIPL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def swipl(folder: Path, version: str) -> Path:
    """A program that says it is SWI-Prolog."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "swipl"
    program.write_text(f"#!/bin/sh\necho 'SWI-Prolog version {version} for x86_64-linux'\n")
    program.chmod(0o755)
    return program


def test_nothing_is_installed() -> None:
    assert prolog_available() == "SWI-Prolog is not installed"
    with pytest.raises(MissingPart, match="SWI-Prolog is not installed") as caught:
        PrologEngine([], [], [])
    assert "pip install 'joiner-magic[prolog]'" in caught.value.remedy
    assert "9.1.12" in caught.value.remedy


def test_janus_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    reason = prolog_available()
    assert reason is not None
    assert "janus-swi" in reason


@posix
@pytest.mark.parametrize(
    ("version", "good"),
    [
        ("9.0.4", False),
        ("9.1.11", False),
        ("8.99.99", False),
        ("9.1.12", True),
        ("9.2.0", True),
        ("10.0.0", True),
    ],
)
def test_versions(tmp_path: Path, version: str, good: bool) -> None:
    program = swipl(tmp_path / "bin", version)
    reason = prolog_available()
    if good:
        assert reason is None
        assert require_swipl() == program
    else:
        assert reason is not None
        assert f"{program} is SWI-Prolog {version}, too old" in reason


@posix
def test_an_old_one_does_not_hide_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swipl(tmp_path / "old", "9.0.4")
    monkeypatch.setenv("PATH", str(tmp_path / "old"))
    built = swipl(tmp_path / "cache" / "9.2.9" / "bin", "9.2.9")
    assert require_swipl() == built
    newer = swipl(tmp_path / "new", "9.3.1")
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "old"), str(tmp_path / "new")]))
    assert require_swipl() == newer


@posix
def test_a_program_that_is_named_is_the_only_one_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swipl(tmp_path / "bin", "9.2.9")
    named = swipl(tmp_path / "named", "9.0.4")
    monkeypatch.setenv("JOINER_SWIPL", str(named))
    assert prolog_available() == f"{named} is SWI-Prolog 9.0.4, too old"
    monkeypatch.setenv("JOINER_SWIPL", str(tmp_path / "nowhere"))
    assert prolog_available() == f"{tmp_path / 'nowhere'} does not run"


@posix
@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 1\n", "#!/bin/sh\necho hello\n", "not a program"])
def test_a_program_that_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    broken = swipl(tmp_path / "bin", "9.2.9")
    broken.write_text(text)
    monkeypatch.setenv("JOINER_SWIPL", str(broken))
    assert prolog_available() == f"{broken} does not run"


def test_the_cache_is_where_the_script_puts_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache() == tmp_path / "cache"
    monkeypatch.delenv("JOINER_SWIPL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache() == tmp_path / "xdg" / "joiner-magic" / "swipl"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache() == Path.home() / ".cache" / "joiner-magic" / "swipl"


def test_the_parent_never_imports_janus() -> None:
    code = "import sys, joiner_magic.engines.prolog.engine, joiner_magic.engines.prolog.installation as p; p.prolog_available(); print('janus_swi' in sys.modules)"
    root = str(Path(joiner_magic.__file__).parents[1])
    said = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == "False"


@posix
def test_an_interrupt_does_not_make_a_program_one_that_does_not_run(tmp_path: Path) -> None:
    swipl = tmp_path / "swipl"
    asked = tmp_path / "asked"
    swipl.write_text(
        f"#!/bin/sh\nif [ ! -e {asked} ]; then : > {asked}; kill -INT $$; fi\necho SWI-Prolog version 9.2.9\n"
    )
    swipl.chmod(0o755)
    assert swipl_version(swipl) == (9, 2, 9)
