"""Hundreds of edits leave the kernel as large as dozens do."""

from __future__ import annotations

import os

import pytest

from faults.soak import Sample, Trend, soak, trends

# A second Python makes do with fewer (tools/test).
EDITS = int(os.environ.get("JOINER_SOAK_EDITS", "500"))
# How much the last quarter of the session may have more of than the second: what the allocator takes and
# IPython's history of what was typed. Runs that were kept would take a hundred megabytes, workers that were kept one each.
MOST = {"megabytes": 12, "threads": 2, "descriptors": 4, "children": 1}


def grown(found: dict[str, Trend]) -> list[str]:
    return [str(trend) for name, trend in found.items() if trend.growth > MOST[name]]


@pytest.mark.prolog
def test_memory_threads_files_and_processes_are_flat() -> None:
    samples = soak(EDITS, seed=1, prolog=True)
    found = trends(samples)
    print(*found.values(), f"{samples[-1].seconds:.0f} s", sep="; ")
    assert len(samples) == EDITS // 10
    assert grown(found) == []


@pytest.mark.parametrize("name", MOST)
def test_what_grows_is_noticed(name: str) -> None:
    """One more of each every forty edits, and of memory fifty kilobytes with each edit."""
    step = 0.5 if name == "megabytes" else 0.25
    flat = {"megabytes": 100.0, "threads": 16.0, "descriptors": 70.0, "children": 1.0}
    samples = [
        Sample(edits=10 * n, seconds=n, **(flat | {name: flat[name] + step * n}))  # type: ignore[arg-type]
        for n in range(1, 51)
    ]
    assert len(grown(trends(samples))) == 1
