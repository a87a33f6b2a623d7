"""How the learner's time grows with examples, facts, variables and the size of the rule.

    python tests/benchmarks/growth.py [--timeout SECONDS] [--points N] [--plot FILE.svg] [SERIES ...]

Each task is generated (joiner_magic/generators, growth_tasks.py) and learnt in a process of its own. The table has CPU seconds and, between
two neighbours, the exponent e of time ~ value^e: 1 is linear. The plot shows the same.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.growth_tasks import graph, states
from joiner_magic.cli.bench import Run, measure_in_process
from joiner_magic.generators.generated_task import GeneratedTask
from joiner_magic.generators.molecules import molecules
from joiner_magic.generators.zendo import big_rule, zendo
from joiner_magic.views.log_plot import Line, PlotPanel, log_plot

COLUMNS = ("series", "value", "examples", "facts", "status", "size", "load s", "first s", "CPU s", "exponent",
           "tested", "MB", "source")  # fmt: skip
LEAST = 0.01  # seconds: less is not told apart


@dataclass(frozen=True, slots=True)
class Series:
    """Tasks that differ in one number."""

    number: str  # what it is
    values: Sequence[int]
    task: Callable[[int], GeneratedTask]


SERIES: Mapping[str, Series] = {
    "states, examples": Series(
        "examples",
        (100, 1_000, 10_000, 100_000),
        lambda n: states(examples=n, pieces=4, fragments=2),
    ),
    "graph, examples": Series(
        "examples",
        (100, 1_000, 10_000, 100_000),
        lambda n: graph(examples=n, nodes=2 * n),
    ),
    "molecules, examples": Series(
        "examples",
        (80, 800, 8_000),
        lambda n: molecules(count=n * 5 // 4).made,
    ),
    "states, facts": Series(
        "facts",
        (1_000, 10_000, 100_000, 1_000_000),
        lambda n: states(examples=50, pieces=n // 250, fragments=2),
    ),
    "graph, facts": Series(
        "facts",
        (1_000, 10_000, 100_000, 1_000_000),
        lambda n: graph(examples=100, nodes=round(n / 4.5)),
    ),
    "states, variables": Series(
        "max_vars",
        (3, 4, 5, 6, 7, 8),
        lambda n: states(examples=100, pieces=7, fragments=5, max_vars=n, max_body=6, singletons=True),
    ),
    "graph, variables": Series(
        "max_vars",
        (4, 5, 6, 7, 8),
        lambda n: graph(examples=100, nodes=500, steps=3, max_vars=n, max_body=6, singletons=True),
    ),
    "states, rule": Series(
        "literals of the rule",
        (10, 25, 49, 100),
        lambda n: states(examples=200, pieces=n // 3 + 3, fragments=n // 3),
    ),
    "zendo, rule": Series(
        "literals of the rule",
        (9, 25, 65, 105),
        lambda n: zendo(big_rule(n // 4), scenes=100).made(),
    ),
}


def facts(task: GeneratedTask) -> int:
    return task.background.count(").")


def write(task: GeneratedTask, folder: Path) -> None:
    for name, text in (("bk.pl", task.background), ("exs.pl", task.examples), ("bias.pl", task.bias)):
        (folder / name).write_text(text, encoding="utf-8")


def exponent(before: tuple[float, float] | None, now: tuple[float, float]) -> float | None:
    """Of the power law through two points; None for a first point, or where the times are too short."""
    if before is None or min(before[1], now[1]) <= LEAST:
        return None
    return math.log(now[1] / before[1]) / math.log(now[0] / before[0])


def row(name: str, value: int, task: GeneratedTask, run: Run, rate: float | None) -> list[str]:
    examples = task.examples.count("\n")
    if "failed" in run:
        return [name, f"{value:,}", f"{examples:,}", f"{facts(task):,}", f"failed: {run['failed']}"] + [
            ""
        ] * 8
    cpu = run["cpu"]
    return [
        name,
        f"{value:,}",
        f"{examples:,}",
        f"{facts(task):,}",
        run["status"],
        f"{run['size']}",
        f"{cpu['load']:.2f}",
        "-" if cpu["first"] is None else f"{cpu['first']:.2f}",
        f"{cpu['learn']:.2f}",
        "" if rate is None else f"{rate:.2f}",
        f"{run['programs_tested']:,}",
        "-" if run["peak_megabytes"] is None else f"{run['peak_megabytes']:.0f}",
        run["source"],
    ]


def measure(
    name: str, points: int | None, options: dict[str, Any], folder: Path
) -> list[tuple[float, float]]:
    """Print a line for each task of a series. The points that ended by themselves are given back."""
    ended: list[tuple[float, float]] = []
    series = SERIES[name]
    for value in series.values[:points]:
        task = series.task(value)
        write(task, folder)
        run = measure_in_process(str(folder), options)
        rate = None
        if "failed" not in run and run["status"] == "optimal":
            point = (float(value), max(run["cpu"]["learn"], LEAST))
            rate = exponent(ended[-1] if ended else None, point)
            ended.append(point)
        print(f"| {' | '.join(row(name, value, task, run, rate))} |", flush=True)
    return ended


def panels(measured: Mapping[str, Sequence[tuple[float, float]]]) -> list[PlotPanel]:
    """One for each number that grows, with a line for each kind of task."""
    found = []
    for number in dict.fromkeys(series.number for series in SERIES.values()):
        lines = [
            Line(name.split(",")[0], points)
            for name, points in measured.items()
            if SERIES[name].number == number and points
        ]
        found.append(PlotPanel(f"time against {number}", number, "CPU seconds to the proof", lines))
    return [panel for panel in found if panel.lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("series", nargs="*", help=f"of {'; '.join(SERIES)} (default: all)")
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--points", type=int, help="measure only the first so many values of each series")
    parser.add_argument("--plot", type=Path, help="an SVG file to write")
    arguments = parser.parse_args()
    if unknown := set(arguments.series) - set(SERIES):
        parser.error(f"there is no series {sorted(unknown)[0]}")
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}", flush=True)
    options = {"timeout": arguments.timeout, "advise": False}
    with tempfile.TemporaryDirectory() as folder:
        measured = {
            name: measure(name, arguments.points, options, Path(folder))
            for name in arguments.series or SERIES
        }
    if arguments.plot:
        arguments.plot.write_text(log_plot(panels(measured)).svg, encoding="utf-8")


if __name__ == "__main__":
    main()
