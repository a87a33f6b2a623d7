"""The map from the paper to the code names only what is there, and only tests that run."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

PAGE = ROOT / "docs" / "explanation" / "paper.md"
SPAN = re.compile(r"`([\w/]+\.(?:py|cpp|hpp|lp))(?:: ([\w.:]+))?`")
NAMED = sorted({(path, name) for path, name in SPAN.findall(PAGE.read_text(encoding="utf-8"))})


def place(path: str) -> Path:
    """Tests are written from the root, code from the package."""
    return ROOT / path if path.startswith("tests/") else ROOT / "joiner_magic" / path


def defined(tree: ast.AST, prefix: str = "") -> set[str]:
    """Classes, functions and annotated fields, by their qualified names."""
    names: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(prefix + node.name)
            if isinstance(node, ast.ClassDef):
                names |= defined(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(prefix + node.target.id)
    return names


def is_in(name: str, path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return name in defined(ast.parse(text))
    if path.suffix == ".lp":
        return re.search(rf"^#program {name}\b", text, re.MULTILINE) is not None
    return re.search(rf"(?<![\w:.]){name}\b|::{name}\(", text) is not None


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_what_is_named_is_there(path: str, name: str) -> None:
    assert place(path).is_file()
    assert not name or is_in(name, place(path)), f"{path} has no {name}"


def test_the_tests_that_are_named_are_collected() -> None:
    named = [(path, name) for path, name in NAMED if Path(path).name.startswith("test_")]
    files = sorted({path for path, _ in named})
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    collected = {line.partition("[")[0] for line in said.splitlines() if "::" in line}
    missing = [f"{path}::{name}" for path, name in named if name and f"{path}::{name}" not in collected]
    assert not missing
    assert {line.partition("::")[0] for line in collected} == set(files)


@pytest.mark.parametrize(
    ("mark", "most"), [("Definition ", 6), ("Proposition ", 3), ("Algorithm ", 2), ("Q", 4)]
)
def test_everything_that_the_paper_numbers_has_a_row(mark: str, most: int) -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert all(any(row.startswith(f"| {mark}{number}") for row in rows) for number in range(1, most + 1))


@pytest.mark.parametrize(
    ("path", "name", "there"),
    [
        ("search/loop.py", "Search.run", True),
        ("search/loop.py", "Search.running", False),
        ("search/loop.py", "run", False),
        ("solvers/encodings/rules.lp", "unsplittable", True),
        ("solvers/encodings/rules.lp", "splittable", False),
        ("core/mining/language.cpp", "is_connected", True),
        ("core/mining/language.cpp", "is_connecte", False),
    ],
)
def test_a_name_that_is_not_there_would_be_noticed(path: str, name: str, there: bool) -> None:
    assert is_in(name, place(path)) == there
