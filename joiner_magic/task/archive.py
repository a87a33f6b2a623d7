"""Tasks as JSON: one value that holds the three texts, to be stored with a result or sent elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from joiner_magic.errors import TaskError
from joiner_magic.task.reader import Source
from joiner_magic.task.task import Task, read_task

_FORMAT = "joiner-magic task"
_VERSION = 1


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
    try:
        if (value["format"], value["version"]) != (_FORMAT, _VERSION):
            raise TaskError("this JSON value is no task of this version")
        sources = [Source.read(source["text"], source["name"]) for source in value["background"]]
        return read_task(sources, value["examples"], value["bias"])
    except (KeyError, TypeError, AttributeError):
        raise TaskError("this JSON value is no task", remedy="make one with task_to_json") from None
