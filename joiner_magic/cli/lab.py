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
    """By full paths: it works from every folder, and whether or not the environment is activated.

    JupyterLab refuses to start for root unless it is told to. In a container, where people are root, the command would
    end with that: who types it as root has decided.
    """
    as_root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return [sys.executable, "-m", "jupyterlab", *as_root, *options, str(file.resolve())]


def is_installed() -> bool:
    return importlib.util.find_spec("jupyterlab") is not None


def way_to_open(command: Sequence[str]) -> str:
    """What a person types, after installing JupyterLab where it is missing."""
    return _typed(command) if is_installed() else f"{INSTALL}, then {_typed(command)}"


def _typed(command: Sequence[str]) -> str:
    """As it is typed into the shell of this system."""
    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
