"""How the learner does on the field's tasks: a table in Markdown, one line for each task.

    python tests/benchmarks/learning.py [--timeout SECONDS] [TASK ...]

Each task is learnt in a process of its own, so that times and memory are its own. Accuracy is
balanced (the mean over positives and negatives), because held-out examples are not: a rule
that covers nothing has 50 %.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from conftest import TASKS, field_tasks

COLUMNS = ("task", "status", "size", "held out %", "first s", "total s", "CPU s", "programs", "MB")


def measured(folder: Path, timeout: float, options: list[str]) -> dict[str, Any]:
    """The result of one run, with the processor time and memory it took."""
    command = [sys.executable, "-m", "joiner_magic", "learn", str(folder), "--json"]
    command += ["--timeout", str(timeout), "--test", str(folder / "test"), "--no-advice", *options]
    code = (
        "import json, resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "use = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps({'out': done.stdout, 'err': done.stderr,\n"
        "                  'cpu': use.ru_utime + use.ru_stime, 'mb': use.ru_maxrss / 1024}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    run = json.loads(done.stdout)
    if not run["out"]:
        return {"status": f"failed: {run['err'].strip().splitlines()[-1]}", **run}
    return {**json.loads(run["out"]), **run}


def row(folder: Path, value: dict[str, Any]) -> tuple[str, ...]:
    if "size" not in value:
        return (folder.name, value["status"], *[""] * (len(COLUMNS) - 2))
    first = value["first_solution_seconds"]
    size = (
        value["size"]
        if value["fn"] == 0
        else f"{value['size']} ({value['tp']} of {value['tp'] + value['fn']})"
    )
    return (
        folder.name,
        value["status"],
        str(size),
        f"{100 * value['test_balanced_accuracy']:.0f}",
        "-" if first is None else f"{first:.1f}",
        f"{value['seconds']:.1f}",
        f"{value['cpu']:.1f}",
        f"{value['programs_tested']:,}",
        f"{value['mb']:.0f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", help="names of tasks (default: all)")
    parser.add_argument("--timeout", type=float, default=60.0)
    arguments, options = parser.parse_known_args()
    folders = [f for f in field_tasks() if not arguments.tasks or f.name in arguments.tasks]
    if not folders:
        sys.exit(f"there is no such task in {TASKS}: set JOINER_TASKS to their folder")
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for folder in folders:
        print(f"| {' | '.join(row(folder, measured(folder, arguments.timeout, options)))} |", flush=True)


if __name__ == "__main__":
    main()
