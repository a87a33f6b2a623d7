"""Results as JSON: what the command prints, and files that give a result back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from joiner_magic.errors import TaskError
from joiner_magic.search.confusion import Confusion
from joiner_magic.search.result import Result
from joiner_magic.task.archive import load_json, save_json, task_from_json, task_to_json
from joiner_magic.task.reader import read_program

_FORMAT = "joiner-magic result"
_VERSION = 1


def summary(result: Result) -> dict[str, Any]:
    """The outcome in plain values, without the task."""
    confusion = result.confusion
    return {
        "status": result.status,
        "why": result.why,
        "size": result.size,
        "rules": result.rules,
        "tp": confusion.tp,
        "fn": confusion.fn,
        "tn": confusion.tn,
        "fp": confusion.fp,
        "seconds": result.seconds,
        "first_solution_seconds": result.first_solution_seconds,
        "programs_tested": result.counts["tested"],
        "engine": result.engine,
        "source": result.source,
        "bound": result.bound,
        "counts": dict(result.counts),
        "timings": dict(result.timings),
    }


def save_result(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the result and its task to a file, for `load_result`."""
    value = {
        "format": _FORMAT,
        "version": _VERSION,
        "task": task_to_json(result.task),
        "trusted": result.trusted,
        **summary(result),
    }
    save_json(value, path)


def load_result(path: str | os.PathLike[str]) -> Result:
    """The result in a file. What only views of a run need, such as its parts, is not stored."""
    value = load_json(path, _FORMAT, _VERSION)
    if value is None:
        raise TaskError(f"{path} holds no result of this version", remedy="save one with save_result")
    try:
        return _result(value)
    except (KeyError, TypeError):
        raise TaskError(f"{path} holds an incomplete result", remedy="save it again") from None


def _result(value: Mapping[str, Any]) -> Result:
    return Result(
        task=task_from_json(value["task"]),
        hypothesis=read_program("\n".join(value["rules"])) if value["rules"] else None,
        status=value["status"],
        why=value["why"],
        confusion=Confusion(value["tp"], value["fn"], value["tn"], value["fp"]),
        counts=value["counts"],
        timings=value["timings"],
        seconds=value["seconds"],
        first_solution_seconds=value["first_solution_seconds"],
        engine=value["engine"],
        source=value["source"],
        bound=value["bound"],
        trusted=value["trusted"],
    )
