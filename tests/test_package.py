"""The package as others see it: its names, its version, and how little it loads at first."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import joiner_magic
from another_python import DIFFERING
from conftest import ROOT


def test_the_version_is_the_installed_one() -> None:
    assert joiner_magic.__version__ == version("joiner-magic")


def test_the_lab_extension_is_installed_and_has_the_same_version() -> None:
    folder = Path(sys.prefix, "share", "jupyter", "labextensions", "joiner-magic")
    package = json.loads((folder / "package.json").read_text())
    assert package["version"] == joiner_magic.__version__
    assert (folder / package["jupyterlab"]["_build"]["load"]).is_file()


@pytest.mark.parametrize("name", joiner_magic.__all__)
def test_every_public_name_is_there(name: str) -> None:
    found = getattr(joiner_magic, name)
    assert isinstance(found, joiner_magic.Session) if name == "session" else found.__name__ == name
    assert name in dir(joiner_magic)


def test_every_module_can_be_imported() -> None:
    """All but `__main__`, which would run."""
    code = (
        "import importlib, pkgutil, joiner_magic\n"
        "for module in pkgutil.walk_packages(joiner_magic.__path__, 'joiner_magic.'):\n"
        "    if not module.name.endswith('.__main__'):\n"
        "        importlib.import_module(module.name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("place", DIFFERING)
def test_what_another_python_runs_is_there(place: str) -> None:
    file, _, test = place.partition("::")
    assert (ROOT / "tests" / file).exists()
    if test:
        assert f"def {test}(" in (ROOT / "tests" / file).read_text()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        joiner_magic.no_such_name  # noqa: B018


def test_importing_the_package_loads_no_solver_and_no_notebook() -> None:
    heavy = "{'clingo', 'pysat', 'IPython', 'ipywidgets', 'janus_swi', 'joiner_magic._core'}"
    code = f"import sys, joiner_magic; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_sources_without_the_core_say_so(tmp_path: Path) -> None:
    """As in a checkout that nothing was installed from: -S hides what is installed."""
    shutil.copytree(
        ROOT / "joiner_magic", tmp_path / "joiner_magic", ignore=shutil.ignore_patterns("_core.*")
    )
    command = [sys.executable, "-S", "-m", "joiner_magic", "doctor"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is a folder of sources, where the native core is not built" in done.stderr.splitlines()[-1]


def test_the_stub_names_what_the_core_has() -> None:
    from joiner_magic import _core

    stub = ast.parse((ROOT / "joiner_magic" / "_core.pyi").read_text())
    for node in stub.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith(
            "Wide"
        ):  # which have what the others have
            written = {item.name for item in node.body if isinstance(item, ast.FunctionDef)} - {"__init__"}
            found = {name for name in vars(getattr(_core, node.name)) if not name.startswith("__")}
            assert written - {"__len__"} == found
    names = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    values = (node.target for node in stub.body if isinstance(node, ast.AnnAssign))
    names |= {value.id for value in values if isinstance(value, ast.Name)}
    assert names == {name for name in vars(_core) if not name.startswith("_")}
