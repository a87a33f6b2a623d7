"""Code in a process that leads a group of its own, for tests that interrupt whole groups."""

from __future__ import annotations

import subprocess
import sys


def printed_by(code: str) -> str:
    """What it prints; it may take a minute."""
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, start_new_session=True
    )
    assert not said.returncode, said.stderr
    return said.stdout.strip()
