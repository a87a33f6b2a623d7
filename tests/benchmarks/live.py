"""What watching a run costs it: CPU seconds of the learner alone, with its progress followed, and with a live panel.

    python tests/benchmarks/live.py [TASK ...] [--times N]

The three ways take turns in one process; the least of each is compared, as whatever else the machine does only adds. Nobody draws the panel: its
messages are counted and thrown away.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import comm
from comm.base_comm import BaseComm
from IPython.core.interactiveshell import InteractiveShell

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from conftest import field_task
from joiner_magic import Options, Task, learn, load_task
from joiner_magic.notebook.live_views import StaticTwin
from joiner_magic.notebook.progress_display import _RunPanel
from joiner_magic.sessions.runs import Run

TASKS = ("zendo3", "iggp-coins")


class Sink(BaseComm):
    """A way to a browser that leads nowhere."""

    sent = 0

    def publish_msg(self, msg_type: str, data: Any = None, *_: Any, **__: Any) -> None:
        Sink.sent += len(json.dumps(data))


def alone(task: Task) -> None:
    learn(task)


def followed(task: Task) -> None:
    run = Run(1, task, Options())
    run.start()
    run.wait()
    run.close()


def drawn(task: Task) -> None:
    run = Run(1, task, Options())
    run.start()
    panel = _RunPanel.shown(InteractiveShell.instance(), run, StaticTwin(), background=False)
    assert panel is not None
    run.wait(watch=lambda _: panel.update())
    run.close()


def seconds(way: Callable[[Task], None], task: Task) -> float:
    before = time.process_time()
    way(task)
    return time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", default=TASKS)
    parser.add_argument("--times", type=int, default=20)
    arguments = parser.parse_args()
    ways = (alone, followed, drawn)
    print("| task | alone, s | followed | drawn | sent, KB |\n|---|---|---|---|---|")
    with patch.object(comm, "create_comm", Sink), patch("joiner_magic.notebook.live_views._publish"):
        for name in arguments.tasks:
            task = load_task(field_task(name))
            took: dict[str, list[float]] = {way.__name__: [] for way in ways}
            Sink.sent = 0
            for turn in range(arguments.times):
                for way in (*ways[turn % 3 :], *ways[: turn % 3]):
                    took[way.__name__].append(seconds(way, task))
            least = {way: min(times) for way, times in took.items()}
            ratios = " | ".join(f"{least[way] / least['alone']:.3f}" for way in ("followed", "drawn"))
            print(f"| {name} | {least['alone']:.3f} | {ratios} | {Sink.sent / arguments.times / 1000:.0f} |")


if __name__ == "__main__":
    main()
