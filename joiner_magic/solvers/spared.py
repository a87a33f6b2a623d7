"""Processes of ours that an interrupt is not for.

Ctrl-C, and a kernel's interrupt, go to all processes of a group. A process in a session of its own gets none; but
while it is made it still is in our group, and an interrupt would end it, so there it is held back.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from os import PathLike


def spared_process(
    command: Sequence[str | PathLike[str]], environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """A new process behind three pipes. It inherits that interrupts are held back."""
    if sys.platform == "win32":
        return _started(command, environment)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return _started(command, environment)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _started(
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
