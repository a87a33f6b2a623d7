"""Tasks as JSON: one value that holds the three texts, to be stored with a result or sent elsewhere."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from joiner_magic.errors import TaskError
from joiner_magic.task.reader import Source
from joiner_magic.task.task import Task, read_task

_FORMAT = "joiner-magic task"
_VERSION = 1


def save_json(value: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write plain values to a file."""
    try:
        Path(path).write_text(json.dumps(value, indent=1, ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise TaskError(f"cannot write {path}: {error.strerror}") from None


def load_json(path: str | os.PathLike[str], form: str, version: int) -> dict[str, Any] | None:
    """What `save_json` wrote; None if that is of another format or version."""
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise TaskError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise TaskError(f"{path} is no JSON text") from None
    fits = isinstance(value, dict) and (value.get("format"), value.get("version")) == (form, version)
    return value if fits else None


def task_to_json(task: Task) -> dict[str, Any]:
    """Plain values that `json.dumps` takes and `task_from_json` gives back."""
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "background": [{"name": source.name, "text": source.text} for source in task.background.sources],
        "examples": task.examples.to_text(),
        "bias": task.bias.to_text(),
    }


def task_from_json(value: Mapping[str, Any]) -> Task:
    """The task that `task_to_json` made plain values of; TaskError if the value is none of them."""
    try:
        if (value["format"], value["version"]) != (_FORMAT, _VERSION):
            raise TaskError("this JSON value is no task of this version")
        sources = [Source.read(source["text"], source["name"]) for source in value["background"]]
        return read_task(sources, value["examples"], value["bias"])
    except (KeyError, TypeError, AttributeError):
        raise TaskError("this JSON value is no task", remedy="make one with task_to_json") from None
