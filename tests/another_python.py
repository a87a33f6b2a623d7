"""Which tests CI runs on a second Python: those whose outcome may depend on the Python, and a look at all the rest.

What differs between Pythons is the C API that the core uses, how interrupts meet threads, what is kept alive, how processes
are started and end, and what imports and type hints mean. `pytest --differing` runs the tests below, and the random tasks
that are dealt out between CI's two runs (`seeds.py`), since no other run has them. Without the option all tests run.
"""

from __future__ import annotations

from pathlib import Path

# Folders and files below tests/.
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
    # Values on their way into the core and out of it.
    "contract",
    "engines/test_datalog_engine.py",
    "search/test_mining_hostile.py",
    "search/test_record.py",
    "solvers/test_conjunctions.py",
    "task/test_fuzz_reader.py",
    "task/test_reader.py",
    # Interrupts, threads and processes.
    "engines/test_prolog_worker.py",
    "engines/test_uninterrupted_process.py",
    "faults/test_interrupts.py",
    "faults/test_lost_workers.py",
    "search/test_interrupt.py",
    "search/test_resume.py",
    "sessions/test_runs.py",
    "solvers/test_signals.py",
    # What is kept alive, and what is let go.
    "faults/test_soak.py",
    "notebook/test_panels.py",
    "questions/test_engine_of_run.py",
    "sessions/test_forgotten_runs.py",
)


def is_differing(file: Path, tests: Path) -> bool:
    """Whether a file of tests, in the folder of all tests, is one of those that CI runs on a second Python."""
    place = file.relative_to(tests)
    return any(place.is_relative_to(listed) for listed in DIFFERING)
