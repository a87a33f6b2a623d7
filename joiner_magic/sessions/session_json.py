"""Sessions as JSON files: what cells said, and what was learnt of it."""

from __future__ import annotations

import os
from typing import cast

from joiner_magic.search.outcome.result import Result
from joiner_magic.search.outcome.result_json import summary
from joiner_magic.sessions.cells import KINDS, Cell, Cells, Kind
from joiner_magic.task.json_value import JsonValue
from joiner_magic.task.task_json import load_json, save_json

_FORMAT = "joiner-magic session"
_VERSION = 1
_MOST_LINES = 100_000  # above a text in its cell: lines are counted by writing them


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
    """The texts of a file, as they were said. No file says that its texts are trusted: each run is told that anew."""
    return _cells(load_json(path, _FORMAT, _VERSION, "save one with %joiner save").field("cells"))


def _cells(values: JsonValue) -> Cells:
    cells = Cells()
    for value in values.items():
        key = value.field("key").text()
        if key in cells.by_key:
            value.field("key").refuse("is the key of an earlier text too")
        cells = cells.with_cell(
            Cell.read(
                key,
                cast("Kind", value.field("kind").choice(KINDS)),
                value.field("name").line(),
                value.field("text").text(),
                value.field("line").count(1, _MOST_LINES),
            )
        )
    return cells
