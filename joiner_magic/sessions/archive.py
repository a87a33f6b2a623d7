"""Sessions as JSON files: what cells said, and what was learnt of it."""

from __future__ import annotations

import os
from typing import Any

from joiner_magic.errors import TaskError
from joiner_magic.search.archive import summary
from joiner_magic.search.result import Result
from joiner_magic.sessions.cells import KINDS, Cell, Cells
from joiner_magic.task.archive import load_json, save_json

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
    save_json(value, path)


def load(path: str | os.PathLike[str]) -> Cells:
    value = load_json(path, _FORMAT, _VERSION)
    if value is None:
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
