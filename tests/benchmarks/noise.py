"""How well the learner predicts when some of its examples have the wrong label: with prices for errors, and without.

    python tests/benchmarks/noise.py [--timeout SECONDS] [--seeds N] [--json FILE] [--plot FILE.svg] DIR ...

A task is a folder with held-out examples below `test`. A share of its training labels is flipped, the same for every run
with the same seed; a greater share flips the same labels and more. Then it is learnt twice, each time in a process of its
own: with prices for errors (`noise=True`), and exactly, where the best hypothesis counts even if it misses positives. Both
are measured on the held-out examples, which stay as they are. Accuracy is balanced, so to predict nothing gives 50 %.

What is in the file of `--json` already is not measured again, so a run that was stopped can go on. The table and the plot
are of all runs in the file, so small tasks can be given more seeds than large ones; each task counts the same.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from joiner_magic.cli.bench import measure_in_process
from joiner_magic.cli.measure import HELD_OUT
from joiner_magic.files import write_file
from joiner_magic.task.examples import Examples
from joiner_magic.task.folder import EXAMPLES, load_task
from joiner_magic.views.drawing import FAINT, LINE, Svg, named, page, piece, words
from joiner_magic.views.log_plot import COLOURS, SHAPES

PERCENTS = (0, 5, 10, 20, 30)
# The ways to learn that are compared, by their names in the table and in the plot.
WAYS: Mapping[str, Mapping[str, Any]] = {"with prices": {"noise": True}, "exact": {"noise": False}}


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: what was learnt from, how, and what came of it."""

    task: str
    percent: int  # of labels that were flipped
    seed: int
    way: str
    timeout: float
    status: str
    seconds: float
    size: int
    accuracy: float  # balanced, on the held-out examples

    @property
    def asked(self) -> tuple[str, int, int, str, float]:
        """What tells this run from the others."""
        return self.task, self.percent, self.seed, self.way, self.timeout


# The labels


def flipped(examples: Examples, percent: float, seed: int) -> Examples:
    """The examples with this share of their labels flipped; a greater share flips the same ones and more."""
    labelled = list(
        zip(
            examples.labels,
            (*examples.pos, *examples.neg),
            (*examples.pos_weights, *examples.neg_weights),
            strict=True,
        )
    )
    order = list(range(len(labelled)))
    Random(seed).shuffle(order)
    wrong = set(order[: round(len(order) * percent / 100)])
    said = [(label != (n in wrong), atom, weight) for n, (label, atom, weight) in enumerate(labelled)]
    said.sort(key=lambda example: not example[0])  # the positive ones first
    return replace(
        examples,
        pos=tuple(atom for label, atom, _ in said if label),
        neg=tuple(atom for label, atom, _ in said if not label),
        place=None,
        weights=tuple(weight for _, _, weight in said),
    )


def write_flipped(task: Path, folder: Path, percent: float, seed: int) -> None:
    """Copy a task to a folder, with this share of its training labels flipped."""
    shutil.copytree(task, folder)
    examples = flipped(load_task(task).examples, percent, seed)
    (folder / EXAMPLES).write_text(examples.to_text(), encoding="utf-8")


# The measurements


def measure(task: Path, percent: int, seed: int, way: str, timeout: float) -> Measured | None:
    """Learn from some wrong labels in one of the ways; None, and a line that says why, if the run fails."""
    options = {**WAYS[way], "timeout": timeout, "advise": False}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / task.name
        write_flipped(task, folder, percent, seed)
        run = measure_in_process(str(folder), options)
    if "failed" in run:
        print(f"{task.name}, {percent} % flipped, {way}, failed: {run['failed']}", file=sys.stderr)
        return None
    accuracy = run["test_balanced_accuracy"]
    return Measured(
        task.name, percent, seed, way, timeout, run["status"], run["seconds"], run["size"], accuracy
    )


def measure_all(
    tasks: Sequence[Path], seeds: int, timeout: float, known: Sequence[Measured]
) -> Iterator[Measured]:
    """One run for each seed, share, task and way, in this order, without those that are known or fail."""
    asked = {run.asked for run in known}
    for seed, percent, task, way in product(range(1, seeds + 1), PERCENTS, tasks, WAYS):
        if seed > 1 and not percent:
            continue  # without a flipped label all seeds are the same
        if (task.name, percent, seed, way, timeout) in asked:
            continue
        if run := measure(task, percent, seed, way, timeout):
            yield run


def read_runs(file: Path) -> list[Measured]:
    """The runs of a file; none if there is no such file."""
    if not file.exists():
        return []
    return [Measured(**run) for run in json.loads(file.read_text(encoding="utf-8"))]


def write_runs(file: Path, runs: Sequence[Measured]) -> None:
    """Write runs to a file, for `read_runs`."""
    write_file(file, json.dumps([asdict(run) for run in runs], indent=1))


def mean_accuracies(runs: Sequence[Measured], way: str) -> list[tuple[int, float]]:
    """The mean accuracy for each share of flipped labels that was measured, in percent: the mean over tasks."""
    found = []
    for percent in PERCENTS:
        by_task = defaultdict(list)
        for run in runs:
            if run.way == way and run.percent == percent:
                by_task[run.task].append(run.accuracy)
        if by_task:
            found.append((percent, 100 * mean(map(mean, by_task.values()))))
    return found


# The table


def table(runs: Sequence[Measured]) -> str:
    """Held-out accuracies in Markdown: a row for each task and one for their mean, two columns for each share."""
    titles = [f"{percent} %, {way}" for percent in PERCENTS for way in WAYS]
    lines = [_line(["task", *titles]), f"|{'---|' * (len(titles) + 1)}"]
    tasks = dict.fromkeys(run.task for run in runs)
    lines += [_line([task, *_cells([run for run in runs if run.task == task])]) for task in tasks]
    lines.append(_line(["mean", *_cells(runs)]))
    return "\n".join(lines)


def _cells(runs: Sequence[Measured]) -> list[str]:
    """The mean accuracy of each column; "-" where nothing was measured."""
    by_way = {way: dict(mean_accuracies(runs, way)) for way in WAYS}
    return [
        f"{by_way[way][percent]:.0f}" if percent in by_way[way] else "-"
        for percent in PERCENTS
        for way in WAYS
    ]


def _line(cells: Sequence[str]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


# The plot

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 58, 96, 40, 48  # around the axes; the names of the lines are on the right
LOWEST, HIGHEST = 50, 100  # percent of accuracy; less than by guessing is drawn at the bottom
LABELS_APART = 15  # pixels between the names of two lines


def plot(lines: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """A picture of accuracy against the share of wrong labels: a line for each name, which stands at its end."""
    shapes = [*_grid(), *_titles()]
    for number, (name, points) in enumerate(lines.items()):
        shapes.append(_drawn_line(name, points, number))
    shapes += _names(lines)
    return page("held-out accuracy against wrong labels", WIDTH, HEIGHT, shapes)


def _x(percent: float) -> float:
    return round(LEFT + percent / PERCENTS[-1] * (WIDTH - LEFT - RIGHT), 1)


def _y(accuracy: float) -> float:
    share = (max(accuracy, LOWEST) - LOWEST) / (HIGHEST - LOWEST)
    return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP), 1)


def _grid() -> Iterator[Svg]:
    """A line for each ten percent of accuracy, and the shares that were measured below."""
    for accuracy in range(LOWEST, HIGHEST + 1, 10):
        y = _y(accuracy)
        yield piece("path", d=f"M{LEFT} {y}H{WIDTH - RIGHT}", stroke=LINE)
        yield words(LEFT - 8, y + 4, accuracy, text_anchor="end", fill=FAINT)
    for percent in PERCENTS:
        yield piece("path", d=f"M{_x(percent)} {HEIGHT - BOTTOM}v4", stroke=FAINT)
        yield words(_x(percent), HEIGHT - BOTTOM + 18, percent, text_anchor="middle", fill=FAINT)


def _titles() -> Iterator[Svg]:
    """The names of the axes."""
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield words(middle, HEIGHT - 10, "wrong labels among the training examples, %", text_anchor="middle")
    yield words(12, 20, "balanced accuracy on held-out examples, % (50: as good as guessing)")


def _drawn_line(name: str, points: Sequence[tuple[int, float]], number: int) -> Svg:
    """A line with its points, which say their values when they are pointed at."""
    colour = COLOURS[number % len(COLOURS)]
    path = " ".join(f"{_x(percent)},{_y(accuracy)}" for percent, accuracy in points)
    inside = [piece("polyline", points=path, fill="none", stroke=colour, stroke_width=2)]
    for percent, accuracy in points:
        place = f"translate({_x(percent):g} {_y(accuracy):g}) scale(4)"
        sign = piece("path", d=SHAPES[number % len(SHAPES)], transform=place, fill=colour)
        inside.append(named(f"{percent} % wrong labels: {accuracy:.1f} %", sign))
    return named(name, *inside)


def _names(lines: Mapping[str, Sequence[tuple[int, float]]]) -> Iterator[Svg]:
    """The name of each line behind its last point, from top to bottom, none on top of another."""
    ends = [(_y(points[-1][1]), number) for number, points in enumerate(lines.values()) if points]
    names = list(lines)
    free = 0.0
    for y, number in sorted(ends):
        at = max(y, free)
        colour = COLOURS[number % len(COLOURS)]
        x = _x(lines[names[number]][-1][0]) + 10
        yield words(x, at + 4, names[number], fill=colour, font_weight="bold")
        free = at + LABELS_APART


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="+", type=Path, metavar="DIR", help="a task with held-out examples")
    parser.add_argument("--timeout", type=float, default=20.0, metavar="SECONDS", help="of each run")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="how often labels are chosen anew")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all runs; those it has are not run again")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="an SVG file to write")
    arguments = parser.parse_args()
    for task in arguments.tasks:
        if not (task / HELD_OUT / EXAMPLES).exists():
            parser.error(f"{task} has no held-out examples")
    runs = read_runs(arguments.json) if arguments.json else []
    for run in measure_all(arguments.tasks, arguments.seeds, arguments.timeout, tuple(runs)):
        runs.append(run)
        print(run, file=sys.stderr, flush=True)
        if arguments.json:
            write_runs(arguments.json, runs)
    print(table(runs))
    if arguments.plot:
        arguments.plot.write_text(plot({way: mean_accuracies(runs, way) for way in WAYS}), encoding="utf-8")


if __name__ == "__main__":
    main()
