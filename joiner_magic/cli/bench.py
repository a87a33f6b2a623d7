"""`joiner bench [DIR ...]`: how the learner does on tasks, as a table in Markdown.

Each run is a process of its own (cli/measure.py). Of several runs of a task the one with the median CPU time is
shown as it was, so that the numbers of a line belong together; the JSON file has all of them.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from joiner_magic.errors import TaskError
from joiner_magic.files import check_writable, write_file
from joiner_magic.search.option_arguments import add_options, options_of

if TYPE_CHECKING:
    from joiner_magic.cli.common_arguments import Commands

Run: TypeAlias = dict[str, Any]

SOME_FAILED = 1
SHIPPED = Path(__file__).resolve().parent.parent / "examples"
TIMEOUT = 60.0
COLUMNS = (
    "task", "status", "size", "at least", "held out %", "first CPU s", "CPU s", "wall s", "tested", "per CPU s",
    "source", "MB", "start s", "load s",
)  # fmt: skip


def add_command(commands: Commands) -> None:
    """Add the subcommand `bench` and its arguments to the parser."""
    command = commands.add_parser(
        "bench",
        help="measure the learner on tasks",
        description="Learn each task in a process of its own, for 60 seconds unless --timeout says otherwise, and print a"
        " table. Held-out examples are those in"
        " the folder test of a task; accuracy is balanced, the mean over positives and negatives.",
    )
    command.add_argument(
        "directories", nargs="*", metavar="DIR", help="tasks (default: those that come with the package)"
    )
    command.add_argument(
        "--repeat", type=int, default=1, metavar="N", help="runs of each task; the median one is shown"
    )
    command.add_argument("--json", metavar="FILE", help="write all that was measured to a file")
    add_options(command, without=["advise"])  # advice takes time of its own
    command.set_defaults(run=_bench, timeout=TIMEOUT, advise=False)


def _bench(arguments: argparse.Namespace) -> int:
    """Run `joiner bench`: print the table row by row, and perhaps write the JSON file."""
    if arguments.repeat < 1:
        raise TaskError(f"--repeat is {arguments.repeat}", remedy="give a whole number above 0")
    if arguments.json:
        check_writable(arguments.json)
    options = options_of(arguments)
    directories = arguments.directories or sorted(map(str, filter(Path.is_dir, SHIPPED.iterdir())))
    print(_line(COLUMNS))
    print(f"|{'---|' * len(COLUMNS)}", flush=True)
    tasks = []
    for directory in directories:
        runs = [measure_in_process(directory, options) for _ in range(arguments.repeat)]
        name = Path(directory).resolve().name
        print(_line(_row(name, _median(runs))), flush=True)
        tasks.append({"task": name, "runs": runs})
    if arguments.json:
        report = {"python": platform.python_version(), "machine": platform.platform(), "options": options}
        write_file(arguments.json, json.dumps({**report, "tasks": tasks}, indent=1))
    if any("failed" in run for task in tasks for run in task["runs"]):
        return SOME_FAILED
    return 0


def measure_in_process(directory: str, options: dict[str, Any]) -> Run:
    """Measure one run in a process of its own: what cli/measure.py prints, or why it `failed`."""
    command = [sys.executable, "-m", "joiner_magic.cli.measure", json.dumps([directory, options])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = done.stderr.strip().splitlines()
        return {"failed": errors[-1] if errors else f"exit status {done.returncode}"}
    run: Run = json.loads(done.stdout)
    return run


def _median(runs: Sequence[Run]) -> Run:
    """A run that failed if there is one, otherwise the run with the median CPU time, the lower one of two."""
    failed = [run for run in runs if "failed" in run]
    if failed:
        return failed[0]
    by_time = sorted(runs, key=lambda run: run["cpu"]["learn"])
    return by_time[(len(runs) - 1) // 2]


def _row(task: str, run: Run) -> Sequence[str]:
    """A run as texts, one for each of `COLUMNS`."""
    if "failed" in run:
        return [task, f"failed: {run['failed']}", *[""] * (len(COLUMNS) - 2)]
    cpu, tested, accuracy = run["cpu"], run["programs_tested"], run["test_balanced_accuracy"]
    positives = run["tp"] + run["fn"]
    return [
        task,
        run["status"],
        f"{run['size']}" if not run["fn"] else f"{run['size']} ({run['tp']} of {positives})",
        _number_text(run["bound"], "d"),
        _number_text(None if accuracy is None else 100 * accuracy, ".0f"),
        _number_text(cpu["first"], ".3f"),
        _number_text(cpu["learn"], ".3f"),
        _number_text(run["seconds"], ".2f"),
        _number_text(tested, ",d"),
        _number_text(tested / max(cpu["learn"], 0.001), ",.0f"),
        run["source"],
        _number_text(run["peak_megabytes"], ".0f"),
        _number_text(cpu["start"], ".2f"),
        _number_text(cpu["load"], ".2f"),
    ]


def _number_text(value: float | None, form: str) -> str:
    """A number in a given format; "-" if there is none."""
    if value is None:
        return "-"
    return format(value, form)


def _line(cells: Sequence[str]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
