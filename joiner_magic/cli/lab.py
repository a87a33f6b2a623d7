"""The command that opens a notebook in the JupyterLab of this environment."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def lab_command(file: Path, options: Sequence[str] = ()) -> list[str]:
    """By full paths: it works from every folder, and whether or not the environment is activated."""
    return [sys.executable, "-m", "jupyterlab", *options, str(file.resolve())]


def typed(command: Sequence[str]) -> str:
    """As it is typed into the shell of this system."""
    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
