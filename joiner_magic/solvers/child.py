"""Child processes for clingo: their memory is bounded, they can be ended at any moment, and none is left behind.

A call into clingo cannot be interrupted, and the memory that it allocates cannot be bounded. Both can be done to a
child process: its address space has a limit, and it is ended when nobody waits for its answer any more. The child
lives as long as the pipe for its requests is open. The pipe is closed when its owner closes the child, and by the
operating system when the owner dies, so a child does not outlive the program that started it.

All processes for clingo are started here.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from importlib import import_module
from typing import IO, Any, cast

from joiner_magic.solvers.interrupt import Stop, never
from joiner_magic.solvers.pipe_frames import read_frame, write_frame
from joiner_magic.solvers.solver_thread import SolverThread
from joiner_magic.solvers.uninterrupted_process import start_uninterrupted_process

# What the child runs, in isolation from the folder it is started in; it finds the modules that its owner does.
_START = "import sys; sys.path[:] = {path!r}; from joiner_magic.solvers.child import serve; serve({work!r}, {memory})"


class ChildGone(Exception):
    """The process ended without an answer: most often because it needed more memory than it may use."""


class Child:
    """A process that answers requests one by one with a function, `work`, given as "module:function".

    Requests and answers consist of plain values: numbers, strings, None, tuples, lists and dictionaries. `memory` is
    the number of bytes that the process may use on top of what Python itself uses. Close it after use.
    """

    def __init__(self, work: str, *, memory: int) -> None:
        start = _START.format(path=[entry or os.getcwd() for entry in sys.path], work=work, memory=memory)
        self._process = _LazyProcess([sys.executable, "-I", "-c", start])
        self._end = weakref.finalize(self, self._process.end)

    def ask(self, request: Any, stop: Stop = never) -> Any:
        """Send a request, and wait for the answer.

        Raises Interrupted when `stop` returns True before the answer is there, and ChildGone if the process has
        ended. A child that was interrupted, by `stop` or by Ctrl-C, is closed.
        """
        asking: SolverThread[Any] = SolverThread(lambda _: self._process.exchange(request))
        try:
            asking.start()
            return asking.result(stop)
        except ChildGone:
            self.close()
            raise
        finally:
            if not asking.done:  # its thread ends when the process does
                self.close()
            asking.close()

    def close(self) -> None:
        """End the process."""
        self._end()


class _LazyProcess:
    """A process that is started with the first request, in the thread that waits for the answer."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._ended = False
        self._process: subprocess.Popen[bytes] | None = None

    def exchange(self, request: Any) -> Any:
        """Send a request and read the answer; ChildGone if the process ends before."""
        process = self._start()
        requests, answers = cast("tuple[IO[bytes], IO[bytes]]", (process.stdin, process.stdout))
        try:
            write_frame(requests, request)
            return read_frame(answers)
        except (EOFError, OSError, ValueError):  # a broken pipe, or one that was closed
            raise ChildGone from None

    def end(self) -> None:
        """End the process, and refuse further requests."""
        with self._lock:
            self._ended = True
            process, self._process = self._process, None
        if process is not None:
            _end(process)

    def _start(self) -> subprocess.Popen[bytes]:
        """The process, which is started if it has not been; ChildGone if it was ended."""
        with self._lock:
            if self._ended:
                raise ChildGone
            if self._process is None:
                self._process = start_uninterrupted_process(self._command)
                threading.Thread(target=_drain, args=(self._process.stderr,), daemon=True).start()
            return self._process


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, and close the pipes to it."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError, ValueError):  # what was left to send can no longer be
            cast("IO[bytes]", pipe).close()


def _drain(stream: IO[bytes]) -> None:
    """Read and drop what the process writes to its standard error, so that it never has to wait for that."""
    with stream, contextlib.suppress(OSError, ValueError):
        while os.read(stream.fileno(), 1 << 16):
            pass


def serve(work: str, memory: int) -> None:
    """Run in the child: answer requests with the function `work` until the pipe of requests is closed."""
    module, _, name = work.partition(":")
    answer = cast("Callable[[Any], Any]", getattr(import_module(module), name))
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    _bound_memory(memory)
    while True:
        try:
            given = answer(requests.get())
        except MemoryError:
            os._exit(1)
        write_frame(sys.stdout.buffer, given)


def _listen(requests: queue.SimpleQueue[Any]) -> None:
    """Read requests, also while one is being answered: when the pipe is closed meanwhile, the process ends at once."""
    try:
        while True:
            requests.put(read_frame(sys.stdin.buffer))
    finally:
        os._exit(0)


def _bound_memory(memory: int) -> None:
    """Limit the address space of this process to what it has now and so many bytes more."""
    try:
        import resource
    except ImportError:  # on Windows; the owner can still end the process
        return
    most = _address_space() + memory
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _address_space() -> int:
    """Bytes that this process has reserved so far; a guess where the operating system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as sizes:
            return int(sizes.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1 << 30
