"""`joiner doctor`: what it says of parts that are missing, too old, disabled or of another environment."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from joiner_magic.cli import main
from joiner_magic.engines.prolog import installation
from joiner_magic.engines.prolog.engine import PrologEngine


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no other program and no configuration; what is changed goes in this folder."""
    for variable in ("PATH", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_PATH", "JOINER_SWIPL_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.delenv("JOINER_SWIPL", raising=False)
    return tmp_path


def hide(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Packages and modules of these names are not there."""
    version, find_spec = importlib.metadata.version, importlib.util.find_spec

    def hidden_version(name: str) -> str:
        if name in names:
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)

    def hidden_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in names else find_spec(name, package)

    monkeypatch.setattr(importlib.metadata, "version", hidden_version)
    monkeypatch.setattr(importlib.util, "find_spec", hidden_spec)


def parts(capsys: pytest.CaptureFixture[str], status: int = 0) -> dict[str, dict[str, Any]]:
    assert main(["doctor", "--json"]) == status
    told = json.loads(capsys.readouterr().out)
    assert told["works"] is (status == 0)
    return {part["name"]: part for part in told["parts"]}


def test_what_is_there(alone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = parts(capsys)
    for name in ("Python", "joiner-magic", "clingo", "learning", "JupyterLab", "kernel", "lab extension"):
        assert found[name]["works"]
    assert found["learning"]["found"] == "works: f(A) :- q(A)."


def test_missing_programs_are_named_with_what_they_add(
    alone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "--  SWI-Prolog     not found\n" in said
    assert "--  Graphviz       not found\n" in said
    assert "It saves views as PNG and PDF." in said
    assert "To get it: version 9.1.12 or newer" in said
    assert said.endswith("The other parts are not needed; each says what it would add.\n")


def test_too_old_a_prolog_is_another_sentence(
    alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JOINER_SWIPL", "old-swipl")
    monkeypatch.setattr(installation, "swipl_version", lambda _: (9, 0, 4))
    assert parts(capsys)["SWI-Prolog"]["wrong"] == "old-swipl is SWI-Prolog 9.0.4, too old"


def test_prolog_without_its_package_is_another_sentence(
    alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JOINER_SWIPL", "new-swipl")
    monkeypatch.setattr(installation, "swipl_version", lambda _: (9, 2, 9))
    hide(monkeypatch, "janus-swi", "janus_swi")
    found = parts(capsys)
    assert found["SWI-Prolog"]["found"] == "9.2.9 at new-swipl"
    assert not found["janus-swi"]["works"]
    assert found["janus-swi"]["get"] == "pip install 'joiner-magic[prolog]'"
    assert "Prolog engine" not in found


@pytest.mark.prolog
def test_the_prolog_engine_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert parts(capsys)["Prolog engine"]["found"] == "works"


@pytest.mark.prolog
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has them")
def test_the_confinement_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert parts(capsys)["confinement"]["found"] == "Landlock and seccomp"


@pytest.mark.prolog
def test_a_kernel_without_it_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        PrologEngine, "confinement", property(lambda _: (), lambda _, __: None), raising=False
    )
    told = parts(capsys)["confinement"]
    assert (told["found"], told["works"], told["needed"]) == ("", False, False)
    assert "the list of what it may call, which holds" in told["adds"]


def test_a_package_that_everything_needs(
    alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hide(monkeypatch, "clingo")
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "!!  clingo         not found\n" in said
    assert "To get it: pip install clingo" in said
    assert said.endswith("This does not work yet: clingo.\n")


def test_without_jupyter(
    alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hide(monkeypatch, "jupyterlab", "jupyter_client", "jupyter_core", "pandas")
    found = parts(capsys)
    for name in ("JupyterLab", "kernel", "lab extension"):
        assert not found[name]["works"]
        assert found[name]["get"] == "pip install 'joiner-magic[lab]'"
    assert found["pandas"]["get"] == "pip install 'joiner-magic[frames]'"


@pytest.mark.parametrize(
    ("hidden", "get"),
    [([], "-m jupyterlab starts ours"), (["jupyterlab"], "pip install 'joiner-magic[lab]'")],
    ids=["beside ours", "in place of ours"],
)
def test_jupyterlab_of_another_environment(
    alone: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    hidden: list[str],
    get: str,
) -> None:
    other = alone / "other" / "jupyter-lab"
    monkeypatch.setattr("shutil.which", lambda name, **_: str(other) if name == "jupyter-lab" else None)
    hide(monkeypatch, *hidden)
    lab = parts(capsys)["JupyterLab"]
    assert lab["wrong"] == f"{other} is of another environment and does not know this one"
    assert lab["get"].endswith(get)


def test_a_kernel_of_another_environment_hides_ours(alone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = alone / "kernels" / "joiner"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text('{"argv": ["python"], "display_name": "J", "language": "python"}')
    kernel = parts(capsys)["kernel"]
    assert kernel["wrong"] == f"{folder} is of another environment, and hides ours"
    assert str(folder) in kernel["get"]


@pytest.mark.parametrize(
    ("settings", "is_disabled"),
    [
        ('{"disabledExtensions": {"joiner-magic": true}}', True),
        ('{"disabledExtensions": ["joiner-magic"]}', True),
        ('{"disabledExtensions": {"joiner-magic": false}}', False),
        ("not JSON", False),
    ],
)
def test_a_disabled_extension(
    alone: Path, capsys: pytest.CaptureFixture[str], settings: str, is_disabled: bool
) -> None:
    (alone / "labconfig").mkdir()
    (alone / "labconfig" / "page_config.json").write_text(settings)
    extension = parts(capsys)["lab extension"]
    assert extension["works"] is not is_disabled
    if is_disabled:
        assert extension["get"] == "jupyter labextension enable joiner-magic"
