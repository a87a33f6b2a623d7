"""Labels are flipped the same way every time, and the means of what was measured become a table and a plot."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.noise import (
    PERCENTS,
    WAYS,
    Measured,
    flipped,
    mean_accuracies,
    measure,
    measure_all,
    plot,
    read_runs,
    table,
    write_flipped,
    write_runs,
)
from joiner_magic.task.examples import Examples, read_examples
from joiner_magic.task.folder import load_task
from joiner_magic.task.held_out import load_held_out

SVG = "{http://www.w3.org/2000/svg}"


def some_examples(count: int = 40) -> Examples:
    text = "".join(f"{'pos' if n % 2 else 'neg'}(f(e{n}), {n + 1}).\n" for n in range(count))
    return read_examples(text)[0]


def labelled(examples: Examples) -> dict[str, tuple[bool, object]]:
    """The label and the weight of each example, by its atom."""
    atoms = map(str, (*examples.pos, *examples.neg))
    weights = (*examples.pos_weights, *examples.neg_weights)
    return {
        atom: (label, weight) for atom, label, weight in zip(atoms, examples.labels, weights, strict=True)
    }


def changed(examples: Examples, percent: float, seed: int) -> set[str]:
    """The atoms whose labels are flipped; all else about the examples must be as it was."""
    before, after = labelled(examples), labelled(flipped(examples, percent, seed))
    assert before.keys() == after.keys()
    assert all(before[atom][1] == after[atom][1] for atom in before), "weights stay with their atoms"
    return {atom for atom in before if before[atom][0] != after[atom][0]}


def some_task(folder: Path) -> Path:
    """A small task with held-out examples: red things are good."""
    (folder / "test").mkdir(parents=True)
    facts = "".join(f"{'red' if n < 10 else 'blue'}(e{n}).\n" for n in range(20))
    labels = "".join(f"{'pos' if n < 10 else 'neg'}(good(e{n})).\n" for n in range(20))
    for name, text in (("bk.pl", facts), ("exs.pl", labels)):
        (folder / name).write_text(text, encoding="utf-8")
        (folder / "test" / name).write_text(text, encoding="utf-8")
    (folder / "bias.pl").write_text(
        "head_pred(good,1). body_pred(red,1). body_pred(blue,1).\n", encoding="utf-8"
    )
    return folder


def run(task: str, percent: int, way: str, accuracy: float, seed: int = 1) -> Measured:
    return Measured(task, percent, seed, way, 20.0, "best", 1.0, 3, accuracy)


@pytest.mark.parametrize(("percent", "count"), [(0, 0), (5, 2), (10, 4), (20, 8), (30, 12), (100, 40)])
def test_the_share_of_labels_is_flipped(percent: int, count: int) -> None:
    assert len(changed(some_examples(), percent, seed=1)) == count


def test_the_seed_decides_which_labels_are_flipped() -> None:
    examples = some_examples()
    assert flipped(examples, 20, seed=1) == flipped(examples, 20, seed=1)
    assert changed(examples, 20, seed=1) != changed(examples, 20, seed=2)


def test_a_greater_share_flips_the_same_labels_and_more() -> None:
    shares = [changed(some_examples(), percent, seed=3) for percent in PERCENTS]
    assert all(fewer < more for fewer, more in pairwise(shares))


def test_only_the_training_labels_of_a_task_are_flipped(tmp_path: Path) -> None:
    task = some_task(tmp_path / "red")
    write_flipped(task, tmp_path / "wrong", 10, seed=1)
    clean, wrong = load_task(task), load_task(tmp_path / "wrong")
    assert wrong.examples == flipped(clean.examples, 10, seed=1) != clean.examples
    assert wrong.background == clean.background
    held_out = load_held_out(tmp_path / "wrong" / "test", wrong).examples
    assert held_out == load_held_out(task / "test", clean).examples


def test_both_ways_are_measured_on_the_labels_that_are_right(tmp_path: Path) -> None:
    task = some_task(tmp_path / "red")
    with_prices, exact = (measure(task, 10, 1, way, timeout=20) for way in WAYS)
    assert with_prices
    assert exact
    assert with_prices.accuracy == 1
    assert exact.accuracy <= 1
    assert (with_prices.task, with_prices.percent, with_prices.way) == ("red", 10, "with prices")


def test_a_run_that_fails_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = some_task(tmp_path / "red")
    (task / "test" / "exs.pl").write_text("good(\n", encoding="utf-8")
    assert measure(task, 0, 1, "exact", timeout=20) is None
    assert "red, 0 % flipped, exact, failed: " in capsys.readouterr().err


def test_a_run_that_is_known_is_not_repeated(tmp_path: Path) -> None:
    task = tmp_path / "nowhere"
    known = [run("nowhere", percent, way, 0.75) for percent in PERCENTS for way in WAYS]
    write_runs(tmp_path / "runs.json", known)
    assert read_runs(tmp_path / "none.json") == []
    assert read_runs(tmp_path / "runs.json") == known
    assert list(measure_all([task], 1, 20.0, known)) == []


def test_the_table_has_a_row_for_each_task_and_the_mean() -> None:
    runs = [
        run("a", 0, "exact", 1.0),
        run("b", 0, "exact", 0.5),
        run("a", 10, "exact", 0.6),
        run("a", 10, "exact", 0.7, seed=2),
        run("b", 10, "exact", 0.95),
        run("a", 10, "with prices", 0.9),
    ]
    assert mean_accuracies(runs, "exact") == [(0, 75.0), (10, pytest.approx(80.0))], (
        "each task counts the same"
    )
    titles, _, *rows = [line.strip("| ").split(" | ") for line in table(runs).splitlines()]
    by_task = {row[0]: dict(zip(titles, row, strict=True)) for row in rows}
    assert list(by_task) == ["a", "b", "mean"]
    assert by_task["a"]["10 %, exact"] == "65"
    assert by_task["b"]["10 %, with prices"] == "-"
    assert by_task["mean"]["0 %, exact"] == "75"
    assert by_task["mean"]["10 %, with prices"] == "90"


def test_the_plot_names_its_lines_and_the_values_of_their_points() -> None:
    lines = {"with prices": [(0, 99.0), (30, 80.2)], "exact": [(0, 100.0), (30, 80.0)]}
    picture = plot(lines)
    assert picture == plot(lines)
    root = ElementTree.fromstring(picture)
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert {"with prices", "exact", "30 % wrong labels: 80.2 %"} <= set(titles)
    names = {text.text: float(text.get("y", "")) for text in root.iter(f"{SVG}text") if text.text in lines}
    assert names["exact"] - names["with prices"] >= 12, "names of lines that end together stand apart"
