"""The worker process of the Prolog engine, as its parent sees it: send a request, receive answers, kill.

Nothing here blocks for long. Threads write the requests and read the answers. A caller that waits for an answer gives up
after a while, can be interrupted, and notices when the process is gone or has been stopped, whether or not it has read
the request.
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
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, cast

import joiner_magic
from joiner_magic.engines.prolog.confinement import MEMORY
from joiner_magic.solvers.interrupt import Interrupted, Stop, never
from joiner_magic.solvers.pipe_frames import frame_of, read_answer
from joiner_magic.solvers.uninterrupted_process import start_uninterrupted_process

# What an untrusted worker gets of the environment: where things are and how texts are written, no secrets.
_NEEDED = (
    *("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "WINDIR", "COMSPEC"),
    *("USERPROFILE", "APPDATA", "LOCALAPPDATA", "VIRTUAL_ENV", "SWI_HOME_DIR", "ASAN_OPTIONS"),
    *(
        "PYTHONPATH",
        "PYTHONHOME",
        "PYTHONUSERBASE",
        "PYTHONNOUSERSITE",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUTF8",
    ),
    *("LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"),
)


class WorkerGone(Exception):
    """The process has ended, or has been stopped."""


class WorkerSilent(Exception):
    """The process has not answered in time."""


@dataclass(frozen=True, slots=True)
class Protection:
    """The layers that protect the system from an untrusted text. Tests switch one off to try the other."""

    listed: bool = True  # the text calls what is on the list, nothing else
    confined: bool = True  # the process is confined by the operating system
    preloaded: tuple[str, ...] = ()  # libraries to load before that
    memory: int = MEMORY  # bytes of addresses that the process may have


class Worker:
    """One process that runs worker.py. It ends when this object is collected, or with the program that started it."""

    def __init__(self, swipl: Path, protection: Protection) -> None:
        """Start the process, and threads that write to it and read from it, so that nobody is ever stuck in a full pipe."""
        command = [sys.executable, "-m", "joiner_magic.engines.prolog.worker", *_arguments(protection)]
        self._process = start_uninterrupted_process(
            command, _environment(swipl, confined=protection.confined)
        )
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        requests, answers, output = cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", pipes)
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._error_output: deque[bytes] = deque(maxlen=8)
        self._end = weakref.finalize(self, _end, self._process, self._requests)
        # The threads know the pipes but not this object, or it could never be collected.
        _in_background(_write_requests, requests, self._requests)
        _in_background(_collect_answers, answers, self._answers)
        self._listener = _in_background(_collect_output, output, self._error_output)

    @property
    def alive(self) -> bool:
        """Whether the process is running: it has neither ended nor been stopped."""
        return self._process.poll() is None and not self._is_stopped()

    def send(self, *request: Any) -> None:
        """Send a request; it does not wait until the worker has read it."""
        self._requests.put(frame_of(request))

    def receive(self, patience: float, stop: Stop = never) -> Any:
        """Wait for the next answer.

        Raises WorkerGone if the process has ended, WorkerSilent after `patience` seconds, and Interrupted when `stop`
        returns True.
        """
        deadline = time.monotonic() + patience
        while (left := deadline - time.monotonic()) > 0:
            try:
                # Short waits: on some systems an interrupt is noticed only between them.
                answer = self._answers.get(timeout=min(left, 0.1))
            except Empty:
                if self._is_stopped():
                    raise WorkerGone from None
                if stop():
                    raise Interrupted from None
                continue
            if isinstance(answer, _EndOfAnswers):
                raise WorkerGone
            return answer
        raise WorkerSilent

    def _is_stopped(self) -> bool:
        """Whether somebody has stopped the process by a signal; it is then treated as one that has ended."""
        if not hasattr(os, "waitid") or self._process.returncode is not None:
            return False
        options = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        try:
            status = os.waitid(os.P_PID, self._process.pid, options)
        except ChildProcessError:
            return False
        return status is not None

    def kill(self) -> None:
        """End the process at once."""
        self._end()

    def last_words(self) -> str:
        """The end of what the process, now gone, wrote to its standard error."""
        self._listener.join(timeout=1)
        return b"".join(self._error_output).decode(errors="replace").strip()


class _EndOfAnswers:
    """Put into the queue of answers when the pipe has ended: no further answers will come."""


def _arguments(protection: Protection) -> list[str]:
    """The protection as arguments of the worker."""
    libraries = [f"--preloaded={library}" for library in protection.preloaded]
    confined = ["--confined"] if protection.confined else []
    return [f"--memory={protection.memory}", *confined, *libraries]


def _environment(swipl: Path, *, confined: bool) -> dict[str, str]:
    """The environment in which the worker finds this package and this `swipl`, and no start-up file of the user."""
    package = str(Path(joiner_magic.__file__).resolve().parents[1])
    environment = {name: value for name, value in os.environ.items() if not confined or _is_needed(name)}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (environment.get("PYTHONPATH"), package)))
    environment["PATH"] = os.pathsep.join(filter(None, (str(swipl.parent), environment.get("PATH"))))
    environment["XDG_CONFIG_HOME"] = os.devnull
    return environment


def _is_needed(name: str) -> bool:
    """Whether the worker gets this variable of the environment; it does not get any others."""
    return name.upper() in _NEEDED or name.startswith("LC_")


def _in_background(collect: Callable[..., None], *arguments: Any) -> threading.Thread:
    """A thread that does this for as long as the process lives."""
    thread = threading.Thread(target=collect, args=arguments, daemon=True)
    thread.start()
    return thread


def _write_requests(stream: IO[bytes], requests: SimpleQueue[bytes | None]) -> None:
    """Send requests to the worker, one after another."""
    with contextlib.suppress(OSError), stream:  # the process is gone
        while frame := requests.get():
            stream.write(frame)
            stream.flush()


def _collect_answers(stream: IO[bytes], answers: SimpleQueue[Any]) -> None:
    """Read answers until the worker ends, or says what no worker would."""
    with stream:
        try:
            while True:
                answers.put(read_answer(stream))
        except Exception:  # the end, or what no worker of ours would say
            answers.put(_EndOfAnswers())


def _collect_output(stream: IO[bytes], output: deque[bytes]) -> None:
    """Keep the last lines that the worker has written as errors: they tell why it died."""
    with stream:
        while data := os.read(stream.fileno(), 1024):
            output.append(data)


def _end(process: subprocess.Popen[bytes], requests: SimpleQueue[bytes | None]) -> None:
    """Kill the process, and let its threads end."""
    process.kill()
    process.wait()
    requests.put(None)  # ends the thread that waits for more to write
