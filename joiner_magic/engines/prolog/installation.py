"""Find an SWI-Prolog that janus_swi can use.

janus_swi aborts its process if SWI-Prolog is too old. So the program `swipl` is asked for its version, in a process of
its own, before janus_swi is imported.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

from joiner_magic.errors import MissingPart
from joiner_magic.solvers.uninterrupted_process import start_uninterrupted_process

OLDEST = (9, 1, 12)  # the first version janus_swi works with
NO_SWIPL = "SWI-Prolog is not installed"

_REMEDY = (
    "pip install 'joiner-magic[prolog]', and install SWI-Prolog "
    f"{'.'.join(map(str, OLDEST))} or newer (JOINER_SWIPL may name the program)"
)


def prolog_available() -> str | None:
    """None if the Prolog engine can be used here, otherwise the reason why it cannot."""
    found = _search()
    if isinstance(found, str):
        return found
    return None


def require_swipl() -> Path:
    """The `swipl` program to use; MissingPart, which says what to install, if there is none."""
    found = _search()
    if isinstance(found, str):
        raise MissingPart(f"the Prolog engine cannot be used: {found}", remedy=_REMEDY)
    return found


def _search() -> Path | str:
    if importlib.util.find_spec("janus_swi") is None:
        return "the package janus-swi is not installed"
    return find_swipl()


def find_swipl() -> Path | str:
    """A `swipl` that is new enough, or why there is none; janus_swi is another question."""
    reasons: dict[str, None] = {}
    for swipl in _candidates():
        version = swipl_version(swipl)
        if version is None:
            reasons[f"{swipl} does not run"] = None
        elif version < OLDEST:
            reasons[f"{swipl} is SWI-Prolog {'.'.join(map(str, version))}, too old"] = None
        else:
            return swipl
    return ", ".join(reasons) or NO_SWIPL


def _candidates() -> list[Path]:
    """Programs to try: the one named by JOINER_SWIPL alone, or those on PATH and in the cache."""
    named = os.environ.get("JOINER_SWIPL")
    if named:
        return [Path(named)]
    # All of those on PATH, since an old one may hide a new one.
    on_path = (shutil.which("swipl", path=folder) for folder in os.get_exec_path())
    return [*map(Path, filter(None, on_path)), *sorted(cache().glob("*/bin/swipl"), reverse=True)]


def cache() -> Path:
    """Where tools/provide-swipl puts what it builds."""
    chosen = os.environ.get("JOINER_SWIPL_CACHE")
    if chosen:
        return Path(chosen)
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "joiner-magic" / "swipl"


@functools.cache
def swipl_version(swipl: Path) -> tuple[int, ...] | None:
    """What `swipl --version` says, or None when it cannot be run."""
    try:
        with start_uninterrupted_process([swipl, "--version"]) as process:
            try:
                output, _ = process.communicate(timeout=30)
            except BaseException:
                process.kill()
                raise
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.search(r"version (\d+)\.(\d+)\.(\d+)", output.decode(errors="replace"))
    if version and not process.returncode:
        return tuple(map(int, version.groups()))
    return None
