"""Sessions as JSON files: the texts of the cells, and the last result."""

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
_MOST_LINES = 100_000  # above a text in its cell: the text is read with so many empty lines before it


def save(cells: Cells, result: Result | None, path: str | os.PathLike[str]) -> None:
    """Write the texts, and a summary of the result, to a file that `load` reads."""
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
    """The texts of a file that `save` has written.

    Whether texts are trusted is not saved: each run has to be told again.
    """
    return _cells(load_json(path, _FORMAT, _VERSION, "save one with %joiner save").field("cells"))


def _cells(values: JsonValue) -> Cells:
    """The texts of the field "cells"; each is checked as if it had just been added."""
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
