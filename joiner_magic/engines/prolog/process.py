"""The worker as its parent sees it: send a request, receive answers, kill.

Nothing here blocks for good: answers are read by a thread, and whoever waits for one gives up
after a while, can be interrupted, and notices at once when the process is gone.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, cast

import joiner_magic
from joiner_magic.engines.prolog.frames import read_frame, write_frame
from joiner_magic.engines.prolog.spared import spared_process


class WorkerGone(Exception):
    """The process has ended."""


class WorkerSilent(Exception):
    """The process has not answered in time."""


class Worker:
    """One process of worker.py. It ends with this object, or with the program that made it."""

    def __init__(self, swipl: Path) -> None:
        command = [sys.executable, "-m", "joiner_magic.engines.prolog.worker"]
        self._process = spared_process(command, _environment(swipl))
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._requests, answers, output = cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", pipes)
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._said: deque[bytes] = deque(maxlen=8)
        self._end = weakref.finalize(self, _end, self._process, self._requests)
        # The threads know the pipes but not this object, or it could never be collected.
        _in_background(_collect_answers, answers, self._answers)
        self._listener = _in_background(_collect_output, output, self._said)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, *request: Any) -> None:
        try:
            write_frame(self._requests, request)
        except (OSError, ValueError):  # a broken pipe, or one that `kill` has closed
            raise WorkerGone from None

    def receive(self, patience: float) -> Any:
        """The next answer; raises WorkerGone, or WorkerSilent after `patience` seconds."""
        deadline = time.monotonic() + patience
        while (left := deadline - time.monotonic()) > 0:
            try:
                # Short waits: on some systems an interrupt is noticed only between them.
                answer = self._answers.get(timeout=min(left, 0.1))
            except Empty:
                continue
            if isinstance(answer, _Closed):
                raise WorkerGone
            return answer
        raise WorkerSilent

    def kill(self) -> None:
        self._end()

    def last_words(self) -> str:
        """The end of what the process, now gone, wrote to its standard error."""
        self._listener.join(timeout=1)
        return b"".join(self._said).decode(errors="replace").strip()


class _Closed:
    """Stands in the queue of answers where the pipe ended."""


def _environment(swipl: Path) -> dict[str, str]:
    """The worker finds this package and this `swipl`, and no start-up file of the user's."""
    package = str(Path(joiner_magic.__file__).resolve().parents[1])
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (environment.get("PYTHONPATH"), package)))
    environment["PATH"] = os.pathsep.join(filter(None, (str(swipl.parent), environment.get("PATH"))))
    environment["XDG_CONFIG_HOME"] = os.devnull
    return environment


def _in_background(collect: Callable[..., None], *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=collect, args=arguments, daemon=True)
    thread.start()
    return thread


def _collect_answers(stream: IO[bytes], answers: SimpleQueue[Any]) -> None:
    with stream:
        try:
            while True:
                answers.put(read_frame(stream))
        except (EOFError, OSError, ValueError):
            answers.put(_Closed())


def _collect_output(stream: IO[bytes], said: deque[bytes]) -> None:
    with stream:
        while data := os.read(stream.fileno(), 1024):
            said.append(data)


def _end(process: subprocess.Popen[bytes], requests: IO[bytes]) -> None:
    process.kill()
    process.wait()
    with contextlib.suppress(OSError):  # what was left to send can no longer be
        requests.close()
