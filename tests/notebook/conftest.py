"""A real shell for each test, with the extension loaded and no session left over."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, TypeAlias

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from joiner_magic.sessions.current import forget_all

# Runs a cell as a front end does: its text, and its id unless the front end has none. Gives the cell's value.
Cell: TypeAlias = Callable[..., Any]


@pytest.fixture
def bare_shell() -> Iterator[InteractiveShell]:
    forget_all()
    InteractiveShell.clear_instance()
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    shell = InteractiveShell.instance(config=config)
    yield shell
    atexit.unregister(shell.atexit_operations)  # it collects garbage: a quarter of a second for each test
    InteractiveShell.clear_instance()
    forget_all()


@pytest.fixture
def shell(bare_shell: InteractiveShell) -> InteractiveShell:
    bare_shell.run_line_magic("load_ext", "joiner_magic")
    return bare_shell


@pytest.fixture
def cell(shell: InteractiveShell) -> Cell:
    """Each call without an id of its own is a new cell."""
    fresh = count()

    def run(text: str, cell_id: str | None = "new") -> Any:
        identity = f"new{next(fresh)}" if cell_id == "new" else cell_id
        result = shell.run_cell(text, store_history=True, cell_id=identity)  # type: ignore[no-untyped-call]
        result.raise_error()
        return result.result

    return run
