"""Measure one run of the learner, for `joiner bench`, in a process of its own: time and memory are those of the run.

The process gets a task's directory and the options as JSON and prints what it measured as JSON. Seconds are CPU
seconds of this process, all threads together, since other work on the machine does not change them much; what a
Prolog worker uses is in the wall-clock seconds only. Starting Python and importing the learner, loading the
task, and learning are measured separately. Modules that learning imports on its way count as learning.

A process of its own is needed because Python gives little memory back, and because what was imported or cached by one run
would make the next one faster.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joiner_magic.errors import JoinerError

if TYPE_CHECKING:
    from joiner_magic.search.outcome.result import Result
    from joiner_magic.search.running.events import Event

HELD_OUT = "test"  # the folder of a task that has its held-out examples


def measure_run(directory: str, options: dict[str, Any]) -> dict[str, Any]:
    """Learn the task of a directory, and return the summary of the result with times, memory and accuracy.

    The first solution is noted by a listener of the run, which costs no time worth speaking of.
    """
    from joiner_magic.search.learn import learn
    from joiner_magic.search.outcome.result_json import summary
    from joiner_magic.task.folder import load_task

    started = time.process_time()
    task = load_task(directory)
    loaded = time.process_time()
    first = _FirstSolution()
    result = learn(task, listeners=[first.listen], **options)
    ended = time.process_time()
    peak = peak_megabytes()
    return {
        **summary(result),
        "cpu": {
            "start": started,
            "load": loaded - started,
            "first": None if first.at is None else first.at - loaded,
            "learn": ended - loaded,
        },
        "peak_megabytes": peak,
        "test_balanced_accuracy": _held_out_accuracy(directory, result),
    }


class _FirstSolution:
    """Listens for the first solution, and keeps the CPU time at which it came."""

    def __init__(self) -> None:
        """No solution has been seen yet."""
        self.at: float | None = None

    def listen(self, event: Event) -> None:
        """Note the time of the first solution; later events change nothing."""
        from joiner_magic.search.running.events import Improved

        if self.at is None and isinstance(event, Improved) and event.solution:
            self.at = time.process_time()


def _held_out_accuracy(directory: str, result: Result) -> float | None:
    """The balanced accuracy on the held-out examples of a task; None if there are none.

    Balanced means that positives and negatives count the same, however many there are of each: guessing gets 0.5.
    """
    from joiner_magic.task.folder import EXAMPLES
    from joiner_magic.task.held_out import load_held_out

    folder = Path(directory) / HELD_OUT
    if not (folder / EXAMPLES).exists():
        return None
    return result.score(load_held_out(folder, result.task)).balanced_accuracy


def peak_megabytes() -> float | None:
    """The most memory that this process ever had; None where the operating system does not say."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux `resource` would count what the process that started this one had
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # bytes on macOS


def main() -> int:
    """Measure the run that the command line describes, and print it as JSON."""
    directory, options = json.loads(sys.argv[1])
    try:
        print(json.dumps(measure_run(directory, options)))
    except JoinerError as error:
        print(str(error).splitlines()[0], file=sys.stderr)  # a line of a table has no room for the place
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
