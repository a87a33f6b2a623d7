"""Tasks as JSON: one value that holds the three texts, to be stored with a result or sent elsewhere.

No file says whether its background knowledge is to be trusted: that is for the person who loads it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from joiner_magic.errors import FileError, TaskError
from joiner_magic.files import write_file
from joiner_magic.solvers.signals import interruptible
from joiner_magic.task.json_value import JsonValue, read_json
from joiner_magic.task.reader import PrologText
from joiner_magic.task.task import Task, read_task

_FORMAT = "joiner-magic task"
_VERSION = 1


def save_json(value: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write plain values to a file."""
    write_file(path, json.dumps(value, indent=1, ensure_ascii=False))


def load_json(path: str | os.PathLike[str], form: str, version: int, remedy: str) -> JsonValue:
    """What `save_json` wrote; FileError if that is of another format or version."""
    value = read_json(path, remedy)
    if not _is_of(value, form, version):
        what = form.rpartition(" ")[2]
        raise FileError(f"{value.file} holds no {what} of this version", remedy=remedy)
    return value


def _is_of(value: JsonValue, form: str, version: int) -> bool:
    """Whether a value of JSON says that it has this format, in this version."""
    fields = value.value
    if not isinstance(fields, Mapping):
        return False
    found = fields.get("version")
    return fields.get("format") == form and type(found) is int and found == version


@interruptible
def task_to_json(task: Task) -> dict[str, Any]:
    """Plain values that `json.dumps` takes and `task_from_json` gives back."""
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "background": [{"name": source.name, "text": source.text} for source in task.background.sources],
        "examples": task.examples.to_text(),
        "bias": task.bias.to_text(),
    }


@interruptible
def task_from_json(value: Mapping[str, Any]) -> Task:
    """The task that `task_to_json` made plain values of; TaskError if the value is none of them."""
    return task_of(JsonValue(value, "this JSON value", remedy="make one with task_to_json"))


def task_of(value: JsonValue) -> Task:
    """The task that stands at some place of a file."""
    if not _is_of(value, _FORMAT, _VERSION):
        of = f"{value.file}: {value.where}" if value.where else value.file
        raise TaskError(f"{of} is no task of this version", remedy=value.remedy)
    sources = [
        PrologText.read(source.field("text").text(), source.field("name").line())
        for source in value.field("background").items()
    ]
    return read_task(sources, value.field("examples").text(), value.field("bias").text())
