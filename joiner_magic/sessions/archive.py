"""Sessions as JSON files: what cells said, and what was learnt of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from joiner_magic.errors import TaskError
from joiner_magic.search.archive import summary
from joiner_magic.search.result import Result
from joiner_magic.sessions.cells import KINDS, Cell, Cells

_FORMAT = "joiner-magic session"
_VERSION = 1


def save(cells: Cells, result: Result | None, path: str | os.PathLike[str]) -> None:
    value = {
        "format": _FORMAT,
        "version": _VERSION,
        "cells": [
            {"key": cell.key, "kind": cell.kind, "name": cell.name, "text": cell.text, "line": cell.line}
            for cell in cells
        ],
        "result": summary(result) if result else None,
    }
    try:
        Path(path).write_text(json.dumps(value, indent=1, ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise TaskError(f"cannot write {path}: {error.strerror}") from None


def load(path: str | os.PathLike[str]) -> Cells:
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise TaskError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise TaskError(f"{path} is no JSON text") from None
    if not isinstance(value, dict) or (value.get("format"), value.get("version")) != (_FORMAT, _VERSION):
        raise TaskError(f"{path} holds no session of this version", remedy="save one with %joiner save")
    try:
        return _cells(value["cells"])
    except (KeyError, TypeError, AttributeError):
        raise TaskError(f"{path} holds an incomplete session", remedy="save it again") from None


def _cells(values: list[dict[str, Any]]) -> Cells:
    cells = Cells()
    for value in values:
        if value["kind"] not in KINDS:
            raise KeyError(value["kind"])
        cell = Cell.read(value["key"], value["kind"], value["name"], value["text"], value["line"])
        cells = cells.with_cell(cell)
    return cells
