"""`joiner learn DIR`: learn a program from the examples of a task.

The result goes to the standard output, as text or with `--json` as one line of JSON; how far the run is goes to the standard
error stream, and is shown on a terminal only. Ctrl-C ends the run with the best solution so far. The exit status is 1 if there
is no solution. With `--save FILE` the whole result is kept, to be read again by `load_result`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

from joiner_magic.cli.common_arguments import add_task
from joiner_magic.files import check_writable
from joiner_magic.search.option_arguments import add_options, options_of
from joiner_magic.search.options import Options
from joiner_magic.search.running.budget import Budget
from joiner_magic.task.folder import load_task

if TYPE_CHECKING:
    from joiner_magic.cli.common_arguments import Commands
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.search.running.events import Event
    from joiner_magic.search.running.progress import Progress

NO_SOLUTION = 1


def add_command(commands: Commands) -> None:
    """Add the subcommand `learn` and its arguments to the parser."""
    command = commands.add_parser("learn", help="learn a program from the examples")
    add_task(command)
    command.add_argument(
        "--test", metavar="DIR", help="measure on held-out examples: exs.pl and perhaps bk.pl"
    )
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.add_argument("--save", metavar="FILE", help="write task and result to a JSON file")
    add_options(command)
    command.set_defaults(run=_learn)


def _learn(arguments: argparse.Namespace) -> int:
    """Run `joiner learn`: learn a task, measure the result, print and perhaps save it.

    If the task has held-out examples, the result is measured on these as well.
    """
    options = options_of(arguments)
    chosen = Options(**options)
    budget = Budget(chosen.timeout)  # the time for reading counts too
    task = load_task(arguments.directory, noise=chosen.allows_errors, stop=budget.stop, memory=chosen.memory)
    # Imported late: a bad task is reported without loading engines and solvers.
    from joiner_magic.search.learn import learn
    from joiner_magic.search.outcome.prediction import measured
    from joiner_magic.search.outcome.result_json import save_result
    from joiner_magic.search.running.progress import Progress
    from joiner_magic.task.held_out import load_held_out

    held_out = None
    if arguments.test:
        held_out = load_held_out(arguments.test, task, noise=chosen.allows_errors, stop=budget.stop)
    if arguments.save:
        check_writable(arguments.save)
    with _ProgressLine(sys.stderr, Progress()) as progress:
        result = learn(task, listeners=[progress.show], budget=budget, **options)
    result = measured(result, held_out, budget.stop)
    if arguments.save:
        save_result(result, arguments.save)
    if arguments.json:
        print(json.dumps(_summary(result), ensure_ascii=False))
    else:
        _print(result)
    return 0 if result.solved else NO_SOLUTION


def _summary(result: Result) -> dict[str, Any]:
    """The result as plain values for JSON, with what was measured.

    The names are those of the attributes of `Result`; they do not change from version to version.
    """
    from joiner_magic.search.outcome.result_json import summary

    value = summary(result)
    if test := result.test:
        value["test_accuracy"] = test.accuracy
        value["test_balanced_accuracy"] = test.balanced_accuracy
    if result.unmeasured:
        value["test_unmeasured"] = result.unmeasured
    return value


def _print(result: Result) -> None:
    """Print the result, the time of each stage, and what was measured."""
    test = result.test
    print(replace(result, test=None))  # the score comes last
    stages = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in result.timings.items())
    print(f"seconds: {stages}; engine {result.engine}, source {result.source}")
    if test:
        print(f"held out: {test.scored}")


class _ProgressLine:
    """A line that shows how far the run is and is rewritten in place; on a terminal only."""

    def __init__(self, stream: TextIO, progress: Progress) -> None:
        """A line that is shown only if the stream is a terminal."""
        self._stream = stream
        self._visible = stream.isatty()
        self._next = 0.0
        self._progress = progress

    def __enter__(self) -> _ProgressLine:
        """Nothing is shown before there is progress."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Wipe the line, so that the result stands in its place."""
        if self._visible:
            self._stream.write("\r\033[K")
            self._stream.flush()

    def show(self, event: Event) -> None:
        """Take note of an event of the run, and rewrite the line at most ten times a second."""
        self._progress.hear(event)
        now = time.monotonic()
        if self._visible and now >= self._next:
            self._next = now + 0.1
            self._stream.write(f"\r\033[K{self._progress}")
            self._stream.flush()
