"""Child processes that Ctrl-C does not reach.

Ctrl-C, and a notebook's interrupt button, send a signal to all processes of a group. A process in a session of its own
does not get it. But while such a process is being made it is still in our group, where an interrupt would end it; so
the signal is blocked during that moment.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from os import PathLike


def start_uninterrupted_process(
    command: Sequence[str | PathLike[str]], environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a process with pipes to its input, output and errors. It inherits that the signal SIGINT is blocked."""
    if sys.platform == "win32":
        return _start(command, environment)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return _start(command, environment)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(
    command: Sequence[str | PathLike[str]], environment: Mapping[str, str] | None
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows only
        start_new_session=True,
    )
