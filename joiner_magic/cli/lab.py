"""The command that opens a notebook in the JupyterLab of this environment."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

INSTALL = "pip install 'joiner-magic[tutorial]'"


def lab_command(file: Path, options: Sequence[str] = ()) -> list[str]:
    """The command that opens a file in JupyterLab.

    It has full paths, so it works from every folder, whether or not the environment is activated. For root it has the
    option without which JupyterLab refuses to start: in containers people are root.
    """
    as_root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return [sys.executable, "-m", "jupyterlab", *as_root, *options, str(file.resolve())]


def is_installed() -> bool:
    """Whether JupyterLab is installed in this environment."""
    return importlib.util.find_spec("jupyterlab") is not None


def way_to_open(command: Sequence[str]) -> str:
    """What a person types to run the command, after installing JupyterLab if it is missing."""
    typed = _shell_text(command)
    if is_installed():
        return typed
    return f"{INSTALL}, then {typed}"


def _shell_text(command: Sequence[str]) -> str:
    """The command as it is typed into the shell of this operating system."""
    if sys.platform == "win32":
        return subprocess.list2cmdline(command)
    return shlex.join(command)
