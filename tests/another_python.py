"""Which tests CI runs on a second Python: those whose outcome may depend on the Python.

What differs between Pythons is the C API that the core uses, how interrupts meet threads, what is kept alive, how processes
are started and end, and what imports and type hints mean. `pytest --differing` runs the tests below, and the random tasks
that are dealt out between CI's two runs (`seeds.py`), since no other run has them. Without the option all tests run.

Not here is what compares one answer of ours with another one, such as two engines with each other, or a search with brute
force: on whichever Python, both are computed by the same code, and the first run compares them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

# Folders, files and tests below tests/.
DIFFERING = (
    # All that is imported, the magics, a kernel, the command, and one run of each kind.
    "test_package.py",
    "cli/test_cli_learn.py",
    "kernel",
    "notebook/test_extension.py",
    "notebook/test_in_kernels.py",
    "notebook/test_magics.py",
    "notebook/test_panel.py",
    "search/test_paper_examples.py",
    "search/test_result.py",
    "views/test_view.py",
    # Values on their way into the core, into the solvers and to files, and out of them.
    "contract/test_empty_list.py",
    "contract/test_engine_contract.py",
    "engines/test_datalog_engine.py",
    "search/test_archive.py",
    "search/test_mining_hostile.py",
    "search/test_record.py",
    "solvers/test_grounding.py",
    "task/test_archive.py",
    "task/test_reader.py",
    # Interrupts, threads and processes.
    "engines/test_prolog_worker.py",
    "engines/test_uninterrupted_process.py",
    "faults/test_interrupts.py",
    "faults/test_lost_workers.py",
    "search/test_interrupt.py",
    "search/test_resume.py::test_a_process_ends_although_a_run_rests",
    "sessions/test_session.py::test_threads_that_speak_at_once_are_all_heard",
    "solvers/test_signals.py",
    # What is kept alive, and what is let go.
    "faults/test_soak.py",
    "notebook/test_panels.py",
    "questions/test_engine_of_run.py",
    "sessions/test_forgotten_runs.py",
)


def is_differing(item: pytest.Item, tests: Path) -> bool:
    """Whether a test, in the folder of all tests, is one of those that CI runs on a second Python."""
    file = item.path.relative_to(tests)
    name = getattr(item, "originalname", item.name)
    return any(_is_of(file, name, listed) for listed in DIFFERING)


def _is_of(file: Path, name: str, listed: str) -> bool:
    """Whether a test with this name in this file is what an entry of the list names."""
    place, _, only = listed.partition("::")
    return file.is_relative_to(place) and only in ("", name)
